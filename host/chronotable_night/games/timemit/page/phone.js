// @ts-check
/** A phone in TIMEmiT: above "you" the ship, cards and bids; below it Kronos and own cards. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { choosers } from "./choosers.js";
import { bidLanes } from "./bidding.js";
import { LANES, coin, counted, gadget, gadgets, gauge, laneSign, offered, openBid, printedOn, shutCoins, size, symbols, track, triangles } from "./parts.js";

/** @import { Frame, State } from "/night/static/types.js" */

export { lastActs as end } from "./parts.js";

/** Decisions with equal buttons, although cards are shown below "you". */
export const equal = ["recall", "draw", "choose", "option", "peek"];
/** Decisions about what lies open: they need no look at the hand. */
export const open = ["recall", "draw", "choose", "option", "order", "remove", "give", "take"];

/** Decisions for which own cards lie below "you"; above, their symbols are enough. */
const BELOW = ["remove", "give", "peek"];

/** @param {State} state @param {Frame} frame */
export function field(state, frame) {
  const kind = state.decision?.kind ?? "";
  const own = state.view?.revealed[state.seat] ?? [];
  if (kind === "bid") return bidLanes(state, frame);
  if (kind === "option") return h("div", { class: "mit" }, track(state, frame), openLane(state, frame));
  const below = kind === "order" ? null : BELOW.includes(kind) ? gauge(state, own) : lie(state, own);
  return h("div", { class: "mit" }, track(state, frame), foe(state, frame), below);
}

/** @param {State} state @param {Frame} frame */
export function hand(state, frame) {
  const kind = state.decision?.kind ?? "";
  return kind in choosers ? choosers[kind](state, frame) : null;
}

/** Above a covered hand. @param {State} state @param {Frame} frame */
export function covered(state, frame) {
  return h("div", { class: "mit" }, track(state, frame), state.view?.phase === "bidding" ? null : offered(state));
}

/** @param {State} state @param {Frame} _frame @param {number} seat */
export function facts(state, _frame, seat) {
  const { view, decision } = state;
  if (!view) return null;
  if (seat === state.seat && decision?.kind === "bid") {
    return h("span", { class: "count" }, tr("{n} Kronos in hand", { n: size(view.kronos[seat]) }));
  }
  return triangles(view.triangles[seat]);
}

/** How many Kronos the covered hand holds: all can see that. @param {State} state */
export function backs(state) {
  return state.view ? size(state.view.kronos[state.seat]) : 0;
}

/** The other one, in a line. @param {State} state @param {Frame} frame */
function foe(state, frame) {
  const other = 1 - state.seat;
  const view = state.view ?? {};
  const cards = view.revealed[other];
  return h(
    "div",
    { class: other ? "foe future" : "foe past" },
    frame.figure(other),
    h("b", { class: "name" }, frame.name(other)),
    triangles(view.triangles[other]),
    cards.length ? symbols(counted(state, cards)) : null,
  );
}

/** The own revealed cards, and how near to a paradox they are. @param {State} state @param {number[]} own */
function lie(state, own) {
  if (!own.length) return h("p", { class: "none" }, tr("No card is revealed yet."));
  return h("div", { class: "lie" }, gadgets(own.map((card) => gadget(state, card))), gauge(state, own));
}

/** The lane whose bids are open. @param {State} state @param {Frame} frame */
function openLane(state, frame) {
  const { view, seat } = state;
  if (!view) return null;
  const number = view.row[view.lane - 1];
  const { name, about } = printedOn(state, number);
  const side = (/** @type {number} */ who) => {
    const { bid, adds, total } = openBid(state, who);
    return h(
      "div",
      { class: who ? "side future" : "side past" },
      h("p", {}, frame.head(who), h("b", {}, total)),
      h("div", { class: "coins" }, ...bid.map((value) => coin(value, { kind: "down" })), ...adds.map((n) => coin(`+${n}`, { kind: "plus" }))),
      h("small", {}, who === seat ? tr("you") : frame.name(who)),
    );
  };
  const rest = LANES.slice(LANES.indexOf(view.lane) + 1).map((lane) =>
    h("li", {}, laneSign(lane), h("span", {}, printedOn(state, view.row[lane - 1]).name), h("span", { class: "coins" }, ...shutCoins(size(view.bids[1 - seat][lane - 1]), frame))),
  );
  return h(
    "div",
    { class: "openlane" },
    h("h2", {}, laneSign(view.lane), name),
    h("p", { class: "about" }, about),
    h("div", { class: "sides" }, side(0), side(1)),
    rest.length ? h("ol", { class: "later", "aria-label": tr("Still to be opened") }, ...rest) : null,
  );
}
