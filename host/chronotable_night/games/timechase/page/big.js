// @ts-check
/** Time Chase on the big screen: the timeline, who stands where, and the cards that are played. */

import { fill, h, s } from "/static/dom.js";
import { tr } from "/static/language.js";
import { ROUNDS, INVARIANT, cardOf, facts, gain, gave, rowOf, there, toPlay, viewOf } from "/games/timechase/parts.js";
import { advance, pauseAfter } from "/games/timechase/story.js";

/** @import { Frame, Happening, State } from "/night/static/types.js" */
/** @import { Event, View } from "/games/timechase/parts.js" */

export { board as end, facts };

const EVENTS = 10;
const MANY = 12; // so many happenings are not played back: the board is ahead of them

/** @param {State} state @param {Frame} frame */
export function board(state, frame) {
  return h("div", { class: "timeline" }, ...columns(state, frame, viewOf(state)));
}

/** @param {State} state */
export function sign(state) {
  return tr("Round {round} of {rounds}", { round: viewOf(state).round, rounds: ROUNDS });
}

/** @param {State} state */
export function holds(state) {
  const cards = /** @type {string[]} */ (viewOf(state).hands[state.seat]);
  return h("div", { class: "whole-hand" }, ...cards.map((each) => cardOf(each)));
}

/** The groups of the line: what lies before the present, the present, what after it, to come. @param {State} state @param {Frame} frame @param {View} view */
function columns(state, frame, view) {
  const row = rowOf(view);
  const draw = (/** @type {Event} */ each) => event(state, frame, view, each);
  const before = row.filter((each) => each.steps < 0);
  const after = row.filter((each) => each.steps > 0);
  const now = row.filter((each) => each.steps === 0);
  const wide = (/** @type {Event[]} */ events) => events.reduce((sum, each) => sum + width(view, each.event), 0);
  const isPast = view.at >= 0 && view.at !== view.present;
  const group = (/** @type {string[]} */ kinds, /** @type {number} */ n, /** @type {any[]} */ children) =>
    h("div", { class: ["times", ...kinds].join(" "), vars: { "--n": n } }, ...children);
  return [
    group(["past", "first"], wide(before) + width(view, INVARIANT), [invariant(state, frame, view), ...before.map(draw)]),
    group(isPast ? ["present"] : ["present", "lit"], isPast ? 2.2 : Math.max(3.8, width(view, view.present)), now.map(draw)),
    after.length ? group(["past", "after"], wide(after), after.map(draw)) : null,
    toCome(view, group),
  ];
}

/** How many times as wide a location is while cards are played there. @param {View} view @param {number} location */
function width(view, location) {
  if (view.at !== location) return 1;
  const stored = location === view.present || location === INVARIANT ? 0 : 1;
  return Math.max(2.6, there(view, location).length + stored + 0.4);
}

/** @param {View} view @param {(kinds: string[], n: number, children: any[]) => Element} group */
function toCome(view, group) {
  const n = EVENTS - view.timeline.length;
  if (!n) return null;
  const numbers = Array.from({ length: EVENTS }, (_, i) => i + 1).filter((each) => !view.timeline.includes(each));
  const heads = view.jumble ? [h("section", { class: "event" }, h("h2", {}, tr("{n} to come", { n })))] : numbers.map((each) => h("section", { class: "event" }, h("h2", {}, each)));
  const element = group(view.jumble ? ["future", "some"] : ["future"], n, heads);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", tr("Events to come"));
  return element;
}

/** @param {State} state @param {Frame} frame @param {View} view */
function invariant(state, frame, view) {
  const opened = /** @type {[number, string][]} */ (view.opened ?? []);
  const lies = view.invariant ? cardOf(view.invariant) : h("span", { class: "card slot" });
  const card = h("div", { class: "stored" }, lies);
  const chosen = opened.length
    ? h("ul", { class: "stored wide" }, ...opened.map(([seat, text]) => h("li", { class: "by" }, cardOf(text), by(frame, seat))))
    : null;
  const said = view.invariant ? tr("this suit beats all") : tr("unstable");
  return h(
    "section",
    { class: `event first${view.at === INVARIANT ? " at" : ""}`, vars: { "--w": width(view, INVARIANT) } },
    h("h2", {}, tr("Invariant")),
    chosen ?? card,
    h("p", { class: "owner" }, h("b", {}, said)),
    travel(state, frame, view, INVARIANT),
  );
}

/** @param {State} state @param {Frame} frame @param {View} view @param {Event} each */
function event(state, frame, view, each) {
  const isPresent = each.steps === 0;
  const isAt = view.phase === "event" && view.at === each.event;
  const isWon = state.outcome?.winners.includes(each.owner) ?? false;
  const mood = state.outcome ? (isWon ? "glad" : "sad") : "";
  const owner = each.owner < 0 ? null : [frame.head(each.owner, mood), h("b", { class: "name" }, frame.name(each.owner))];
  const kind = ["event", isAt ? "at" : "", isWon ? "won" : ""].filter(Boolean).join(" ");
  return h(
    "section",
    { class: kind, "data-at": each.event, vars: { "--w": width(view, each.event) } },
    h("h2", {}, each.event, isPresent ? [" ", h("small", {}, tr("the present"))] : null),
    h("div", { class: "cards-here" }, stored(each, view), isAt ? played(state, frame, view) : null),
    h("p", { class: "owner" }, owner),
    travel(state, frame, view, each.event),
  );
}

/** The led card under the winning one. @param {Event} event @param {View} view */
function stored({ led, winning }, view) {
  if (!winning) return null;
  const under = led === winning ? null : cardOf(led, { how: "under" });
  return h("div", { class: "stored" }, under, cardOf(winning, { how: view.best === winning ? "best" : "" }));
}

