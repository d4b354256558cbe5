// @ts-check
/** How the table understood the turns: a sign and a word for each, and how many there are of each. */

import { h } from "./dom.js";

/** Signs by the word that a record has; a shape for each, so that no colour is needed. */
const SIGNS = /** @type {Record<string, string>} */ ({
  certain: "✓",
  asked: "?",
  corrected: "↺",
});

/**
 * The sign and the word of a turn; nothing where the record does not say it.
 * @param {string} understood
 */
export function signOf(understood) {
  if (!understood) return null;
  return h(
    "span",
    { class: `how ${understood}` },
    h("span", { class: "how-sign", "aria-hidden": "true" }, SIGNS[understood] ?? "·"),
    " ",
    h("span", { class: "how-word" }, understood),
  );
}

/** Tell whether a turn is one to look at again. @param {string} understood @returns {boolean} */
export function isDoubtful(understood) {
  return understood === "asked" || understood === "corrected";
}

/**
 * How many turns were understood how, in words and as a bar with a pattern for each; nothing where
 * the record does not say it.
 * @param {Record<string, number>} counts
 */
export function share(counts) {
  const known = Object.entries(counts).filter(([, count]) => count > 0);
  const total = known.reduce((sum, [, count]) => sum + count, 0);
  if (!total) return null;
  const bar = h("div", { class: "share-bar", "aria-hidden": "true" });
  for (const [how, count] of known) {
    const part = h("span", { class: `share-part ${how}` });
    part.style.flex = `${count} 0 0`;
    bar.append(part);
  }
  const words = known.map(([how, count]) =>
    h(
      "li",
      {},
      h("span", { class: `share-key ${how}`, "aria-hidden": "true" }),
      `${SIGNS[how] ?? ""} ${count} ${how} (${percent(count, total)})`,
    ),
  );
  return h(
    "section",
    { class: "archive-share", "aria-label": "How the table understood the turns" },
    h("h2", {}, "Understood"),
    bar,
    h("ul", { class: "share-words" }, words),
  );
}

/** @param {number} count @param {number} total @returns {string} never a rounded 0 or 100 */
function percent(count, total) {
  const exact = (100 * count) / total;
  if (exact === 100) return "100 %";
  return `${Math.min(99, Math.max(1, Math.round(exact)))} %`;
}
