// @ts-check
/** What lights that are on mean, below the table that is felt. */

import { byId, fill, h, s, whenChanged } from "./dom.js";
import { markNode, wantsDarkInk } from "./marks.js";

/** @import { Table } from "./table.js" */
/** @import { MeaningLook } from "./pieces.js" */

/**
 * Make the legend.
 * @param {Table} table
 */
export function createLegend(table) {
  const draw = whenChanged((/** @type {MeaningLook[]} */ meanings) => {
    fill(byId("legend"), ...meanings.map(entry));
    byId("legend").hidden = !meanings.length;
  });
  return () => {
    const leds = /** @type {number[]} */ (table.isFelt() ? (table.view.leds ?? []) : []); // the eras have marks instead
    const lit = [...new Set(leds)].sort((a, b) => a - b);
    const meanings = lit.map((number) => table.looks().meanings[number]);
    draw(meanings.filter((meaning) => meaning?.says));
  };
}

/** @param {MeaningLook} meaning */
function entry({ name, colour, says }) {
  const lens = s("circle", { class: "lens", r: 5.6 });
  const view = { viewBox: "-6.2 -6.2 12.4 12.4", "aria-hidden": "true", focusable: "false" };
  const icon = s("svg", { class: wantsDarkInk(colour) ? "legend-mark dark-ink" : "legend-mark", ...view }, lens, markNode(name));
  icon.style.setProperty("--led", colour);
  return h("li", {}, icon, says);
}
