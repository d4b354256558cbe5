// @ts-check
/** What phones and the big screen draw of this game: track, cards, symbols, triangles, Kronos. */

import { h } from "/static/dom.js";
import { tr, trC } from "/static/language.js";
import { glyph } from "/night/static/drawing.js";
import { button } from "/night/static/parts.js";

/** @import { Frame, State } from "/night/static/types.js" */
/**
 * @typedef {Record<string, any>} View
 * @typedef {{name: string, won: string, about: string, combat?: string, bid?: string, end?: string,
 *   adds?: number, symbols?: Record<string, number>}} Printed
 */

export const SEATS = [0, 1];
/** The lanes in the order in which bids are opened, the event first. */
export const LANES = [4, 1, 2, 3];
const EVENT = 4;
const PARADOX = 3;
const TRIANGLES = 6;

const SHIP = /** @type {import("/night/static/drawing.js").Shape} */ ([
  ["", "M12 1q6 5 6 12l4 5v3.5l-7-2.5H9l-7 2.5V18l4-5q0-7 6-12z"],
  ["cut", "M9.3 10a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0z"],
]);
const TRIANGLE = /** @type {import("/night/static/drawing.js").Shape} */ ([["", "M12 2.5L22.5 21h-21z"]]);
const COLOURS = /** @type {Record<string, {name: string, shape: import("/night/static/drawing.js").Shape}>} */ ({
  R: { name: trC("symbol", "red"), shape: [["", "M12 1.8L21.5 12 12 22.2 2.5 12z"]] },
  B: { name: trC("symbol", "blue"), shape: [["", "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0z"]] },
  Y: {
    name: trC("symbol", "yellow"),
    shape: [["", "M12 1.5l3 7 7.5.6-5.7 4.9 1.8 7.4L12 17.4l-6.6 4 1.8-7.4L1.5 9.1 9 8.5z"]],
  },
});

/** What is printed on a card or event. @param {State} state @param {number} number @returns {Printed} */
export function printedOn(state, number) {
  const { cards, events } = state.printed;
  return cards[number] ?? events[number];
}

/** How many cards or Kronos lie there: a view gives a list, or their number. @param {number | any[]} pile */
export function size(pile) {
  return typeof pile === "number" ? pile : pile.length;
}

/** What cards did when all rounds were over, null where the game ended sooner. @param {State} state */
export function lastActs({ happened }) {
  const said = happened.findLast(({ what }) => what === "endgame")?.says;
  return said ? h("p", { class: "acts" }, said) : null;
}

/**
 * The track of the ship, with the heads of the two at its ends.
 * @param {State} state
 * @param {Frame} frame
 * @param {number} [ship] where the ship is
 */
export function track(state, frame, ship = state.view?.ship ?? 0) {
  const { length, years } = state.printed;
  const label = tr("The ship is at {year}, on its way from {past} to {future}", {
    year: years[ship + length],
    past: years[0],
    future: years[2 * length],
  });
  const end = (/** @type {number} */ seat) => {
    const mood = ship === 0 ? "" : (ship < 0) === (seat === 0) ? "glad" : "wide";
    return h(
      "span",
      { class: seat ? "end future" : "end past" },
      frame.figure(seat, mood),
      h("b", {}, years[seat ? 2 * length : 0]),
    );
  };
  const space = (/** @type {number} */ year, /** @type {number} */ index) => {
    const at = index - length;
    const isEnd = Math.abs(at) === length;
    const isNamed = !isEnd && (at === ship || (at === 0 && Math.abs(ship) > 3));
    const kind = [at === ship ? "here" : "", at === 0 ? "mid" : ""].filter(Boolean).join(" ");
    return h(
      "li",
      { class: kind || undefined, vars: { "--at": index / (2 * length) } },
      at === ship ? glyph(SHIP, "ship") : null,
      isNamed ? h("b", {}, year) : null,
    );
  };
  return h("div", { class: "track", role: "img", "aria-label": label }, end(0), h("ol", {}, ...years.map(space)), end(1));
}

/** Paradox triangles, six places. @param {number} have */
export function triangles(have) {
  const label = tr("{n} of 6 paradox triangles", { n: have });
  const each = (/** @type {unknown} */ _, /** @type {number} */ at) => h("i", { class: at < have ? "on" : undefined }, glyph(TRIANGLE));
  return h("span", { class: "tris", role: "img", "aria-label": label }, ...Array.from({ length: TRIANGLES }, each));
}

/** @param {string} letter @param {string} [kind] */
function symbol(letter, kind = "") {
  return h("i", { class: `sym ${letter} ${kind}`.trim() }, glyph(COLOURS[letter].shape));
}

/** How often each colour shows on cards. @param {State} state @param {number[]} cards */
export function counted(state, cards) {
  const counts = /** @type {Record<string, number>} */ ({});
  for (const letter of Object.keys(COLOURS)) {
    counts[letter] = cards.reduce((sum, card) => sum + (printedOn(state, card).symbols?.[letter] ?? 0), 0);
  }
  return counts;
}