/** The cards that are played, and who still plays. @param {State} state @param {Frame} frame @param {View} view */
function played(state, frame, view) {
  const cards = view.played.map((/** @type {[number, string]} */ [seat, text], /** @type {number} */ i) => {
    const note = gave(state, text) ? gain() : i === 0 ? tr("led") : null;
    const how = view.best === text ? "best" : "";
    return h("li", { class: "by" }, cardOf(text, { how }), by(frame, seat, note));
  });
  const slots = toPlay(view).map((seat, i) =>
    h("li", { class: "by" }, h("span", { class: "card slot" }, frame.eye(i ? "shut" : "half", seat)), by(frame, seat)),
  );
  return h("ul", { class: "stored wide" }, ...cards, ...slots);
}

/** @param {Frame} frame @param {number} seat @param {Element | string | null} [note] */
function by(frame, seat, note = null) {
  return h("p", {}, frame.head(seat), note ? h("b", {}, note) : h("b", { class: "name" }, frame.name(seat)));
}

/** Who stands there; while all choose, with an eye above each. @param {State} state @param {Frame} frame @param {View} view @param {number} location */
function travel(state, frame, view, location) {
  const here = there(view, location);
  const choosing = view.phase === "move" || (view.phase === "invariant" && view.at === location);
  const sealed = view.secret.map((/** @type {[number, string]} */ [seat]) => seat);
  const left = /** @type {number[]} */ (location === view.present ? (view.left ?? []) : []);
  const ghosts = left.map((seat) => h("span", { class: "ghost", "data-left": seat }, frame.figure(seat)));
  const figures = here.map((seat) => {
    const isSealed = sealed.includes(seat) || state.players[seat].sealed;
    const mood = choosing && isSealed ? "shut" : ended(state, seat);
    const how = choosing ? (isSealed ? "shut" : "half") : view.phase === "traveled" ? "open" : null;
    const eye = how && frame.eye(how, seat);
    return h("span", { "data-traveler": seat }, eye, frame.figure(seat, mood));
  });
  return h("div", { class: "travel" }, ...ghosts, ...figures);
}

/** @param {State} state @param {number} seat */
function ended(state, seat) {
  if (!state.outcome) return "";
  return state.outcome.winners.includes(seat) ? "glad" : "sad";
}

/**
 * Play back what has happened, a breath at each step, on the board as it was.
 * @param {State} before
 * @param {State} state
 * @param {Happening[]} happened
 * @param {Frame} frame
 * @param {(view: View, says: string) => void} tell
 */
export async function animate(before, state, happened, frame, tell) {
  const root = document.querySelector(".timeline");
  if (!root || happened.length > MANY || before.name !== state.name) return;
  let view = viewOf(before);
  for (const each of happened) {
    view = advance(view, each);
    const pause = pauseAfter(each, happened.at(-1) === each);
    if (!pause) continue;
    fill(root, ...columns({ ...state, outcome: null }, frame, view));
    tell(view, each.says);
    if (each.what === "traveled") await fly(root, view);
    else if (each.what === "played") await arrive(root.querySelector(".at .by:nth-last-child(1 of :not(:has(.slot)))"));
    await wait(pause);
  }
  fill(root, ...columns(state, frame, viewOf(state)));
}

/** @param {number} ms */
function wait(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** A card comes from the foot of the screen. @param {Element | null} card */
async function arrive(card) {
  if (!card) return;
  const from = [{ transform: "translateY(60%) scale(0.8)", opacity: 0 }, { transform: "none", opacity: 1 }];
  await card.animate(from, { duration: 260, easing: "ease-out" }).finished;
}

/** All who move go at once, each along a dotted thread from where they stood. @param {Element} root @param {View} view */
async function fly(root, view) {
  const base = root.getBoundingClientRect();
  const threads = s("svg", { class: "threads", "aria-hidden": "true" });
  root.append(threads);
  const flights = (view.left ?? []).map((/** @type {number} */ seat) => {
    const ghost = root.querySelector(`[data-left="${seat}"] .copy`);
    const figure = /** @type {SVGSVGElement | null} */ (root.querySelector(`[data-traveler="${seat}"] .copy`));
    if (!ghost || !figure) return null;
    const [a, b] = [ghost, figure].map((each) => each.getBoundingClientRect());
    const [x, to, y] = [a.x + a.width / 2 - base.x, b.x + b.width / 2 - base.x, a.y + a.height / 2 - base.y];
    threads.append(s("path", { d: `M${x} ${y}Q${(x + to) / 2} ${y - a.height * 0.45} ${to} ${y}` }));
    return flown(root, figure, a, b, base);
  });
  await Promise.all(flights);
}

/** A figure on its way: a copy of it, above all columns, for each is cut at its edges. @param {Element} root @param {SVGSVGElement} figure @param {DOMRect} from @param {DOMRect} to @param {DOMRect} base */
async function flown(root, figure, from, to, base) {
  const copy = /** @type {SVGSVGElement} */ (figure.cloneNode(true));
  copy.classList.add("flying");
  const place = { left: to.x - base.x, top: to.y - base.y, width: to.width, height: to.height };
  for (const [side, size] of Object.entries(place)) copy.style.setProperty(side, `${size}px`);
  root.append(copy);
  figure.style.visibility = "hidden";
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
  const way = [{ transform: start }, { transform: "none" }];
  await copy.animate(way, { duration: 1100, delay: 350, easing: "ease-in-out", fill: "backwards" }).finished;
  copy.remove();
  figure.style.visibility = "";
}
