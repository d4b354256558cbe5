// @ts-check
/**
 * The three boards with pieces and LEDs, live and in replays. The server draws the empty table
 * from its board file; pieces and lights are laid over the places that the drawing names.
 */

import { createCell } from "./cell.js";
import { s } from "./dom.js";
import {
  chooseLayout,
  middle,
  nearestPlace,
  readGeometry,
  REEDS,
  SPACES,
  stackLayout,
  tableLayout,
} from "./geometry.js";
import { tr } from "./language.js";
import { walkByKeys } from "./walk.js";

/** @import { Looks } from "./pieces.js" */
/** @import { Geometry } from "./geometry.js" */
/**
 * What lies on the table and what it says; `reeds` tells by sensor what is wrong with a reed, and
 * at `night` everything blinks half as fast, as on the table.
 * @typedef {{pieces?: {at: number, look: string}[], leds?: number[],
 *   reeds?: Record<string, string>, night?: boolean}} Picture
 * @typedef {Awaited<ReturnType<typeof createBoard>>} Board
 */

const ROW = 4;
/** How far off a place, in parts of the pitch, a piece may be dropped and still lands there. */
const REACH = 0.4;
/** Pixels of the screen's height that are not the board's. */
const AROUND = 415;
/** Pixels below the board on a narrow screen, with steps for the hands. */
const BELOW_STACK = 182;
const PHONE = 600;

/** @type {Promise<string> | null} */
let drawing = null;

/** What is wrong with a reed. */
export const FAULTS = /** @type {Record<string, string>} */ ({
  "does not open": tr("does not open"),
  "does not close": tr("does not close"),
  flickers: tr("flickers"),
  ghost: tr("ghost"),
  "may be wired wrongly": tr("may be wired wrongly"),
});

/** Have the next board fetch its drawing anew: the server may have another table. */
export function forgetDrawing() {
  drawing = null;
}

/**
 * Draw the table in a container, empty at first. Arrow keys go over its places; `interactive`
 * says whether they can be played on (they are read out either way). Rejects with an Error where
 * the drawing cannot be had.
 * @param {HTMLElement} container
 * @param {{places: string[], looks: Looks, interactive?: boolean}} options places: names by
 *   number, 54 reeds and then the buttons
 */
export async function createBoard(container, { places, looks, interactive = false }) {
  const svg = readDrawing(await fetchDrawing());
  const geometry = readGeometry(svg);
  const cells = dressPlaces(geometry, places, () => looks);
  nameParts(svg, geometry, places);
  const labels = eraLabels(svg, geometry);
  container.classList.add("board");
  container.replaceChildren(svg);

  const layouts = { table: tableLayout(geometry), stack: stackLayout(geometry) };
  const tile = geometry.places.get(0)?.box.height ?? geometry.pitch;
  const screen = window.matchMedia("(pointer: coarse)");
  let layout = layouts.table;
  /** @type {Picture} */
  let picture = {};

  const board = {
    svg,

    /** Draw what lies there and what the LEDs say. @param {Picture} next */
    show(next) {
      picture = next;
      svg.classList.toggle("night", Boolean(next.night));
      drawPicture(cells, next);
    },

    /** Use other colours, names and drawings: the palette has changed. @param {Looks} next */
    setLooks(next) {
      looks = next;
      for (const cell of cells.values()) cell.forget();
      drawPicture(cells, picture);
    },

    /** Say whether the places can be played on. @param {boolean} can */
    setInteractive(can) {
      svg.classList.toggle("interactive", can);
      for (const grid of svg.querySelectorAll("[role=grid]")) {
        grid.setAttribute("aria-readonly", String(!can));
      }
    },

    /** The element of a place. @param {number} sensor */
    place: (sensor) => geometry.places.get(sensor)?.element ?? null,

    /**
     * The reed that a point of the window belongs to, of those that `accept` takes; null beside
     * all of them.
     * @param {number} clientX
     * @param {number} clientY
     * @param {(sensor: number) => boolean} [accept]
     */
    reedAt(clientX, clientY, accept = () => true) {
      const matrix = svg.getScreenCTM();
      if (!matrix) return null;
      const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
      const boxes = new Map([...reedsOf(layout)].filter(([sensor]) => accept(sensor)));
      return nearestPlace(boxes, point, geometry.pitch * REACH);
    },

    /** Pixels per millimetre. */
    scale: () => svg.getScreenCTM()?.a ?? 1,

    /** Fit the board to its container; done by itself when that changes its size. */
    fit() {
      const width = container.clientWidth;
      if (!width) return;
      const above = container.getBoundingClientRect().top + (container.parentElement?.scrollTop ?? 0);
      const height = window.innerHeight - (width < PHONE ? above + BELOW_STACK : AROUND);
      const chosen = chooseLayout({ ...layouts, tile }, { width, height, coarse: screen.matches });
      layout = chosen.layout;
      arrange(svg, { layout, scale: chosen.scale, labels });
      container.parentElement?.style.setProperty("--board-width", `${svg.getAttribute("width")}px`);
    },

    /** Which player (0 white, 1 black) has the spots at the upper edge of the drawing. */
    northern: northernPlayer(geometry),
  };
  walkByKeys(container, svg, { places: geometry.places, boxes: () => reedsOf(layout) });
  board.setInteractive(interactive);
  board.show({});
  fitAlways(container, svg, board.fit);
  return board;
}

