// @ts-check
/** The choice of a language: the browser's at first, then the one that was chosen here. */

import { language, languages, tr } from "./language.js";
import { segments } from "./segments.js";

const NAMES = /** @type {Record<string, string>} */ ({ en: "English", de: "Deutsch" });

/** Make it; the server goes by the cookie. */
export function languageChoice() {
  const named = languages.map((each) => /** @type {[string, string, string]} */ ([each, each.toUpperCase(), NAMES[each] ?? each]));
  return segments(tr("Language"), named, language, choose, "languages");

  /** @param {string} each */
  function choose(each) {
    document.cookie = `chronotable-language=${each}; path=/; max-age=31536000; samesite=lax`;
    location.reload();
  }
}
