// @ts-check
/** A bid: four lanes to choose from, Kronos to tap, one seal for all. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { button } from "/night/static/parts.js";
import { LANES, coin, laneSign, printedOn, signs, size } from "./parts.js";

/** @import { Frame, State } from "/night/static/types.js" */
/**
 * @typedef {{lane: number, laid: number[][]}} Bid half made: the chosen lane, Kronos at lanes 1 to 4
 */

const NONE = "none";

/** @param {Frame} frame @returns {Bid} */
function bidOf({ memory }) {
  memory.bid ??= { lane: LANES[0], laid: [[], [], [], []] };
  return memory.bid;
}

/** The Kronos that are in hand and at no lane. @param {State} state @param {Bid} bid */
function left(state, bid) {
  const own = [...(state.view?.kronos[state.seat] ?? [])];
  for (const value of bid.laid.flat()) own.splice(own.indexOf(value), 1);
  return own;
}

/** The four lanes, each a button that chooses it. @param {State} state @param {Frame} frame */
export function bidLanes(state, frame) {
  const bid = bidOf(frame);
  const row = state.view?.row ?? [];
  const other = 1 - state.seat;
  const lane = (/** @type {number} */ number) => {
    const { name, about } = printedOn(state, row[number - 1]);
    const theirs = state.view?.placed[other] ? size(state.view.bids[other][number - 1]) : 0;
    const isOn = bid.lane === number;
    const laid = bid.laid[number - 1];
    const choose = () => {
      bid.lane = number;
      frame.redraw();
    };
    const back = (/** @type {number} */ value, /** @type {number} */ at) =>
      coin(value, {
        kind: "down",
        label: tr("Take Kronos {n} back from {card}", { n: value, card: name }),
        key: `back ${number} ${at}`,
        press: () => {
          laid.splice(laid.indexOf(value), 1);
          bid.lane = number;
          offer(state, frame);
        },
      });
    const told = h("span", { class: "text" }, h("b", {}, name), h("small", {}, about));
    const choosing = button("choose", [h("span", { class: "marks" }, laneSign(number), signs(state, row[number - 1])), told], choose, `lane ${number}`, isOn);
    const shut = theirs
      ? h("small", { class: "theirs" }, tr("{player}: {n} Kronos", { player: frame.name(other), n: theirs }))
      : null;
    const slot = isOn ? h("i", { class: "disc coin slot", "aria-hidden": "true" }, "+") : laid.length ? null : h("i", { class: "disc coin slot", "aria-hidden": "true" });
    return h("li", { class: isOn ? "on" : undefined }, choosing, h("span", { class: "bid" }, ...laid.map(back), slot), shut);
  };
  return h("ol", { class: "lanes", "aria-label": tr("Four cards, in the order in which bids are opened") }, ...LANES.map(lane));
}

/** The Kronos to lay, and what else may be done. @param {State} state @param {Frame} frame */
export function bidHand(state, frame) {
  const bid = bidOf(frame);
  const own = left(state, bid);
  const spent = state.view?.spent[state.seat] ?? [];
  const { name } = printedOn(state, state.view?.row[bid.lane - 1]);
  const lay = (/** @type {number} */ value, /** @type {number} */ at) =>
    coin(value, {
      label: tr("Lay Kronos {n} at {card}", { n: value, card: name }),
      key: `lay ${at}`,
      press: () => {
        const laid = bid.laid[bid.lane - 1];
        laid.push(value);
        laid.sort((a, b) => b - a);
        offer(state, frame);
      },
    });
  const gone = spent.length
    ? h("p", { class: "spent" }, h("small", {}, tr("spent")), ...spent.map((/** @type {number} */ value) => coin(value, { kind: "gone" })))
    : null;
  return h("div", { class: "purse" }, options(state, frame), h("div", { class: "coins", role: "group", "aria-label": tr("Your Kronos") }, ...own.map(lay)), gone, rest(state, frame, bid));
}

/** What revealed cards may add to each bid, once it is open. @param {State} state @param {Frame} frame */
function options(state, frame) {
  const adds = (/** @type {number} */ seat) =>
    state.view?.revealed[seat].reduce((/** @type {number} */ sum, /** @type {number} */ card) => sum + (printedOn(state, card).adds ?? 0), 0);
  const [own, theirs] = [adds(state.seat), adds(1 - state.seat)];
  if (!own && !theirs) return null;
  const values = { own, theirs, player: frame.name(1 - state.seat) };
  return h("p", { class: "reason" }, tr("Cards may add: you {own}, {player} {theirs}", values));
}

/** What is always there, plain: to bid nothing, to take all back, to recall. @param {State} state @param {Frame} frame @param {Bid} bid */
function rest(state, frame, bid) {
  const hasLaid = bid.laid.flat().length > 0;
  const none = { action: `bid ${NONE}`, label: tr("Bid nothing"), says: tr("All your Kronos stay in hand. Where both bid nothing, the card leaves the game.") };
  const clear = () => {
    bid.laid = [[], [], [], []];
    frame.lift(null);
  };
  const recall = {
    action: "recall",
    label: tr("Recall"),
    says: tr("All spent Kronos come back to your hand: 4 spaces back, and a triangle. Then you bid."),
  };
  const { kronos = [], spent = [] } = state.view ?? {};
  const can = kronos[state.seat].length === 0 && spent[state.seat].length > 0;
  return h(
    "div",
    { class: "rest" },
    hasLaid ? button("plain", tr("Take all back"), clear) : null,
    hasLaid || frame.lifted === none.action ? null : button("plain", none.label, () => frame.lift(none)),
    can ? button("plain", recall.label, () => frame.lift(recall)) : null,
  );
}

/** Give the voice what the bid is and leads to. @param {State} state @param {Frame} frame */
function offer(state, frame) {
  const { lane, laid } = bidOf(frame);
  const lanes = laid.map((values, at) => (values.length ? `${at + 1}:${values.join(",")}` : "")).filter(Boolean);
  if (!lanes.length) {
    frame.lift(null);
    return;
  }
  frame.lift({ action: `bid ${lanes.join(" ")}`, label: tr("Seal all four"), says: says(state, lane, laid) });
}

/** What the bid at the chosen lane leads to. @param {State} state @param {number} lane @param {number[][]} laid */
function says(state, lane, laid) {
  const { name } = printedOn(state, state.view?.row[lane - 1]);
  const values = laid[lane - 1];
  if (!values.length) return tr("Nothing on {card}. Where both bid nothing, the card leaves the game.", { card: name });
  const sum = values.reduce((total, value) => total + value, 0);
  return tr("{n} on {card}. Win it and the {n} is spent; lose it and it comes home. Equal: the card goes.", { n: sum, card: name });
}
