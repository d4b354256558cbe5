// @ts-check
/** The game so far, turn by turn in sentences, what the marks on the boards mean, and lights that ask for a chapter's piece. */

import { fill, h, whenChanged } from "./dom.js";
import { copyFigure, eyeFigure, isMark, markFigure } from "./figures.js";
import { tr, trC } from "./language.js";
import { capital, COLOURS, eraName, sideName } from "./words.js";

/** @import { Table } from "./table.js" */

const SIDES = ["white", "black"];
const HOW = /** @type {Record<string, string>} */ ({
  asked: tr("The table asked which turn it was."),
  corrected: tr("The pieces were put right during this turn."),
});
const TAGS = /** @type {Record<string, string>} */ ({
  asked: trC("how a turn was understood", "asked"),
  corrected: trC("how a turn was understood", "corrected"),
});
const ALWAYS = ["move", "push", "squish", "paradox", "own_death", "forward", "back"];

/**
 * Make the list of turns and the meanings of the marks.
 * @param {Table} table
 */
export function createSoFar(table) {
  const turns = h("ol", { class: "turns", tabindex: "0", "aria-label": tr("Turns of this game") });
  const marks = h("ul", { class: "marks" });
  const element = h(
    "section",
    { class: "so-far", "aria-label": tr("The game so far") },
    h("h2", {}, tr("So far")),
    turns,
    h("h2", {}, tr("What the marks mean")),
    marks,
  );
  const drawTurns = whenChanged((/** @type {{list: any[], signs: string[]}} */ { list, signs }) => {
    const isKept = table.view.game?.id && table.hello?.mode !== "guest";
    const back = (/** @type {number} */ no) => (isKept ? addressOf(table.view.game.id, no) : "");
    // how the table understood it is said of hands alone
    const told = (/** @type {any} */ turn) => (table.seat(SIDES.indexOf(turn.player)) === "hands" ? turn : { ...turn, understood: "" });
    const rows = list.map((turn) => turnRow(told(turn), back(turn.no)));
    fill(turns, rows, rows.length ? null : [aimCard(table), h("li", { class: "none" }, tr("Nobody has moved. Nobody has died. Yet."))], signs.map((says) => h("li", { class: "aim piece-sign" }, says)));
    markTurn(turns, rows.length);
  });
  const drawMarks = whenChanged((/** @type {any[]} */ meanings) =>
    fill(marks, meanings.map((meaning) => h("li", {}, markFigure(meaning), h("span", {}, meaning.means ?? capital(meaning.says))))),
  );
  return {
    element,
    draw() {
      drawTurns({ list: table.view.game?.turns ?? [], signs: table.view.signs ?? [] });
      const lit = new Set(table.view.leds ?? []);
      const isShown = (/** @type {any} */ meaning, /** @type {number} */ at) =>
        ALWAYS.includes(meaning.name) || (lit.has(at) && isMark(meaning));
      const order = (/** @type {any} */ { name }) => (ALWAYS.includes(name) ? ALWAYS.indexOf(name) : ALWAYS.length);
      drawMarks(table.looks().meanings.filter(isShown).sort((a, b) => order(a) - order(b)));
    },
  };
}

/** What the game is about, as long as nobody has moved. @param {Table} table */
function aimCard(table) {
  const mine = table.mine();
  const other = mine.length === 1 ? 1 - SIDES.indexOf(mine[0]) : 1;
  const eras = ["past", "present", "future"].map((era, at) => h("i", { class: era }, copyFigure(other, at === 1 ? "sad" : "dead")));
  const text = mine.length === 1 ? tr("Leave {player} in one time only.", { player: sideName(SIDES[other]) }) : tr("Leave the other one in one time only.");
  return h("li", { class: "aim" }, h("span", { class: "three", "aria-hidden": "true" }, eras), h("span", {}, h("b", {}, tr("The aim")), text));
}

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
 */
export function turnRow({ no, player, turn, says, focus, understood, comment }, address, tag = null) {
  const side = SIDES.indexOf(player);
  const how = HOW[understood];
  const parts = [
    h("span", { class: "no" }, no),
    copyFigure(side),
    h(
      "span",
      {},
      h("span", { class: "unseen" }, `${COLOURS[side]}: `),
      `${says ?? turn}. `,
      focus ? h("em", { class: `to ${focus}` }, eyeFigure(side, "open"), ` ${eraName(focus)}`) : null,
      turn ? h("span", { class: "notation" }, ` ${turn}`) : null,
      how ? h("span", { class: "tag" }, TAGS[understood]) : null,
      tag,
      comment ? h("span", { class: "comment" }, comment) : null,
    ),
  ];
  const entry = h(address ? "a" : "span", { class: "entry", href: address || null }, ...parts);
  return h("li", { "data-turn": turn, title: how ?? "" }, entry);
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
