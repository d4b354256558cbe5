// @ts-check
/** Views that come and go in one element of the page, each asked for anew when it is shown. */

import { linked } from "./cited.js";
import { fill, h } from "./dom.js";
import { tr } from "./language.js";

/**
 * What a view can do once it is there; `go` shows another place of it, which the address names,
 * `hear` takes note of what has changed elsewhere.
 * @typedef {{leave: () => void, go?: (...where: any[]) => void, hear?: (news: any) => void}} Shown
 */

/** @type {WeakMap<HTMLElement, Shown & {key: string}>} what each root shows */
const shown = new WeakMap();
/** @type {WeakMap<HTMLElement, number>} how often each root was asked to show something */
const asked = new WeakMap();

/**
 * Show a view in `root`, in the place of what is there; what has the same key is not made anew: it
 * goes there. Never rejects: what goes wrong is said in `root`.
 * @param {HTMLElement} root
 * @param {string} key "" for what is always made anew
 * @param {(isWanted: () => boolean) => Shown | Promise<Shown>} make may reject with an Error that has
 *   a sentence; `isWanted` is false once something else is to be shown
 * @param {any[]} where what `go` is told
 * @returns {Promise<void>}
 */
export async function showView(root, key, make, ...where) {
  const before = shown.get(root);
  if (before && key && before.key === key && before.go) {
    before.go(...where);
    return;
  }
  const number = leaveView(root);
  const isWanted = () => asked.get(root) === number;
  try {
    const next = await make(isWanted);
    if (isWanted()) shown.set(root, { ...next, key });
    else next.leave();
  } catch (error) {
    if (isWanted()) fill(root, trouble(error, () => showView(root, key, make, ...where)));
  }
}

/** What is shown, if anything. @param {HTMLElement} root @returns {Shown | undefined} */
export function shownIn(root) {
  return shown.get(root);
}

/**
 * Take what is shown away: nothing of it goes on, and what comes next is asked for anew.
 * @param {HTMLElement} root
 * @returns {number} how often that was done
 */
export function leaveView(root) {
  shown.get(root)?.leave();
  shown.delete(root);
  root.classList.remove("playing", "open");
  fill(root);
  const number = (asked.get(root) ?? 0) + 1;
  asked.set(root, number);
  return number;
}

/** @param {unknown} error @param {() => void} again */
function trouble(error, again) {
  const why = error instanceof Error ? error.message : String(error);
  return h(
    "div",
    { class: "archive", role: "alert" },
    h(
      "div",
      { class: "trouble" },
      h("p", {}, ...linked(why)),
      h("a", { href: "#games" }, tr("All games")),
      h("button", { type: "button", on: { click: again } }, tr("Try again")),
    ),
  );
}
