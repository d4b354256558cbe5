// @ts-check
/** The big screen of TIMEmiT: the ship's track, and below it combat or the lanes of bids. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { LANES, SEATS, coin, gadget, gadgets, gauge, laneSign, lastActs, offered, openBid, printedOn, purse, shutCoins, signs, size, track, triangles } from "./parts.js";
import { scenes } from "./scenes.js";

/** @import { Frame, Happening, State } from "/night/static/types.js" */

const ROUNDS = 8;
const SAIL_MS = 800;
const [FEW, MANY] = [2, 6]; // more Kronos than these are drawn smaller

/** The board that stands, which scenes of what happened may stand in for. @type {Element | null} */
let standing = null;

/** @param {State} state @param {Frame} frame */
export function board(state, frame) {
  standing = drawn(state, frame);
  return standing;
}

/** @param {State} state */
export function sign(state) {
  return tr("Round {n} of {all}", { n: state.view?.round, all: ROUNDS });
}

/** @param {State} state @param {Frame} _frame @param {number} seat */
export function facts(state, _frame, seat) {
  const { view } = state;
  if (!view) return null;
  const isOut = view.phase === "combat" && !view.in_combat[seat];
  return [triangles(view.triangles[seat]), h("span", {}, isOut ? tr("out of combat") : purse(view, seat))];
}

/** The Kronos in hand, and those that are sealed at the lanes. @param {State} state */
export function holds(state) {
  const { kronos = [], bids = [] } = state.view ?? {};
  const laid = LANES.filter((lane) => bids[state.seat]?.[lane - 1]?.length).map((lane) => [laneSign(lane), ...coins(bids[state.seat][lane - 1])]);
  return h("div", { class: "coins" }, ...coins(kronos[state.seat]), ...laid);
}

/** @param {number[]} values */
function coins(values) {
  return values.map((each) => coin(each));
}

/** Above who won: where the ship ended, and what cards did at the end. @param {State} state @param {Frame} frame */
export function end(state, frame) {
  return h("div", { class: "ended" }, track(state, frame), lastActs(state));
}

/**
 * Show what happened, one thing after another, where it changes the board.
 * @param {State} before
 * @param {State} state
 * @param {Happening[]} happened
 * @param {Frame} frame
 * @param {(view: State["view"], says: string) => void} tell
 */
export async function animate(before, state, happened, frame, tell) {
  const stood = standing;
  if (!stood?.isConnected || state.outcome) return;
  /** @type {Element} */
  let shown = stood;
  for (const { view, says, ms } of scenes(before.view ?? {}, happened)) {
    const from = shipAt(shown);
    const scene = drawn({ ...state, view }, frame);
    tell(view, says);
    shown.replaceWith(scene);
    shown = scene;
    if (!stood.isConnected && standing !== stood) break;
    await Promise.all([sail(from, shown), pause(ms)]);
  }
  if (shown !== stood && shown.isConnected) shown.replaceWith(stood);
}

/** Where the ship is drawn. @param {Element} on */
function shipAt(on) {
  return on.querySelector(".ship")?.getBoundingClientRect().left ?? 0;
}

/** Let the ship come from where it was. @param {number} from @param {Element} on */
async function sail(from, on) {
  const ship = on.querySelector(".ship");
  const by = from - shipAt(on);
  if (!ship || Math.abs(by) < 1) return;
  const way = [{ transform: `translateX(${by}px)` }, { transform: "none" }];
  await ship.animate(way, { duration: SAIL_MS, easing: "ease-in-out" }).finished;
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** @param {State} state @param {Frame} frame */
function drawn(state, frame) {
  const isBidding = state.view?.phase === "bidding";
  return h(
    "div",
    { class: "mit board" },
    track(state, frame),
    isBidding ? lanes(state, frame) : duel(state, frame),
  );
}

/** Both sides of combat: revealed cards, and how near to a paradox they are. @param {State} state @param {Frame} frame */
function duel(state, frame) {
  const side = (/** @type {number} */ seat) => {
    const cards = /** @type {number[]} */ (state.view?.revealed[seat] ?? []);
    const isIn = state.view?.in_combat[seat];
    const name = frame.name(seat);
    const label = isIn ? tr("{player}, in combat", { player: name }) : tr("{player}, out of combat", { player: name });
    return h(
      "section",
      { class: `${seat ? "future" : "past"} ${isIn ? "in" : "out"}`, "aria-label": label },
      gadgets(cards.map((card) => gadget(state, card))),
      gauge(state, cards),
    );
  };
  return h("div", { class: "fight" }, h("div", { class: "duel" }, ...SEATS.map(side)), offered(state));
}

/** The four lanes in their order. @param {State} state @param {Frame} frame */
function lanes(state, frame) {
  return h("div", { class: "biglanes" }, ...LANES.map((lane) => laneOf(state, frame, lane)));
}

/** @param {State} state @param {Frame} frame @param {number} lane */
function laneOf(state, frame, lane) {
  const { view } = state;
  const number = view?.row[lane - 1];
  if (!view || !number) return h("section", { class: "lane gone" }, h("h2", {}, laneSign(lane)), h("p", { class: "what" }, tr("resolved")));
  const { name, about } = printedOn(state, number);
  const isOpen = view.lane === lane;
  return h(
    "section",
    { class: isOpen ? "lane open" : "lane", "aria-label": name },
    h("h2", {}, laneSign(lane), name, signs(state, number)),
    h("p", { class: "what" }, about),
    h("div", { class: "sides" }, ...SEATS.map((seat) => side(state, frame, lane, seat))),
  );
}

/** What a seat has bid at a lane. @param {State} state @param {Frame} frame @param {number} lane @param {number} seat */
function side(state, frame, lane, seat) {
  const view = state.view ?? {};
  const laid = view.bids[seat][lane - 1];
  const isOpen = view.lane === lane && typeof laid !== "number";
  const hue = seat ? "future" : "past";
  if (!isOpen) {
    return h(
      "div",
      { class: `side ${hue}`, role: "group", "aria-label": frame.name(seat) },
      h("p", {}, frame.head(seat, "shut")),
      h("div", { class: "coins" }, ...(view.placed[seat] ? shutCoins(size(laid), frame) : [])),
    );
  }
  const { bid, adds, total } = openBid(state, seat);
  const many = bid.length + adds.length;
  const won = view.winner === seat;
  const mood = view.winner === undefined || view.winner < 0 ? "" : won ? "glad" : "sad";
  return h(
    "div",
    { class: won ? `side ${hue} wins` : `side ${hue}` },
    h("p", {}, frame.head(seat, mood), h("b", {}, total)),
    h(
      "div",
      { class: many > MANY ? "coins pile heap" : many > FEW ? "coins pile" : "coins" },
      ...bid.map((value) => coin(value)),
      ...adds.map((n) => coin(`+${n}`, { kind: "plus" })),
    ),
  );
}
