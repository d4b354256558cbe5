// @ts-check
/**
 * What happened, one after the other: how the board looked after each happening.
 *
 * These are not the rules: each happening says what came of it, and here that is only written down.
 */

/** @import { Happening } from "/night/static/types.js" */
/** @import { View } from "/games/timechase/parts.js" */

/** How long a happening stands before the next, in milliseconds; those that are not named, not at all. */
const PAUSES = /** @type {Record<string, number>} */ ({
  played: 450,
  taken: 1500,
  held: 1500,
  opened: 1600,
  invariant: 900,
  unstable: 1200,
  traveled: 700,
  time: 500,
});

/** @param {Happening} happening @param {boolean} isLast @returns {number} */
export function pauseAfter(happening, isLast) {
  return isLast && happening.what === "played" ? 1 : (PAUSES[happening.what] ?? 0);
}

/** @param {View} view @param {Happening} happening @returns {View} */
export function advance(view, happening) {
  const next = NEXT[happening.what];
  if (!next) return view;
  const before = settled(view);
  return { ...before, left: [], opened: [], best: "", ...next(before, happening.facts) };
}

/** The board once the cards of a trick have gone, but those that stay. @param {View} view @returns {View} */
function settled({ stays, ...view }) {
  if (!stays) return /** @type {View} */ (view);
  const { index, led, card } = stays;
  return {
    ...view,
    led: changed(view.led, index, led),
    winning: changed(view.winning, index, card),
    played: [],
  };
}

/** @type {Record<string, (view: View, facts: Record<string, any>) => Partial<View>>} */
const NEXT = {
  resolves: (_, { at, lead }) => ({
    phase: at ? "event" : "invariant",
    at,
    turn: lead,
    played: [],
    secret: [],
  }),
  played: (view, { seat, card, event }) => {
    const played = [...view.played.filter((/** @type {[number, string]} */ each) => each[1] !== card), [seat, card]];
    const turn = following(view, event, played);
    return { phase: "event", at: event, played, turn };
  },
  fuel: (view, { seat }) => ({ fuel: changed(view.fuel, seat, view.fuel[seat] + 1), best: view.best }),
  taken: (view, { event, seat, card, led }) => {
    const index = view.timeline.indexOf(event);
    // for a breath all cards still lie there, and the best of them is seen
    return { control: changed(view.control, index, seat), best: card, stays: { index, led, card } };
  },
  held: (view, { card }) => ({ best: card }),
  opened: (_, { cards }) => ({ phase: "opened", opened: cards, secret: [] }),
  invariant: (_, { card }) => ({ invariant: card }),
  unstable: () => ({ invariant: "" }),
  traveled: (view, { moves }) => ({
    phase: "traveled",
    secret: [],
    travelers: moves.map((/** @type {number[]} */ [, , to]) => to),
    left: moves.filter((/** @type {number[]} */ [, steps]) => steps).map((/** @type {number[]} */ [seat]) => seat),
    fuel: view.fuel.map((/** @type {number} */ n, /** @type {number} */ i) => n - Math.abs(moves[i][1])),
  }),
  time: (view, { round, present, token }) => ({
    round,
    present,
    ...(token ? added(view, token) : {}),
    travelers: view.travelers.map(() => present),
    phase: "over",
    at: -1,
    played: [],
  }),
};

/** Whose turn it is after a card, for the eye of who thinks. @param {View} view @param {number} event @param {[number, string][]} played */
function following(view, event, played) {
  const done = played.map(([seat]) => seat);
  const here = view.travelers.flatMap((/** @type {number} */ at, /** @type {number} */ seat) => (at === event && !done.includes(seat) ? [seat] : []));
  const last = done.at(-1) ?? 0;
  return here.find((/** @type {number} */ seat) => seat > last) ?? here[0] ?? -1;
}

/** A new event in the row. @param {View} view @param {number} token */
function added(view, token) {
  const index = view.timeline.filter((/** @type {number} */ each) => each < token).length;
  const put = (/** @type {any[]} */ list, /** @type {any} */ item) => [...list.slice(0, index), item, ...list.slice(index)];
  return {
    timeline: put(view.timeline, token),
    control: put(view.control, -1),
    led: put(view.led, ""),
    winning: put(view.winning, ""),
  };
}

/** @template T @param {T[]} list @param {number} index @param {T} item @returns {T[]} */
function changed(list, index, item) {
  return list.map((each, i) => (i === index ? item : each));
}
