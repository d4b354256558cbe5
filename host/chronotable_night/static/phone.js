// @ts-check
/** A phone: the hand of one seat. From top to thumb: headline, field, you, hand, voice. */

import { createAwake } from "/static/awake.js";
import { byId, h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { createPatience } from "/static/patience.js";
import { openLine, withoutDoubles } from "/static/socket.js";
import { remember } from "/static/switches.js";
import { createCover } from "/night/static/cover.js";
import { glyph, lids } from "/night/static/drawing.js";
import { awaited, createFrame, refill } from "/night/static/frame.js";
import { about, games } from "/night/static/choosing.js";
import { fetchGame, wear } from "/night/static/game.js";
import { phoneLobby } from "/night/static/lobby.js";
import { createMore } from "/night/static/more.js";
import { createNotices } from "/night/static/notices.js";
import { button, moodOf, podium, seated, sitting, stepOf } from "/night/static/parts.js";
import { createTurnSign } from "/night/static/turnsign.js";
import { createVoice } from "/night/static/voice.js";

/** @import { PhonePage, State } from "./types.js" */

/** @type {State | null} */
let state = null;
/** @type {PhonePage | null} */
let page = null;
let isOnline = false;
let ended = "";
/** Whether somebody here looks at the other games. */
let isChoosing = false;
/** What was asked when the voice was drawn last. */
let asked = "";

const token = location.pathname.split("/")[2] ?? "";
const cover = createCover(() => draw());
const held = createFrame(false, () => draw());
const { frame } = held;
const ask = withoutDoubles(asking);
const voice = createVoice(frame, held.lifted, ask);
const awake = createAwake();
const sign = createTurnSign();
const keep = button("plain", tr("Keep my hand open"), () => {
  more.toggle();
  cover.keep();
});
const more = createMore(frame, [...awake.elements, sign.element, keep], () => !cover.isOpen(), ask, () => draw());
const patience = createPatience([byId("field"), byId("hand"), byId("voice")], () => draw());
const noticed = createNotices(() => drawSoon());
byId("more").addEventListener("click", () => more.toggle());

const line = openLine(`/night/socket/${token}`, {
  message: hear,
  state: (how) => {
    isOnline = how.online;
    if (!isOnline) cover.shut();
    draw();
  },
  ended: (why) => {
    ended = why;
    draw();
  },
});

/** @param {any} message */
async function hear(message) {
  if (message.type !== "state") return;
  if (message.name !== state?.name || message.phase === "play") isChoosing = false;
  state = /** @type {State} */ (message);
  if (state.seat >= 0) remember("chronotable-seat", location.pathname); // for who closes it and joins again
  document.documentElement.dataset.steps = String(state.steps); // the moment that this page knows of
  held.take(state);
  if (state.name) {
    const { name, view } = state;
    const fetched = fetchGame(name, "phone");
    const found = await fetched;
    if (state !== message) return; // the newer state is drawn
    page = found;
    if (view) wear(name);
  }
  cover.set(isDue(state) && !isOpenly(state), frame.eye("shut", state.seat));
  sign.see(isDue(state));
  drawSoon();
}

/** Draw what is new, unless somebody has a finger on the page, or types. */
function drawSoon() {
  if (document.body.dataset.mode !== modeOf() || !patience.mustWait()) draw();
}

/**
 * Ask the server for something; what an answer refuses, the voice says.
 * @param {string} what
 * @param {Record<string, unknown>} [values]
 */
async function asking(what, values = {}) {
  voice.wait();
  draw();
  const reply = await line.request(what, values);
  voice.hear(reply);
  if (reply.ok && what === "act") held.forget();
  drawSoon();
  return reply;
}

/** Whether this seat is asked for something. @param {State} now */
function isDue(now) {
  return Boolean(now.phase === "play" && now.decision && now.decision.sealed === null);
}

/** Whether this seat is asked what needs no look at the hand. @param {State} now */
function isOpenly(now) {
  return now.phase === "play" && !now.take_back && (page?.open ?? []).includes(now.decision?.kind ?? "");
}

function modeOf() {
  if (state && more.hasCode()) return "more";
  if (ended || !isOnline || !state) return "lost";
  if (more.isOpen()) return "more";
  if (isChoosing || !state.name) return "choosing";
  if (state.phase !== "play") return state.phase;
  if (page?.isPublic) return "open";
  if (cover.isOpen()) return cover.isHeld() ? "held" : "open";
  return isOpenly(state) && !page?.equal?.includes(state.decision?.kind ?? "") ? "open" : "covered";
}

const DRAWN = /** @type {Record<string, () => any[][]>} */ ({
  lost: drawLost,
  choosing: drawChoosing,
  lobby: () => phoneLobby(now(), frame, ask, toOtherGames, !page?.isPublic),
  over: drawOver,
  more: () => [[more.draw(now())], [], [], []],
  covered: drawCovered,
  open: drawOpen,
  held: drawOpen,
});

function draw() {
  const mode = modeOf();
  document.body.dataset.mode = mode;
  document.body.dataset.game = state?.name ?? "";
  document.body.dataset.due = String(Boolean(state && isDue(state)));
  document.body.dataset.shared = String(Boolean(state && isOpenly(state)));
  document.body.dataset.look = String(Boolean(state?.look_up));
  byId("voice").setAttribute("aria-busy", String(voice.isWaiting()));
  drawHead(mode);
  awake.draw(state?.phase === "play" && !ended);
  keep.hidden = Boolean(page?.isPublic);
  const [field, me, hand, said] = DRAWN[mode]();
  refill(byId("field"), ...field);
  refill(byId("me"), ...me);
  refill(byId("hand"), ...hand);
  refill(byId("voice"), ...said);
  for (const id of ["me", "voice"]) byId(id).hidden = !byId(id).childNodes.length;
  keepHigh(mode);
  for (const each of byId("voice").querySelectorAll(".says")) {
    if (each.scrollHeight > each.clientHeight) each.setAttribute("tabindex", "0"); // keys can scroll it, too
  }
  const peek = cover.element;
  const hasPeek = state !== null && state.seat >= 0 && (mode === "covered" || mode === "held");
  if (hasPeek && !peek.isConnected) byId("hand").after(peek);
  if (!hasPeek) peek.remove();
  document.documentElement.scrollTop = 0;
}

/** While one thing is asked the hand stays where it is, though less may be said below. @param {string} mode */
function keepHigh(mode) {
  const { style } = byId("voice");
  const next = mode === "open" && state?.decision ? `${state.steps} ${state.decision.kind} ${innerWidth}` : "";
  if (next !== asked) style.minHeight = "";
  asked = next;
  if (next) style.minHeight = `${byId("voice").offsetHeight}px`;
}

/** While the big screen tells the game in one minute, and it is not this seat that begins: how that ends, when all say so. */
function skipping() {
  const { steps, known, minute = [], seat } = now();
  if (steps || known || !minute.length || seat < 0 || isDue(now())) return [];
  const says = h("p", { class: "says" }, tr("The big screen tells the game in one minute."));
  return [says, h("div", { class: "choices" }, button("plain", tr("I know this game"), () => ask("skip_minute")))];
}

function now() {
  return /** @type {State} */ (state);
}

/** @param {string} mode */
function drawHead(mode) {
  const button = byId("more");
  button.hidden = mode === "lost" || !state;
  button.setAttribute("aria-expanded", String(mode === "more"));
  button.replaceChildren(glyph(mode === "more" ? "close" : "more"));
  const [who, says, adds] = headOfPage(mode);
  byId("mover").replaceChildren(who);
  if (byId("headline").textContent !== says) byId("headline").textContent = says;
  byId("line").textContent = adds;
}

/** Who is shown, the next step, and what adds to it. @param {string} mode @returns {[SVGSVGElement, string, string]} */
function headOfPage(mode) {
  if (mode === "lost" || !state) {
    const figure = state ? frame.figure(state.seat, "wide") : glyph("event");
    if (ended) return [figure, tr("This seat has moved"), ended];
    return [figure, tr("Looking for the table"), tr("Your cards lie there, not in this phone.")];
  }
  const own = state.seat >= 0 ? frame.figure(state.seat, "glad") : glyph("event");
  if (mode === "choosing") {
    const asks = state.name ? tr("Which game is next?") : tr("Which game tonight?");
    return [own, asks, tr("Whoever chooses, chooses for all.")];
  }
  if (state.phase === "lobby") {
    return [own, state.title, noticed(state) || about(state)];
  }
  if (state.outcome) {
    const [winner] = state.outcome.winners;
    return [winner === undefined ? glyph("event") : frame.figure(winner, "glad"), state.headline, noticed(state) || state.line];
  }
  if (state.look_up) return [state.seat < 0 ? glyph("event") : frame.figure(state.seat, "wide"), tr("Look up!"), tr("The big screen shows what comes of it.")];
  const first = awaited(state)[0];
  const figure = first ? frame.figure(first.seat, moodOf(state, first)) : glyph("event");
  const making = page?.making?.(state, frame);
  const headline = making?.headline || state.decision?.headline || state.headline;
  return [figure, headline, noticed(state) || state.notice || making?.line || state.line];
}

function drawLost() {
  const figure = h("span", { class: "ghost" }, state ? frame.figure(state.seat, "wide") : frame.figure("p1", "wide"));
  const said = ended
    ? h("p", { class: "says" }, tr("Who sits at the table can give you a new link. Before a game begins, just join again."))
    : h("p", { class: "says" }, tr("The others wait at your decision; nobody decides for you. It comes back by itself."));
  const code = state ? h("span", { class: "tv" }, h("b", {}, state.code)) : null;
  const again = ended
    ? button("main", tr("Join"), () => location.assign("/join"))
    : button("main", tr("Try now"), () => location.reload());
  return [[h("div", { class: "gone" }, figure, h("span", { class: "thread" }), code)], [], [], [said, h("div", { class: "choices" }, again)]];
}

function toOtherGames() {
  isChoosing = true;
  draw();
}

function drawChoosing() {
  const choose = async (/** @type {string} */ game) => {
    const { ok } = await ask("choose", { game });
    if (ok) isChoosing = false;
    drawSoon();
  };
  const back = () => {
    isChoosing = false;
    draw();
  };
  const stay = now().name ? h("div", { class: "choices" }, button("plain", tr("Back"), back)) : null;
  return [[games(now(), choose)], [], [], [voice.trouble(), stay]];
}

function drawOver() {
  const says = now().outcome?.says;
  const why = says ? h("p", { class: "why" }, says) : null;
  const again = h(
    "div",
    { class: "choices" },
    button("main", tr("Again"), () => ask("again")),
  );
  const others = games(now(), (game) => ask("choose", { game }), true);
  const kept = now().seat < 0 ? voice.looksOn() : [voice.trouble()];
  return [[podium(now(), frame), page?.end?.(now(), frame) ?? null, why], [], [], [...kept, h("div", { class: "nexts" }, others), again]];
}

function drawCovered() {
  if (now().seat < 0) return [[others()], [], [], voice.looksOn()];
  const isShared = isOpenly(now());
  const field = isShared ? [page?.field(now(), frame)] : [page?.covered?.(now(), frame) ?? null, others()];
  const backs = page?.backs?.(now(), frame) ?? 0;
  const hand = backs ? [lids(backs, tr("Your hand, shut"))] : [];
  return [field, [], hand, isShared && isDue(now()) ? voice.asks(now()) : [...voice.covered(now()), ...skipping()]];
}

function drawOpen() {
  if (!page) return drawCovered();
  if (page.isPublic) return [[page.field(now(), frame)], [], [], publicly(page)];
  const inside = [h("span", {}, tr("Hide")), frame.eye("open", now().seat)];
  const hide = button("shutter", inside, cover.shut, "", null, tr("Hide: cover the hand"));
  const facts = h("span", { class: "facts" }, page.facts?.(now(), frame, now().seat));
  const me = [frame.figure(now().seat), h("b", {}, tr("You")), facts, cover.isOpen() && !cover.isHeld() ? hide : null];
  const hand = page.hand(now(), frame);
  const { kind = "" } = now().decision ?? {};
  const areEqual = !hand || (page.equal ?? []).includes(kind);
  return [[page.field(now(), frame)], me, [hand], voice.open(now(), areEqual)];
}

/** What is said in a game without secrets. @param {PhonePage} page */
function publicly(page) {
  if (now().seat < 0) return voice.looksOn();
  return isDue(now()) ? voice.open(now(), false, page.making?.(now(), frame)) : [...voice.covered(now()), ...skipping()];
}

/** All others, and what they are at. */
function others() {
  const rows = now().players.filter((each) => each.seat !== now().seat).map((each) =>
    h(
      "li",
      {},
      seated(each, frame, moodOf(now(), each)),
      h("div", {}, h("b", { class: "name" }, each.name), h("small", {}, sitting(each))),
      h("span", { class: "facts" }, page?.facts?.(now(), frame, each.seat)),
      stepOf(each, frame),
    ),
  );
  return h("ul", { class: "others" }, ...rows);
}
