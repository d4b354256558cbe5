// @ts-check
/** The board on the big screen: the grid, and beside it what is in question and the piles. */

import { cardBack } from "/night/static/drawing.js";
import { drawn } from "./cards.js";
import { grid } from "./grid.js";
import { ending } from "./parts.js";
import { facts, isKeeper, isStep, moods, waysInQuestion } from "./story.js";

/** @import { Frame, Happening, State } from "/night/static/types.js" */

export { facts };
export { ending as end };

export const square = true;

const MOVE_MS = 700;
/** So many Stop Times are shown beside the card: more have no room, and the line says what holds. */
const SHOWN_STOPS = 2;
/** The Time Breaker's figure. */
const BREAKER = "p0";
/** What is told of the last turn: from the last card or arrow on. */
const BEGINS = new Set(["played", "followed", "wormholed", "dumped", "arrested"]);

/** @param {State} state @param {Frame} frame */
export function board(state, frame) {
  const { el } = frame;
  return el("div", { class: "breaker" }, grid(state, frame, shown(state)), el("aside", { class: "tell" }, ...aside(state, frame)));
}

/** @param {State} state @param {Frame} frame */
export function sign(state, { tr }) {
  return tr("Turn {n}", { n: state.view?.turn });
}

/** @param {State} state @param {Frame} frame @param {number} seat */
export function mood(state, frame, seat) {
  if (state.outcome) return "";
  return isKeeper(state, seat) ? "glad" : "";
}

/** @param {State} state @param {Frame} frame */
export function holds(state, { el }) {
  const cards = /** @type {string[]} */ (state.view?.hands[state.seat] ?? []);
  return el("div", { class: "whole-hand" }, ...cards.map((each) => drawn(state, each)));
}

/** @param {State} state @returns {import("./grid.js").Shown} */
function shown(state) {
  const { view } = state;
  if (view?.phase === "window") {
    const ways = waysInQuestion(state);
    return { ways, pale: true, on: ways[0]?.tile, from: ways.map(({ start }) => start), moods: moods(state) };
  }
  const past = lastMoves(state);
  return {
    ways: past.map(({ start, tile, steps }) => ({ start, tile, steps, kind: "past" })),
    ghosts: past.map(({ who, start }) => [who, start]),
    leads: view?.phase === "main" ? state.printed.green[view.pawns[view.active]] : [],
    moods: moods(state),
  };
}

/** What has happened since the last card or arrow. @param {State} state @returns {Happening[]} */
function lately({ happened }) {
  const begin = happened.findLastIndex(({ what }) => BEGINS.has(what));
  return begin < 0 ? [] : happened.slice(begin);
}

/** The last move of the last card or arrow. @param {State} state @returns {{who: number | string, start: string, tile: string, steps: boolean}[]} */
function lastMoves(state) {
  const told = lately(state);
  const last = told.findLast((each) => went(each).length);
  if (!last) return [];
  const [{ what, facts: said }] = told;
  const steps = what === "played" && isStep(said.words);
  return went(last).filter(({ start, tile }) => start !== tile).map((way) => ({ ...way, steps }));
}

/** @param {State} state @param {Frame} frame */
function aside(state, frame) {
  const { el, tr, name } = frame;
  const { view } = state;
  if (!view) return [];
  if (view.phase === "window") {
    const stops = view.stops.slice(-SHOWN_STOPS).map(() => drawn(state, "stop_time"));
    const title = el("h2", {}, tr("{player} plays", { player: name(view.active) }));
    const cards = el("div", { class: "pile" }, drawn(state, view.played[0]), ...stops);
    return [title, cards, el("p", {}, tr("Everybody is asked, card or no card."))];
  }
  const open = inHand(state, frame);
  return [...(open.length ? open : lastTurn(state, frame)), ...piles(state, frame)];
}

/** Cards that lie open and are still to be played. @param {State} state @param {Frame} frame */
function inHand(state, { el, tr }) {
  const { queue: open, played } = state.view ?? {};
  const cards = [...played.slice(0, 1), ...open];
  if (!cards.length) return [];
  return [el("h2", {}, tr("To be played")), el("div", { class: "pile" }, ...cards.map((each) => drawn(state, each)))];
}

/** @param {State} state @param {Frame} frame */
function lastTurn(state, { el, tr }) {
  const told = lately(state);
  const [first] = told;
  if (!first) return [];
  const says = told.filter(({ what, says }) => says && !["passed", "turn", "drew"].includes(what)).map((each) => each.says);
  const card = first.what === "played" ? drawn(state, first.facts.words[0]) : null;
  return [el("h2", {}, tr("Last turn")), card, el("p", {}, says.join(" "))];
}

/** @param {State} state @param {Frame} frame */
function piles(state, { el, tr }) {
  const { deck, discard } = state.view ?? {};
  const top = discard.length ? drawn(state, discard[0]) : null;
  return [
    el(
      "p",
      { class: "piles" },
      el("span", {}, cardBack(), el("span", {}, el("b", {}, deck), el("small", {}, tr("to draw")))),
      el("span", {}, top, el("span", {}, el("b", {}, discard.length), el("small", {}, tr("discarded")))),
    ),
  ];
}

/** Pieces go where they are now, from where they were. @param {State} before @param {State} state @param {Happening[]} happened */
export async function animate(before, state, happened) {
  await Promise.all(happened.flatMap(went).flatMap((way) => flights(state, way)));
}

/** Who went from where to where. @param {Happening} happening @returns {{who: number | string, start: string, tile: string, taking?: boolean}[]} */
function went({ what, facts: { seat, seats, start, starts, tile, taking } }) {
  if (what === "moved") return [{ who: seat, start, tile, taking }];
  if (what === "fled") return [{ who: BREAKER, start, tile }];
  if (what !== "fetched") return [];
  return seats.map((/** @type {number} */ who, /** @type {number} */ at) => ({ who, start: starts[at], tile }));
}

/** @param {State} state @param {{who: number | string, start: string, tile: string, taking?: boolean}} way */
function flights(state, { who, start, tile, taking }) {
  const from = document.querySelector(`[data-tile="${CSS.escape(start)}"]`);
  const to = document.querySelector(`[data-tile="${CSS.escape(tile)}"]`);
  if (!from || !to || from === to) return [];
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const figures = typeof who === "string" ? [who] : [state.players[who].figure, ...(taking ? [BREAKER] : [])];
  return figures.flatMap((figure) => {
    const piece = to.querySelector(`.pieces > .copy.${figure}`);
    if (!piece) return [];
    const away = { translate: `${a.x - b.x}px ${a.y - b.y}px` };
    return [piece.animate([away, { translate: "0 0" }], { id: "flight", duration: MOVE_MS, easing: "ease-in-out" }).finished];
  });
}
