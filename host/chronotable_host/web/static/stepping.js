// @ts-check
/** Steps through a game: knobs, slider, list, keys and a clock lead from turn to turn. */

import { fill, h, hearKeys } from "./dom.js";
import { icon } from "./figures.js";
import { tr, trC } from "./language.js";
import { button } from "./parts.js";
import { markTurn } from "./turns.js";
import { timeBar } from "./timebar.js";

const PLAY_MS = 1000;
/** @type {Record<string, (at: number, last: number) => number>} */
const KEYS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Make what steps through turns; `rows` are the turns as a list has them.
 * @param {import("./replay.js").Told[]} turns
 * @param {{at: number, kind: string}[]} ticks of the slider; see `timeBar`
 * @param {HTMLElement[]} rows
 */
export function stepParts(turns, ticks, rows) {
  const before = knob("before", tr("One turn back"), () => {});
  const play = h("button", { type: "button", class: "primary" });
  const after = knob("after", tr("One turn on"), () => {});
  return {
    before,
    play,
    after,
    bar: timeBar(turns, ticks),
    turns: h("ol", { class: "turns", "aria-label": tr("Turns of this game") }, rows),
    knobs: h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, before, play, after),
  };
}

/**
 * Make what stands beside the stage; on a phone it is a drawer, which the button `list` opens.
 * @param {HTMLElement} root
 * @param {string} says what it is
 * @param {() => void} opened
 * @param {...any} children
 */
export function createSide(root, says, opened, ...children) {
  const list = knob("turns", says, () => {});
  list.classList.add("list-knob");
  list.setAttribute("aria-expanded", "false");
  const close = button(tr("Back to the boards"), () => {}, { class: "close" });
  const pages = /** @type {Node} */ (document.querySelector(".pages")?.cloneNode(true));
  const element = h("aside", { class: "side replay", "aria-label": says }, close, pages, h("div", { class: "so-far" }, children));

  return { element, list, ...createDrawer(root, element, list, close, opened) };
}

/**
 * Have buttons open and close what stands beside the stage; so does a turn that is chosen there.
 * @param {HTMLElement} root
 * @param {HTMLElement} element
 * @param {HTMLElement} list
 * @param {HTMLElement} close
 * @param {() => void} opened
 */
export function createDrawer(root, element, list, close, opened) {
  const isIt = () => root.classList.contains("open");
  /** @param {boolean} isOpen */
  function open(isOpen) {
    root.classList.toggle("open", isOpen);
    list.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) opened();
    (isOpen ? close : list).focus({ preventScroll: true });
  }

  list.addEventListener("click", () => open(!isIt()));
  close.addEventListener("click", () => open(false));
  element.addEventListener("click", (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.closest("ol a") && isIt()) open(false);
  });
  return {
    /** Close the drawer; whether it was open. */
    close() {
      const was = isIt();
      if (was) open(false);
      return was;
    },
  };
}

/**
 * Make a round button with a picture.
 * @param {string} name of its icon
 * @param {string} says
 * @param {() => void} click
 * @returns {HTMLButtonElement}
 */
export function knob(name, says, click) {
  return h("button", { type: "button", "aria-label": says, title: says, on: { click } }, icon(name));
}

/** A button that cannot be used keeps the focus: it is only said. @param {Element} element @param {boolean} is */
export function setDisabled(element, is) {
  element.setAttribute("aria-disabled", String(is));
}

/**
 * Have parts step through the turns 0 to `last`; `changed` is told of each. It begins nowhere: say
 * where with `go`. `beside` stands beside the stage, in a drawer on a phone, or is a drawer.
 * @param {HTMLElement} root
 * @param {ReturnType<typeof stepParts>} parts
 * @param {number} last
 * @param {(at: number) => void} changed
 * @param {any[] | ReturnType<typeof createDrawer>} beside
 * @param {AbortSignal} [signal] ends the keys
 */
export function createStepping(root, parts, last, changed, beside, signal) {
  let at = -1;
  let timer = 0;
  const side = Array.isArray(beside) ? createSide(root, tr("Turns"), () => markTurn(parts.turns, at), ...beside) : null;
  if (side) parts.knobs.append(side.list);
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    drawPlay(parts.play, false);
  };
  const step = (/** @type {number} */ to) => {
    const next = Math.min(last, Math.max(0, to));
    if (next === last && timer) pause();
    if (next === at) return;
    at = next;
    changed(at);
    setDisabled(parts.before, at === 0);
    setDisabled(parts.after, at === last);
    markTurn(parts.turns, at);
  };
  const go = (/** @type {number} */ to) => {
    pause();
    step(to);
  };
  const play = () => {
    if (timer) return pause();
    if (at === last) step(0);
    timer = setInterval(() => step(at + 1), PLAY_MS);
    drawPlay(parts.play, true);
  };
  parts.play.addEventListener("click", play);
  parts.before.addEventListener("click", () => go(at - 1));
  parts.after.addEventListener("click", () => go(at + 1));
  parts.bar.input.addEventListener("input", () => go(Number(parts.bar.input.value)));
  hearKeys(signal, {
    ...Object.fromEntries(Object.entries(KEYS).map(([key, to]) => [key, () => go(to(at, last))])),
    " ": play,
    Escape: (side ?? /** @type {ReturnType<typeof createDrawer>} */ (beside)).close,
  });
  drawPlay(parts.play, false);
  return { go, pause, at: () => at, side: side?.element };
}

/** @param {HTMLElement} element @param {boolean} isPlaying */
function drawPlay(element, isPlaying) {
  const says = isPlaying ? tr("Pause") : trC("replay", "Play");
  element.setAttribute("aria-label", says);
  element.title = says;
  fill(element, icon(isPlaying ? "pause" : "play"));
}
