// @ts-check
/** What the pages of a tournament share. */

import { h } from "/static/dom.js";

const SHOWN = /** @type {Record<string, string>} */ ({ "1/2-1/2": "½-½", "+/-": "+ : -", "-/+": "- : +", "-/-": "- : -" });

/** @param {string} result @returns {string} a result as people read it */
export function resultOf(result) {
  return SHOWN[result] ?? result;
}

/**
 * The head of a table.
 * @param {string[]} texts
 * @param {number[]} numbers which columns hold numbers
 * @returns {any}
 */
export function heads(texts, numbers = []) {
  return h("thead", {}, h("tr", {}, texts.map((text, at) => (text ? h("th", { scope: "col", class: numbers.includes(at) ? "number" : "" }, text) : h("td", {})))));
}
