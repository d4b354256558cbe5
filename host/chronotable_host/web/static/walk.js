// @ts-check
/** One tab stop for the whole board: arrow keys go from place to place, pages through time. */

import { WAYS, placeTowards, throughTime } from "./geometry.js";

// A ring shows where the keyboard is; to who points with mouse or finger it says nothing.
document.addEventListener("pointerdown", () => markPointer(true), true);
document.addEventListener("keydown", () => markPointer(false), true);

/** @param {boolean} isPointing */
function markPointer(isPointing) {
  document.documentElement.classList.toggle("by-pointer", isPointing);
}

/**
 * Let the keyboard go over the places of a drawing in its container.
 * @param {HTMLElement} container
 * @param {SVGSVGElement} svg
 * @param {{places: Map<number, import("./geometry.js").Place>,
 *   boxes: () => Map<number, import("./geometry.js").Box>}} of boxes: as they are laid out
 */
export function walkByKeys(container, svg, { places, boxes }) {
  let current = 0;
  const stand = (/** @type {number} */ sensor) => {
    places.get(current)?.element.setAttribute("tabindex", "-1");
    current = sensor;
    places.get(current)?.element.setAttribute("tabindex", "0");
  };
  stand(0);
  // Not on the drawing: browsers make a drawing that listens to the focus a tab stop itself.
  container.addEventListener("focusin", ({ target }) => {
    const sensor = sensorOf(target);
    if (sensor !== null && places.get(sensor)?.element === target) stand(sensor);
  });
  svg.addEventListener("keydown", (event) => {
    const from = sensorOf(event.target);
    if (from === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = target(event.key, from, boxes());
    if (to === undefined) return;
    event.preventDefault();
    if (to !== null) places.get(to)?.element.focus();
  });
}

/**
 * The sensor whose place an event came from; null beside all places.
 * @param {EventTarget | null} target
 * @returns {number | null}
 */
export function sensorOf(target) {
  const found = target instanceof Element ? target.closest("[data-sensor]") : null;
  return found ? Number(/** @type {SVGElement} */ (found).dataset.sensor) : null;
}

/**
 * @param {string} key
 * @param {number} from
 * @param {Map<number, import("./geometry.js").Box>} boxes
 * @returns {number | null | undefined} undefined for a key that leads nowhere
 */
function target(key, from, boxes) {
  if (key in WAYS) return placeTowards(boxes, from, WAYS[key]);
  if (key === "PageUp") return throughTime(from, -1);
  if (key === "PageDown") return throughTime(from, 1);
  return undefined;
}
