// @ts-check
/** Turns and other short texts in words, for people who do not read the notation (yet). */

const WAYS = /** @type {Record<string, string>} */ ({
  N: "north",
  E: "east",
  S: "south",
  W: "west",
  F: "forward in time",
  B: "back in time",
});

let more = /** @type {Record<string, string>} */ ({});

/**
 * Learn what else actions are called; the server knows what may be said.
 * @param {Record<string, string>} words
 */
export function learn(words) {
  more = words;
}

/**
 * Say a turn in words: `6 E F >future` is `copy on 6: east, forward in time; focus to the future`.
 * What is not known here stays as it is written.
 * @param {string} turn
 * @returns {string}
 */
export function spell(turn) {
  const parts = turn.trim().split(/\s+/);
  const focus = parts.filter((part) => part.startsWith(">")).map((part) => part.slice(1));
  const [space, ...actions] = parts.filter((part) => !part.startsWith(">"));
  const done = actions.map(spellAction).join(", ");
  const copy = space ? `copy on ${space}: ${done || "no action"}` : "no action";
  return focus.length ? `${copy}; focus to the ${focus[0]}` : copy;
}

/**
 * Say an action in words.
 * @param {string} action
 * @returns {string}
 */
export function spellAction(action) {
  return WAYS[action] ?? more[action] ?? action;
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
