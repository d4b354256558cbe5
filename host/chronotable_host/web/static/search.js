// @ts-check
/** How lists are searched. */

import { h } from "./dom.js";

const PAUSE_MS = 250; // somebody may write on

/**
 * A form by which a list is searched: `search` is called where something else is chosen, and a moment after
 * the last letter, unless the list is gone.
 * @param {string} label
 * @param {[string, any][]} fields each with what it is called
 * @param {() => void} search
 */
export function searchForm(label, fields, search) {
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => form.isConnected && search(), PAUSE_MS);
  };
  const now = (/** @type {Event} */ event) => {
    event.preventDefault();
    clearTimeout(timer);
    search();
  };
  const on = { submit: now, input: (/** @type {any} */ { target }) => target.matches("input") && soon(), change: (/** @type {any} */ event) => event.target.matches("select") && now(event) };
  const form = h("form", { class: "search", role: "search", "aria-label": label, on }, fields.map(([says, field]) => h("label", { class: "field" }, h("span", {}, says), field)));
  return form;
}

/** A choice without a label. @param {string[][]} options value and text @param {string} value */
export function select(options, value) {
  return h("select", {}, options.map(([each, says]) => h("option", { value: each, selected: each === value }, says)));
}