/**
 * Fit a board whenever its container or the window changes, as long as it is on the page.
 * @param {HTMLElement} container
 * @param {SVGSVGElement} svg
 * @param {() => void} fit
 */
function fitAlways(container, svg, fit) {
  const check = () => {
    if (svg.parentElement === container) return fit();
    observer.disconnect();
    window.removeEventListener("resize", check);
  };
  const observer = new ResizeObserver(check);
  observer.observe(container);
  window.addEventListener("resize", check);
  fit();
}

/** @returns {Promise<string>} */
function fetchDrawing() {
  drawing ??= fetch("board.svg").then((response) => {
    if (!response.ok) throw new Error(tr("The board cannot be drawn ({status}).", { status: response.status }));
    return response.text();
  });
  drawing.catch(forgetDrawing);
  return drawing;
}

/**
 * Read the drawing; what it defines for all (colours that run) goes to a place of the page's own,
 * where every piece finds it, on a board or not.
 * @param {string} text
 * @returns {SVGSVGElement}
 */
function readDrawing(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const svg = /** @type {SVGSVGElement} */ (
    /** @type {unknown} */ (document.importNode(root, true))
  );
  for (const told of svg.querySelectorAll("title, desc")) told.remove();
  const shared = document.getElementById("shared-drawing");
  for (const defs of svg.querySelectorAll("defs")) {
    if (shared) shared.replaceChildren(defs);
  }
  return svg;
}

/**
 * @param {Geometry} geometry
 * @param {string[]} called what each place is called
 * @param {() => Looks} looks
 */
function dressPlaces(geometry, called, looks) {
  const cells = new Map();
  for (const place of geometry.places.values()) {
    if (place.sensor >= REEDS) continue;
    const name = called[place.sensor] ?? tr("place {number}", { number: place.sensor });
    cells.set(place.sensor, createCell(place, { name, looks }));
  }
  return cells;
}

/**
 * Give the drawing the names and roles that a screen reader goes by: a grid for every era, one
 * for every player's focus spots. Buttons are pictures here; the page has real ones.
 * @param {SVGSVGElement} svg
 * @param {Geometry} geometry
 * @param {string[]} called what each place is called
 */
