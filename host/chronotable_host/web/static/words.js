// @ts-check
/** Actions and names in words, for people who do not read the notation. */

let known = /** @type {Record<string, string>} */ ({});

/**
 * Learn what actions are called; the server knows what may be said.
 * @param {Record<string, string>} words
 */
export function learn(words) {
  known = words;
}

/**
 * Say an action in words.
 * @param {string} action
 * @returns {string}
 */
export function spellAction(action) {
  return known[action] ?? action;
}

/**
 * Write a word with a capital.
 * @param {string} text
 * @returns {string}
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Join words as people do: `a, b and c`.
 * @param {string[]} words
 * @returns {string}
 */
export function list(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/**
 * What a player is called on the page: the name where there is one.
 * @param {string | undefined} name
 * @param {string} side
 * @returns {string}
 */
export function nameOf(name, side) {
  if (!name || name === "?") return capital(side);
  return /^level:\d$/.test(name) ? name.replace(":", " ") : name;
}
