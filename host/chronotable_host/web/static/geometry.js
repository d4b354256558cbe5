// @ts-check
/**
 * Where things lie, read from the drawing of the board and from nothing else; one unit is one
 * millimetre. Two layouts come of it: the table as it is, and for narrow screens the three eras
 * one above the other, each with its focus spots beside it.
 */

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{sensor: number, kind: string, element: SVGGElement, shape: SVGElement,
 *   box: Box}} Place
 * @typedef {{element: SVGGElement, box: Box, label: SVGTextElement | null}} Era
 * @typedef {{view: Box, places: Map<number, Place>, eras: Era[], pitch: number}} Geometry
 * @typedef {{dx: number, dy: number}} Shift
 * @typedef {{kind: "table" | "stack", view: Box, shifts: Map<SVGGElement, Shift>,
 *   boxes: Map<number, Box>, labels: {x: number, y: number}[]}} Layout
 */

/** Number of space sensors; an era has sixteen of them. */
export const SPACES = 48;
/** Number of reeds: spaces and focus spots; what comes after them are buttons. */
export const REEDS = 54;
const PER_ERA = 16;
const ERAS = 3;
/** Pixels that a space should have for a finger, and must have for a mouse. */
const FINGER = 45;
/** On a phone all three eras are to be seen, with the voice below. */
const PHONE = 35;
const MOUSE = 36;
/** Which way the keys lead. */
export const WAYS = /** @type {Record<string, Shift>} */ ({
  ArrowLeft: { dx: -1, dy: 0 },
  ArrowRight: { dx: 1, dy: 0 },
  ArrowUp: { dx: 0, dy: -1 },
  ArrowDown: { dx: 0, dy: 1 },
});
/** More than any table is wide, in mm. */
const FAR = 1e5;

/**
 * Read the geometry of a drawn board.
 * @param {SVGSVGElement} svg
 * @returns {Geometry}
 */
export function readGeometry(svg) {
  /** @type {Map<number, Place>} */
  const places = new Map();
  for (const found of svg.querySelectorAll("[data-sensor]")) {
    const element = /** @type {SVGGElement} */ (found);
    const sensor = Number(element.dataset.sensor);
    const shape = /** @type {SVGElement} */ (element.querySelector("rect, circle"));
    const kind = element.getAttribute("class") ?? "";
    places.set(sensor, { sensor, kind, element, shape, box: boxOf(shape) });
  }
  const pitch = middle(boxAt(places, 1)).x - middle(boxAt(places, 0)).x;
  const [x, y, width, height] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(/\s+/).map(Number);
  return { view: { x, y, width, height }, places, eras: readEras(places), pitch };
}

/**
 * Lay the table out as its board file says.
 * @param {Geometry} geometry
 * @returns {Layout}
 */
export function tableLayout(geometry) {
  const boxes = new Map([...geometry.places].map(([sensor, place]) => [sensor, place.box]));
  return { kind: "table", view: geometry.view, shifts: new Map(), boxes, labels: [] };
}

/**
 * Lay the eras out one above the other, in the order of time. An era's focus spots stand at its
 * right, the one that lies farther north on the table on top; its name stands between them.
 * @param {Geometry} geometry
 * @returns {Layout}
 */
export function stackLayout(geometry) {
  const gap = geometry.pitch * 0.14;
  const spots = geometry.eras.map((_, era) => spotsOf(geometry, era));
  const column = Math.max(...spots.flat().map((spot) => spot.box.width));
  const frame = Math.max(...geometry.eras.map((era) => era.box.width));
  /** @type {Layout} */
  const layout = {
    kind: "stack",
    view: { x: 0, y: 0, width: frame + column + 3 * gap, height: gap },
    shifts: new Map(),
    boxes: new Map(),
    labels: [],
  };
  geometry.eras.forEach((era, number) => {
    const top = layout.view.height;
    const shift = { dx: gap - era.box.x, dy: top - era.box.y };
    layout.shifts.set(era.element, shift);
    for (let space = 0; space < PER_ERA; space++) {
      const sensor = number * PER_ERA + space;
      layout.boxes.set(sensor, moved(boxAt(geometry.places, sensor), shift));
    }
    standBeside(layout, spots[number], { left: frame + 2 * gap, top, column, era: era.box });
    layout.view.height += era.box.height + gap;
  });
  return layout;
}

/**
 * Choose the layout for a screen: the table as it is where a space is large enough for a finger
 * (or a mouse), else the one whose spaces are larger. Returns pixels per millimetre as well. The
 * stack is kept within `height` pixels as long as its spaces stay large enough.
 * @param {{table: Layout, stack: Layout, tile: number}} layouts tile: side of a space in mm
 * @param {{width: number, height: number, coarse: boolean}} screen
 * @returns {{layout: Layout, scale: number}}
 */
export function chooseLayout({ table, stack, tile }, { width, height, coarse }) {
  const least = (coarse ? FINGER : MOUSE) / tile;
  const good = FINGER / tile;
  const wide = width / table.view.width;
  const narrow = width / stack.view.width;
  if (wide >= least || wide >= narrow) {
    return { layout: table, scale: Math.min(wide, Math.max(height / table.view.height, good)) };
  }
  return { layout: stack, scale: Math.min(narrow, Math.max(height / stack.view.height, PHONE / tile)) };
}

