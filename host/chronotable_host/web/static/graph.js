// @ts-check
/** The graph of a game: White's chance to win from turn to turn, with the turns that gave some away. */

import { h, s } from "./dom.js";
import { isDoubtful, verdictFigure } from "./verdicts.js";

/** @import { Told } from "./replay.js" */

const HIGH = 100;

/**
 * Draw the graph of as many turns as were analysed; null where none was.
 * @param {Told[]} turns of the whole game, whose length is the graph's
 */
export function graphOf(turns) {
  const judged = turns.flatMap(({ said }) => (said ? [said] : []));
  if (!judged.length) return null;
  const start = judged[0].best_chance ?? judged[0].chance;
  const heights = [start, ...judged.map(({ chance }) => chance)].map((chance) => HIGH * (1 - chance));
  const line = heights.map((y, x) => `${x ? "L" : "M"}${x} ${y.toFixed(1)}`).join("");
  const signs = judged.flatMap((said, at) => (isDoubtful(said) ? [sign(said.mark, (at + 1) / turns.length, heights[at + 1])] : []));
  return h(
    "div",
    { class: "graph", "aria-hidden": "true" },
    s(
      "svg",
      { viewBox: `0 0 ${turns.length} ${HIGH}`, preserveAspectRatio: "none" },
      s("path", { class: "area", d: `${line}V${HIGH}H0Z` }),
      s("path", { class: "middle", d: `M0 ${HIGH / 2}H${turns.length}` }),
    ),
    signs,
  );
}

/** @param {string} mark @param {number} part of the way to the right @param {number} y */
function sign(mark, part, y) {
  const figure = verdictFigure(mark);
  figure.style.setProperty("--part", String(part));
  figure.style.setProperty("--down", String(y / HIGH));
  return figure;
}
