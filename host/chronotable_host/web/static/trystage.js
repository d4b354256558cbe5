// @ts-check
/** Boards on which turns are tried, with what stands around them on the stage. */

import { fill, h } from "./dom.js";
import { copyFigure, icon } from "./figures.js";
import { tr } from "./language.js";
import { strip } from "./stage.js";
import { isTurned } from "./table.js";
import { createTrying } from "./trying.js";
import { COLOURS, sideName } from "./words.js";

/** @typedef {import("./answers.js").Position} Position */

const SIDES = /** @type {("white" | "black")[]} */ (["white", "black"]);

/**
 * Make a stage. `names` are the players', `pieces` what may lie there beside what the page knows,
 * `controls` stand below the boards, `south` is the player at the lower edge; `played` as in
 * `createTrying`, `changed` as well.
 * @param {import("./archive.js").Context} context
 * @param {{names: string[], pieces?: import("./pieces.js").Looks["pieces"], controls: any, south?: number,
 *   changed: (now: import("./trying.js").Tried) => void,
 *   played: (whole: import("./trying.js").Tried) => void}} of
 */
export function createTryStage(context, { names, pieces = {}, controls, changed, played, south = isTurned() ? 1 : 0 }) {
  const looks = { ...context.looks, pieces: { ...context.looks.pieces, ...pieces } };
  const boards = h("div", { class: "eras" });
  const sheet = h("div");
  const figure = h("span", { class: "mover", "aria-hidden": "true" });
  const title = h("h1", { tabindex: "-1" });
  const note = h("p");
  const strips = SIDES.map(() => h("div", { class: "player" }));
  const trying = createTrying({ boards, sheet, places: () => context.places, looks: () => looks, south: () => south, changed, played });
  const head = h("div", { class: "head" }, figure, title, note);
  const element = h(
    "div",
    { class: "stage replay" },
    head,
    strips[1 - south],
    boards,
    strips[south],
    h("div", { class: "voice" }, sheet, h("div", { class: "sheet controls" }, controls)),
  );
  /** How many copies each player had at first. @type {number[] | null} */
  let had = null;

  return {
    element,
    trying,
    title,
    /**
     * Say what is due, and show what each player has.
     * @param {{says: string, note: string, position: Position, over: string | null}} now
     */
    tell({ says, note: told, position, over }) {
      const player = SIDES.indexOf(/** @type {any} */ (over ?? position.mover));
      const has = copies(position);
      had ??= has;
      fill(figure, copyFigure(player, over ? "glad" : ""));
      fill(title, over ? tr("{player} has won", { player: sideName(over) }) : says);
      fill(note, told);
      strips.forEach((each, of) => fill(each, ...strip(of, stripOf(names[of], position, of, (had?.[of] ?? 0) - has[of]))));
    },
    /** Begin to count who is lost. @param {Position} position */
    count(position) {
      had = copies(position);
    },
  };
}

/**
 * Make a round button with a picture.
 * @param {string} name of its icon
 * @param {string} says
 * @param {() => void} click
 * @returns {HTMLButtonElement}
 */
export function knob(name, says, click) {
  return h("button", { type: "button", "aria-label": says, title: says, on: { click } }, icon(name));
}

/** @param {Position} position @returns {number[]} how many copies each player has, on the boards and beside them */
function copies({ pieces, supply }) {
  return SIDES.map((side, player) => supply[player] + pieces.filter(({ look }) => look === side).length);
}

/** @param {string} name @param {Position} position @param {number} player @param {number} lost */
function stripOf(name, { supply }, player, lost) {
  const seat = name === sideName(SIDES[player]) ? "" : COLOURS[player];
  return { name, seat, supply: supply[player], lost: Math.max(0, lost), left: null };
}
