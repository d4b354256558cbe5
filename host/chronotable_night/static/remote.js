// @ts-check
/** The big screen by the arrows of a remote: each leads to what lies that way, Enter presses it. */

import { WAYS, placeTowards } from "/static/geometry.js";

/** Have the arrows lead from one thing that can be pressed to the next. */
export function hearRemote() {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (key === "Enter" && target instanceof HTMLSelectElement) {
      event.preventDefault();
      target.showPicker();
    } else if (key === "Enter" && target instanceof HTMLInputElement) target.click();
    if (!(key in WAYS)) return;
    event.preventDefault();
    const room = document.querySelector("dialog[open]") ?? document;
    const all = /** @type {HTMLElement[]} */ ([...room.querySelectorAll("button, select, input, a[href]")]).filter((each) => each.matches(":enabled, a") && each.checkVisibility());
    const from = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (from < 0) return (all.find((each) => each.matches(".main")) ?? all[0])?.focus();
    const boxes = new Map(all.map((each, at) => [at, each.getBoundingClientRect()]));
    const { top, bottom, left, right } = all[from].getBoundingClientRect();
    const isBeside = (/** @type {DOMRect} */ box) => (WAYS[key].dx ? box.top < bottom && box.bottom > top : box.left < right && box.right > left);
    const beside = new Map([...boxes].filter(([, box]) => isBeside(box)));
    const to = placeTowards(beside, from, WAYS[key]) ?? placeTowards(boxes, from, WAYS[key]);
    if (to !== null) all[to].focus();
  });
}
