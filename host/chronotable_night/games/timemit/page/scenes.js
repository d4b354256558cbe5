// @ts-check
/** What the table shows after each thing that happened: an action may lead to many. */

/** @import { Happening } from "/night/static/types.js" */
/**
 * @typedef {Record<string, any>} View
 * @typedef {{view: View, says: string, ms: number}} Scene how the board is, in words, and for how long
 */

/** Replace the value of a seat in a list of two. @param {any[]} pair @param {number} seat @param {any} value */
function put(pair, seat, value) {
  return pair.map((each, at) => (at === seat ? value : each));
}

/** Replace the value of a lane for a seat. @param {View} view @param {number} lane @param {any[]} values by seat */
function atLane(view, lane, values) {
  return view.bids.map((/** @type {any[]} */ bids, /** @type {number} */ seat) => put(bids, lane - 1, values[seat]));
}

/** How many Kronos a seat has in hand: so many more. @param {View} view @param {number} seat @param {number} more @returns {View} */
function held(view, seat, more) {
  return { kronos: put(view.kronos, seat, view.kronos[seat] + more) };
}

/** @param {View} view @param {Record<string, any>} facts @returns {View} */
function without(view, { seat, cards }) {
  const rest = view.revealed[seat].filter((/** @type {number} */ card) => !cards.includes(card));
  return { revealed: put(view.revealed, seat, rest) };
}

/**
 * How each kind of happening changes what is shown, and for how long that stands.
 * @type {Record<string, [number, (view: View, facts: Record<string, any>) => View]>}
 */
const CHANGES = {
  round: [1600, (_, { round, row }) => ({ round, row, phase: "combat", lane: 0, in_combat: [1, 1], placed: [0, 0], revealed: [[], []] })],
  card: [1100, (view, { seat, card }) => ({ phase: "combat", revealed: put(view.revealed, seat, [...view.revealed[seat], card]) })],
  paradox: [1600, (view, { seat }) => ({ in_combat: put(view.in_combat, seat, 0) })],
  answer: [0, (view, { seat, answer }) => (answer === "stop" ? { in_combat: put(view.in_combat, seat, 0) } : {})],
  ship: [1100, (_, { after }) => ({ ship: after })],
  triangles: [700, (view, { seat, after }) => ({ triangles: put(view.triangles, seat, after) })],
  bid: [1000, (view, { seat, counts }) => ({ phase: "bidding", lane: 0, bids: put(view.bids, seat, counts), placed: put(view.placed, seat, 1), ...held(view, seat, -counts.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0)) })],
  lane: [1400, (view, { lane, bids }) => ({ winner: undefined, phase: "bidding", lane, bids: atLane(view, lane, bids), used: [[], []], row: passed(view, lane) })],
  use: [1200, (view, { seat, card }) => ({ used: put(view.used, seat, [...view.used[seat], card]) })],
  win: [1700, (_, { seat }) => ({ winner: seat })],
  equal: [1700, () => ({ winner: -1 })],
  home: [0, (view, { seat, kronos }) => held(view, seat, kronos.length)],
  spent: [0, (view, { seat, kronos }) => ({ spent: put(view.spent, seat, [...view.spent[seat], ...kronos]) })],
  take: [900, (view, { seat, kronos }) => ({ ...held(view, seat, kronos.length), spent: put(view.spent, seat, view.spent[seat].slice(kronos.length)) })],
  remove: [600, without],
  give: [900, without],
  recall: [1200, () => ({})],
};

/** The row after the lanes before this one were resolved. @param {View} view @param {number} lane */
function passed(view, lane) {
  return view.lane && view.lane !== lane ? put(view.row, view.lane - 1, 0) : view.row;
}

/**
 * The scenes of what happened, each changing the one before.
 * @param {View} before
 * @param {Happening[]} happened
 * @returns {Generator<Scene>}
 */
export function* scenes(before, happened) {
  let view = before;
  for (const { what, facts, says } of happened) {
    const change = CHANGES[what];
    if (!change) continue;
    const [ms, changed] = change;
    view = { ...view, ...changed(view, facts) };
    if (ms) yield { view, says, ms };
  }
}
