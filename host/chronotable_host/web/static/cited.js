// @ts-check
/** The numbers of rules that messages cite, as `(T12)`, made links to the page of the rules. */

import { h } from "./dom.js";
import { tr } from "./language.js";

/** One number, several, or the ends of a range, in brackets. */
const CITED = /(\([A-Z]\d{1,3}(?:(?:-|, )[A-Z]\d{1,3})*\))/;
const NUMBER = /([A-Z]\d{1,3})/;

/**
 * Return a text as children of an element, every number in it that is cited a link.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function linked(text) {
  return text
    .split(CITED)
    .flatMap((part, at) => (at % 2 ? part.split(NUMBER).map(linkOf) : [part]));
}

/** Return a text without the rules that it cites, for who plays. @param {string} text */
export function uncited(text) {
  return text.split(CITED).filter((_, at) => at % 2 === 0).join("").replaceAll(/ +(?=[.,;:!?]|$)/g, "");
}

/** @param {string} part @param {number} at the odd ones are numbers @returns {Node | string} */
function linkOf(part, at) {
  if (at % 2 === 0) return part;
  return h("a", { class: "cited", href: `#rules/${part}`, "aria-label": tr("rule {number}", { number: part }) }, part);
}
