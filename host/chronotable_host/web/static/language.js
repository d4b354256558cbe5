// @ts-check
/**
 * The language of the page. A sentence stands in English where it is said; the server has those of
 * the language that it speaks, none for English.
 */

import { language, languages, words } from "../catalogue.js";

/** @typedef {Record<string, string | number>} Values */

const plurals = new Intl.PluralRules(language);

export { language, languages };

/**
 * Say a sentence; a word in braces stands for the value of that name.
 * @param {string} sentence
 * @param {Values} [values]
 * @returns {string}
 */
export function tr(sentence, values = {}) {
  return filled(words[sentence] ?? sentence, values);
}

/**
 * Say a sentence whose `context` tells it from another with the same English words.
 * @param {string} context
 * @param {string} sentence
 * @param {Values} [values]
 * @returns {string}
 */
export function trC(context, sentence, values = {}) {
  return filled(words[`${context}\u0004${sentence}`] ?? sentence, values);
}

/**
 * Say a sentence about `n` things, which it may name as `{n}`.
 * @param {string} one
 * @param {string} several
 * @param {number} n
 * @param {Values} [values]
 * @returns {string}
 */
export function trN(one, several, n, values = {}) {
  const [ofOne, ofSeveral] = words[one] ?? [one, several];
  return filled(plurals.select(n) === "one" ? ofOne : ofSeveral, { n, ...values });
}

/** @param {string} sentence @param {Values} values */
function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}
