// @ts-check
/** Drag a copy where it is to go: it is chosen as it leaves its space, and acts where it is let go. A focus is dragged, too. */

import { sensorOf } from "./walk.js";

const SLOP = 6;

/**
 * Let copies in `root` be dragged. `place` gives the element of a sensor, whose class says what may
 * happen there; `choose` is told what a click there would choose.
 * @param {HTMLElement} root
 * @param {(sensor: number) => HTMLElement | undefined} place
 * @param {(sensor: number) => void} choose
 */
export function createPull(root, place, choose) {
  /** @type {{id: number, at: number, x: number, y: number, moved: boolean} | null} */
  let pulled = null;
  const has = (/** @type {number} */ sensor, /** @type {string} */ state) => Boolean(place(sensor)?.classList.contains(state));
  const shift = (dx = 0, dy = 0) => {
    const figure = pulled && place(pulled.at)?.querySelector(".copy, .focus");
    if (!(figure instanceof SVGElement)) return;
    const from = figure.matches(".focus") ? "-50%" : "0px"; // as its style has it
    figure.style.translate = dx || dy ? `calc(${from} + ${dx}px) calc(${from} + ${dy}px)` : "";
  };

  root.addEventListener("pointerdown", (event) => {
    const at = sensorOf(event.target);
    if (at === null || event.button !== 0 || !event.isPrimary || !["can", "active", "here"].some((state) => has(at, state))) return;
    pulled = { id: event.pointerId, at, x: event.clientX, y: event.clientY, moved: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!pulled || event.pointerId !== pulled.id) return;
    const [dx, dy] = [event.clientX - pulled.x, event.clientY - pulled.y];
    if (!pulled.moved && Math.hypot(dx, dy) < SLOP) return;
    if (!pulled.moved) {
      pulled.moved = true;
      root.setPointerCapture(pulled.id);
      if (has(pulled.at, "can")) choose(pulled.at);
    }
    shift(dx, dy);
  });
  root.addEventListener("pointerup", (event) => {
    if (!pulled || event.pointerId !== pulled.id) return;
    const { at, moved } = pulled;
    shift();
    pulled = null;
    const to = moved ? sensorOf(document.elementFromPoint(event.clientX, event.clientY)) : null;
    if (to !== null && to !== at) choose(to);
  });
  root.addEventListener("pointercancel", () => {
    shift();
    pulled = null;
  });
}
