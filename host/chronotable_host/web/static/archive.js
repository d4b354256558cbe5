// @ts-check
/** The archive's pages: `#games`, the list, and `#games/ID` or `#games/ID/TURN`, one game. */

import { linked } from "./cited.js";
import { fill, h } from "./dom.js";
import { showList } from "./gamelist.js";
import { tr } from "./language.js";
import { showGame } from "./replay.js";

/**
 * What the page lends to the archive; `canBranch` tells whether a game can be played on from here, `canAnalyse` whether it can be
 * looked at on the table,
 * `isOn` whether it is the one that is being played.
 * @typedef {{looks: import("./pieces.js").Looks, places: string[],
 *   request: import("./socket.js").Ask, canBranch: boolean, canAnalyse: boolean, isOn: (id: string) => boolean}} Context
 * @typedef {{id: string, turn: number}} Route
 * @typedef {{leave: () => void, go?: (turn: number, context: Context) => void}} Shown
 */

/** @type {WeakMap<HTMLElement, Shown & {id: string}>} what each root shows */
const shown = new WeakMap();
/** @type {WeakMap<HTMLElement, number>} how often each root was asked to show something */
const asked = new WeakMap();

/**
 * Show a page of the archive in `root`, in the place of what is there. The same game is not drawn
 * anew: it goes to the turn. Never rejects: what goes wrong is said in `root`.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded: `games`, an id, a turn
 * @param {Context} context
 * @returns {Promise<void>}
 */
export async function showArchive(root, route, context) {
  const { id, turn } = readRoute(route);
  const before = shown.get(root);
  if (before && id && before.id === id && before.go) {
    before.go(turn, context);
    return;
  }
  const number = leaveArchive(root);
  const isWanted = () => asked.get(root) === number;
  try {
    const next = id ? await showGame(root, { id, turn }, context, isWanted) : showList(root);
    if (isWanted()) shown.set(root, { ...next, id });
    else next.leave();
  } catch (error) {
    if (isWanted()) fill(root, trouble(error, () => showArchive(root, route, context)));
  }
}

/**
 * Take what is shown away: nothing of it goes on, and what comes next is asked for anew.
 * @param {HTMLElement} root
 * @returns {number} how often that was done
 */
export function leaveArchive(root) {
  shown.get(root)?.leave();
  shown.delete(root);
  root.classList.remove("playing", "open");
  fill(root);
  const number = (asked.get(root) ?? 0) + 1;
  asked.set(root, number);
  return number;
}

/**
 * @param {string[]} route
 * @returns {Route} turn is -1 where the address names none
 */
function readRoute([, id = "", turn = ""]) {
  return { id, turn: /^\d{1,5}$/.test(turn) ? Number(turn) : -1 };
}

/** @param {unknown} error @param {() => void} again */
function trouble(error, again) {
  const why = error instanceof Error ? error.message : String(error);
  return h(
    "div",
    { class: "archive", role: "alert" },
    h(
      "div",
      { class: "trouble" },
      h("p", {}, ...linked(why)),
      h("a", { href: "#games" }, tr("All games")),
      h("button", { type: "button", on: { click: again } }, tr("Try again")),
    ),
  );
}
