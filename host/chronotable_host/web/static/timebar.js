// @ts-check
/** The time bar of a replay: a slider over the turns, with ticks where somebody died and at the win. */

import { h } from "./dom.js";
import { tr } from "./language.js";

/**
 * Make a time bar.
 * @param {number} last how many turns there are
 * @param {{at: number, kind: string}[]} ticks turns, and the class that each is drawn with
 * @returns {{element: HTMLElement, input: HTMLInputElement, show: (at: number, says: string) => void}}
 */
export function timeBar(last, ticks) {
  const input = h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": tr("Turn"), disabled: last === 0 });
  const scale = h("div", { class: "ticks", "aria-hidden": "true" });
  for (const { at, kind } of ticks) {
    const tick = h("i", { class: kind });
    tick.style.setProperty("--part", String(at / last));
    scale.append(tick);
  }
  return {
    element: h("div", { class: "time-bar" }, input, scale),
    input,
    show(at, says) {
      input.value = String(at);
      input.setAttribute("aria-valuetext", says);
    },
  };
}
