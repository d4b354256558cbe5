// @ts-check
/** The big screen: headline, the game's board, what just happened, and the seats. */

import { byId, fill, h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { createPatience } from "/static/patience.js";
import { openLine, withoutDoubles } from "/static/socket.js";
import { createFrame, isAway, refill } from "/night/static/frame.js";
import { games } from "/night/static/choosing.js";
import { fetchGame, wear } from "/night/static/game.js";
import { bigLobby } from "/night/static/lobby.js";
import { createNotices } from "/night/static/notices.js";
import { button, languageOption, minute, seatCode } from "/night/static/parts.js";
import { hearRemote } from "/night/static/remote.js";
import { drawScreen, drawWords } from "/night/static/screen.js";

/** @import { BigPage, State } from "./types.js" */

const BEFORE = -1; // a moment, before a game
const TOLD = 2; // so many sentences fit into the line of what just happened
const READ_MS = 10_000; // a part of the game in one minute
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
/** The games that this screen has told in one minute. @type {Set<string>} */
const introduced = new Set();
/** A new link to the seat of somebody who is away: a dialog, so that nothing cuts it. */
const lost = h("dialog", { class: "lost", "aria-labelledby": "lost" });
document.body.append(lost);
let lostSeat = -1;
const spoken = languageOption();
const held = createFrame(true, () => shown && draw(shown));
const { frame } = held;
const ask = withoutDoubles(asking);
hearRemote();
const patience = createPatience([byId("field"), byId("sign")], () => shown && draw(shown));
const noticed = createNotices(() => shown && !isShowing && draw(shown));

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
    if (before?.phase === "lobby" && state.phase === "play" && !state.steps) await introduce(state);
    const fresh = toAnimate(before, state);
    if (before && fresh.length) {
      refill(byId("field"), page?.board(state, frame, true) ?? null);
      await animate(before, state, fresh); // first the pieces go, then the words, then who has won
      if (state.phase === "play") drawWords(state, page, frame, around(state));
      else draw(state);
    } else if (document.body.dataset.mode !== state.phase || !patience.mustWait()) draw(state);
    hasShown(state.steps); // what phones may tell now
  }
  isShowing = false;
}

/**
 * Tell the game in one minute, once a night: until somebody acts, or presses something here. Bots wait.
 * @param {State} state
 */
async function introduce(state) {
  if (!state.minute?.length || state.known || introduced.has(state.name)) return;
  introduced.add(state.name);
  const hurry = new AbortController();
  for (const event of ["keydown", "pointerdown"]) document.addEventListener(event, () => hurry.abort(), { signal: hurry.signal });
  document.body.dataset.layout = "wide";
  document.body.dataset.mode = "minute";
  byId("headline").textContent = tr("{game} in one minute", { game: state.title });
  byId("line").textContent = tr("It ends when somebody begins, when all know the game, or by any key here.");
  refill(byId("seats"));
  refill(byId("sign"));
  byId("told").textContent = "";
  for (let at = 0; at < state.minute.length && !hurry.signal.aborted; at += 1) {
    refill(byId("field"), minute(state, at));
    const until = performance.now() + READ_MS;
    while (performance.now() < until && !hurry.signal.aborted) {
      hasShown(BEFORE); // so that nobody waits in vain for a screen that is gone
      await new Promise((done) => setTimeout(done, 250));
      if (next && (next.known || next.steps || next.phase !== "play")) hurry.abort();
    }
  }
  hurry.abort();
}

/** What has happened since a state that was shown, if pieces go by it. @param {State | null} before @param {State} state */
function toAnimate(before, state) {
  if (!page?.animate || !before?.view || before.phase !== "play" || !state.view || before.name !== state.name || still.matches || document.hidden) return [];
  const last = before.happened.at(-1)?.n ?? 0;
  return state.happened.filter((each) => each.n > last);
}

/** @param {State} before @param {State} state @param {import("./types.js").Happening[]} fresh */
async function animate(before, state, fresh) {
  /** Headline and seats tell the same moment as the board. @param {State["view"]} view @param {string} says @param {string} [line] */
  const tell = (view, says, line = "") => {
    const players = state.players.map((each) => ({ ...each, deciding: false, sealed: false }));
    const [headline, ...adds] = (says || before.headline).split(/(?<=\.) /); // one sentence fits there
    const moment = { ...state, phase: /** @type {const} */ ("play"), outcome: null, line: line || adds.join(" "), headline, view, players };
    drawWords(moment, page, frame, { told: "" });
    hasShown(before.steps);
  };
  try {
    await page?.animate?.(before, state, fresh, frame, tell);
  } catch (error) {
    console.error(error); // the board stands, and that is what counts
  }
}

/** Say which moment stands here: phones wait for it, and for no screen that says nothing. @param {number} steps */
function hasShown(steps) {
  line.request("shown", { steps });
}

/** @param {State} state */
function draw(state) {
  drawScreen(state, page, frame, around(state));
  if (state.phase === "lobby") refill(byId("field"), ...bigLobby(state, frame, ask, said()));
}

/** @param {State} state */
function around(state) {
  const next = state.phase === "over" ? [following(state)] : [];
  return { told: justHappened(state), notice: noticed(state), signs: missing(state), next };
}

/**
 * @param {string} what
 * @param {Record<string, unknown>} [values]
 */
async function asking(what, values) {
  const reply = await line.request(what, values);
  trouble = reply.ok ? "" : (reply.why ?? "");
  if (shown && !isShowing && !patience.mustWait()) draw(shown);
  return reply;
}

function said() {
  return trouble ? h("span", { class: "trouble", role: "alert" }, trouble) : null;
}

/** How somebody comes back whose phone is away; where no game goes on, the language. @param {State} state */
function missing(state) {
  if (lost.open && (state.players[lostSeat]?.here || state.phase !== "play")) lost.close();
  if (state.phase !== "play") return [spoken];
  return state.players.filter(isAway).map(({ seat, name }) =>
    button("plain", tr("A new link for {player}", { player: name }), async () => {
      const { ok, link = "", qr = "" } = await ask("hand_over", { seat });
      if (!ok || lost.open || shown?.players[seat]?.here) return; // the phone may be back by now
      lostSeat = seat;
      const title = h("h2", { id: "lost" }, tr("{player}'s phone is away", { player: name }));
      fill(lost, title, seatCode({ name, link, qr }), button("plain", tr("Close"), () => lost.close()));
      lost.showModal();
    }),
  );
}

/** The choice of the next game. @param {State} state */
function following(state) {
  const choose = (/** @type {string} */ game) => ask("choose", { game });
  return h("div", { class: "next" }, h("p", {}, said() ?? tr("What is next?")), games(state, choose, true));
}

/** The last sentences of what the last action led to. @param {State} state */
function justHappened(state) {
  return state.happened
    .filter((each) => each.says)
    .slice(-(page?.tells ?? TOLD))
    .map((each) => each.says)
    .join(" ");
}