/**
 * Find the place nearest to a point, no farther than `reach`; what is inside a place is at 0.
 * @param {Map<number, Box>} boxes
 * @param {{x: number, y: number}} point
 * @param {number} reach
 * @returns {number | null}
 */
export function nearestPlace(boxes, point, reach) {
  let best = null;
  let least = reach;
  for (const [sensor, box] of boxes) {
    const dx = Math.max(box.x - point.x, 0, point.x - box.x - box.width);
    const dy = Math.max(box.y - point.y, 0, point.y - box.y - box.height);
    const far = Math.hypot(dx, dy);
    if (far < least || (far === 0 && best === null)) {
      best = sensor;
      least = far;
    }
  }
  return best;
}

/**
 * Find the place that an arrow key leads to: the nearest one in that direction, where being off
 * to the side counts thrice. What is more to the side than ahead is taken only where nothing else
 * lies that way.
 * @param {Map<number, Box>} boxes
 * @param {number} from
 * @param {{dx: number, dy: number}} way
 * @returns {number | null}
 */
export function placeTowards(boxes, from, way) {
  const start = middle(/** @type {Box} */ (boxes.get(from)));
  let best = null;
  let least = Infinity;
  for (const [sensor, box] of boxes) {
    const { x, y } = middle(box);
    const ahead = (x - start.x) * way.dx + (y - start.y) * way.dy;
    const aside = Math.abs((x - start.x) * way.dy) + Math.abs((y - start.y) * way.dx);
    const cost = ahead + 3 * aside + (aside > ahead ? FAR : 0);
    if (ahead > 1 && cost < least) {
      best = sensor;
      least = cost;
    }
  }
  return best;
}

/**
 * The place in the era before (-1) or after (1) that a place stands for; null beyond time.
 * @param {number} sensor
 * @param {-1 | 1} step
 * @returns {number | null}
 */
export function throughTime(sensor, step) {
  const era = sensor < SPACES ? Math.floor(sensor / PER_ERA) : (sensor - SPACES) % ERAS;
  if (era + step < 0 || era + step >= ERAS) return null;
  return sensor + step * (sensor < SPACES ? PER_ERA : 1);
}

/** @param {Box} box @returns {{x: number, y: number}} */
export function middle(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {SVGElement} shape a rectangle or a circle @returns {Box} */
export function boxOf(shape) {
  const of = (/** @type {string} */ name) => Number(shape.getAttribute(name) ?? 0);
  if (shape.localName !== "circle") {
    return { x: of("x"), y: of("y"), width: of("width"), height: of("height") };
  }
  const r = of("r");
  return { x: of("cx") - r, y: of("cy") - r, width: 2 * r, height: 2 * r };
}

/** @param {Map<number, Place>} places @returns {Era[]} */
function readEras(places) {
  return Array.from({ length: ERAS }, (_, era) => {
    const first = /** @type {Place} */ (places.get(era * PER_ERA));
    const element = /** @type {SVGGElement} */ (first.element.closest(".era"));
    const own = [...element.children].filter((child) => child.localName === "rect");
    const boxes = own.map((rect) => boxOf(/** @type {SVGElement} */ (rect)));
    for (let space = 0; space < PER_ERA; space++) {
      boxes.push(boxAt(places, era * PER_ERA + space));
    }
    return { element, box: union(boxes), label: element.querySelector(":scope > text") };
  });
}

/** @param {Geometry} geometry @param {number} era @returns {Place[]} from north to south */
function spotsOf(geometry, era) {
  const spots = [];
  for (let sensor = SPACES + era; sensor < REEDS; sensor += ERAS) {
    const spot = geometry.places.get(sensor);
    if (spot) spots.push(spot);
  }
  return spots.sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}

/**
 * @param {Layout} layout
 * @param {Place[]} spots
 * @param {{left: number, top: number, column: number, era: Box}} room
 */
function standBeside(layout, spots, { left, top, column, era }) {
  spots.forEach((spot, index) => {
    const part = spots.length > 1 ? index / (spots.length - 1) : 0;
    const edge = era.height * 0.12;
    const y = top + edge + (era.height - 2 * edge - spot.box.height) * part;
    const x = left + (column - spot.box.width) / 2;
    const shift = { dx: x - spot.box.x, dy: y - spot.box.y };
    layout.shifts.set(spot.element, shift);
    layout.boxes.set(spot.sensor, moved(spot.box, shift));
  });
  layout.labels.push({ x: left + column / 2, y: top + era.height / 2 });
}

/** @param {Map<number, Place>} places @param {number} sensor @returns {Box} */
function boxAt(places, sensor) {
  const place = places.get(sensor);
  if (!place) throw new RangeError(`the drawing of the board has no sensor ${sensor}`);
  return place.box;
}

/** @param {Box} box @param {Shift} shift @returns {Box} */
function moved(box, { dx, dy }) {
  return { ...box, x: box.x + dx, y: box.y + dy };
}

/** @param {Box[]} boxes @returns {Box} */
function union(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