function nameParts(svg, geometry, called) {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", tr("The boards"));
  for (const child of svg.children) {
    if (!child.matches(".era, .focus")) child.setAttribute("aria-hidden", "true");
  }
  geometry.eras.forEach(({ element }, era) => {
    for (const child of element.children) child.setAttribute("aria-hidden", "true");
    nameGrid(element, firstWords(called[16 * era]));
    for (let row = 0; row < ROW; row++) {
      element.append(rowOf(geometry, 16 * era + ROW * row, ROW));
    }
  });
  for (let first = SPACES; first < REEDS; first += 3) {
    const grid = s("g", { class: "spots" }, rowOf(geometry, first, 3));
    nameGrid(grid, firstWords(called[first]));
    svg.append(grid);
  }
}

/** @param {Element} element @param {string} name */
function nameGrid(element, name) {
  element.setAttribute("role", "grid");
  element.setAttribute("aria-label", name);
}

/** @param {Geometry} geometry @param {number} first @param {number} count */
function rowOf(geometry, first, count) {
  const row = s("g", { role: "row" });
  for (let sensor = first; sensor < first + count; sensor++) {
    const element = geometry.places.get(sensor)?.element;
    if (!element) continue;
    element.setAttribute("role", "gridcell");
    element.setAttribute("tabindex", "-1");
    element.removeAttribute("aria-hidden");
    row.append(element);
  }
  return row;
}

/** @param {string | undefined} name of a sensor @returns {string} without its last word */
function firstWords(name = "") {
  return name.split(" ").slice(0, -1).join(" ");
}

/**
 * Names of the eras for the stack, where the drawing's own would take room above every era.
 * @param {SVGSVGElement} svg
 * @param {Geometry} geometry
 * @returns {SVGElement[]}
 */
function eraLabels(svg, geometry) {
  return geometry.eras.map(({ label }) => {
    const words = s("text", { class: "era-label", "aria-hidden": "true", "text-anchor": "middle" });
    words.textContent = label?.textContent ?? "";
    words.setAttribute("fill", label?.getAttribute("fill") ?? "currentColor");
    svg.append(words);
    return words;
  });
}

/** @param {Map<number, ReturnType<typeof createCell>>} cells @param {Picture} picture */
function drawPicture(cells, { pieces = [], leds = [], reeds = {} }) {
  /** @type {Map<number, string[]>} */
  const lying = new Map();
  for (const { at, look } of pieces) lying.set(at, [...(lying.get(at) ?? []), look]);
  for (const [sensor, cell] of cells) {
    cell.show({
      looks: lying.get(sensor) ?? [],
      meaning: leds[sensor] ?? 0,
      fault: reeds[sensor] ?? "",
    });
  }
}

/**
 * @param {SVGSVGElement} svg
 * @param {{layout: import("./geometry.js").Layout, scale: number, labels: SVGElement[]}} how
 */
function arrange(svg, { layout, scale, labels }) {
  const { x, y, width, height } = layout.view;
  svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  svg.setAttribute("width", String(Math.floor(width * scale)));
  svg.setAttribute("height", String(Math.floor(height * scale)));
  svg.dataset.layout = layout.kind;
  for (const element of svg.querySelectorAll(".era, .focus")) {
    const shift = layout.shifts.get(/** @type {SVGGElement} */ (element));
    if (shift) element.setAttribute("transform", `translate(${shift.dx} ${shift.dy})`);
    else element.removeAttribute("transform");
  }
  labels.forEach((label, era) => {
    const at = layout.labels[era];
    label.classList.toggle("away", !at);
    if (at) label.setAttribute("transform", `translate(${at.x} ${at.y + 3.4})`);
  });
}

/** @param {import("./geometry.js").Layout} layout */
function reedsOf(layout) {
  return new Map([...layout.boxes].filter(([sensor]) => sensor < REEDS));
}

/** @param {Geometry} geometry @returns {0 | 1} */
function northernPlayer(geometry) {
  const height = (/** @type {number} */ first) =>
    [0, 1, 2].reduce((sum, era) => {
      const place = geometry.places.get(first + era);
      return sum + (place ? middle(place.box).y : 0);
    }, 0);
  return height(SPACES) <= height(SPACES + 3) ? 0 : 1;
}
