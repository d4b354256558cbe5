// @ts-check
/** The big screen: the boards. */

import { boards } from "./boards.js";

/** @import { Frame, State } from "/night/static/types.js" */

/** @param {State} state @param {Frame} frame */
export function board(state, frame) {
  return boards(state, frame);
}
