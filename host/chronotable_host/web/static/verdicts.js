// @ts-check
/** What an analysis says of turns: in plain words, and as shapes that need no colour. */

import { h } from "./dom.js";
import { markFigure } from "./figures.js";
import { tr, trN } from "./language.js";
import { notation } from "./switches.js";
import { capital, eraName, lineText, sideName, written } from "./words.js";

/** @import { Said } from "./answers.js" */
/** @import { Told } from "./replay.js" */

const WORDS = /** @type {Record<string, string>} */ ({
  best: tr("best turn"),
  only: tr("only good turn"),
  good: tr("good turn"),
  "longer-win": tr("a longer win"),
  inaccuracy: tr("inaccuracy"),
  mistake: tr("mistake"),
  blunder: tr("blunder"),
  "missed-win": tr("missed win"),
});
const MEANINGS = /** @type {Record<string, string>} */ ({
  best: tr("nothing better was found"),
  only: tr("any other turn would have given much away"),
  good: tr("hardly anything was given away"),
  "longer-win": tr("it wins for certain; another turn wins sooner"),
  inaccuracy: tr("5 % or more of the chance to win was given away"),
  mistake: tr("10 % or more of the chance to win was given away"),
  blunder: tr("15 % or more of the chance to win was given away"),
  "missed-win": tr("another turn would have won for certain; 5 % or more of that was given away"),
});
/** What a game is analysed with, if nothing else is said: it takes seconds. */
export const LEVEL = 6;
const SPOKEN = ["best", "good"];
const TO_LEARN = ["mistake", "blunder", "missed-win"];

/** What a mark is called. @param {string} mark @returns {string} */
export function verdictName(mark) {
  return WORDS[mark] ?? mark;
}

/** From the worst on, as scores count them. */
export const ERRORS = ["blunder", "mistake", "inaccuracy"];

/** How many turns were wrong, in words. @param {string} mark @param {number} n */
export function errorsText(mark, n) {
  if (mark === "blunder") return trN("{n} blunder", "{n} blunders", n);
  return mark === "mistake" ? trN("{n} mistake", "{n} mistakes", n) : trN("{n} inaccuracy", "{n} inaccuracies", n);
}

/** What such turns did. @param {string} mark */
export function errorsMean(mark) {
  return MEANINGS[mark];
}

/** The shape of a mark. @param {string} mark */
export function verdictFigure(mark) {
  return markFigure({ name: mark });
}

/** A mark beside a turn in a list; what is as it should be is a shape without a word. @param {string} mark */
export function verdictTag(mark) {
  const isQuiet = SPOKEN.includes(mark);
  const word = h("span", { class: isQuiet ? "unseen" : "" }, verdictName(mark));
  return h("span", { class: "tag judged", title: capital(verdictName(mark)) }, verdictFigure(mark), word);
}

/** Whether a shape of the graph tells of a turn. @param {Said} said */
export function isDoubtful({ mark }) {
  return mark === "inaccuracy" || TO_LEARN.includes(mark);
}

/** Whether a player would want to learn from a turn. @param {Said} said */
export function isToLearn({ mark }) {
  return TO_LEARN.includes(mark);
}

/** What the marks mean. */
export function verdictLegend() {
  const rows = Object.entries(MEANINGS).map(([mark, means]) =>
    h("li", {}, verdictFigure(mark), h("span", {}, `${capital(WORDS[mark])}: ${means}`)),
  );
  return h("ul", { class: "marks" }, rows);
}

/**
 * How a position stands, as White sees it.
 * @param {string} value as records have it: `#2` and `#-2` are wins in two turns of White's and Black's own
 * @param {number} chance White's, 0 to 1
 * @param {string[]} [called] what both players are called
 * @returns {string}
 */
export function chanceText(value, chance, called = ["white", "black"].map(sideName)) {
  const [, minus, turns] = value.match(/^#(-?)(\d+)$/) ?? [];
  if (!turns) return tr("{percent} % for {player}", { percent: Math.round(100 * chance), player: called[0] });
  const player = called[minus ? 1 : 0];
  if (turns === "0") return tr("{player} has won", { player });
  return trN("{player} wins with the next turn", "{player} wins in {n} turns", Number(turns), { player });
}

/** What a turn left of the chances. @param {Said} said @param {string[]} [called] @returns {string} */
export function chanceAfter({ value, chance }, called) {
  return chanceText(value, chance, called);
}

/** The better turn as it is told, "" where there was none. @param {Told} turn */
export function betterPlan({ said }) {
  const { best_plan: plan, best_where: where = "", best: [turn = ""] = [], best_focus: focus = "" } = said ?? {};
  return plan ? lineText({ plan, where, turn, focus }, notation.isOn()) : "";
}

/** Tell the better turn in a sentence, "" where there was none. @param {Told} turn @returns {string} */
export function betterText(turn) {
  const plan = betterPlan(turn);
  const { best: [best = ""] = [], best_focus: focus = "" } = turn.said ?? {};
  if (!plan) return "";
  return written(best) === written(turn.turn) ? tr("Better was: the same, and then the focus to the {era}.", { era: eraName(focus) }) : tr("Better was: {plan}.", { plan });
}

/** What the better turn would have left of the chances, "" where there was none. @param {Told} turn @param {string[]} [called] */
export function betterChance({ said }, called) {
  return said?.best_plan ? `${chanceText(said.best_value ?? "", said.best_chance ?? 0, called)}.` : "";
}

/** Count what both should learn from. @param {Told[]} turns @param {string[]} called @returns {string} */
export function summaryText(turns, called) {
  const [white, black] = ["white", "black"].map(
    (side) => turns.filter(({ player, said }) => player === side && said && TO_LEARN.includes(said.mark)).length,
  );
  return tr("Mistakes: {first} {white}, {second} {black}", { first: called[0], second: called[1], white, black });
}