/** Symbols in a row, with their number in words. @param {Record<string, number>} counts */
export function symbols(counts) {
  const told = Object.entries(counts)
    .filter(([, n]) => n)
    .map(([letter, n]) => tr("{n} {colour}", { n, colour: COLOURS[letter].name }));
  const all = Object.entries(counts).flatMap(([letter, n]) => Array.from({ length: n }, () => symbol(letter)));
  return h("span", { class: "syms", role: "img", "aria-label": told.join(", ") || tr("no symbols") }, ...all);
}

/** The symbols on a card, of an event none. @param {State} state @param {number} number */
export function signs(state, number) {
  const printed = printedOn(state, number).symbols;
  return printed ? symbols(printed) : null;
}

/**
 * How near each colour is to a paradox: a triangle waits in the third place.
 * @param {State} state
 * @param {number[]} cards
 */
export function gauge(state, cards) {
  const row = (/** @type {[string, number]} */ [letter, n]) => {
    const label = tr("{n} of 3 {colour}", { n, colour: COLOURS[letter].name });
    const places = [0, 1, 2].map((at) => {
      if (at < n) return symbol(letter);
      if (at < PARADOX - 1) return symbol(letter, "empty");
      return h("i", { class: "sym third" }, glyph(TRIANGLE));
    });
    const kind = n >= PARADOX ? "over" : n === PARADOX - 1 ? "near" : "";
    return h("p", { class: kind || undefined, role: "img", "aria-label": label }, ...places);
  };
  return h("div", { class: "gauge" }, ...Object.entries(counted(state, cards)).map(row));
}

/**
 * A power card as it lies in combat: a button where it may be touched.
 * @param {State} state
 * @param {number} number
 * @param {{press?: (() => void) | null, on?: boolean, badge?: string | number, text?: string, label?: string}} [how]
 */
export function gadget(state, number, { press = null, on = false, badge = "", text = "", label = "" } = {}) {
  const { name, combat = "", bid = "", end = "", symbols: printed = {} } = printedOn(state, number);
  const inside = [
    h("b", {}, name),
    h("small", {}, text || combat || bid || end || tr("nothing")),
    symbols(printed),
    badge === "" ? null : h("em", { class: "disc badge" }, badge),
  ];
  if (!press) return h("div", { class: "gadget" }, ...inside);
  return button(on ? "gadget on" : "gadget", inside, press, `card ${number}`, on, label || name);
}

const ROW = 3;
const TWO_ROWS = 6;

/** Cards in rows: "many" in more than one, a "crowd" in more than two. @param {any[]} cards */
export function gadgets(cards) {
  const isMany = cards.length > ROW;
  return h("div", { class: cards.length > TWO_ROWS ? "gadgets many crowd" : isMany ? "gadgets many" : "gadgets" }, ...cards);
}

/**
 * A Kronos: a button where it may be touched.
 * @param {number | string} value
 * @param {{kind?: string, press?: (() => void) | null, label?: string, on?: boolean | null, key?: string}} [how]
 */
export function coin(value, { kind = "", press = null, label = "", on = null, key = "" } = {}) {
  const classes = ["disc coin", kind, on ? "on" : ""].filter(Boolean).join(" ");
  if (!press) return h("i", { class: classes }, value);
  return button(classes, value, press, key, on, label || tr("Kronos {n}", { n: value }));
}

const FEW = 2;

/** Kronos face down: as many as there are, or one with their number. @param {number} n @param {Frame} frame */
export function shutCoins(n, frame) {
  if (!n) return [h("i", { class: "none" }, tr("none"))];
  const lid = () => h("i", { class: "disc coin shut" }, frame.eye("shut"));
  return n > FEW ? [lid(), h("small", {}, `× ${n}`)] : Array.from({ length: n }, lid);
}

/** The open bid of a seat at the lane in question: its Kronos, what cards add, and the sum. @param {State} state @param {number} seat */
export function openBid(state, seat) {
  const { bids, used, lane } = state.view ?? {};
  const bid = /** @type {number[]} */ (bids[seat][lane - 1]);
  const adds = /** @type {number[]} */ (used[seat].map((/** @type {number} */ card) => printedOn(state, card).adds ?? 0));
  return { bid, adds, total: [...bid, ...adds].reduce((sum, n) => sum + n, 0) };
}

/** What stands for a lane: an hourglass for the event, else its number. @param {number} lane */
export function laneSign(lane) {
  return h("span", { class: lane === EVENT ? "disc order event" : "disc order" }, lane === EVENT ? glyph("event") : lane);
}

/** The four cards that will be bid on: they lie open from the beginning of a round. @param {State} state */
export function offered(state) {
  const row = /** @type {number[]} */ (state.view?.row ?? []);
  const one = (/** @type {number} */ lane) => {
    const number = row[lane - 1];
    return h("li", {}, laneSign(lane), h("b", {}, printedOn(state, number).name), signs(state, number));
  };
  return h("ol", { class: "offered", "aria-label": tr("Bid on after combat") }, ...LANES.filter((lane) => row[lane - 1]).map(one));
}

/** What is known of a seat besides its revealed cards. @param {View} view @param {number} seat */
export function purse(view, seat) {
  return tr("{n} Kronos in hand, {spent} spent", { n: size(view.kronos[seat]), spent: view.spent[seat].length });
}
