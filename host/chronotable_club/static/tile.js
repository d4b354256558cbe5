// @ts-check
/** A tile of the wall: one table, small. It is drawn anew only where something has changed. */

import { fill, h, whenChanged } from "/static/dom.js";
import { createEras, still } from "/static/eras.js";
import { copyFigure } from "/static/figures.js";
import { tr, trC } from "/static/language.js";
import { clockText, nameOf, sideName, within } from "/static/words.js";

/**
 * What the server tells of a table.
 * @typedef {{id: string, name: string, state: string, phase: string, refusal: string,
 *   clocks: {left: number[], running: number} | null, at_ms: number,
 *   game: {id: string, white: string, black: string, turns: number, result: string, ends: string,
 *     says: string, last: any, position: any} | null}} Told
 */

export const SIDES = ["white", "black"];
const WINNERS = ["1-0", "0-1"];
const STATES = /** @type {Record<string, string>} */ ({
  free: trC("a table", "free"),
  away: trC("a table", "away"),
  refused: trC("a table", "not shown"),
  locked: trC("a table", "being played"),
});
const PHASES = /** @type {Record<string, string>} */ ({
  question: tr("The table asks."),
  "set-up": tr("The pieces are set up."),
});

const ENDS = /** @type {Record<string, string>} */ ({
  "1-0": tr("White wins"),
  "0-1": tr("Black wins"),
  "1/2-1/2": trC("how a game ended", "A draw"),
});

/** How it stands at a table, in a few words. @param {Told} told */
export function stateText(told) {
  const game = told.game;
  if (told.state === "over" && game) return ENDS[game.result] ?? game.ends;
  if (told.state === "playing" && game) return PHASES[told.phase] ?? tr("Turn {n}", { n: game.turns + 1 });
  return STATES[told.state] ?? told.state;
}

/** The players' names, White's first. @param {Told} told @returns {string[]} */
export function namesOf({ game }) {
  return SIDES.map((side) => nameOf(game?.[/** @type {"white" | "black"} */ (side)], side));
}

/** What happened last, as a sentence. @param {Told} told @returns {string} */
export function lastOf({ game }) {
  if (!game?.last) return "";
  return tr("{player} {did}.", { player: sideName(game.last.player), did: within(game.says) });
}

/** Moods of both players' copies. @param {Told} told */
export function moodsOf({ game }) {
  const winner = WINNERS.indexOf(game?.result ?? "");
  return /** @type {import("/static/figures.js").Mood[]} */ (SIDES.map((_, player) => (winner < 0 ? "" : player === winner ? "glad" : "sad")));
}

/** What boards show of a table. @param {Told} told @returns {any} null where it shows no boards */
export function pictureOf(told) {
  const position = told.game?.position;
  if (!position) return null;
  return still(position, { south: 0, moods: moodsOf(told), last: told.game?.last ?? null, way: null });
}

/**
 * Seconds that a player has left now; `late` is how far this page's clock is behind the hub's, in ms.
 * @param {Told} told @param {number} player @param {number} late
 */
export function secondsLeft(told, player, late) {
  if (!told.clocks) return null;
  const runs = told.clocks.running === player && told.state === "playing";
  const gone = runs ? Math.max(0, Date.now() + late - told.at_ms) / 1000 : 0;
  return Math.max(0, Math.ceil(told.clocks.left[player] - gone));
}

/**
 * Make a tile.
 * @param {{places: () => string[], looks: () => any, late: () => number}} of
 */
export function createTile({ places, looks, late }) {
  const table = h("span", { class: "table" });
  const state = h("span", { class: "state" });
  const names = SIDES.map(() => h("b"));
  const times = SIDES.map(() => h("time", { hidden: true }));
  const figures = SIDES.map(() => h("span"));
  const sides = SIDES.map((_, player) => h("span", { class: "side-of" }, figures[player], names[player], times[player]));
  const boards = h("div", { class: "eras", "aria-hidden": "true" });
  const blank = h("div", { class: "blank" });
  const eras = createEras(boards, { places, looks });
  const inner = h("span", { class: "inner" }, h("span", { class: "who" }, table, state), boards, blank, h("span", { class: "sides" }, sides));
  const link = h("a", { class: "tile" }, inner);
  const element = h("li", {}, link);
  /** @type {Told | null} */
  let told = null;

  const draw = whenChanged((/** @type {Told} */ now) => {
    link.href = `#table/${now.id}`;
    link.dataset.state = now.state;
    const called = namesOf(now);
    const picture = pictureOf(now);
    fill(table, now.name);
    fill(state, stateText(now));
    const moods = moodsOf(now);
    const isPlaying = now.state === "playing";
    SIDES.forEach((_, player) => {
      sides[player].hidden = !now.game;
      sides[player].classList.toggle("moves", isPlaying && picture?.mover === player);
      fill(figures[player], copyFigure(player, moods[player]));
      fill(names[player], called[player]);
    });
    boards.hidden = !picture;
    blank.hidden = Boolean(picture);
    fill(blank, now.refusal ? tr("What this table tells breaks the rules.") : picture ? "" : stateText(now));
    if (picture) eras.show(picture);
    const against = now.game ? tr("{white} against {black}", { white: called[0], black: called[1] }) : "";
    const mover = isPlaying && picture ? tr("{player} is to move.", { player: sideName(SIDES[picture.mover]) }) : "";
    link.setAttribute("aria-label", [`${now.name}:`, against && `${against}.`, `${stateText(now)}.`.replace(/\.\.$/, "."), mover, lastOf(now)].filter(Boolean).join(" "));
  });

  return {
    element,
    link,
    /** @param {Told} now */
    show(now) {
      told = now;
      draw(now);
      this.tick();
    },
    /** Have the clocks go on. */
    tick() {
      SIDES.forEach((_, player) => {
        const left = told && secondsLeft(told, player, late());
        times[player].hidden = left === null;
        if (left === null) return;
        const text = clockText(left);
        if (times[player].textContent !== text) times[player].textContent = text;
        times[player].classList.toggle("running", told?.clocks?.running === player && told.state === "playing");
      });
    },
    /** Draw everything anew. */
    forget() {
      eras.forget();
    },
  };
}
