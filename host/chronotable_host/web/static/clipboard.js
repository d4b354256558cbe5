// @ts-check
/** Copying a text, also where the browser has no clipboard for pages: then it is shown, selected. */

import { fill, h } from "./dom.js";
import { tr } from "./language.js";

/**
 * What can be copied: what is said when it was, over the text, and when it is selected.
 * @typedef {{copied: string, toCopy: string, selected: string}} Copyable
 */

export const POSITION = {
  copied: tr("The position is copied."),
  toCopy: tr("The position, to copy"),
  selected: tr("The position is selected: copy it with Ctrl+C, or by a long touch."),
};
export const RECORD = {
  copied: tr("The record is copied."),
  toCopy: tr("The record, to copy"),
  selected: tr("The record is selected: copy it with Ctrl+C, or by a long touch."),
};
export const LINK = {
  copied: tr("The link is copied."),
  toCopy: tr("The link, to copy"),
  selected: tr("The link is selected: copy it with Ctrl+C, or by a long touch."),
};

/**
 * Copy a text; `place` shows it, selected, where that cannot be done.
 * @param {string} text
 * @param {Copyable} what
 * @param {HTMLElement} place
 * @returns {Promise<string>} what to say
 */
export async function copy(text, what, place) {
  fill(place);
  try {
    await navigator.clipboard.writeText(text);
    return what.copied;
  } catch {
    return show(text, what, place);
  }
}

/** @param {string} text @param {Copyable} what @param {HTMLElement} place @returns {string} */
function show(text, what, place) {
  const rows = Math.min(8, text.split("\n").length);
  const area = h("textarea", { class: "copy-text", readonly: true, rows, spellcheck: "false" });
  area.value = text;
  const close = () => fill(place);
  fill(
    place,
    h(
      "div",
      { class: "copy-out" },
      h("label", {}, h("span", {}, what.toCopy), area),
      h("button", { type: "button", on: { click: close } }, tr("Close")),
    ),
  );
  area.focus();
  area.select();
  return what.selected;
}
