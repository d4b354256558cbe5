// @ts-check
/** The ways through time: a ladder of all locations, the past on top, the present at the thumb. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { chip, drop, rowOf, suitName } from "/games/timechase/parts.js";

/** @import { Choice, Frame, State } from "/night/static/types.js" */
/** @import { Event, View } from "/games/timechase/parts.js" */

/** @param {State} state @param {Frame} frame */
export function ladder(state, frame) {
  const view = /** @type {View} */ (state.view);
  const row = rowOf(view);
  const first = { event: 0, owner: -1, led: "", winning: view.invariant, steps: row[0].steps - 1 };
  const rungs = [first, ...row].map((each) => rung(state, view, frame, each));
  const many = rungs.length > 8 ? " many" : "";
  return h("ol", { class: `ladder${many}`, "aria-label": tr("Where to?") }, ...rungs);
}

/** @param {State} state @param {View} view @param {Frame} frame @param {Event} event */
function rung(state, view, frame, event) {
  const choice = frame.choice(actionOf(view, event.steps));
  const cost = Math.abs(event.steps);
  const isOn = choice !== undefined && choice.action === frame.lifted;
  const kind = [event.steps ? "past" : "present", choice?.refused ? "no" : "", isOn ? "on" : ""].filter(Boolean).join(" ");
  const press = () => choice && frame.lift({ ...choice, label: tr("Seal it") });
  const props = {
    type: "button",
    class: kind,
    "aria-pressed": String(isOn),
    "aria-disabled": choice?.refused ? "true" : null,
    "data-key": `rung ${event.event}`,
    on: { click: press },
  };
  const needs = choice?.refused ? h("small", {}, tr("needs {cost}", { cost })) : null;
  const way = event.steps > 0 ? h("i", { class: "way" }, tr("forward")) : null;
  return h("li", {}, h("button", props, h("span", { class: "cost" }, drop(), cost, way), ...told(state, event, frame), needs));
}

/** @param {View} view @param {number} steps */
function actionOf(view, steps) {
  const way = !view.jumble || !steps ? "" : steps < 0 ? " back" : " forward";
  return `spend ${Math.abs(steps)}${way}`;
}

/** @param {State} state @param {Event} event @param {Frame} frame */
function told(state, { event, owner, led, winning, steps }, frame) {
  const card = winning ? chip(winning) : null;
  if (!event) return [h("em", { class: "wide" }, tr("Invariant")), card, h("span", {}, tr("choose anew"))];
  const number = h("em", {}, event);
  if (owner < 0) return [number, frame.eye("open", state.seat), h("span", {}, tr("stay: the new present"))];
  const suit = suitName(led);
  const whose = owner === state.seat ? tr("yours, {suit} led", { suit }) : tr("{name}, {suit} led", { name: frame.name(owner), suit });
  return [number, frame.head(owner), card, h("span", {}, steps ? whose : tr("stay: the present"))];
}
