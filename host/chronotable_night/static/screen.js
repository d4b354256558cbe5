// @ts-check
/** What a big screen shows of a game: headline, the game's board, what just happened, and the seats. */

import { byId, h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { about } from "/night/static/choosing.js";
import { glyph } from "/night/static/drawing.js";
import { awaited, refill } from "/night/static/frame.js";
import { moodOf, podium, seated, sitting, stepOf } from "/night/static/parts.js";

/** @import { BigPage, Frame, Player, State } from "./types.js" */

/**
 * What stands around the board: what just happened, what comes at the top right before the game's
 * own, what comes below the winners, and a notice in the place of what adds to the headline.
 * @typedef {{told: string, notice?: string, signs?: Element[], next?: Element[]}} Around
 */

/**
 * Draw a state; of a lobby all but the field.
 * @param {State} state
 * @param {BigPage | null} page of the game
 * @param {Frame} frame
 * @param {Around} around
 */
export function drawScreen(state, page, frame, around) {
  const { dataset } = document.body;
  const isOn = state.phase === "play";
  dataset.mode = state.phase;
  dataset.game = state.name;
  dataset.layout = page?.square && isOn ? "square" : "wide";
  drawWords(state, page, frame, around);
  if (state.phase === "over") {
    const finale = h("div", { class: "finale" }, podium(state, frame), h("p", { class: "why" }, state.outcome?.says));
    finale.append(...(around.next ?? []));
    refill(byId("field"), page?.end?.(state, frame) ?? null, finale);
  }
  if (isOn) refill(byId("field"), page?.board(state, frame) ?? null);
}

/**
 * Draw headline, what just happened, and the seats.
 * @param {State} state
 * @param {BigPage | null} page
 * @param {Frame} frame
 * @param {Around} around
 */
export function drawWords(state, page, frame, { told, notice = "", signs = [] }) {
  const isOn = state.phase === "play";
  drawHead(state, page, frame, notice, signs);
  byId("told").textContent = isOn ? told : "";
  refill(byId("seats"), ...(isOn ? state.players.map((each) => seat(state, page, frame, each)) : []));
}

/** @param {State} state @param {BigPage | null} page @param {Frame} frame @param {string} notice @param {Element[]} signs */
function drawHead(state, page, frame, notice, signs) {
  const isLobby = state.phase === "lobby";
  const headline = isLobby ? state.title || tr("Which game tonight?") : state.headline;
  if (byId("headline").textContent !== headline) byId("headline").textContent = headline;
  const adds = isLobby ? about(state) || tr("Scan, take a seat, keep your phone to yourself.") : state.line;
  byId("line").textContent = notice || state.notice || adds;
  byId("mover").replaceChildren(mover(state, page, frame));
  refill(byId("sign"), ...signs, state.view ? page?.sign?.(state, frame) : null);
}

/** Whose step it is. @param {State} state @param {BigPage | null} page @param {Frame} frame */
function mover(state, page, frame) {
  const winner = state.outcome?.winners[0];
  if (winner !== undefined) return frame.figure(winner, "glad");
  const first = state.phase === "play" ? awaited(state)[0] : undefined;
  return first ? seated(first, frame, mood(state, page, frame, first)) : glyph("event");
}

/** @param {State} state @param {BigPage | null} page @param {Frame} frame @param {Player} player */
function mood(state, page, frame, player) {
  return (state.view && page?.mood?.(state, frame, player.seat)) || moodOf(state, player);
}

/** @param {State} state @param {BigPage | null} page @param {Frame} frame @param {Player} player */
function seat(state, page, frame, player) {
  const facts = state.view ? page?.facts?.(state, frame, player.seat) : null;
  const who = sitting(player);
  return h(
    "section",
    { class: player.deciding && !player.sealed ? "seat turn" : "seat" },
    seated(player, frame, mood(state, page, frame, player)),
    h(
      "div",
      {},
      h("p", {}, h("b", {}, player.name), who ? h("small", {}, who) : null, stepOf(player, frame)),
      h("p", { class: "facts" }, facts),
    ),
  );
}
