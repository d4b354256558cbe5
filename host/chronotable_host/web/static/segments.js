// @ts-check
/** A choice of one of a few that stand side by side. */

import { h } from "./dom.js";

let groups = 0;

/**
 * One of a few, side by side.
 * @param {string} label
 * @param {[string, any, string?][]} options value, what it shows, what it is called where that is no text
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {string} [kind]
 */
export function segments(label, options, value, change, kind = "") {
  groups += 1;
  const name = `segments-${groups}`;
  const one = (/** @type {[string, any, string?]} */ [each, inside, called]) =>
    h("label", {}, h("input", { type: "radio", name, value: each, checked: each === value, "aria-label": called, on: { change: () => change(each) } }), h("span", {}, inside));
  return h("div", { class: `choice ${kind}`, role: "radiogroup", "aria-label": label }, options.map(one));
}
