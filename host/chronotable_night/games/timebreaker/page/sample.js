// @ts-check
/** A tile or a card as it is printed, for who enters it. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { drawn } from "./cards.js";
import { gate } from "./grid.js";

/** @import { Frame } from "/night/static/types.js" */

/** @param {any} printed @param {string} shows a tile, or a card */
export function sample(printed, shows) {
  const state = /** @type {any} */ ({ printed, view: { pawns: [], breaker: "" } });
  return shows in printed.labels ? gate(state, /** @type {Frame} */ ({ el: h, tr }), shows, {}) : drawn(state, shows);
}
