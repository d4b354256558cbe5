// @ts-check
/** What is known of the moment: who has the Time Breaker, what is played, who is asked. */

/** @import { Frame, State } from "/night/static/types.js" */
/** @import { Way } from "./grid.js" */

/** Whether a seat's next own move takes the Time Breaker along. @param {State} state @param {number} seat */
export function isKeeper({ view }, seat) {
  if (!view || view.pawns[seat] !== view.breaker) return false;
  return view.arrest === "automatic" || view.declared.includes(seat);
}

/** How many cards a seat holds. @param {State} state @param {number} seat @returns {number} */
function cardCount({ view }, seat) {
  const hand = view?.hands[seat];
  return Array.isArray(hand) ? hand.length : hand;
}

/** A seat's cards, and the Time Breaker if it has it. @param {State} state @param {Frame} frame @param {number} seat */
export function facts(state, { el, tr, head }, seat) {
  if (!state.view) return [];
  const n = cardCount(state, seat);
  const cards = el("span", { class: "held" }, n === 1 ? tr("1 card") : tr("{n} cards", { n }));
  if (!isKeeper(state, seat)) return [cards];
  const label = tr("has the Time Breaker");
  return [cards, el("span", { class: "with", role: "img", "aria-label": label }, head("p0", "wide"))];
}

/** What was played last and is in question. @param {State} state */
function lastPlayed(state) {
  return state.happened.findLast((each) => each.what === "played");
}

/** Whether words are those of a step, which may go over the edge. @param {string[]} words */
export function isStep(words) {
  return /^(move:|shut_and_run)/.test(words[0]) || (words[1] ?? "").startsWith("move:");
}

/** The ways of what is in question. @param {State} state @returns {Way[]} */
export function waysInQuestion(state) {
  const facts = lastPlayed(state)?.facts;
  if (!facts?.ways || !state.view?.played.length) return [];
  const { words, ways } = facts;
  return ways.map((/** @type {[number | string, string, string]} */ [, start, tile]) => ({ start, tile, steps: isStep(words) }));
}

/** Who is asked about the topmost card, in the order in which answers count, and how far each is. @param {State} state @returns {{seat: number, how: string}[]} */
export function asked({ view, players: seated }) {
  if (view?.phase !== "window") return [];
  const { active, players, stops } = view;
  const top = stops.length ? stops[stops.length - 1] : active;
  const order = Array.from({ length: players }, (_, each) => (active + each) % players).filter((seat) => seat !== top);
  return order.map((seat) => ({ seat, how: !seated[seat].deciding ? "done" : seated[seat].sealed ? "later" : "open" }));
}

/** Moods of the pieces: who has the Time Breaker is glad, and it is not. @param {State} state */
export function moods(state) {
  /** @type {Record<string, string>} */
  const found = {};
  state.players.forEach(({ seat }) => {
    if (isKeeper(state, seat)) found[seat] = "glad";
  });
  if (Object.keys(found).length) found.p0 = "wide";
  return found;
}
