// @ts-check
/** The cards: what is printed on them, and a row of them that may be touched. */

import { card } from "/night/static/drawing.js";

/** @import { State } from "/night/static/types.js" */
/** @import { Shape } from "/night/static/drawing.js" */

const CIRCLE = "a4 4 0 1 0 8 0a4 4 0 1 0-8 0z";

/** @type {Record<string, Shape>} */
export const SHAPES = {
  green: [["", "M3 8.5h9V3.5l9.5 8.5-9.5 8.5v-5H3z"]],
  red: [["", "M21 8.5h-9V3.5L2.5 12l9.5 8.5v-5h9z"]],
  worm: [["wire", "M12 12q1.5-2.5 3 0t-3 4-6.5-4T12 4.5 21 12t-8 9.5"]],
  "move:LR": [["", "M8 5.5L1.5 12 8 18.5v-4.5h8v4.5l6.5-6.5L16 5.5V10H8z"]],
  "move:UD": [["", "M5.5 8L12 1.5 18.5 8h-4.5v8h4.5L12 22.5 5.5 16H10V8z"]],
  "move:LRUD": [
    ["", "M12 1l4.2 4.7h-2.7v4.8h4.8V7.8L23 12l-4.7 4.2v-2.7h-4.8v4.8h2.7L12 23l-4.2-4.7h2.7v-4.8H5.7v2.7L1 12l4.7-4.2v2.7h4.8V5.7H7.8z"],
  ],
  jump: [
    ["wire", "M3 18Q6 5 12 5t8 10"],
    ["", "M22.8 12.5L19.5 21l-6-6.5z"],
  ],
  return_to_hq: [["", "M12 2L1.5 11.5H5V21h5v-6h4v6h5v-9.5h3.5z"]],
  join_me: [
    ["", `M8 12${CIRCLE}`],
    ["wire", "M3 3l4.5 4.5M21 3l-4.5 4.5M3 21l4.5-4.5M21 21l-4.5-4.5"],
  ],
  quantum_leap: [
    ["", `M2 12${CIRCLE}M14 12${CIRCLE}`],
    ["wire", "M5 5Q12-1 19 5M5 19q7 6 14 0"],
  ],
  tag_along: [
    ["", `M13 12${CIRCLE}`],
    ["wire", "M1.5 8.5L7 12l-5.5 3.5M6.5 8.5L12 12l-5.5 3.5"],
  ],
  desperate_grab: [["wire", "M5 3v8q0 9 7 9t7-9V3M9.5 3v7M14.5 3v7"]],
  double_time: [["", "M1.5 6.5L11 12l-9.5 5.5zM12.5 6.5L22 12l-9.5 5.5z"]],
  near_yet_far: [
    ["", `M8 12${CIRCLE}`],
    ["wire", "M12 1.5v3M12 19.5v3M1.5 12h3M19.5 12h3"],
  ],
  back_it_up: [["wire", "M9 3L3.5 8.5 9 14M4 8.5h10q6.5 0 6.5 6t-6.5 6H9"]],
  crash_a_gate: [
    ["", "M12 0.5l2.3 5.3 5.2-2.7-1.8 5.6 5.7 1.3-4.9 3.1 3.5 4.7-5.8-.7-.2 5.8-4-4.3-4 4.3-.2-5.8-5.8.7 3.5-4.7L.6 10l5.7-1.3-1.8-5.6 5.2 2.7z"],
  ],
  on_the_move: [
    ["", `M2 9${CIRCLE}`],
    ["wire", "M2 19h17M14.5 14.5L19.5 19 14.5 23M13 9h8.5"],
  ],
  shut_and_run: [
    ["wire", "M3 3v18h8V3zM14 12h8M18 8l4 4-4 4"],
  ],
  stop_time: [
    ["", "M7.2 1.5h9.6l5.7 5.7v9.6l-5.7 5.7H7.2l-5.7-5.7V7.2z"],
    ["cut", "M6 7.2q0-1.2 1.2-1.2 3.8 0 4.8 4.6 1-4.6 4.8-4.6Q18 6 18 7.2v9.6q0 1.2-1.2 1.2-3.8 0-4.8-4.6-1 4.6-4.8 4.6Q6 18 6 16.8z"],
  ],
};

/** The glyph of a card. @param {string} text of the game @returns {Shape} */
export function shapeOf(text) {
  return SHAPES[text] ?? SHAPES[text.split(":")[0]];
}

/** What is printed on a card: its name, a smaller word, what it does. @param {State} state @param {string} text @returns {[string, string, string]} */
export function printedOn(state, text) {
  return state.printed.cards[text] ?? [text, "", ""];
}

/** The whole name of a card. @param {State} state @param {string} text */
export function nameOf(state, text) {
  const [name, detail] = printedOn(state, text);
  return detail ? `${name} (${detail})` : name;
}

/**
 * Draw a card of the game.
 * @param {State} state
 * @param {string} text
 * @param {{how?: string, reason?: string, detail?: string, press?: (() => void) | null}} [more]
 */
export function drawn(state, text, { how = "", reason = "", detail, press = null } = {}) {
  const [name, printed] = printedOn(state, text);
  const kind = `act ${text === "stop_time" ? "stops" : ""} ${how}`;
  return card({
    label: nameOf(state, text),
    value: name,
    shape: shapeOf(text),
    text: detail ?? printed,
    how: kind,
    reason,
    press,
  });
}

/**
 * A row of cards, or several, as many in each; with very many the cards are smaller.
 * @param {import("/night/static/types.js").Frame} frame
 * @param {Element[]} cards
 * @param {boolean} [isAside] whether they are not what is decided about: then they are small
 */
export function row({ el }, cards, isAside = false) {
  const most = isAside ? 8 : cards.length > 12 ? 9 : 6;
  const rows = Math.max(1, Math.ceil(cards.length / most));
  const wide = Math.max(1, Math.ceil(cards.length / rows));
  const kind = `cards hold${Math.min(rows, 3)}${isAside ? " aside" : ""}`;
  return el("div", { class: kind, vars: { "--n": Math.max(wide, 5), "--row": wide } }, ...cards);
}
