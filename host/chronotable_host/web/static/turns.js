// @ts-check
/** Turns of a game in a list: each told in a row, and where it is looked at. */

import { h } from "./dom.js";
import { copyFigure, eyeFigure } from "./figures.js";
import { tr, trC } from "./language.js";
import { COLOURS, eraName, SIDES, written } from "./words.js";

const FITS = 60; // signs that a card has room for: what is longer gets a wider one
const HOW = /** @type {Record<string, string>} */ ({
  asked: tr("The table asked which turn it was."),
  corrected: tr("The pieces were put right during this turn."),
});
const TAGS = /** @type {Record<string, string>} */ ({
  asked: trC("how a turn was understood", "asked"),
  corrected: trC("how a turn was understood", "corrected"),
});

/** @param {string} id of a game in the archive @param {number} no of a turn; 0 is the start */
export function addressOf(id, no) {
  return `#games/${encodeURIComponent(id)}/${no}`;
}

/**
 * Where a position can be tried.
 * @param {string} id of a game @param {number} turn of it @param {string[]} [tried]
 */
export function analysisOf(id, turn, tried = []) {
  return ["#analyse/game", ...[id, String(turn), ...tried].map(encodeURIComponent)].join("/");
}

/**
 * Tell a turn in a list of turns.
 * @param {any} turn
 * @param {string} address where it is to be looked at, "" for nowhere
 * @param {Element | null} [tag] what else is told of it
 * @param {string[]} [called] what both players are called
 */
export function turnRow({ no, player, turn, says, focus, understood, comment }, address, tag = null, called = COLOURS) {
  const side = SIDES.indexOf(player);
  const how = HOW[understood];
  const parts = [
    h("span", { class: "no" }, no),
    copyFigure(side),
    h(
      "span",
      {},
      h("span", { class: "unseen" }, `${called[side]}: `),
      h("span", { class: "did" }, `${says ?? turn}. `),
      turn ? h("span", { class: "notation" }, `${written(turn)} `) : null,
      focus ? focusTo(player, focus) : null,
      how ? h("span", { class: "tag" }, TAGS[understood]) : null,
      tag,
      comment ? h("span", { class: "comment" }, comment) : null,
    ),
  ];
  const entry = h(address ? "a" : "span", { class: "entry", href: address || null }, ...parts);
  return h("li", { "data-turn": turn, class: (says ?? "").length > FITS ? "long" : "", title: how ?? "" }, entry);
}

/** Where a turn's focus goes: an eye, and the era. @param {string} player @param {string} focus */
export function focusTo(player, focus) {
  return h("em", { class: `to ${focus}` }, eyeFigure(SIDES.indexOf(player), "open"), ` ${eraName(focus)}`);
}

/**
 * Mark a turn of a list, and bring it into sight.
 * @param {HTMLElement} turns
 * @param {number} no from 1; 0 for none
 */
export function markTurn(turns, no) {
  [...turns.children].forEach((row, at) => {
    const isNow = at === no - 1;
    row.classList.toggle("now", isNow);
    if (isNow) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
  reveal(turns, turns.children[Math.max(0, no - 1)]);
}

/** Scroll a list so far that a row of it is seen, and nothing else. @param {HTMLElement} turns @param {Element | null | undefined} of */
export function reveal(turns, of) {
  const box = turns.getBoundingClientRect();
  const row = of?.getBoundingClientRect();
  if (!row) return;
  if (row.bottom > box.bottom) turns.scrollTop += row.bottom - box.bottom;
  if (row.top < box.top) turns.scrollTop -= box.top - row.top;
  if (row.right > box.right) turns.scrollLeft += row.right - box.right;
  if (row.left < box.left) turns.scrollLeft -= box.left - row.left;
}
