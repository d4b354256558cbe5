// @ts-check
/** The big screen: headline, the game's board, what just happened, and the seats. */

import { byId, fill, h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { openLine } from "/static/socket.js";
import { glyph } from "/night/static/drawing.js";
import { awaited, createFrame, isAway, refill } from "/night/static/frame.js";
import { about, games } from "/night/static/choosing.js";
import { fetchGame, wear } from "/night/static/game.js";
import { bigLobby } from "/night/static/lobby.js";
import { createPatience } from "/night/static/patience.js";
import { button, moodOf, podium, seatCode, seated, sitting, stepOf } from "/night/static/parts.js";

/**
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").BigPage} BigPage
 * @typedef {import("./types.js").Player} Player
 */

const TOLD = 2; // so many sentences fit into the line of what just happened
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @type {State | null} */
let shown = null;
/** @type {State | null} */
let next = null;
/** @type {BigPage | null} */
let page = null;
let isOnline = false;
let isShowing = false;
let trouble = "";
/** A new link to the seat of somebody who is away. @type {(import("./parts.js").SeatCode & {seat: number}) | null} */
let code = null;
const held = createFrame(true, () => shown && draw(shown));
const { frame } = held;
const patience = createPatience([byId("field")], () => shown && draw(shown));

const line = openLine("/night/socket", {
  message: (message) => {
    if (message.type !== "state") return;
    next = message;
    show();
  },
  state: (how) => {
    isOnline = how.online;
    if (shown && !isShowing) draw(shown);
    document.body.classList.toggle("away", !isOnline);
    if (!isOnline) byId("line").textContent = tr("The table is away. It comes back by itself.");
  },
});

/** Show what has come, the newest at last: what came while pieces were on their way is left out. */
async function show() {
  if (isShowing) return;
  isShowing = true;
  while (next) {
    const state = /** @type {State} */ (next);
    const before = shown;
    next = null;
    const fetched = state.name ? fetchGame(state.name, "big") : null; // before it is needed
    if (state.view) {
      page = await fetched;
      wear(state.name);
    }
    held.take(state);
    shown = state;
    const fresh = toAnimate(before, state);
    if (before && fresh.length) {
      refill(byId("field"), page?.board(state, frame) ?? null);
      await animate(before, state, fresh); // first the pieces go, then the words, then who has won
      if (state.phase === "play") drawWords(state);
      else draw(state);
    } else if (document.body.dataset.mode !== state.phase || !patience.mustWait()) draw(state);
  }
  isShowing = false;
}

/** What has happened since a state that was shown, if pieces go by it. @param {State | null} before @param {State} state */
function toAnimate(before, state) {
  if (!page?.animate || !before?.view || before.phase !== "play" || !state.view || before.name !== state.name || still.matches || document.hidden) return [];
  const last = before.happened.at(-1)?.n ?? 0;
  return state.happened.filter((each) => each.n > last);
}

/** @param {State} before @param {State} state @param {import("./types.js").Happening[]} fresh */
async function animate(before, state, fresh) {
  try {
    await page?.animate?.(before, state, fresh, frame);
  } catch (error) {
    console.error(error); // the board stands, and that is what counts
  }
}

/** @param {State} state */
function draw(state) {
  document.body.dataset.mode = state.phase;
  document.body.dataset.game = state.name;
  document.body.dataset.layout = page?.square && state.phase === "play" ? "square" : "wide";
  drawWords(state);
  if (state.phase === "lobby") refill(byId("field"), ...bigLobby(state, frame, ask, said()));
  else if (state.phase === "over") refill(byId("field"), page?.end?.(state, frame) ?? null, finale(state));
  else refill(byId("field"), page?.board(state, frame) ?? null);
}

/** Headline, what just happened, and the seats. @param {State} state */
function drawWords(state) {
  drawHead(state);
  byId("told").textContent = state.phase === "play" ? justHappened(state) : "";
  refill(byId("seats"), ...(state.phase === "play" ? state.players.map((each) => seat(state, each)) : []));
}

/**
 * @param {string} what
 * @param {Record<string, unknown>} [values]
 */
async function ask(what, values) {
  const reply = await line.request(what, values);
  trouble = reply.ok ? "" : (reply.why ?? "");
  if (shown && !isShowing) draw(shown);
  return reply;
}

function said() {
  return trouble ? h("span", { class: "trouble", role: "alert" }, trouble) : null;
}

/** @param {State} state */
function drawHead(state) {
  const isLobby = state.phase === "lobby";
  const headline = isLobby ? state.title || tr("Which game tonight?") : state.headline;
  if (byId("headline").textContent !== headline) byId("headline").textContent = headline;
  const adds = isLobby ? about(state) || tr("Scan, take a seat, keep your phone to yourself.") : state.line;
  byId("line").textContent = state.notice || adds;
  byId("mover").replaceChildren(mover(state));
  fill(byId("sign"), ...missing(state), state.view ? page?.sign?.(state, frame) : null);
}

/** How somebody comes back whose phone is away. @param {State} state */
function missing(state) {
  if (code && state.players[code.seat]?.here) code = null;
  if (code) return [seatCode(code)];
  const away = state.phase === "play" ? state.players.filter(isAway) : [];
  return away.map(({ seat, name }) =>
    button("plain", tr("A new link for {player}", { player: name }), async () => {
      const { ok, link = "", qr = "" } = await ask("hand_over", { seat });
      code = ok && link ? { seat, name, link, qr } : null;
      if (shown && !isShowing) draw(shown);
    }),
  );
}

/** Whose step it is. @param {State} state */
function mover(state) {
  const winner = state.outcome?.winners[0];
  if (winner !== undefined) return frame.figure(winner, "glad");
  const first = state.phase === "play" ? awaited(state)[0] : undefined;
  return first ? seated(first, frame, mood(state, first)) : glyph("event");
}

/** @param {State} state @param {Player} player */
function mood(state, player) {
  return (state.view && page?.mood?.(state, frame, player.seat)) || moodOf(state, player);
}

/** @param {State} state */
function finale(state) {
  const why = h("p", { class: "why" }, said(), state.outcome?.says);
  const choose = (/** @type {string} */ game) => ask("choose", { game });
  const next = h("div", { class: "next" }, h("p", {}, tr("What is next?")), games(state, choose, true));
  return h("div", { class: "finale" }, podium(state, frame), why, next);
}

/** The last sentences of what the last action led to. @param {State} state */
function justHappened(state) {
  return state.happened
    .filter((each) => each.says)
    .slice(-TOLD)
    .map((each) => each.says)
    .join(" ");
}

/** @param {State} state @param {Player} player */
function seat(state, player) {
  const facts = state.view ? page?.facts?.(state, frame, player.seat) : null;
  const who = sitting(player);
  return h(
    "section",
    { class: player.deciding && !player.sealed ? "seat turn" : "seat" },
    seated(player, frame, mood(state, player)),
    h(
      "div",
      {},
      h("p", {}, h("b", {}, player.name), who ? h("small", {}, who) : null, stepOf(player, frame)),
      h("p", { class: "facts" }, facts),
    ),
  );
}
