// @ts-check
/** A game in a file of its own: a replay that has all it needs, and asks nobody. */

import { byId, fill, h } from "./dom.js";
import { createEras } from "./eras.js";
import { copyFigure, icon } from "./figures.js";
import { tr, trC } from "./language.js";
import { markTurn, turnRow } from "./sofar.js";
import { say } from "./speak.js";
import { strip } from "./stage.js";
import "./theme.js";
import { timeBar } from "./timebar.js";
import { betterText, chanceAfter, verdictTag } from "./verdicts.js";
import { COLOURS, nameOf, sideName, within } from "./words.js";

/**
 * What the file has: `opens` is the turn that is shown first, `places` are names by sensor, `pieces`
 * the looks that lie anywhere.
 * @typedef {{names: string[], result: string, says: string, opens: number, places: string[],
 *   pieces: import("./pieces.js").Looks["pieces"], positions: import("./answers.js").Position[],
 *   turns: import("./replay.js").Told[]}} Game
 */

const PLAY_MS = 1000;
const SIDES = ["white", "black"];
const WINNERS = ["1-0", "0-1"];
/** @type {Record<string, (at: number, last: number) => number>} */
const KEYS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

document.addEventListener("DOMContentLoaded", () => {
  byId("theme").hidden = false;
  replay(JSON.parse(byId("game").textContent));
});

/** @param {Game} game */
function replay(game) {
  const root = byId("replay");
  const last = game.turns.length;
  const parts = build(game);
  let at = -1;
  let timer = 0;

  const go = (/** @type {number} */ to) => {
    const next = Math.min(last, Math.max(0, to));
    if (next === last) pause();
    if (next === at) return;
    at = next;
    drawTurn(parts, game, at);
    remember(at);
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    drawPlay(parts.play, false);
  };
  const play = () => {
    if (timer) return pause();
    if (at === last) go(0);
    timer = setInterval(() => go(at + 1), PLAY_MS);
    drawPlay(parts.play, true);
  };
  const byHand = (/** @type {number} */ to) => {
    pause();
    go(to);
  };
  const open = (/** @type {boolean} */ isOpen) => {
    root.classList.toggle("open", isOpen);
    parts.list.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) markTurn(parts.turns, at);
    (isOpen ? parts.close : parts.list).focus({ preventScroll: true });
  };
  const byAddress = () => {
    if (root.classList.contains("open")) open(false);
    byHand(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : game.opens);
  };

  parts.play.addEventListener("click", play);
  parts.before.addEventListener("click", () => byHand(at - 1));
  parts.after.addEventListener("click", () => byHand(at + 1));
  parts.bar.input.addEventListener("input", () => byHand(Number(parts.bar.input.value)));
  parts.list.addEventListener("click", () => open(!root.classList.contains("open")));
  parts.close.addEventListener("click", () => open(false));
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  window.addEventListener("hashchange", byAddress);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && root.classList.contains("open")) return open(false);
    const isField = event.target instanceof Element && event.target.closest("input");
    const to = event.altKey || event.ctrlKey || event.metaKey || isField ? null : KEYS[event.key];
    if (!to) return;
    event.preventDefault();
    byHand(to(at, last));
  });
  root.classList.add("playing");
  fill(root, parts.stage, parts.side);
  root.hidden = false;
  byId("told").hidden = true;
  byAddress();
}

