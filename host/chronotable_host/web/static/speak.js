// @ts-check
/** What a screen reader hears, and the short notes at the edge of the screen that all see. */

import { linked } from "./cited.js";
import { byId, h } from "./dom.js";
import { tr } from "./language.js";

const NOTE_MS = 7000;
const KEPT = 4;

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

/**
 * Show a note for a while; screen readers read it at once.
 * @param {string} text
 * @param {"refusal" | "news"} [kind]
 */
export function note(text, kind = "refusal") {
  if (!text) return;
  const toasts = byId("toasts");
  for (const old of toasts.children) if (old.dataset.text === text) old.remove();
  const close = () => toast.remove();
  const button = h("button", { type: "button", "aria-label": tr("Close"), on: { click: close } }, "×");
  const toast = h("div", { class: `toast ${kind}`, "data-text": text }, h("p", {}, ...linked(text)), button);
  toasts.append(toast);
  while (toasts.childElementCount > KEPT) toasts.firstElementChild.remove();
  setTimeout(close, NOTE_MS);
}
