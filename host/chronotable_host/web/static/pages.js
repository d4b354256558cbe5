// @ts-check
/** Which of a document's pages is shown: the one that the address asks for, as `#rules/T12` does. */

import { byId } from "./dom.js";

let before = "";
let shown = "";

/** Where one was before the page that is shown, "" where that was the first one. */
export const cameFrom = () => before;

/** @param {string} id of a game @param {string} side @param {number} [number] which of the mistakes, from 1 */
export const learningOf = (id, side, number) => ["#learn", encodeURIComponent(id), side, ...(number ? [number] : [])].join("/");

/**
 * Show the page that the address names, now and whenever it changes; the first one for any other
 * address. Who comes back from a rule is at the link that led there.
 * @param {Record<string, (parts: string[]) => unknown>} pages what to do when one is shown, by id;
 *   it gets the parts of the address, its own id first
 */
export function openPages(pages) {
  const names = Object.keys(pages);
  /** @type {HTMLElement | null} the link to a rule that was followed */
  let cited = null;

  /** @param {HashChangeEvent} [event] */
  function route(event) {
    const parts = location.hash.slice(1).split("/").filter(Boolean).map(decoded);
    const page = names.includes(parts[0]) ? parts[0] : names[0];
    if (page !== shown) before = event ? new URL(event.oldURL).hash || `#${names[0]}` : "";
    shown = page;
    const here = /** @type {HTMLElement | null} */ (document.activeElement);
    if (here?.matches(".cited") && !byId("rules").contains(here)) cited = here;
    for (const id of names) byId(id).hidden = id !== page;
    for (const link of document.querySelectorAll("[data-page]")) {
      const isHere = /** @type {HTMLElement} */ (link).dataset.page?.split(" ").includes(page);
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (page !== "rules") {
      cited?.focus();
      cited = null;
    }
    pages[page](parts);
  }

  window.addEventListener("hashchange", route);
  route();
}

/** @param {string} part of the address @returns {string} */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
