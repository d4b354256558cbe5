// @ts-check
/** Boards on which turns are tried, with what stands around them on the stage. */

import { fill, h } from "./dom.js";
import { copyFigure } from "./figures.js";
import { tr } from "./language.js";
import { createPlate, pipsOf, tellNote } from "./stage.js";
import { LOOK, turned } from "./switches.js";
import { createTrying } from "./trying.js";
import { seatOf, sideName, SIDES } from "./words.js";

/** @import { Position } from "./answers.js" */

/**
 * Make a stage. `names` are the players', `pieces` what may lie there beside what the page knows,
 * `controls` stand in the strip, `back` is the way out, `below` under the boards, `south` is the player at the lower edge unless
 * boards are turned; `played` as in `createTrying`, `changed` as well.
 * @param {import("./archive.js").Context} context
 * @param {{names: string[], pieces?: import("./pieces.js").Looks["pieces"], controls: any, back?: Node, south?: number, below?: HTMLElement | null,
 *   hinted?: () => import("./eras.js").Way | null, changed: (now: import("./trying.js").Tried) => void,
 *   played: (whole: import("./trying.js").Tried) => void}} of
 */
export function createTryStage(context, { names, pieces = {}, controls, back, changed, played, hinted, south = 0, below = null }) {
  const looks = { ...context.looks, pieces: { ...context.looks.pieces, ...pieces } };
  const boards = h("div", { class: "eras" });
  const figure = h("span", { class: "mover", "aria-hidden": "true" });
  const title = h("h1", { tabindex: "-1" });
  const note = h("p");
  const plates = SIDES.map((_, player) => createPlate(player));
  const trying = createTrying({ boards, players: plates.map((each) => each.element), places: () => context.places, looks: () => looks, south: () => (turned.isOn() ? 1 - south : south), changed, played, hinted });
  const look = () => (element.isConnected ? trying.redraw() : document.removeEventListener(LOOK, look));
  document.addEventListener(LOOK, look);
  const pips = h("span");
  const head = h("div", { class: "head" }, figure, title, pips, back ?? null, note);
  const element = h(
    "div",
    { class: "stage replay" },
    h("div", { class: "strip" }, head, h("div", { class: "voice controls" }, controls)),
    boards,
    below,
  );
  /** How many copies each player had at first. @type {number[] | null} */
  let had = null;

  return {
    element,
    trying,
    title,
    /**
     * Say what is due, and show what each player has; `face` is whose, and in which mood.
     * @param {{says: string, note: string, position: Position, over: string | null, steps?: [number, number],
     *   face?: {player: string, mood: import("./figures.js").Mood}}} now
     */
    tell({ says, note: told, position, over, steps, face }) {
      const player = SIDES.indexOf(/** @type {any} */ (face?.player ?? over ?? position.mover));
      const has = copies(position);
      had ??= has;
      fill(figure, copyFigure(player, face?.mood ?? (over ? "glad" : "")));
      fill(pips, ...pipsOf(steps));
      fill(title, over ? tr("{player} has won", { player: sideName(over) }) : says);
      tellNote(note, told);
      plates.forEach(({ show }, of) => show({ name: names[of], seat: seatOf(names[of], of), supply: position.supply[of], lost: Math.max(0, (had?.[of] ?? 0) - has[of]) }));
    },
    /** Begin to count who is lost. @param {Position} position */
    count(position) {
      had = copies(position);
    },
  };
}

/** @param {Position} position @returns {number[]} how many copies each player has, on the boards and beside them */
function copies({ pieces, supply }) {
  return SIDES.map((side, player) => supply[player] + pieces.filter(({ look }) => look === side).length);
}

