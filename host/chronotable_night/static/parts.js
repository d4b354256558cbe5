// @ts-check
/** Parts that phones and the big screen share: buttons, seats in a list, who won, the code. */

import { h } from "/static/dom.js";
import { language, tr, trN } from "/static/language.js";
import { LANGUAGES, speak } from "/static/segments.js";
import { thinking } from "/night/static/drawing.js";
import { isAway } from "/night/static/frame.js";

/** @import { Frame, Player, State } from "./types.js" */

/**
 * A button of the page.
 * @param {string} kind its class, such as "main" or "plain"
 * @param {import("/static/dom.js").Child | import("/static/dom.js").Child[]} inside its label, and what stands beside it
 * @param {(() => void) | null} press null where it cannot be pressed now
 * @param {string} [key] what it is for, where its label may change
 * @param {boolean | null} [isOn] whether it is chosen, of one that can be
 * @param {string} [label] where what is inside does not say it
 */
export function button(kind, inside, press, key = "", isOn = null, label = "") {
  const pressed = isOn === null ? null : String(isOn);
  const names = { "data-key": key || null, "aria-label": label || null, "aria-pressed": pressed };
  const props = { type: "button", class: kind, disabled: !press, ...names };
  return h("button", { ...props, on: { click: () => press?.() } }, inside);
}

/** A figure as it is now: dashed while its phone is away. @param {Player} player @param {Frame} frame @param {string} [mood] */
export function seated(player, frame, mood = "") {
  const figure = frame.figure(player.figure, mood);
  return isAway(player) || player.who === "free" ? h("span", { class: "ghost" }, figure) : figure;
}

/** The mood of a seat that has none of the game's. @param {State} state @param {Player} player */
export function moodOf(state, player) {
  if (state.outcome) return state.outcome.winners.includes(player.seat) ? "glad" : "sad";
  if (isAway(player)) return "wide";
  return player.sealed ? "shut" : "";
}

/** Bots by their names: how well they play. */
export const BOTS = /** @type {Record<string, string>} */ ({
  random: tr("bot by chance"),
  sensible: tr("sensible bot"),
  sampling: tr("strong bot"),
});

/** What is known of a seat's step: dots, a shut eye, or nothing. @param {Player} player @param {Frame} frame */
export function stepOf(player, frame) {
  if (player.sealed) {
    const eye = frame.eye("shut", player.seat);
    return h("span", { class: "step", role: "img", "aria-label": tr("has sealed") }, eye);
  }
  return player.deciding && !isAway(player) ? thinking() : null;
}

/** Who sits there, beside their name: nothing for a phone that is here. @param {Player} player */
export function sitting(player) {
  if (player.who === "bot") return BOTS[player.bot];
  return isAway(player) ? tr("phone away") : "";
}

/** Which language this page speaks. */
export function languageOption() {
  const languages = LANGUAGES.map(([value, , name]) => h("option", { value, selected: value === language }, name));
  const spoken = h("select", { on: { change: () => speak(spoken.value) } }, ...languages);
  return h("label", { class: "option" }, h("span", {}, tr("Language")), spoken);
}

/** The game in one minute; `at` is the part that is read now. @param {State} state @param {number} [at] */
export function minute({ minute: parts = [] }, at = -1) {
  const one = (/** @type {[string, string]} */ [title, says], /** @type {number} */ number) =>
    h("li", { class: number === at ? "now" : null }, h("b", {}, title), h("span", {}, says));
  return parts.length ? h("ol", { class: "minute", "aria-label": tr("In one minute") }, ...parts.map(one)) : null;
}

/** How many games of this night somebody has won, "" for none. @param {Player} player */
export function wonTonight({ wins }) {
  return wins ? trN("{n} win tonight", "{n} wins tonight", wins) : "";
}

/**
 * Whoever won on top, all others below.
 * @param {State} state
 * @param {Frame} frame
 */
export function podium(state, frame) {
  const winners = state.outcome?.winners ?? [];
  const place = (/** @type {Player} */ player) => {
    const won = winners.includes(player.seat);
    return h(
      "li",
      { class: won ? "win" : "" },
      frame.figure(player.seat, won ? "glad" : "sad"),
      h("b", {}, player.name),
      h("small", {}, [won ? tr("wins") : "", wonTonight(player)].filter(Boolean).join(", ")),
    );
  };
  const ranked = [...state.players].sort(
    (a, b) => Number(winners.includes(b.seat)) - Number(winners.includes(a.seat)),
  );
  return h("ol", { class: "podium" }, ...ranked.map(place));
}

/** The code that leads to a seat: as a picture, an address and words. @param {State} state @param {import("./voice.js").Ask} ask */
export function joining(state, ask) {
  const label = tr("Scan to join, or open {link} and type {code}", { link: state.link, code: state.code });
  return h(
    "div",
    { class: "join" },
    state.qr ? h("img", { class: "qr", src: state.qr, alt: label }) : null,
    h("p", {}, h("a", { href: state.link }, shortened(state.link))),
    h("b", {}, state.code),
    state.ways > 1 ? button("plain", tr("Another address"), () => ask("address")) : null,
  );
}

/**
 * A new link to a seat, for the phone that is to have it.
 * @typedef {{name: string, link: string, qr: string}} SeatCode
 * @param {SeatCode} code
 */
export function seatCode({ name, link, qr }) {
  const address = new URL(link, location.href).href;
  const label = tr("Scan this with the phone that is to have {player}'s seat.", { player: name });
  return h(
    "div",
    { class: "seat-code" },
    qr ? h("img", { class: "qr", src: qr, alt: label }) : null,
    h("p", {}, label),
    h("a", { href: address }, tr("Or open it here")),
  );
}

/** An address as people type it. @param {string} link */
function shortened(link) {
  return link.replace(/^https?:\/\//, "").replace(/[?#].*$/, "").replace(/\/$/, "");
}
