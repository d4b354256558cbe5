// @ts-check
/** Mouse, finger and pen at the virtual table: drag pieces, click them, drop them in the box. */

import { h } from "./dom.js";
import { REEDS } from "./geometry.js";
import { pieceIcon } from "./pieces.js";
import { sensorOf } from "./walk.js";

/** @import { Looks } from "./pieces.js" */
/**
 * @typedef {{id: number, look: string, from: "board" | "hand" | "box",
 *   lifted: Promise<string | null>, x: number, y: number, moved: boolean, ghost: HTMLElement | null}} Carry
 * @typedef {{board: () => import("./board.js").Board | null, hand: import("./hand.js").Hand,
 *   looks: () => Looks, mayAct: () => boolean, isTapping: () => boolean,
 *   refuse: () => void, press: (sensor: number) => void, changed: () => void}} Links
 * @typedef {ReturnType<typeof createDrag>} Drag
 */

const SLOP = 6;
const DOUBLE_MS = 350;
const EDGE = 70;
const PIECE_VIEW = 30;

/**
 * Make the gestures; `attach` gives them a board, `take` starts one from the tray.
 * @param {Links} links
 */
export function createDrag(links) {
  const { hand } = links;
  /** @type {Carry | null} */
  let carry = null;
  /** @type {{at: number, x: number, y: number} | null} */
  let press = null;
  let lastClick = { at: -1, when: 0 };

  const down = (/** @type {PointerEvent} */ event) => {
    const board = links.board();
    if (!board || event.button !== 0 || !event.isPrimary) return;
    const button = sensorOf(event.target);
    if (button !== null && button >= REEDS) {
      press = { at: button, x: event.clientX, y: event.clientY };
      return;
    }
    const at = button ?? board.reedAt(event.clientX, event.clientY);
    if (at === null) return;
    const look = hand.topAt(at);
    if (look === null || links.isTapping() || !links.mayAct()) {
      press = { at, x: event.clientX, y: event.clientY };
      return;
    }
    event.preventDefault();
    board.place(at)?.focus({ preventScroll: true });
    begin(event, look, "board", hand.lift(at));
  };

  const begin = (
    /** @type {PointerEvent} */ event,
    /** @type {string} */ look,
    /** @type {Carry["from"]} */ from,
    /** @type {Promise<string | null>} */ lifted,
  ) => {
    const { pointerId: id, clientX: x, clientY: y } = event;
    carry = { id, look, from, lifted, x, y, moved: false, ghost: null };
    const started = carry;
    lifted.then((piece) => piece === null && carry === started && end());
    try {
      /** @type {Element} */ (event.currentTarget).setPointerCapture(id);
    } catch {
      // the pointer has gone already; its end comes all the same
    }
  };

  const move = (/** @type {PointerEvent} */ event) => {
    if (!carry || event.pointerId !== carry.id) return;
    const { clientX: x, clientY: y } = event;
    if (!carry.moved && Math.hypot(x - carry.x, y - carry.y) < SLOP) return;
    if (!carry.moved) {
      carry.moved = true;
      carry.ghost = ghostOf(
        links.looks(),
        carry.look,
        links.board()?.scale() ?? 1,
        event.pointerType,
      );
      links.changed();
    }
    event.preventDefault();
    follow(/** @type {HTMLElement} */ (carry.ghost), x, y);
    mark(targetAt(x, y, carry.look));
    scrollAtEdge(y);
  };

  const up = (/** @type {PointerEvent} */ event) => {
    if (carry && event.pointerId === carry.id) {
      drop(event.clientX, event.clientY);
    } else if (press) {
      const { at, x, y } = press;
      press = null;
      if (!links.mayAct()) links.refuse();
      else if (Math.hypot(event.clientX - x, event.clientY - y) < 2 * SLOP) click(at);
    }
  };

  const drop = (/** @type {number} */ x, /** @type {number} */ y) => {
    const { moved, look, from, lifted } = /** @type {Carry} */ (carry);
    const at = moved ? targetAt(x, y, look) : null;
    end();
    if (at !== null) hand.land(at, look, lifted);
    else if (moved && from !== "box") letGo(lifted, links.board()?.reedAt(x, y) != null);
    else if (!moved && from !== "board") hand.choose(look);
  };

  /** Dropped where it cannot lie: over the boards it goes back, else into the box. */
  const letGo = async (
    /** @type {Promise<string | null>} */ lifted,
    /** @type {boolean} */ isOnBoards,
  ) => {
    const piece = await lifted;
    if (piece !== null) await (isOnBoards ? hand.back(piece) : hand.putAway(piece));
  };

  const click = (/** @type {number} */ at) => {
    if (at >= REEDS) return links.press(at);
    const now = performance.now();
    const isDouble = lastClick.at === at && now - lastClick.when < DOUBLE_MS;
    lastClick = { at, when: isDouble ? 0 : now };
    links.board()?.place(at)?.focus({ preventScroll: true });
    if (links.isTapping() || (isDouble && !hand.due(at))) hand.tap(at);
    else if (hand.due(at)) hand.place(at, hand.due(at));
  };

  const end = () => {
    carry?.ghost?.remove();
    carry = null;
    mark(null);
    links.changed();
  };

  const cancel = (/** @type {PointerEvent} */ event) => {
    press = null;
    if (carry && event.pointerId === carry.id) end();
  };

  const targetAt = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ piece,
  ) => links.board()?.reedAt(x, y, (at) => hand.fits(piece, at)) ?? null;

  const mark = (/** @type {number | null} */ at) => {
    const svg = links.board()?.svg;
    const place = at === null ? null : links.board()?.place(at);
    for (const old of svg?.querySelectorAll(".target") ?? []) {
      if (old !== place) old.classList.remove("target");
    }
    place?.classList.add("target");
  };

  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", cancel);

  return {
    /** Let a board be played on. @param {import("./board.js").Board} board */
    attach({ svg }) {
      svg.addEventListener("pointerdown", down);
      svg.addEventListener("touchstart", holdScreen, { passive: false });
      svg.addEventListener("click", (event) => {
        const at = event.detail === 0 ? sensorOf(event.target) : null;
        if (at !== null) activate(links, at);
      });
      svg.addEventListener("keydown", (event) => {
        const at = sensorOf(event.target);
        if (at !== null && at < REEDS) byKey(links, event, at);
      });
    },

    /**
     * Start to drag a piece of the tray.
     * @param {PointerEvent} event
     * @param {string} piece
     * @param {"hand" | "box"} from
     */
    take(event, piece, from) {
      if (event.button !== 0 || !event.isPrimary || !links.mayAct()) return;
      begin(event, piece, from, Promise.resolve(piece));
    },

    /** The piece at the pointer, which is drawn nowhere else; null while none is dragged. */
    carried: () => (carry?.moved ? carry.look : null),

    /** Where the carried piece comes from. */
    carriedFrom: () => carry?.from ?? null,

    /** Let go of what is dragged; it stays in the hand. */
    stop() {
      if (carry) end();
    },
  };

  /** A finger that has just taken a piece does not scroll the page. */
  function holdScreen(/** @type {TouchEvent} */ event) {
    if (carry) event.preventDefault();
  }
}

