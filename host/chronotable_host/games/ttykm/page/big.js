// @ts-check
/** The big screen: the boards. */

import { boards } from "./boards.js";

/** @typedef {import("/night/static/types.js").State} State */
/** @typedef {import("/night/static/types.js").Frame} Frame */

/** @param {State} state @param {Frame} frame */
export function board(state, frame) {
  return boards(state, frame);
}
