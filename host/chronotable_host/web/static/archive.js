// @ts-check
/** The archive's pages: `#games`, the list, and `#games/ID` or `#games/ID/TURN`, one game. */

import { showList } from "./gamelist.js";
import { showGame } from "./replay.js";
import { showView } from "./views.js";

/**
 * What the page lends to the archive; `canBranch` tells whether a game can be played on from here,
 * `canAnalyse` whether it can be looked at on the table, `canTeach` whether the table can have a
 * puzzle set up, `isOn` whether it is the one that is being played,
 * `judging` how far an analysis is.
 * @typedef {{looks: import("./pieces.js").Looks, places: string[],
 *   request: import("./socket.js").Ask, canBranch: boolean, canAnalyse: boolean,
 *   canTeach: boolean, isOn: (id: string) => boolean, judging: () => import("./verdict.js").Judging | null}} Context
 * @typedef {{id: string, turn: number}} Route
 * @typedef {import("./views.js").Shown & {
 *   hear?: (judging: import("./verdict.js").Judging | null) => void}} Shown
 */

/**
 * Show a page of the archive in `root`. The same game is not drawn anew: it goes to the turn.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded: `games`, an id, a turn
 * @param {Context} context
 * @returns {Promise<void>}
 */
export async function showArchive(root, route, context) {
  const { id, turn } = readRoute(route);
  const make = (/** @type {() => boolean} */ isWanted) => (id ? showGame(root, { id, turn }, context, isWanted) : showList(root, context));
  await showView(root, id, make, turn, context);
}

/**
 * @param {string[]} route
 * @returns {Route} turn is -1 where the address names none
 */
function readRoute([, id = "", turn = ""]) {
  return { id, turn: /^\d{1,5}$/.test(turn) ? Number(turn) : -1 };
}
