// @ts-check
/** The grid: tiles with their arrows, gaps, pieces on them, and the ways that pieces go. */

import { s } from "/static/dom.js";
import { glyph } from "/night/static/drawing.js";
import { SHAPES } from "./cards.js";

/** @import { Frame, State } from "/night/static/types.js" */

const SIZE = 5;
const GAP = 0.05; // between two cells, in cells
const PITCH = 1 + GAP;
const WHOLE = SIZE + (SIZE - 1) * GAP;
/** On the big screen gates are so many times wider than high: pieces stand beside their arrows. */
const ASPECT = 1.6;
/** From here on a label is set smaller. */
const LONG = 4;
/** A longer label leaves no room beside it. */
const SHORT = 2;

/**
 * A way: from tile to tile. `steps` is whether it is a step, which may lead over the edge.
 * @typedef {{start: string, tile: string, steps?: boolean, kind?: string}} Way
 *
 * What is to be seen beside tiles and pieces. `targets` may be touched, `on` is the chosen one,
 * `from` are tiles that something leaves, `leads` are those where arrows lead, `ghosts` are seats by
 * the tile where they stood.
 * @typedef {{targets?: Map<string, () => void>, on?: string, from?: string[], leads?: string[], ways?: Way[],
 *   pale?: boolean, moods?: Record<string, string>, ghosts?: [number | string, string][]}} Shown
 */

/** What is printed on a tile. @param {State} state @param {string} tile */
export function labelOf(state, tile) {
  return state.printed.labels[tile] ?? tile;
}

/**
 * Draw the grid.
 * @param {State} state
 * @param {Frame} frame
 * @param {Shown} [shown]
 * @returns {HTMLElement}
 */
export function grid(state, frame, shown = {}) {
  const { el, tr } = frame;
  const { grid: cells } = state.view ?? {};
  const aspect = frame.big ? ASPECT : 1;
  const kind = shown.pale ? "grid pale" : "grid";
  return el(
    "div",
    { class: "court", vars: { "--aspect": aspect } },
    el(
      "div",
      { class: kind, role: "group", "aria-label": tr("The gates") },
      ...cells.map((/** @type {string} */ tile) => (tile ? gate(state, frame, tile, shown) : gap(frame))),
      threads(state, shown.ways ?? [], aspect),
    ),
  );
}

/** @param {Frame} frame */
function gap({ el, tr }) {
  return el("div", { class: "gate gap", role: "img", "aria-label": tr("a gap") });
}

/** Draw a tile. @param {State} state @param {Frame} frame @param {string} tile @param {Shown} shown */
export function gate(state, frame, tile, shown) {
  const { el } = frame;
  const { printed } = state;
  const press = shown.targets?.get(tile);
  const isOn = shown.on === tile;
  const order = printed.order.indexOf(tile);
  const kinds = ["gate"];
  if (tile === printed.tra) kinds.push("tra");
  if (press) kinds.push("target");
  if (isOn) kinds.push("on");
  if (shown.from?.includes(tile)) kinds.push("from");
  if (shown.leads?.includes(tile)) kinds.push("leads");
  if (labelOf(state, tile).length > LONG) kinds.push("long");
  if (labelOf(state, tile).length > SHORT) kinds.push("wide");
  const props = {
    class: kinds.join(" "),
    "data-tile": tile,
    "aria-label": saysOf(state, frame, tile),
    vars: { "--age": (order / Math.max(1, printed.order.length - 2)).toFixed(3) },
  };
  const inside = [
    el("b", { class: "label" }, labelOf(state, tile)),
    arrows(state, frame, tile),
    pieces(state, frame, tile, shown),
    press ? el("span", { class: "mark" }, el("i", { class: "dot" })) : null,
  ];
  if (!press) return el("div", { role: "img", ...props }, ...inside);
  return el("button", { type: "button", "aria-pressed": String(isOn), on: { click: press }, ...props }, ...inside);
}

/** @param {State} state @param {Frame} frame @param {string} tile */
function saysOf(state, { tr, name }, tile) {
  const labels = (/** @type {string[]} */ tiles) => tiles.map((each) => labelOf(state, each)).join(", ");
  const { green, red, tra } = state.printed;
  const says = [tile === tra ? labelOf(state, tile) : tr("Gate {label}", { label: labelOf(state, tile) })];
  says.push(tr("green arrow to {tiles}", { tiles: labels(green[tile]) }));
  if (red[tile]) says.push(tr("red arrow to {tiles}", { tiles: labels([red[tile]]) }));
  const { pawns, breaker } = state.view ?? {};
  pawns.forEach((/** @type {string} */ at, /** @type {number} */ seat) => at === tile && says.push(name(seat)));
  if (breaker === tile) says.push(tr("the Time Breaker"));
  return says.join("; ");
}

