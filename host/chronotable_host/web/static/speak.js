// @ts-check
/** What a screen reader hears, and short notes that all see. */

import { uncited } from "./cited.js";
import { byId, fill, h } from "./dom.js";

const KEPT = 4;
const NEWS_MS = 6000; // of what asks for nothing

/**
 * Say something when there is a pause, or at once where it needs an answer.
 * @param {string} text
 * @param {"polite" | "assertive"} [how]
 */
export function say(text, how = "polite") {
  if (!text) return;
  const region = byId(how);
  region.append(h("p", {}, text));
  while (region.childElementCount > KEPT) region.firstElementChild.remove();
}

/** Take away what was said of a game that another one takes the place of. */
export function hush() {
  for (const region of ["polite", "assertive"]) fill(byId(region));
}

/**
 * Say something at once, to be read in the strip that is shown, or at the head of a page or menu that has
 * none, until something else is said there.
 * @param {string} text
 * @param {"refusal" | "news"} [kind]
 */
export function note(text, kind = "refusal") {
  if (!text) return;
  say(text, "assertive");
  const page = document.querySelector("main > :not([hidden])");
  const isMenu = document.body.classList.contains("menu");
  const place = isMenu ? null : page?.querySelector(".head > :is(p, .told), .status, .rules-trouble");
  const said = h("span", { class: `noted ${kind}` }, uncited(text));
  document.querySelector(".noted")?.remove();
  const before = [...(place?.childNodes ?? [])];
  if (kind === "news") setTimeout(() => said.isConnected && (place ? fill(place, ...before) : said.remove()), NEWS_MS);
  if (place) fill(place, said);
  else (isMenu ? byId("menu") : page)?.prepend(said);
}
