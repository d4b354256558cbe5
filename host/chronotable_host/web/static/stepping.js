// @ts-check
/** Steps through a game: knobs, slider, list, keys and a clock lead from turn to turn. */

import { fill, h, hearKeys } from "./dom.js";
import { icon } from "./figures.js";
import { tr, trC } from "./language.js";
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
  const knob = (/** @type {string} */ name, /** @type {string} */ says, more = {}) =>
    h("button", { type: "button", "aria-label": says, title: says, ...more }, icon(name));
  const parts = {
    before: knob("before", tr("One turn back")),
    play: h("button", { type: "button", class: "primary" }),
    after: knob("after", tr("One turn on")),
    list: knob("turns", tr("Turns"), { class: "list-knob", "aria-expanded": "false" }),
    bar: timeBar(turns, ticks),
    close: h("button", { type: "button", class: "close" }, tr("Back to the boards")),
    turns: h("ol", { class: "turns", "aria-label": tr("Turns of this game") }, rows),
  };
  const { before, play, after, list } = parts;
  return { ...parts, knobs: h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, before, play, after, list) };
}

/**
 * Have parts step through the turns 0 to `last` in `root`; `changed` is told of each. It begins
 * nowhere: say where with `go`.
 * @param {HTMLElement} root
 * @param {ReturnType<typeof stepParts>} parts
 * @param {number} last
 * @param {(at: number) => void} changed
 * @param {AbortSignal} [signal] ends the keys
 */
export function createStepping(root, parts, last, changed, signal) {
  let at = -1;
  let timer = 0;

  const open = (/** @type {boolean} */ isOpen) => {
    root.classList.toggle("open", isOpen);
    parts.list.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) markTurn(parts.turns, at);
    (isOpen ? parts.close : parts.list).focus({ preventScroll: true });
  };
  const isOpen = () => root.classList.contains("open");
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
  parts.list.addEventListener("click", () => open(!isOpen()));
  parts.close.addEventListener("click", () => open(false));
  parts.turns.addEventListener("click", (/** @type {Event} */ { target }) => {
    const isTurn = target instanceof Element && target.closest("a");
    if (isTurn && isOpen()) open(false);
  });
  hearKeys(signal, {
    ...Object.fromEntries(Object.entries(KEYS).map(([key, to]) => [key, () => go(to(at, last))])),
    " ": play,
    Escape: () => isOpen() && open(false),
  });
  drawPlay(parts.play, false);
  return { go, pause, at: () => at };
}

/** A button that cannot be used keeps the focus: it is only said. @param {Element} button @param {boolean} is */
function setDisabled(button, is) {
  button.setAttribute("aria-disabled", String(is));
}

/** @param {HTMLElement} button @param {boolean} isPlaying */
function drawPlay(button, isPlaying) {
  const says = isPlaying ? tr("Pause") : trC("replay", "Play");
  button.setAttribute("aria-label", says);
  button.title = says;
  fill(button, icon(isPlaying ? "pause" : "play"));
}
