// @ts-check
/** The three boards of a position, as text says them: nothing here knows a rule. */

import { tr, trC } from "/static/language.js";

/** @import { Frame, State } from "/night/static/types.js" */

const ERAS = [trC("era", "past"), trC("era", "present"), trC("era", "future")];
const COLOURS = /** @type {Record<string, string>} */ ({ w: "white", b: "black" });
const NAMES = /** @type {Record<string, string>} */ ({ w: tr("white"), b: tr("black") });

/**
 * Draw the boards; `marked` are spaces, as "1 6" for space 6 of the present.
 * @param {State} state
 * @param {Frame} frame
 * @param {Set<string>} [marked]
 */
export function boards(state, { el, big }, marked = new Set()) {
  const [places, white, black, ...supplies] = state.view?.position.split(" ") ?? [];
  const eras = places.split("/").map((/** @type {string} */ board, /** @type {number} */ era) => {
    const spaces = [...board].map((what, at) => {
      const isMarked = marked.has(`${era} ${at + 1}`);
      const piece = COLOURS[what] ? el("span", { class: `copy ${COLOURS[what]}`, role: "img", "aria-label": NAMES[what] }) : null;
      return el("td", { class: isMarked ? "marked" : null }, el("small", {}, at + 1), piece);
    });
    const rows = [0, 4, 8, 12].map((first) => el("tr", {}, ...spaces.slice(first, first + 4)));
    const focused = [white, black].map((focus, side) => (Number(focus) === era ? [NAMES["wb"[side]]] : []));
    const focus = focused.flat().map((name) => el("span", { class: "focus" }, tr("focus of {player}", { player: name })));
    return el("table", { class: "era" }, el("caption", {}, el("b", {}, ERAS[era]), ...focus), ...rows);
  });
  const supply = tr("In the supply: white {white}, black {black}", { white: supplies[0], black: supplies[1] });
  return el("div", { class: big ? "eras big" : "eras" }, ...eras, el("p", {}, supply));
}
