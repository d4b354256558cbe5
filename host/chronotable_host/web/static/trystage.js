// @ts-check
/** Boards on which turns are tried, with what stands around them on the stage. */

import { fill, h } from "./dom.js";
import { copyFigure, icon } from "./figures.js";
import { tr } from "./language.js";
import { button } from "./parts.js";
import { pipsOf, strip } from "./stage.js";
import { turned, LOOK } from "./table.js";
import { createTrying } from "./trying.js";
import { COLOURS, sideName } from "./words.js";

/** @import { Position } from "./answers.js" */

const SIDES = /** @type {("white" | "black")[]} */ (["white", "black"]);

/**
 * Make a stage. `names` are the players', `pieces` what may lie there beside what the page knows,
 * `controls` stand in the strip, `below` under the boards, `south` is the player at the lower edge unless
 * boards are turned; `played` as in `createTrying`, `changed` as well.
 * @param {import("./archive.js").Context} context
 * @param {{names: string[], pieces?: import("./pieces.js").Looks["pieces"], controls: any, south?: number, below?: HTMLElement | null,
 *   hinted?: () => import("./eras.js").Way | null, changed: (now: import("./trying.js").Tried) => void,
 *   played: (whole: import("./trying.js").Tried) => void}} of
 */
export function createTryStage(context, { names, pieces = {}, controls, changed, played, hinted, south = 0, below = null }) {
  const looks = { ...context.looks, pieces: { ...context.looks.pieces, ...pieces } };
  const boards = h("div", { class: "eras" });
  const figure = h("span", { class: "mover", "aria-hidden": "true" });
  const title = h("h1", { tabindex: "-1" });
  const note = h("p");
  const strips = SIDES.map(() => h("div", { class: "player" }));
  const trying = createTrying({ boards, players: strips, places: () => context.places, looks: () => looks, south: () => (turned.isOn() ? 1 - south : south), changed, played, hinted });
  const look = () => (element.isConnected ? trying.redraw() : document.removeEventListener(LOOK, look));
  document.addEventListener(LOOK, look);
  const pips = h("span");
  const head = h("div", { class: "head" }, figure, title, pips, note);
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
 * Make what stands beside the stage; on a phone it is a drawer, which the button `list` opens.
 * @param {HTMLElement} root
 * @param {string} says what it is
 * @param {() => void} opened
 * @param {...any} children
 */
export function createSide(root, says, opened, ...children) {
  const list = knob("turns", says, () => open(!root.classList.contains("open")));
  list.classList.add("list-knob");
  const close = button(tr("Back to the boards"), () => open(false), { class: "close" });
  const pages = /** @type {Node} */ (document.querySelector(".pages")?.cloneNode(true));
  const element = h("aside", { class: "side replay", "aria-label": says }, close, pages, h("div", { class: "so-far" }, children));

  /** @param {boolean} isOpen */
  function open(isOpen) {
    root.classList.toggle("open", isOpen);
    list.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) opened();
    (isOpen ? close : list).focus({ preventScroll: true });
  }

  element.addEventListener("click", (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.closest(".turns a") && root.classList.contains("open")) open(false);
  });
  return {
    element,
    list,
    /** Close the drawer; whether it was open. */
    close() {
      const was = root.classList.contains("open");
      if (was) open(false);
      return was;
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

/** A button that cannot be used keeps the focus: it is only said. @param {Element} element @param {boolean} is */
export function setDisabled(element, is) {
  element.setAttribute("aria-disabled", String(is));
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
