// @ts-check
/** The game so far, turn by turn in sentences, what the marks on the boards mean, and lights that ask for a chapter's piece. */

import { fill, h, whenChanged } from "./dom.js";
import { copyFigure, isMark, markFigure } from "./figures.js";
import { tr } from "./language.js";
import { ERRORS, errorsMean, verdictName } from "./verdicts.js";
import { addressOf, markTurn, turnRow } from "./turns.js";
import { capital, sideName, SIDES } from "./words.js";

/** @import { Table } from "./table.js" */

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
  const drawTurns = whenChanged((/** @type {{list: any[], signs: string[], isOver: boolean, goesOn: boolean, isHere: boolean, called: string[]}} */ { list, signs, goesOn, isHere, called }) => {
    const isKept = table.view.game?.id && table.hello?.mode !== "guest";
    const back = (/** @type {number} */ no) => (isKept ? addressOf(table.view.game.id, no) : "");
    // how the table understood it is said of hands alone
    const told = (/** @type {any} */ turn) => (table.seat(SIDES.indexOf(turn.player)) === "hands" ? turn : { ...turn, understood: "" });
    const rows = list.map((turn) => turnRow(told(turn), back(turn.no), null, called));
    fill(turns, rows, rows.length ? null : [aimCard(table), h("li", { class: "none" }, !isHere ? "" : goesOn && !table.view.lesson ? tr("The game goes on from here.") : tr("Nobody has moved. Nobody has died. Yet."))], signs.map((says) => h("li", { class: "aim piece-sign" }, says)));
    markTurn(turns, rows.length);
  });
  const drawMarks = whenChanged((/** @type {any[]} */ meanings) =>
    fill(marks, meanings.map((meaning) => h("li", {}, markFigure(meaning), h("span", {}, meaning.means ?? capital(meaning.says))))),
  );
  return {
    element,
    draw() {
      drawTurns({ list: table.view.game?.turns ?? [], signs: table.view.signs ?? [], isOver: Boolean(table.view.game?.over), goesOn: Boolean(table.view.game?.goes_on), isHere: Boolean(table.view.game), called: table.sides() }); // the last turn is in sight at the end, too
      const lit = new Set(table.view.leds ?? []);
      const isShown = (/** @type {any} */ meaning, /** @type {number} */ at) =>
        ALWAYS.includes(meaning.name) || (lit.has(at) && isMark(meaning));
      const order = (/** @type {any} */ { name }) => (ALWAYS.includes(name) ? ALWAYS.indexOf(name) : ALWAYS.length);
      const errors = (table.view.scores ? ERRORS : []).map((name) => ({ name, means: `${capital(verdictName(name))}: ${errorsMean(name)}` }));
      drawMarks([...errors, ...table.looks().meanings.filter(isShown).sort((a, b) => order(a) - order(b))]);
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
