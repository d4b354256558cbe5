// @ts-check
/** The choice of a language: the browser's at first, then the one that was chosen here. */

import { language, languages, tr } from "./language.js";
import { segments } from "./segments.js";

const NAMES = /** @type {Record<string, string>} */ ({ en: "English", de: "Deutsch" });

/** Each language, as it stands on something small, and its name. */
export const LANGUAGES = languages.map((each) => /** @type {[string, string, string]} */ ([each, each.toUpperCase(), NAMES[each] ?? each]));

/** Make it. */
export function languageChoice() {
  return segments(tr("Language"), LANGUAGES, language, speak, "languages");
}

/** Have the page in a language from now on; the server goes by the cookie. @param {string} each */
export function speak(each) {
  document.cookie = `chronotable-language=${each}; path=/; max-age=31536000; samesite=lax`;
  location.reload();
}
