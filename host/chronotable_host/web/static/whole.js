// @ts-check
/** The graph of the game that is over, for the foot; a click on it looks at a turn. */

import { ask } from "./answers.js";
import { fill, h, whenChanged } from "./dom.js";
import { graphOf } from "./graph.js";
import { tr } from "./language.js";
import { addressOf } from "./turns.js";

/** Make it. @param {import("./table.js").Table} table */
export function createGraph(table) {
  const element = h("div", { class: "whole" });
  let without = ""; // the game that nobody looks at
  const drawGraph = whenChanged(async (/** @type {{id: string, isDue: boolean}} */ { id, isDue }) => {
    fill(element, isDue ? h("p", {}, tr("Looking for mistakes …")) : null);
    if (!id) return;
    const game = await ask(`/api/games/${encodeURIComponent(id)}`).catch(() => null);
    if (!game || id !== table.view.game?.id) return; // that a server is gone is said already
    const there = (/** @type {MouseEvent} */ { offsetX, currentTarget }) => Math.round((game.turns.length * offsetX) / /** @type {HTMLElement} */ (currentTarget).clientWidth);
    const look = (/** @type {MouseEvent} */ event) => (event.preventDefault(), (location.hash = addressOf(id, there(event))));
    fill(element, h("a", { href: addressOf(id, 0), "aria-label": tr("How the game went"), on: { click: look } }, graphOf(game.turns)));
  });
  const draw = () => {
    const { game, scores } = table.view;
    const id = (game?.over && table.hello?.mode !== "guest" && game.id) || "";
    const isDue = Boolean(id && (scores || (id !== without && game.turns.length && table.mine().length)));
    element.classList.toggle("due", isDue); // its place is kept
    drawGraph({ id: scores ? id : "", isDue });
  };
  /** Keep no place for a game that nobody looks at. @param {string} id */
  const give = (id) => ((without = id), draw());
  return { element, draw, give };
}