/**
 * Do with a place what a click does: lift what lies there, or place what is held.
 * @param {Links} links
 * @param {number} at
 */
export function activate(links, at) {
  const { hand } = links;
  if (!links.mayAct()) links.refuse();
  else if (links.isTapping()) hand.tap(at);
  else if (hand.topAt(at) !== null) hand.lift(at);
  else if (hand.due(at)) hand.place(at, hand.due(at));
}

/** @param {Links} links @param {KeyboardEvent} event @param {number} at */
function byKey(links, event, at) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { hand } = links;
  const key = event.key.toLowerCase();
  if (key === "enter" || key === " ") activate(links, at);
  else if (key === "t" && links.mayAct()) hand.tap(at);
  else if ((key === "delete" || key === "backspace") && hand.seen().held.length) {
    if (links.mayAct()) hand.putAway(hand.chosen());
  } else return;
  event.preventDefault();
}

/**
 * @param {Looks} looks
 * @param {string} look
 * @param {number} scale pixels per millimetre
 * @param {string} pointer kind of pointer
 */
function ghostOf(looks, look, scale, pointer) {
  const ghost = h(
    "div",
    { class: `carried ${pointer}`, "aria-hidden": "true" },
    pieceIcon(looks, look),
  );
  const side = Math.max(44, PIECE_VIEW * scale * (pointer === "touch" ? 1.25 : 1.08));
  ghost.style.width = ghost.style.height = `${side}px`;
  document.body.append(ghost);
  return ghost;
}

/** @param {HTMLElement} ghost @param {number} x @param {number} y */
function follow(ghost, x, y) {
  ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
}

/** @param {number} y of the pointer: near the edge of the window the page goes along */
function scrollAtEdge(y) {
  const below = y - (window.innerHeight - EDGE);
  const above = EDGE - y;
  const step = below > 0 ? below : above > 0 ? -above : 0;
  if (step) window.scrollBy({ top: step / 3, behavior: "instant" });
}
