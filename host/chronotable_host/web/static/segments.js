// @ts-check
/** A choice of one of a few that stand side by side, as that of a language. */

import { h } from "./dom.js";
import { language, languages, tr } from "./language.js";

const NAMES = /** @type {Record<string, string>} */ ({ en: "English", de: "Deutsch" });
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

/** Each language, as it stands on something small, and its name. */
export const LANGUAGES = languages.map((each) => /** @type {[string, string, string]} */ ([each, each.toUpperCase(), NAMES[each] ?? each]));

/** The choice of a language: the browser's at first, then the one that was chosen here. */
export const languageChoice = () => segments(tr("Language"), LANGUAGES, language, speak, "languages");

/** Have the page in a language from now on; the server goes by the cookie. @param {string} each */
export function speak(each) {
  document.cookie = `chronotable-language=${each}; path=/; max-age=31536000; samesite=lax`;
  location.reload();
}
