// @ts-check
/** The game so far, turn by turn in sentences, and what the marks on the boards mean. */

import { fill, h, whenChanged } from "./dom.js";
import { copyFigure, eyeFigure, isMark, markFigure } from "./figures.js";

/** @typedef {import("./table.js").Table} Table */

const SIDES = ["white", "black"];
const HOW = /** @type {Record<string, string>} */ ({
  asked: "The table asked which turn it was.",
  corrected: "The pieces were put right during this turn.",
});
const ALWAYS = ["move", "push", "squish", "paradox", "own_death", "forward", "back"];

/**
 * Make the list of turns and the meanings of the marks.
 * @param {Table} table
 */
export function createSoFar(table) {
  const turns = h("ol", { class: "turns", tabindex: "0", "aria-label": "Turns of this game" });
  const marks = h("ul", { class: "marks" });
  const element = h(
    "section",
    { class: "so-far", "aria-label": "The game so far" },
    h("h2", {}, "So far"),
    turns,
    h("h2", {}, "What the marks mean"),
    marks,
  );
  const drawTurns = whenChanged((/** @type {any[]} */ list) => {
    fill(turns, list.map(row), list.length ? null : h("li", { class: "none" }, "Nobody has moved. Nobody has died. Yet."));
    turns.scrollTop = turns.scrollHeight;
  });
  const drawMarks = whenChanged((/** @type {any[]} */ meanings) =>
    fill(marks, meanings.map((meaning) => h("li", {}, markFigure(meaning), h("span", {}, meaning.says)))),
  );
  return {
    element,
    draw() {
      drawTurns(table.view.game?.turns ?? []);
      const lit = new Set(table.view.leds ?? []);
      const isShown = (/** @type {any} */ meaning, /** @type {number} */ at) =>
        ALWAYS.includes(meaning.name) || (lit.has(at) && isMark(meaning));
      const order = (/** @type {any} */ { name }) => (ALWAYS.includes(name) ? ALWAYS.indexOf(name) : ALWAYS.length);
      drawMarks(table.looks().meanings.filter(isShown).sort((a, b) => order(a) - order(b)));
    },
  };
}

/** @param {any} turn @param {number} at @param {any[]} all */
function row({ no, player, turn, says, focus, understood }, at, all) {
  const side = SIDES.indexOf(player);
  const isLast = at === all.length - 1;
  const how = HOW[understood];
  return h(
    "li",
    { class: isLast ? "now" : "", "aria-current": isLast ? "step" : false, "data-turn": turn, title: how ?? "" },
    h("span", { class: "no" }, no),
    copyFigure(side),
    h(
      "span",
      {},
      h("span", { class: "unseen" }, `${player}: `),
      `${says ?? turn}. `,
      focus ? h("em", { class: `to ${focus}` }, eyeFigure(side, "open"), ` ${focus}`) : null,
      how ? h("span", { class: "tag" }, understood) : null,
    ),
  );
}
