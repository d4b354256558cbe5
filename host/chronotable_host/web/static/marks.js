// @ts-check
/**
 * A small mark for every meaning of an LED, so that colour is never the only channel. A meaning
 * that has none here gets its first letter.
 */

import { s } from "./dom.js";

/** Lines around 0,0 within a circle of 5 mm, by the meaning's name. */
const LINES = /** @type {Record<string, string>} */ ({
  mover: "M0-1.6A1.6 1.6 0 1 1-.01-1.6Z",
  copy: "M0-2.6A2.6 2.6 0 1 1-.01-2.6Z",
  lifted: "M0 3V-2.6M-2.4-.4 0-2.9 2.4-.4",
  focus: "M-2-2.9H2L-2 2.9H2Z",
  back: "M-.2-2.6-2.8 0-.2 2.6M3-2.6.4 0 3 2.6",
  forward: "M.2-2.6 2.8 0 .2 2.6M-3-2.6-.4 0-3 2.6",
  move: "M-3 0H2.8M.4-2.4 2.8 0 .4 2.4",
  push: "M-3.2 0H1M-1.2-2.2 1 0-1.2 2.2M3-2.8V2.8",
  squish: "M-3.4-2.6-1.2 0-3.4 2.6M3.4-2.6 1.2 0 3.4 2.6M0-3.2V3.2",
  paradox: "M-2.8-1.2H2.8M-2.8 1.2H2.8M-1.6 3 1.6-3",
  own_death: "M-2.4-2.4 2.4 2.4M2.4-2.4-2.4 2.4",
  todo_put: "M0-3V1M-2-.9 0 1.1 2-.9M-3 3H3",
  todo_take: "M0 1.2V-2.8M-2-.8 0-2.8 2-.8M-3 3H3",
  todo_put_white: "M0-3.4V-.8M-1.7-2.3 0-.6 1.7-2.3M0 .7A1.5 1.5 0 1 1-.01 .7Z",
  todo_put_black: "M0-3.4V-.8M-1.7-2.3 0-.6 1.7-2.3M0 1.5A.7 .7 0 1 1-.01 1.5Z",
  win: "M0-3.4 .9-1.1 3.3-1 1.4.5 2.1 2.8 0 1.5-2.1 2.8-1.4.5-3.3-1-.9-1.1Z",
  lamp_test: "M0-3.2V3.2M-3.2 0H3.2M-2.2-2.2 2.2 2.2M2.2-2.2-2.2 2.2",
  thinking: "M-3.4 0-3.4.01M0 0 0 .01M3.4 0 3.4.01",
  doctor: "M0-3.2V3.2M-3.2 0H3.2",
  journal_full: "M-2.6-2.6H2.6V2.6H-2.6ZM-2.6 0H2.6",
});

const LETTERS = /** @type {Record<string, string>} */ ({
  question: "a",
  question_b: "b",
  question_c: "c",
  fault: "!",
  confirm_white: "?",
  confirm_black: "?",
});

/**
 * Draw the mark of a meaning around 0,0, within a circle of 5 mm.
 * @param {string} name
 * @returns {SVGElement}
 */
export function markNode(name) {
  const lines = LINES[name];
  if (lines) return s("path", { class: "mark", d: lines });
  const letter = LETTERS[name] ?? name.charAt(0).toUpperCase();
  return s("text", { class: "mark", y: 2.6, "text-anchor": "middle" }, letter);
}

/**
 * Tell whether dark ink reads better on a colour than light ink.
 * @param {string} colour as `#rrggbb`
 * @returns {boolean}
 */
export function wantsDarkInk(colour) {
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = channels.map((part) => (Number.isNaN(part) ? 1 : part ** 2.2));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
}
