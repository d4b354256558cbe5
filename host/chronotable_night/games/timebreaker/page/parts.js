// @ts-check
/** Parts that the phone and the big screen share. */

import { glyph, thinking } from "/night/static/drawing.js";
import { asked } from "./story.js";

/** @import { Frame, State } from "/night/static/types.js" */

/** Who is asked whether to stop time: who thinks, who has answered, and who lets it pass. @param {State} state @param {Frame} frame */
export function queue(state, { el, head, eye, name, tr }) {
  const step = (/** @type {string} */ how) => {
    if (how === "open") return thinking();
    return how === "done" ? glyph("check", "", tr("lets it pass")) : eye("shut");
  };
  const row = (/** @type {{seat: number, how: string}} */ { seat, how }) =>
    el("li", { class: how }, head(seat), el("b", { class: "name" }, name(seat)), el("span", {}, step(how)));
  return el("ol", { class: "queue", "aria-label": tr("All are asked") }, ...asked(state).map(row));
}

/** How the game ended, as all could see: by which card, and who let it pass. @param {State} state @param {Frame} frame */
export function ending(state, { el }) {
  const over = state.happened.findLast((each) => each.what === "over");
  return over ? el("p", { class: "why" }, over.says) : null;
}
