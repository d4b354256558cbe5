// @ts-check
/** The time bar of a replay: a slider with a tick for every turn, and marks where the table asked. */

import { h } from "./dom.js";
import { isDoubtful } from "./understood.js";

/** Most ticks that are told apart, and most labels that stand beside each other on a phone. */
const MOST_TICKS = 120;
const MOST_LABELS = 6;

/**
 * Make a time bar for a game's turns.
 * @param {import("./answers.js").Turn[]} turns
 * @returns {{element: HTMLElement, input: HTMLInputElement,
 *   show: (at: number, says: string) => void}}
 */
export function timeBar(turns) {
  const last = turns.length;
  const input = h("input", {
    type: "range",
    class: "time-input",
    min: 0,
    max: last,
    step: 1,
    "aria-label": "Turn",
    disabled: last === 0,
  });
  const scale = h("div", { class: "time-scale", "aria-hidden": "true" });
  const every = Math.ceil(last / MOST_TICKS) || 1;
  const labelled = labelStep(last);
  for (let at = 0; at <= last; at++) {
    const how = at ? turns[at - 1].understood : "";
    const isLabelled = at === 0 || at === last || (at % labelled === 0 && last - at > labelled / 2);
    if (!isLabelled && !isDoubtful(how) && at % every) continue;
    const kind = isDoubtful(how) ? ` doubtful ${how}` : "";
    const tick = h("span", { class: `time-tick${isLabelled ? " labelled" : ""}${kind}` });
    tick.style.setProperty("--part", String(last ? at / last : 0));
    if (isLabelled) tick.append(h("span", { class: "time-label" }, at === 0 ? "start" : String(at)));
    scale.append(tick);
  }
  return {
    element: h("div", { class: "time-bar" }, input, scale),
    input,
    show(at, says) {
      input.value = String(at);
      input.setAttribute("aria-valuetext", says);
      input.style.setProperty("--part", String(last ? at / last : 0));
    },
  };
}

/** @param {number} last @returns {number} how many turns are between two labels: 1, 2, 5, 10 ... */
function labelStep(last) {
  let unit = 1;
  for (;;) {
    for (const step of [unit, 2 * unit, 5 * unit]) if (last / step <= MOST_LABELS) return step;
    unit *= 10;
  }
}