/** @param {Game} game */
function build(game) {
  const boards = h("div", { class: "eras" });
  const looks = { meanings: [], pieces: game.pieces };
  const knob = (/** @type {string} */ name, /** @type {string} */ says, more = {}) =>
    h("button", { type: "button", "aria-label": says, title: says, ...more }, icon(name));
  const deaths = game.turns.filter(({ died }) => died.length).map(({ no }) => ({ at: no, kind: "death" }));
  const parts = {
    names: SIDES.map((side, player) => nameOf(game.names[player], side)),
    eras: createEras(boards, { places: () => game.places, looks: () => looks }),
    figure: h("span", { class: "mover", "aria-hidden": "true" }),
    title: h("h1", { tabindex: "-1" }),
    note: h("p"),
    strips: SIDES.map(() => h("div", { class: "player" })),
    before: knob("before", tr("One turn back")),
    play: h("button", { type: "button", class: "primary" }),
    after: knob("after", tr("One turn on")),
    list: knob("turns", tr("Turns"), { class: "list-knob", "aria-expanded": "false" }),
    bar: timeBar(game.turns, deaths),
    close: h("button", { type: "button", class: "close" }, tr("Back to the boards")),
    turns: h("ol", { class: "turns", "aria-label": tr("Turns of this game") }, game.turns.map((turn) => turnRow(turn, `#${turn.no}`, turn.said && verdictTag(turn.said.mark)))),
  };
  const knobs = h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, parts.before, parts.play, parts.after, parts.list);
  const stage = h(
    "div",
    { class: "stage replay" },
    h("div", { class: "head" }, parts.figure, parts.title, parts.note),
    parts.strips[1],
    boards,
    parts.strips[0],
    h("div", { class: "voice" }, h("div", { class: "sheet controls" }, knobs, parts.bar.element)),
  );
  const side = h(
    "aside",
    { class: "side replay", "aria-label": tr("Turns") },
    parts.close,
    h("div", { class: "so-far" }, h("h2", {}, tr("{white} against {black}", { white: parts.names[0], black: parts.names[1] })), parts.turns),
  );
  return { ...parts, stage, side };
}

/** @param {ReturnType<typeof build>} parts @param {Game} game @param {number} at */
function drawTurn(parts, game, at) {
  const turn = game.turns[at - 1];
  const position = game.positions[at];
  const count = game.turns.length;
  const winner = at === count ? WINNERS.indexOf(game.result) : -1;
  const isOver = at === count && game.result !== "*";
  const moods = /** @type {import("./figures.js").Mood[]} */ (SIDES.map((_, player) => (winner < 0 ? "" : player === winner ? "glad" : "sad")));
  const mover = SIDES.indexOf(position.mover);
  const player = winner >= 0 ? winner : turn ? SIDES.indexOf(turn.player) : mover;
  const where = at ? tr("Turn {at} of {turns}", { at, turns: count }) : tr("The start");
  const says = isOver ? game.says : where;
  const did = turn ? tr("{player} {did}.", { player: sideName(turn.player), did: within(turn.says) }) : tr("{player} begins.", { player: sideName(position.mover) });
  const judged = turn?.said ? [`${chanceAfter(turn.said)}.`, betterText(turn)] : [];
  const told = [isOver ? `${where}:` : "", did, ...judged, position.extra].filter(Boolean).join(" ");
  parts.eras.show({
    steps: [],
    pieces: position.pieces,
    leds: [],
    focus: position.focus,
    mover,
    active: null,
    choosing: false,
    south: 0,
    whose: [tr("White’s focus"), tr("Black’s focus")],
    moods,
    last: turn ? { path: turn.path, died: turn.died, player: turn.player } : null,
  });
  fill(parts.figure, copyFigure(player, moods[player]));
  fill(parts.title, says);
  fill(parts.note, told);
  say(`${says}${isOver ? "" : "."} ${told}`);
  parts.strips.forEach((each, of) => {
    const seat = parts.names[of] === sideName(SIDES[of]) ? "" : COLOURS[of];
    const lost = position.captured?.[of] ?? 0;
    fill(each, ...strip(of, { name: parts.names[of], seat, supply: position.supply[of], lost, left: null }));
  });
  parts.bar.show(at, at ? tr("turn {at}: {sentence}", { at, sentence: did }) : tr("the start"));
  parts.before.setAttribute("aria-disabled", String(at === 0));
  parts.after.setAttribute("aria-disabled", String(at === count));
  markTurn(parts.turns, at);
}

/** Have the address name a turn. @param {number} at */
function remember(at) {
  try {
    history.replaceState(null, "", `#${at}`);
  } catch {
    // a preview, as of letters, has no address of its own, and that is all
  }
}

/** @param {HTMLElement} button @param {boolean} isPlaying */
function drawPlay(button, isPlaying) {
  const says = isPlaying ? tr("Pause") : trC("replay", "Play");
  button.setAttribute("aria-label", says);
  button.title = says;
  fill(button, icon(isPlaying ? "pause" : "play"));
}
