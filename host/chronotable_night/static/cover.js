// @ts-check
/**
 * The lid of a phone's hand. It opens by a tap when this seat is to decide, and for as long as it is
 * held at any time; it shuts by Hide, when the phone is laid down, when nothing is to decide, unless
 * it is to be kept open, and when nobody has touched it for a while.
 */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";

const TAP_MS = 350;
const UNTOUCHED_MS = 60_000;
const FLAT = 8; // degrees from lying on its back
const ON_ITS_FACE = 168;

/**
 * @param {() => void} redraw called when the lid has opened or shut
 */
export function createCover(redraw) {
  let isOpen = false;
  let isHeld = false;
  let mayOpen = false;
  let heldSince = 0;
  let wasFlat = true;
  let isKept = false;
  let patience = 0;

  const eye = h("span", { class: "lid-eye" });
  const says = h("b");
  const hint = h("small");
  const peek = h("button", { type: "button", class: "peek", id: "peek" }, eye, says, hint);

  const hold = (/** @type {Event} */ event) => {
    if (isHeld) return;
    heldSince = event.timeStamp;
    isHeld = true;
    redraw();
  };
  const release = (/** @type {Event} */ event) => {
    if (!isHeld) return;
    isHeld = false;
    if (mayOpen && event.type !== "blur" && event.timeStamp - heldSince < TAP_MS) isOpen = true;
    redraw();
  };
  const shut = () => {
    if (!isOpen && !isHeld) return;
    isOpen = isHeld = isKept = false;
    redraw();
  };

  peek.addEventListener("pointerdown", hold);
  peek.addEventListener("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
  peek.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    hold(event);
  });
  peek.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.detail !== 0 || isHeld) return; // a screen reader's, which cannot hold
    isOpen = true;
    redraw();
  });
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) window.addEventListener(end, release);
  const touch = () => {
    clearTimeout(patience);
    if (isKept) patience = setTimeout(shut, UNTOUCHED_MS);
  };
  document.addEventListener("pointerdown", touch);
  document.addEventListener("visibilitychange", () => document.hidden && shut());
  window.addEventListener("pagehide", shut);
  window.addEventListener("deviceorientation", ({ beta, gamma }) => {
    if (beta === null || gamma === null) return;
    const isFlat = Math.abs(gamma) < FLAT && (Math.abs(beta) < FLAT || Math.abs(beta) > ON_ITS_FACE);
    if (isFlat && !wasFlat) shut();
    wasFlat = isFlat;
  });

  return {
    /** The button that is held or tapped; always the same one, so that a finger may stay on it. */
    element: peek,
    /** Whether the hand may be seen. */
    isOpen: () => isOpen || isHeld,
    /** Whether it is seen only while the button is held. */
    isHeld: () => isHeld && !isOpen,
    shut,
    /** Leave the hand open from now on. */
    keep() {
      isOpen = isKept = true;
      touch();
      redraw();
    },
    /**
     * Say what the lid may do from now on.
     * @param {boolean} isDue whether this seat is to decide; else the lid shuts
     * @param {SVGSVGElement} lid
     */
    set(isDue, lid) {
      if (!isDue && !isKept) isOpen = false;
      mayOpen = isDue;
      eye.replaceChildren(lid);
      says.textContent = isDue ? tr("Tap to open") : tr("Hold to look");
      hint.textContent = isDue ? tr("Or hold to look; let go, and it shuts") : tr("Let go, and it shuts again");
    },
  };
}
