// @ts-check
/** Time Chase on a phone: the timeline in small, the trick or the ways through time, the hand. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { INVARIANT, cardOf, chip, facts, gain, gave, rowOf, suitGlyph, there, toPlay, viewOf } from "/games/timechase/parts.js";
import { ladder } from "/games/timechase/ladder.js";

/** @import { Choice, Frame, State } from "/night/static/types.js" */
/** @import { View } from "/games/timechase/parts.js" */

export { facts };

const IN_A_ROW = 6;

/** @param {State} state @param {Frame} frame */
export function field(state, frame) {
  const view = viewOf(state);
  if (view.phase === "move" && state.decision) return ladder(state, frame);
  const below = view.phase === "event" ? trick(state, frame) : view.phase === "invariant" ? choosing(state, frame) : null;
  return h("div", { class: "beside" }, miniline(view, frame), below);
}

/** @param {State} state @param {Frame} frame */
export function covered(state, frame) {
  return miniline(viewOf(state), frame);
}

/** How many cards lie face down in a hand. @param {State} state */
export function backs(state) {
  return handOf(state).length;
}

/** @param {State} state @param {Frame} frame */
export function hand(state, frame) {
  const cards = handOf(state);
  const { decision } = state;
  const isPlayed = decision?.choices && viewOf(state).phase !== "move";
  if (!isPlayed) {
    const small = decision ? " small" : "";
    return h("div", { class: `cards${small}`, vars: inRows(cards) }, ...cards.map((text) => cardOf(text)));
  }
  const each = (/** @type {string} */ text) => {
    const choice = decision.choices?.find((one) => one.action.endsWith(` ${text}`));
    const lift = choice ? () => frame.lift(sealed(state, choice)) : null;
    const isOn = choice !== undefined && frame.lifted === choice.action;
    const how = choice?.refused ? "no" : `can${isOn ? " on" : ""}`;
    return cardOf(text, { how, reason: choice?.refused, press: lift });
  };
  return h(
    "div",
    {},
    why(decision.choices ?? []),
    h("div", { class: "cards", vars: inRows(cards) }, ...cards.map(each)),
  );
}

/** Why some cards may not be played, in a line. @param {Choice[]} choices */
function why(choices) {
  const refused = choices.find((each) => each.refused);
  if (!refused) return null;
  const can = choices.find((each) => !each.refused);
  const suit = can?.action.split(" ")[1] ?? "";
  return h("p", { class: "reason" }, suitGlyph(suit), refused.refused);
}

/** A choice whose button says nothing of it where it is a secret. @param {State} state @param {Choice} choice @returns {Choice} */
function sealed(state, choice) {
  return viewOf(state).phase === "event" ? choice : { ...choice, label: tr("Seal it") };
}

/** Up to six cards stand in a row, more in two. @param {string[]} cards */
function inRows(cards) {
  return { "--n": cards.length > IN_A_ROW ? Math.ceil(cards.length / 2) : cards.length };
}

/** @param {State} state @returns {string[]} */
function handOf(state) {
  const cards = state.view?.hands[state.seat];
  return Array.isArray(cards) ? cards : [];
}

/** The timeline in small: who controls what, with which card. @param {View} view @param {Frame} frame */
function miniline(view, frame) {
  const events = rowOf(view).map(({ event, owner, winning }) => {
    const kind = `mini ${event === view.present ? "present" : "past"}${event === view.at ? " at" : ""}`;
    const owned = owner < 0 ? frame.eye("open") : frame.head(owner);
    return h("li", { class: kind }, h("b", {}, event), owned, winning ? chip(winning) : null);
  });
  const card = view.invariant ? chip(view.invariant) : h("span", { class: "none" }, tr("none"));
  const first = h("li", { class: `mini inv past${view.at === INVARIANT ? " at" : ""}` }, h("span", {}, tr("Invariant")), card);
  return h("ol", { class: "miniline", "aria-label": tr("The timeline"), vars: { "--n": events.length } }, first, ...events);
}

/** The cards where cards are played just now. @param {State} state @param {Frame} frame */
function trick(state, frame) {
  const view = viewOf(state);
  const row = rowOf(view).find((each) => each.event === view.at);
  const isPresent = view.at === view.present;
  const stored = isPresent || !row ? [] : row.led === row.winning ? [row.led] : [row.led, row.winning];
  const many = view.played.length + toPlay(view).length + stored.length > 4;
  const lies = stored.map((text, i) => {
    const isWinner = i === stored.length - 1;
    const said = isWinner ? [frame.head(row?.owner ?? 0), many ? null : tr("holds it")] : [tr("led")];
    return h("li", { class: "lies" }, cardOf(text), h("p", {}, ...said));
  });
  const played = view.played.map((/** @type {[number, string]} */ [seat, text], /** @type {number} */ i) => {
    const name = many ? null : i === 0 ? tr("{name} led", { name: frame.name(seat) }) : frame.name(seat);
    return h("li", {}, cardOf(text), h("p", {}, frame.head(seat), name, gave(state, text) ? gain() : null));
  });
  const waiting = toPlay(view).map((seat) => {
    const slot = h("span", { class: "card slot" }, lifted(state, frame, seat));
    const name = many ? null : seat === state.seat ? tr("you") : frame.name(seat);
    return h("li", {}, slot, h("p", {}, frame.head(seat), name));
  });
  const all = [...lies, ...played, ...waiting];
  const heading = isPresent
    ? tr("Event {event}, the present", { event: view.at })
    : tr("Event {event}, in the past", { event: view.at });
  return h(
    "section",
    { class: `trick ${isPresent ? "present" : "past"}` },
    h("h2", {}, heading),
    h("ul", { class: "played", vars: { "--n": Math.max(3, all.length) } }, ...all),
  );
}

/** The card that would lie there, pale. @param {State} state @param {Frame} frame @param {number} seat */
function lifted(state, frame, seat) {
  const choice = seat === state.seat && frame.lifted ? frame.choice(frame.lifted) : undefined;
  if (choice && !choice.refused) return cardOf(choice.action.slice("play ".length));
  const isNow = seat === viewOf(state).turn;
  return frame.eye(isNow ? "half" : "shut", seat);
}

/** Who chooses at the invariant. @param {State} state @param {Frame} frame */
function choosing(state, frame) {
  const view = viewOf(state);
  const sealed = view.secret.map((/** @type {[number, string]} */ [seat]) => seat);
  const rows = there(view, INVARIANT).map((seat) => {
    const isSealed = sealed.includes(seat) || state.players[seat].sealed;
    const name = seat === state.seat ? tr("You") : frame.name(seat);
    const eye = h("span", { role: "img", "aria-label": isSealed ? tr("has sealed") : tr("chooses") }, frame.eye(isSealed ? "shut" : "half", seat));
    return h("li", {}, frame.figure(seat, isSealed ? "shut" : ""), h("b", {}, name), eye);
  });
  return h("ul", { class: "choosing-invariant past", "aria-label": tr("At the invariant") }, ...rows);
}
