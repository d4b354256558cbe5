// @ts-check
/** Copying a text, also where the browser has no clipboard for pages: then it is shown, selected. */

import { fill, h } from "./dom.js";

/**
 * Copy a text; `place` shows it, selected, where that cannot be done.
 * @param {string} text
 * @param {string} what as `position`, for what is said
 * @param {HTMLElement} place
 * @returns {Promise<string>} what to say
 */
export async function copy(text, what, place) {
  fill(place);
  try {
    await navigator.clipboard.writeText(text);
    return `The ${what} is copied.`;
  } catch {
    return show(text, what, place);
  }
}

/** @param {string} text @param {string} what @param {HTMLElement} place @returns {string} */
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
      h("label", {}, h("span", {}, `The ${what}, to copy`), area),
      h("button", { type: "button", on: { click: close } }, "Close"),
    ),
  );
  area.focus();
  area.select();
  return `The ${what} is selected: copy it with Ctrl+C, or by a long touch.`;
}
