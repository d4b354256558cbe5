// @ts-check
/** What is tapped below "you" for each kind of decision that is more than a row of buttons. */

import { h } from "/static/dom.js";
import { tr, trN } from "/static/language.js";
import { button } from "/night/static/parts.js";
import { bidHand } from "./bidding.js";
import { coin, gadget, gadgets, printedOn } from "./parts.js";

/** @import { Choice, Frame, State } from "/night/static/types.js" */

const NONE = "none";

/** @type {Record<string, (state: State, frame: Frame) => Element | null>} */
export const choosers = { bid: bidHand, peek, order, remove, give, spend: kronos, take: kronos };

/** The choices that are no cards or Kronos: plain, and never hidden. @param {Frame} frame @param {string[]} actions */
function rest(frame, ...actions) {
  const plain = (/** @type {string} */ action) => {
    const choice = frame.choice(action);
    return choice ? button("plain", choice.label, () => frame.lift(choice), "", frame.lifted === action) : null;
  };
  return h("div", { class: "rest" }, ...actions.map(plain));
}

/** Lift the choice that what is tapped makes, if it makes one. @param {Frame} frame @param {string} action */
function offer(frame, action) {
  frame.lift(frame.choice(action) ?? null);
}

/** What is tapped, in its order. @param {Frame} frame @returns {number[]} */
function tapped({ memory }) {
  memory.tapped ??= [];
  return memory.tapped;
}

/** @param {number[]} list @param {number} item */
function toggle(list, item) {
  const at = list.indexOf(item);
  if (at < 0) list.push(item);
  else list.splice(at, 1);
}

/** The card on top, which this seat alone sees. @param {State} state */
function peek(state) {
  const { view, seat } = state;
  const card = view?.open[seat][0] ?? view?.peeked[seat][0];
  return card === undefined ? null : h("div", { class: "looked" }, gadget(state, card, { text: printedOn(state, card).about }));
}

/** How many there are to tap, the fewest and the most, by the choices. @param {State} state */
function bounds({ decision }) {
  const counts = (decision?.choices ?? [])
    .map(({ action }) => action.split(" ")[1] ?? "")
    .filter((what) => /^[\d,]+$/.test(what))
    .map((what) => what.split(",").length);
  return { least: Math.min(...counts), most: Math.max(...counts) };
}

/** Tap one; where that is one too many, it takes the place of the first. @param {State} state @param {number[]} chosen @param {number} item */
function tap(state, chosen, item) {
  toggle(chosen, item);
  if (chosen.length > bounds(state).most) chosen.shift();
}

/** Cards that were won, tapped in the order in which they are drawn. @param {State} state @param {Frame} frame */
function order(state, frame) {
  const won = /** @type {number[]} */ (state.view?.won[state.seat] ?? []);
  const chosen = tapped(frame);
  const card = (/** @type {number} */ number) => {
    const place = chosen.indexOf(number) + 1;
    const { name, about } = printedOn(state, number);
    return gadget(state, number, {
      text: about,
      on: place > 0,
      badge: place || "",
      label: place ? tr("{card}, drawn as number {n}", { card: name, n: place }) : name,
      press: () => {
        toggle(chosen, number);
        const missing = won.filter((each) => !chosen.includes(each));
        const all = missing.length === 1 ? [...chosen, ...missing] : chosen;
        offer(frame, `order ${all.join(",")}`);
      },
    });
  };
  return h("div", { class: "tapping" }, h("p", { class: "reason" }, tr("Tap them in the order in which you want to draw them.")), gadgets(won.map(card)), rest(frame, "recall"));
}

/** Revealed cards, of which some leave the game. @param {State} state @param {Frame} frame */
function remove(state, frame) {
  const chosen = tapped(frame);
  const press = (/** @type {number} */ number) => {
    tap(state, chosen, number);
    const sorted = [...chosen].sort((a, b) => a - b);
    offer(frame, `remove ${sorted.join(",")}`);
  };
  return revealed(state, frame, chosen, press, rest(frame, `remove ${NONE}`));
}

/** Revealed cards, of which one is given away. @param {State} state @param {Frame} frame */
function give(state, frame) {
  const chosen = tapped(frame);
  const press = (/** @type {number} */ number) => {
    tap(state, chosen, number);
    offer(frame, `give ${chosen.join(",")}`);
  };
  return revealed(state, frame, chosen, press, null);
}

/**
 * The own revealed cards to tap.
 * @param {State} state
 * @param {Frame} frame
 * @param {number[]} chosen
 * @param {(number: number) => void} press
 * @param {Element | null} below
 */
function revealed(state, frame, chosen, press, below) {
  const cards = /** @type {number[]} */ (state.view?.revealed[state.seat] ?? []);
  const card = (/** @type {number} */ number) => gadget(state, number, { on: chosen.includes(number), press: () => press(number) });
  return h("div", { class: "tapping" }, more(state, chosen), gadgets(cards.map(card)), below);
}

/** How many are still to be tapped, once one is. @param {State} state @param {number[]} chosen */
function more(state, chosen) {
  const n = bounds(state).least - chosen.length;
  return chosen.length && n > 0 ? h("p", { class: "reason" }, trN("Tap {n} more.", "Tap {n} more.", n)) : null;
}

/** Kronos to spend or to take back. @param {State} state @param {Frame} frame */
function kronos(state, frame) {
  const { view, seat, decision } = state;
  const kind = decision?.kind ?? "";
  const values = /** @type {number[]} */ (view?.[kind === "spend" ? "kronos" : "spent"][seat] ?? []);
  const chosen = tapped(frame); // places, since values may be equal
  const press = (/** @type {number} */ place) => {
    tap(state, chosen, place);
    const taken = chosen.map((at) => values[at]).sort((a, b) => b - a);
    offer(frame, `${kind} ${taken.join(",")}`);
  };
  const each = (/** @type {number} */ value, /** @type {number} */ at) => coin(value, { on: chosen.includes(at), key: `coin ${at}`, press: () => press(at) });
  return h("div", { class: "tapping" }, more(state, chosen), h("div", { class: "coins" }, ...values.map(each)));
}