/** @param {State} state @param {Frame} frame @param {string} tile */
function arrows(state, { el }, tile) {
  const { green, red } = state.printed;
  const many = green[tile].length > 1;
  return el(
    "span",
    { class: many ? "arrows many" : "arrows" },
    el("i", { class: "to" }, glyph(SHAPES.green), green[tile].map((/** @type {string} */ each) => labelOf(state, each)).join(" ")),
    red[tile] ? el("i", { class: "fro" }, glyph(SHAPES.red), labelOf(state, red[tile])) : null,
  );
}

/** @param {State} state @param {Frame} frame @param {string} tile @param {Shown} shown */
function pieces(state, { el, figure }, tile, { moods = {}, ghosts = [] }) {
  const { pawns, breaker } = state.view ?? {};
  const all = pawns.flatMap((/** @type {string} */ at, /** @type {number} */ seat) =>
    at === tile ? [figure(seat, moods[seat] ?? "")] : [],
  );
  if (breaker === tile) all.push(figure("p0", moods.p0 ?? ""));
  const left = ghosts.filter(([, at]) => at === tile);
  const were = left.map(([who]) => el("span", { class: "ghost" }, figure(who)));
  const count = all.length + were.length;
  return el("span", { class: `pieces n${Math.min(count, 4)}` }, ...all, ...were);
}

/* ways: dotted threads, in cells of the grid */

/** @typedef {[number, number]} Point x and y of the middle of a cell, in cells */

/** @param {State} state @param {string} tile @returns {Point | null} null for a tile that is gone */
function middle(state, tile) {
  const at = state.view?.grid.indexOf(tile) ?? -1;
  if (at < 0) return null;
  return [(at % SIZE) * PITCH + 0.5, Math.floor(at / SIZE) * PITCH + 0.5];
}

/** Where a way ends: at its tile, or at the TRA if the gate is gone. @param {State} state @param {string} tile */
function landing(state, tile) {
  return state.view?.grid.includes(tile) ? tile : state.printed.tra;
}

/** @param {State} state @param {Way[]} ways @param {number} aspect of a gate */
function threads(state, ways, aspect) {
  const across = (aspect * SIZE + (SIZE - 1) * GAP) / WHOLE;
  const parts = ways.flatMap((way) => {
    const start = middle(state, way.start);
    const end = middle(state, landing(state, way.tile));
    if (!start || !end) return [];
    const lines = way.steps && isOverTheEdge(state, way) ? wrapped(start, end) : [[start, end]];
    const wide = lines.map((line) => line.map(([x, y]) => [x * across, y]));
    return drawnWay(/** @type {[Point, Point][]} */ (wide), way.kind ?? "");
  });
  const box = `0 0 ${WHOLE * across} ${WHOLE}`;
  return s("svg", { class: "threads", viewBox: box, "aria-hidden": "true", focusable: "false" }, ...parts);
}

/** Whether something but gaps lies between two tiles of a line: then a step goes the other way round. @param {State} state @param {Way} way */
function isOverTheEdge(state, { start, tile }) {
  const cells = /** @type {string[]} */ (state.view?.grid);
  const [from, to] = [cells.indexOf(start), cells.indexOf(tile)].sort((a, b) => a - b);
  const stride = Math.floor(from / SIZE) === Math.floor(to / SIZE) ? 1 : SIZE;
  for (let at = from + stride; at < to; at += stride) if (cells[at]) return true;
  return false;
}

/** Two lines, out over one edge and in over the other. @param {Point} start @param {Point} end @returns {[Point, Point][]} */
function wrapped([x1, y1], [x2, y2]) {
  const out = 0.62; // beyond the middle of a cell at the edge
  if (y1 === y2) {
    const [near, far] = x1 < x2 ? [0.5 - out, WHOLE - 0.5 + out] : [WHOLE - 0.5 + out, 0.5 - out];
    return [
      [[x1, y1], [near, y1]],
      [[far, y2], [x2, y2]],
    ];
  }
  const [near, far] = y1 < y2 ? [0.5 - out, WHOLE - 0.5 + out] : [WHOLE - 0.5 + out, 0.5 - out];
  return [
    [[x1, y1], [x1, near]],
    [[x2, far], [x2, y2]],
  ];
}

/** The lines of a way, with a tip at its end. @param {[Point, Point][]} lines @param {string} kind */
function drawnWay(lines, kind) {
  const [[x1, y1], [x2, y2]] = lines[lines.length - 1];
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const stop = 0.3; // before the middle of the last cell
  const [x, y] = [x2 - ((x2 - x1) / length) * stop, y2 - ((y2 - y1) / length) * stop];
  const paths = lines.map(([[ax, ay], [bx, by]], number) => {
    const [ex, ey] = number === lines.length - 1 ? [x, y] : [bx, by];
    return s("path", { class: `way ${kind}`, d: `M${ax} ${ay}L${ex} ${ey}` });
  });
  return [...paths, s("path", { class: `tip ${kind}`, transform: `translate(${x} ${y}) rotate(${turn})`, d: "M-.08-.14L.14 0-.08.14z" })];
}
