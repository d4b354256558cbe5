// @ts-check
/**
 * The time bar of a replay: a slider over the turns, with ticks where somebody died and at the win.
 * Of a game that was analysed, the slider is the graph of its chances.
 */

import { fill, h } from "./dom.js";
import { graphOf } from "./graph.js";
import { tr } from "./language.js";

/** @import { Told } from "./replay.js" */

/**
 * Make a time bar; `draw` is told of the turns anew once they were analysed.
 * @param {Told[]} turns
 * @param {{at: number, kind: string}[]} ticks turns, and the class that each is drawn with
 * @returns {{element: HTMLElement, input: HTMLInputElement, draw: (turns: Told[]) => void,
 *   show: (at: number, says: string) => void}}
 */
export function timeBar(turns, ticks) {
  const last = turns.length;
  const input = h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": tr("Turn"), disabled: last === 0 });
  const scale = h("div", { class: "ticks", "aria-hidden": "true" });
  for (const { at, kind } of ticks) {
    const tick = h("i", { class: kind });
    tick.style.setProperty("--part", String(at / last));
    scale.append(tick);
  }
  const drawn = h("div");
  const element = h("div", { class: "time-bar" }, drawn, input, scale);
  const draw = (/** @type {Told[]} */ now) => {
    const graph = graphOf(now);
    fill(drawn, graph);
    element.classList.toggle("judged", Boolean(graph));
  };
  draw(turns);
  return {
    element,
    input,
    draw,
    show(at, says) {
      input.value = String(at);
      input.setAttribute("aria-valuetext", says);
    },
  };
}
