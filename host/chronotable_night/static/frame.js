// @ts-check
/** What a game's page is given to draw with, and what is lifted and half made on this page. */

import { fill, h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { eyeOf, figureOf, headOf } from "/night/static/figures.js";

/** @import { Choice, Frame, State } from "./types.js" */

/**
 * Make the frame of a page; `redraw` draws hand and voice anew.
 * @param {boolean} big
 * @param {() => void} redraw
 */
export function createFrame(big, redraw) {
  /** @type {State | null} */
  let state = null;
  /** @type {Choice | null} */
  let lifted = null;
  let memory = {};
  let asked = "";

  const whoIs = (/** @type {number | string | undefined} */ seat) =>
    typeof seat === "number" ? (state?.players[seat]?.figure ?? "p1") : (seat ?? "");

  /** @type {Frame} */
  const frame = {
    big,
    redraw,
    tr,
    el: h,
    get lifted() {
      return lifted?.action ?? "";
    },
    get memory() {
      return memory;
    },
    lift(choice) {
      lifted = choice;
      redraw();
    },
    choice: (action) => state?.decision?.choices?.find((each) => each.action === action),
    figure: (seat, mood) => figureOf(whoIs(seat), mood),
    head: (seat, mood) => headOf(whoIs(seat), mood),
    eye: (how, seat) => eyeOf(how, whoIs(seat)),
    name: (seat) => state?.players[seat]?.name ?? "",
  };

  return {
    frame,
    /** What is lifted now, as it was given. */
    lifted: () => lifted,
    /** Forget what is lifted and half made. */
    forget() {
      lifted = null;
      memory = {};
    },
    /** Take another state; what was half made is kept while the same is asked. @param {State} next */
    take(next) {
      state = next;
      const { decision } = next;
      const now = decision ? JSON.stringify([decision.kind, decision.choices?.map((each) => [each.action, !each.refused])]) : "";
      if (now !== asked) this.forget();
      asked = now;
      const same = decision?.choices?.find((each) => each.action === lifted?.action);
      // what it leads to may have changed; the words on the button are the page's, if it has put some
      if (same && lifted) lifted = { ...same, label: lifted.label };
    },
  };
}

/** Whom a state waits for: those who decide and have not sealed. @param {State} state */
export function awaited(state) {
  return state.players.filter((each) => each.deciding && !each.sealed);
}

/** Whether somebody's phone is away, so that a seat is nobody's just now. @param {import("./types.js").Player} player */
export function isAway(player) {
  return player.who === "phone" && !player.here;
}

/**
 * Put new children in the place of the old, and the focus back to the one that had it.
 * @param {Element} region
 * @param {...(import("/static/dom.js").Child | import("/static/dom.js").Child[])} children
 */
export function refill(region, ...children) {
  const next = children.flat().filter((each) => each !== null && each !== undefined && each !== false);
  if (next.length === region.childNodes.length && next.every((each, at) => each === region.childNodes[at])) return; // boards that stay
  const had = document.activeElement;
  const mark = had && had !== region && region.contains(had) ? markOf(had) : "";
  fill(region, ...children);
  if (!mark) return;
  const all = /** @type {NodeListOf<HTMLElement>} */ (region.querySelectorAll("button, input, select, [tabindex]"));
  [...all].find((each) => markOf(each) === mark)?.focus();
}

/** What tells an element from its neighbours. @param {Element} element */
function markOf(element) {
  const name = element.getAttribute("data-key") ?? element.getAttribute("aria-label") ?? element.textContent;
  return `${element.tagName} ${element.id} ${name}`;
}
