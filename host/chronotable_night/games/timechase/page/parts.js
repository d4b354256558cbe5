// @ts-check
/** What a phone and the big screen draw alike: suits, cards, fuel, discs, and the row of events. */

import { h } from "/static/dom.js";
import { tr, trN } from "/static/language.js";
import { card, disc, glyph } from "/night/static/drawing.js";

/** @import { Frame, State } from "/night/static/types.js" */
/** @import { Shape } from "/night/static/drawing.js" */
/**
 * @typedef {Record<string, any>} View
 *
 * An event of the row; `steps` is how far from the present it lies, back is below 0.
 * @typedef {{event: number, owner: number, led: string, winning: string, steps: number}} Event
 */

export const ROUNDS = 10;
export const INVARIANT = 0;
const ENOUGH = 3; // events that win

const WAVES = [7.5, 12.5, 17.5].map((y) => `M2.5 ${y}q3.2-4.5 6.4 0t6.4 0 6.2 0`).join("");

/** @type {Record<string, Shape>} */
const SHAPES = {
  dark: [
    ["", disc(12, 12, 6.2)],
    ["wire", "M5.6 15.4C2.8 17.6 1.6 19.5 2.4 20.4c1.4 1.6 7-1.6 12-6s7.8-9.2 6.6-10.6c-.8-.9-2.8-.1-5.2 1.7"],
  ],
  flux: [["wire", WAVES]],
  neutrino: [["", disc(12, 6, 4) + disc(6, 16.8, 4) + disc(18, 16.8, 4)]],
  paradox: [
    ["wire", disc(8.3, 12, 6.3)],
    ["wire", disc(15.7, 12, 6.3)],
    ["", "M12 7a6.3 6.3 0 0 0 0 10 6.3 6.3 0 0 0 0-10z"],
  ],
  tachyon: [["", "M14.5 1.5L4 13.6h6.2L8.6 22.5 20 9.8h-6.6z"]],
};
const DROP = /** @type {Shape} */ ([["", "M12 2q7 8 7 12.6a7 7 0 0 1-14 0Q5 10 12 2z"]]);

/** @type {Record<string, string>} */
const NAMES = {
  dark: tr("dark matter"),
  flux: tr("flux"),
  neutrino: tr("neutrino"),
  paradox: tr("paradox"),
  tachyon: tr("tachyon"),
};

/** The suit and value of a card such as "flux 8". @param {string} text */
function read(text) {
  const [suit, value] = text.split(" ");
  return { suit, value, name: NAMES[suit], label: `${NAMES[suit]} ${value}` };
}

/**
 * A card, face up.
 * @param {string} text such as "flux 8"
 * @param {{how?: string, reason?: string, press?: (() => void) | null}} [more]
 */
export function cardOf(text, more = {}) {
  const { suit, value, name, label } = read(text);
  return card({ label, value, shape: SHAPES[suit], text: name, hue: `suit-${suit}`, ...more });
}

/** A card as small as it gets. @param {string} text */
export function chip(text) {
  const { suit, value, label } = read(text);
  return h("span", { class: `chip suit-${suit}`, role: "img", "aria-label": label }, glyph(SHAPES[suit]), h("b", {}, value));
}

/** @param {string} card @returns {string} */
export function suitName(card) {
  return read(card).name;
}

/** The sign of a suit. @param {string} suit */
export function suitGlyph(suit) {
  return glyph(SHAPES[suit], `suit-${suit}`);
}

/** A drop of fuel. */
export function drop() {
  return glyph(DROP, "drop");
}

/** What a card has given that followed below another. */
export function gain() {
  return h("em", { class: "gain", role: "img", "aria-label": tr("1 fuel") }, "+1", drop());
}

/** @param {number} n */
export function fuel(n) {
  const label = trN("{n} fuel", "{n} fuel", n);
  return h("span", { class: "fuel", role: "img", "aria-label": label }, drop(), h("b", {}, n));
}

/** How many events a seat has: a head for each. @param {View} view @param {Frame} frame @param {number} seat */
function discs(view, frame, seat) {
  const n = view.control.filter((/** @type {number} */ owner) => owner === seat).length;
  const label = tr("{n} of 3 events", { n });
  const each = Array.from({ length: ENOUGH }, (_, i) => (i < n ? frame.head(seat) : h("i", { class: "disc" })));
  return h("span", { class: "discs", role: "img", "aria-label": label }, ...each);
}

/** @param {State} state @returns {View} */
export function viewOf(state) {
  return /** @type {View} */ (state.view);
}

/** What all may know of a seat. @param {State} state @param {Frame} frame @param {number} seat */
export function facts(state, frame, seat) {
  const view = viewOf(state);
  return [fuel(view.fuel[seat]), discs(view, frame, seat)];
}

/** The row of events. @param {View} view @returns {Event[]} */
export function rowOf(view) {
  const now = view.timeline.indexOf(view.present);
  return view.timeline.map((/** @type {number} */ event, /** @type {number} */ i) => ({
    event,
    owner: view.control[i],
    led: view.led[i],
    winning: view.winning[i],
    steps: i - now,
  }));
}

/** Whose travelers are at a location. @param {View} view @param {number} location @returns {number[]} */
export function there(view, location) {
  return view.travelers.flatMap((/** @type {number} */ at, /** @type {number} */ seat) => (at === location ? [seat] : []));
}

/** Who plays at the event that is resolved and has not yet, in turn. @param {View} view @returns {number[]} */
export function toPlay(view) {
  if (view.phase !== "event") return [];
  const done = view.played.map((/** @type {[number, string]} */ [seat]) => seat);
  const here = there(view, view.at).filter((seat) => !done.includes(seat));
  const turn = view.turn;
  return [...here.filter((seat) => seat >= turn), ...here.filter((seat) => seat < turn)];
}

/** Whether a card that was played has given fuel. @param {State} state @param {string} text */
export function gave(state, text) {
  return state.happened.some((each) => each.what === "fuel" && each.facts.card === text);
}
