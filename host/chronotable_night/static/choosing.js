// @ts-check
/** Which game is played next, by the same people: what each is about, and for how many. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { button } from "/night/static/parts.js";

/** @import { Offered, State } from "./types.js" */

/**
 * The games, each a button.
 * @param {State} state
 * @param {(name: string) => void} choose called with the name of a game
 * @param {boolean} [isBrief] without what they are about
 */
export function games(state, choose, isBrief = false) {
  const one = (/** @type {Offered} */ game) => {
    const about = isBrief ? null : h("span", {}, game.about);
    const inside = [h("b", {}, game.title), h("small", {}, howMany(game)), about];
    return button("game", inside, () => choose(game.name), `game ${game.name}`, game.name === state.name);
  };
  return h("div", { class: isBrief ? "games brief" : "games" }, ...state.games.map(one));
}

/** @param {Offered} game */
function howMany({ players: [least, most] }) {
  return least === most ? tr("{n} players", { n: most }) : tr("{least} to {most} players", { least, most });
}

/** What the chosen game is about. @param {State} state */
export function about(state) {
  return state.games.find((each) => each.name === state.name)?.about ?? "";
}
