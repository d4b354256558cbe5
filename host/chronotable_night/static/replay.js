// @ts-check
/** A game of the archive, step by step on the big screen's board. */

import { ask } from "/static/answers.js";
import { byId, fill, h } from "/static/dom.js";
import { icon } from "/static/figures.js";
import { tr } from "/static/language.js";
import { createDrawer, createStepping } from "/static/stepping.js";
import { markTurn } from "/static/turns.js";
import { createFrame, refill } from "/night/static/frame.js";
import { fetchGame } from "/night/static/game.js";
import { drawScreen } from "/night/static/screen.js";

/**
 * What the server tells of a game, as a seat saw it: `moments` are that before the first action, and
 * those after each; `by` is who acted.
 * @typedef {{view: Record<string, any>, headline: string, line: string, by: number | null, deciding: number[],
 *   happened: import("./types.js").Happening[], outcome: import("./types.js").State["outcome"]}} Moment
 * @typedef {{id: string, name: string, title: string, note: string, printed: any, seat: number,
 *   seated: import("./types.js").Player[], moments: Moment[]}} Played
 */

const MOST_TOLD = 40; // happenings in a state, as in a night
const LOOKS_ON = -1;
const IN_A_COLUMN = 3; // hands

const id = new URLSearchParams(location.search).get("game") ?? "";
/** @type {Map<number, Promise<Played>>} the game as each seat saw it, asked for once */
const asked = new Map();

begin().catch((error) => {
  byId("headline").textContent = error.message;
  fill(byId("steps"), allGames());
});

async function begin() {
  const game = await seenBy(LOOKS_ON);
  /** @type {import("./types.js").BigPage} */
  const page = await fetchGame(game.name, "big");
  const parts = build(game, Boolean(page.holds));
  const held = createFrame(true, () => {});
  let areOpen = false; // all hands
  let at = 0;

  const draw = () => {
    const state = stateAt(game, at);
    held.take(state);
    drawScreen(state, page, held.frame, { told: toldAt(game, at), signs: [where(game, at)] });
    if (areOpen) showHands(at);
  };
  const showHands = async (/** @type {number} */ step) => {
    const all = await Promise.all(game.seated.map(({ seat }) => seenBy(seat)));
    if (step !== at || !areOpen) return;
    const rows = all.map((seen) => {
      const state = stateAt(seen, step);
      const { seat, name } = game.seated[seen.seat];
      return h("li", {}, h("div", { class: "who" }, held.frame.figure(seat), h("b", {}, name)), h("div", { class: "holds" }, page.holds?.(state, held.frame) ?? null));
    });
    document.body.dataset.layout = "wide";
    refill(byId("seats"));
    refill(byId("field"), h("ul", { class: rows.length > IN_A_COLUMN ? "hands two" : "hands", "aria-label": tr("All hands") }, rows));
  };

  document.title = `${game.title}: ${game.seated.map(({ name }) => name).join(", ")}`;
  const story = createDrawer(document.body, byId("story"), parts.list, parts.close, () => markTurn(parts.turns, at));
  const stepping = createStepping(document.body, parts, game.moments.length - 1, (next) => {
    at = next;
    parts.bar.input.value = String(at);
    parts.bar.input.setAttribute("aria-valuetext", toldAt(game, at));
    history.replaceState(null, "", `#${at}`);
    draw();
  }, story);
  parts.hands.addEventListener("click", () => {
    areOpen = !areOpen;
    parts.hands.setAttribute("aria-pressed", String(areOpen));
    draw();
  });
  addEventListener("hashchange", () => stepping.go(fromAddress(0)));
  stepping.go(fromAddress(0));
}

/** The game as a seat saw it, or who looked on. @param {number} seat */
function seenBy(seat) {
  if (!asked.has(seat)) asked.set(seat, ask(`/api/nights/${encodeURIComponent(id)}?place=${seat + 1}`));
  return /** @type {Promise<Played>} */ (asked.get(seat));
}

/** The step that the address names. @param {number} otherwise */
function fromAddress(otherwise) {
  return /^#\d{1,5}$/.test(location.hash) ? Number(location.hash.slice(1)) : otherwise;
}

/** What a night would tell at a step. @param {Played} game @param {number} at @returns {import("./types.js").State} */
function stateAt({ name, title, note, printed, seat, seated, moments }, at) {
  const { view, headline, line, deciding, outcome } = moments[at];
  return {
    type: "state",
    steps: at,
    phase: outcome ? "over" : "play",
    ...{ name, title, note, printed, seat, view, headline, line, outcome },
    players: seated.map((each) => ({ ...each, deciding: deciding.includes(each.seat) })),
    happened: moments.slice(0, at + 1).flatMap(({ happened }) => happened).slice(-MOST_TOLD),
    ...{ rulebook: [], code: "", link: "", qr: "", options: [], least: 0, most: 0, notice: "", notices: [] },
    ...{ decision: null, look_up: false, lets_pass: false, take_back: null, can_take_back: false, remarks: false },
  };
}

/** What happened in a step, in words. @param {Played} game @param {number} at */
function toldAt({ moments, seated, note }, at) {
  const { by, happened } = moments[at];
  if (by === null) return note;
  const says = happened.map((each) => each.says).filter(Boolean);
  return says.join(" ") || tr("{player} has chosen. Nothing of it is seen yet.", { player: seated[by].name });
}

/** @param {Played} game @param {number} at */
function where({ title, moments }, at) {
  return h("span", {}, tr("{game}, step {at} of {all}", { game: title, at, all: moments.length - 1 }));
}

/** @param {Played} game @param {boolean} withHands */
function build(game, withHands) {
  const knob = (/** @type {string} */ name, /** @type {string} */ says, more = {}) =>
    h("button", { type: "button", class: "disc knob", "aria-label": says, title: says, ...more }, icon(name));
  const row = (/** @type {number} */ at) =>
    h("li", {}, h("a", { href: `#${at}` }, h("b", {}, at), " ", toldAt(game, at)));
  const last = game.moments.length - 1;
  const parts = {
    before: knob("before", tr("One step back")),
    play: h("button", { type: "button", class: "disc knob" }),
    after: knob("after", tr("One step on")),
    list: knob("turns", tr("All steps in words"), { "aria-expanded": "false" }),
    bar: { input: h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": tr("Step"), disabled: !last }) },
    hands: h("button", { type: "button", class: "plain", "aria-pressed": "false" }, tr("All hands")),
    close: h("button", { type: "button", class: "plain" }, tr("Back to the board")),
    turns: h("ol", { "aria-label": tr("All steps in words") }, game.moments.slice(1).map((_, at) => row(at + 1))),
  };
  const { before, play, after, list, bar, hands, close, turns } = parts;
  fill(byId("steps"), before, play, after, bar.input, withHands ? hands : null, list, allGames());
  fill(byId("story"), close, turns);
  return parts;
}

function allGames() {
  return h("a", { href: "/#games" }, tr("All games"));
}
