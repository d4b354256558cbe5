// @ts-check
/** What a position is worth: asked of the server, which tells more with each depth, and shown. */

import { reach } from "./answers.js";
import { fill, h } from "./dom.js";
import { tr } from "./language.js";
import { chanceText } from "./verdicts.js";

/**
 * What was found; `chance` is that White wins, 0 to 1, `value` as records have it, `line` the best
 * turns from here on, and `lines` as many of them as were asked for, the best one first.
 * @typedef {import("./trying.js").Told & {turn: string, plan: string, where: string}} LineTurn
 * @typedef {{value: string, chance: number, line: LineTurn[]}} Line
 * @typedef {Line & {depth: number, nodes: number, lines: Line[], isDone?: boolean}} Worth
 */

/**
 * Have a position thought about; `heard` is told what is found, again and again. Rejects as `ask`
 * does; `signal` ends it.
 * @param {{position: string, options: string, turns: string[], lines?: number}} of a position and the turns since
 * @param {(worth: Worth) => void} heard
 * @param {AbortSignal} signal
 */
export async function think({ position, options, turns, lines = 1 }, heard, signal) {
  const asked = new URLSearchParams({ position, options, turns: turns.join(";"), lines: String(lines) });
  const response = await reach(`/api/think?${asked}`, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: "", done: true };
    if (done || signal.aborted) return;
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) heard(JSON.parse(line));
  }
}

/** Say what a position is worth. @param {{value: string, chance: number}} worth @returns {string} */
export function worthSays({ value, chance }) {
  return chanceText(value, chance);
}

/** @param {number} chance 0 to 1 @returns {number} what stands before the sign */
export function percent(chance) {
  return Math.round(100 * chance);
}

/** Make the bar that shows what a position is worth, with words beside it. */
export function createWorth() {
  const part = h("i");
  const bar = h("span", { class: "worth-bar", "aria-hidden": "true" }, part);
  const says = h("b");
  const note = h("span", { class: "faint" });
  return {
    element: h("p", { class: "worth" }, bar, says, note),
    /** @param {Worth | null} worth null where it is not known yet @param {string} [instead] what to say then @param {{chance: number} | null} [reviewed] what the game's review says */
    show(worth, instead = tr("Thinking …"), reviewed = null) {
      part.style.setProperty("--part", String(worth?.chance ?? 0.5));
      fill(says, worth ? worthSays(worth) : instead);
      const told = { depth: worth?.depth ?? 0, percent: percent(reviewed?.chance ?? 0) };
      const isElse = worth && reviewed && percent(worth.chance) !== told.percent;
      note.title = isElse ? tr("The review of a game looks at less.") : "";
      fill(note, isElse ? tr("depth {depth}, review {percent} %", told) : worth ? tr("depth {depth}", told) : null);
    },
  };
}
