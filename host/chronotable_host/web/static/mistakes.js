// @ts-check
/** The turns of an analysed game that a player can learn from. */

import { h } from "./dom.js";
import { trN } from "./language.js";
import { learningOf } from "./pages.js";
import { isToLearn } from "./verdicts.js";
import { bothCalled, capital, SIDES, YOU } from "./words.js";

/** @import { Told } from "./replay.js" */

/** @param {Told[]} turns @param {string} side @returns {Told[]} the mistakes of a side that had better */
export function mistakesOf(turns, side) {
  return turns.filter(({ player, said }) => player === side && said && isToLearn(said) && said.best?.length);
}

/** Links to what each side can learn from a game. @param {{id: string, turns: Told[], headers: Record<string, string>}} game */
export function learnLinks({ id, turns, headers }) {
  const called = bothCalled([headers.White, headers.Black]);
  const links = SIDES.map((side) => {
    const n = mistakesOf(turns, side).length;
    const isOwn = headers[capital(side)] === YOU;
    const says = isOwn ? trN("Learn from your mistake", "Learn from your {n} mistakes", n) : trN("Learn from {player}’s mistake", "Learn from {player}’s {n} mistakes", n, { player: called[SIDES.indexOf(side)] });
    return n ? h("a", { class: "button", href: learningOf(id, side) }, says) : null;
  });
  return h("div", { class: "learn" }, links);
}
