// @ts-check
/** The big screen: headline, the game's board, what just happened, and the seats. */

import { byId, h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { openLine } from "/static/socket.js";
import { createFrame, isAway, refill } from "/night/static/frame.js";
import { fetchGame } from "/night/static/game.js";
import { bigLobby } from "/night/static/lobby.js";
import { createPatience } from "/night/static/patience.js";
import { button, seatCode } from "/night/static/parts.js";
import { drawScreen } from "/night/static/screen.js";

/**
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").BigPage} BigPage
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
    const fetched = fetchGame(state.name, "big"); // before it is needed
    if (state.view) page = await fetched;
    held.take(state);
    shown = state;
    if (document.body.dataset.mode !== state.phase || !patience.mustWait()) draw(state);
    await animate(before, state);
  }
  isShowing = false;
}

/** @param {State | null} before @param {State} state */
async function animate(before, state) {
  if (!page?.animate || !before?.view || !state.view || still.matches || document.hidden) return;
  const last = before.happened.at(-1)?.n ?? 0;
  const fresh = state.happened.filter((each) => each.n > last);
  if (!fresh.length) return;
  try {
    await page.animate(before, state, fresh, frame);
  } catch (error) {
    console.error(error); // the board stands, and that is what counts
  }
}

/** @param {State} state */
function draw(state) {
  drawScreen(state, page, frame, justHappened(state), missing(state));
  if (state.phase === "lobby") refill(byId("field"), ...bigLobby(state, frame, ask, said()));
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

/** The last sentences of what the last action led to. @param {State} state */
function justHappened(state) {
  return state.happened
    .filter((each) => each.says)
    .slice(-TOLD)
    .map((each) => each.says)
    .join(" ");
}
