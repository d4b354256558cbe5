// @ts-check
/** A phone: the boards, and a turn that is put together word by word, as the list of turns allows. */

import { tr, trC } from "/static/language.js";
import { button } from "/night/static/parts.js";
import { boards } from "./boards.js";

/** @import { Frame, State } from "/night/static/types.js" */

const WORDS = /** @type {Record<string, string>} */ ({
  N: tr("north"),
  E: tr("east"),
  S: tr("south"),
  W: tr("west"),
  F: tr("forward in time"),
  B: tr("back in time"),
  ">past": tr("focus to the past"),
  ">present": tr("focus to the present"),
  ">future": tr("focus to the future"),
});

/** @param {State} state @param {Frame} frame */
export function field(state, frame) {
  const begun = frame.memory.words?.[0];
  const own = state.view?.position.split(" ")[1 + state.seat];
  return boards(state, frame, new Set(begun ? [`${own} ${begun}`] : []));
}

/** @param {State} state @param {Frame} frame */
export function hand(state, frame) {
  const { el, memory } = frame;
  const turns = state.decision?.choices?.map(({ action }) => action.split(" ")) ?? [];
  if (!turns.length) return el("p", {}, tr("It is not your turn."));
  const begun = memory.words ?? [];
  const fitting = turns.filter((words) => begun.every((/** @type {string} */ word, /** @type {number} */ at) => words[at] === word));
  const next = [...new Set(fitting.map((words) => words[begun.length]).filter(Boolean))];
  const choose = (/** @type {string[]} */ words) => {
    memory.words = words;
    frame.lift(frame.choice(words.join(" ")) ?? null);
    frame.redraw();
  };
  const buttons = next.map((word) => button("word", named(word), () => choose([...begun, word])));
  const back = begun.length ? button("plain", trC("one step", "Back"), () => choose(begun.slice(0, -1))) : null;
  const so = begun.length ? begun.map(named).join(", ") : tr("Choose a copy by its space.");
  return el("div", { class: "words" }, el("p", { "aria-live": "polite" }, so), el("div", {}, ...buttons, back));
}

/** @param {string} word of a turn */
function named(word) {
  return WORDS[word] ?? tr("space {number}", { number: word });
}
