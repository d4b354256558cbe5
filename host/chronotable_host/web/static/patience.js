// @ts-check
/**
 * Waiting with what the server tells while a finger is on something, or somebody types or chooses:
 * what is drawn anew under it would swallow the tap, or the half-written name.
 */

const AFTER_CLICK_MS = 60; // a tap's click comes a moment after the finger has gone
const TYPED = "input:not([type=checkbox]), select";

/**
 * @param {Element[]} regions that are drawn anew
 * @param {() => void} draw called when what came meanwhile can be drawn
 */
export function createPatience(regions, draw) {
  let isPressed = false;
  let isTyping = false;
  let isLate = false;

  const go = () => {
    if (isLate) setTimeout(catchUp, AFTER_CLICK_MS);
  };
  const catchUp = () => {
    if (isPressed || isTyping || !isLate) return;
    isLate = false;
    draw();
  };
  const isTyped = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).matches(TYPED);
  const type = (/** @type {Event} */ event) => {
    if (isTyped(event)) isTyping = true;
  };
  const rest = () => {
    isTyping = false;
    go();
  };
  const release = () => {
    isPressed = false;
    go();
  };

  for (const region of regions) {
    region.addEventListener("pointerdown", (event) => {
      if (isTyped(event)) isTyping = true;
      else isPressed = true;
    });
    region.addEventListener("keydown", type); // not `focusin`: a field drawn anew gets its focus back
    region.addEventListener("input", type);
    region.addEventListener("change", rest);
    region.addEventListener("focusout", rest);
  }
  for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, release);

  return {
    /** Whether drawing has to wait; then it is done later. */
    mustWait() {
      isLate = isPressed || isTyping;
      return isLate;
    },
  };
}
