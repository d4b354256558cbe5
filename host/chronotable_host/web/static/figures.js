// @ts-check
/** The figures of the game as the page draws it: copies, eyes for the focus, marks, icons. */

import { s } from "./dom.js";

/**
 * A mood of a copy: "" is calm; "1" to "8" are the faces of the levels, from one that sleeps to one
 * with a scar; "you" is half of each player's.
 * @typedef {"" | "wide" | "glad" | "sad" | "dead" | "wonders" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "you"} Mood
 */

const BODY =
  "M20 2.2C13 2.2 8.4 7.1 8.4 13.9c0 3.3 1.2 5.8 3 7.8-4.2 2-7 6.4-7 11.8v1.7q0 2.6 2.6 2.6h26q2.6 0 " +
  "2.6-2.6v-1.7c0-5.4-2.8-9.8-7-11.8 1.8-2 3-4.5 3-7.8C31.6 7.1 27 2.2 20 2.2z";
const TIES = ["M20 27.6l-5.2-2.5v5zM20 27.6l5.2-2.5v5z", "M18 24.6h4l-.9 2.6 1.6 6.4-2.7 2.8-2.7-2.8 1.6-6.4z"];
/**
 * What is drawn on a head, by mood; "w" and "b" are the calm faces of both players: lines, thin lines,
 * what is filled, round eyes as x, y and radii, sparks in them, a ring.
 * @type {Record<string, {line?: string, thin?: string, fill?: string, round?: number[][], spark?: number[][], ring?: number[]}>}
 */
const FACES = {
  dead: { line: "M13.2 13.4l4.4 4.4m0-4.4-4.4 4.4M22.4 13.4l4.4 4.4m0-4.4-4.4 4.4" },
  wide: { round: [[15.2, 15, 3.7], [24.8, 15, 3.7], [20, 22, 1.7]], spark: [[16.2, 13.8, 1.2], [25.8, 13.8, 1.2]] },
  glad: { line: "M12.6 16.2q2.6-3.6 5.2 0M22.2 16.2q2.6-3.6 5.2 0" },
  sad: { round: [[15.4, 16.4, 2.3], [24.6, 16.4, 2.3]], thin: "M12.4 12.8l4.4-1.6M27.6 12.8l-4.4-1.6" },
  wonders: { round: [[15.6, 15.8, 2.5, 3], [24.4, 15.8, 2.5, 3]], thin: "M12.6 11.2q2.6-1.6 5.2-.2M22.2 9.2q2.8-1 5 .8" },
  w: { round: [[15.6, 15.4, 2.5, 3.1], [24.4, 15.4, 2.5, 3.1]] },
  b: { fill: "M12.4 13.6l6.4 1.9q-.3 3.3-3.2 3.3-3.2 0-3.2-5.2zM27.6 13.6l-6.4 1.9q.3 3.3 3.2 3.3 3.2 0 3.2-5.2z" },
  you: { round: [[15.6, 15.4, 2.5, 3.1]], fill: "M27.6 13.6l-6.4 1.9q.3 3.3 3.2 3.3 3.2 0 3.2-5.2z", thin: "M17.2 22.2q2.8 1.8 5.6 0" },
  1: { line: "M12.4 15q2.8 2.6 5.6 0M22 15q2.8 2.6 5.6 0" },
  2: { round: [[15.4, 15.6, 2.8], [24.6, 15.6, 2.8]], thin: "M17.4 20.4q2.6 2 5.2 0" },
  3: { thin: "M12 13.4h6.4M21.6 13.4h6.4", fill: "M13.8 13.8h4.2q0 4-2.1 4t-2.1-4zM23.4 13.8h4.2q0 4-2.1 4t-2.1-4z" },
  4: { round: [[15.6, 15.4, 2.7, 2.9], [24.4, 15.4, 2.7, 2.9]], thin: "M12.4 11.6h5.8M21.8 11.6h5.8" },
  5: { fill: "M12.4 14.8l6.4.6q-.3 3.4-3.2 3.4-3.2 0-3.2-4z", round: [[24.8, 15, 2.6, 3]], thin: "M22 10.4q2.8-2.2 5.6-.4M18 22q2.6 1.6 4.8-.6" },
  6: { round: [[15.4, 15.6, 2.3], [24.8, 15.6, 2]], ring: [24.8, 15.6, 4.3], thin: "M28.6 18l1.4 5" },
  7: { fill: "M12.2 12.6l6.8 3q-.4 3.4-3.2 3.4-3.6 0-3.6-6.4zM27.8 12.6l-6.8 3q.4 3.4 3.2 3.4 3.6 0 3.6-6.4z", thin: "M17 23q3-1.8 6 0" },
  8: { fill: "M11.8 14.2l7.4 1.4-.4 1.8-6.4-.6zM28.2 14.2l-7.4 1.4.4 1.8 6.4-.6z", thin: "M25.6 8.8l-1.4 3.4m1.4 7-.8 3.2M17.4 22.4h5" },
};

/**
 * Draw a copy of a player.
 * @param {number} player 0 white, 1 black
 * @param {Mood} [mood]
 * @returns {SVGSVGElement}
 */
export function copyFigure(player, mood = "") {
  const { line, thin, fill, round = [], spark = [], ring } = FACES[mood || "wb"[player]];
  const oval = (/** @type {string} */ kind) => (/** @type {number[]} */ [cx, cy, rx, ry = rx]) => s("ellipse", { class: kind, cx, cy, rx, ry });
  const path = (/** @type {string} */ kind, /** @type {string | undefined} */ d) => (d ? s("path", { class: kind, d }) : null);
  return picture(
    `copy ${"wb"[player]} ${mood}`,
    40,
    s("path", { class: "body", d: BODY }),
    s("path", { class: "gloss", d: "m12 11.5q1.6-5.6 7-6.3" }),
    ...round.map(oval("eye")),
    ...spark.map(oval("spark")),
    ring ? oval("eye line thin")(ring) : null,
    path("eye", fill),
    path("eye line", line),
    path("eye line thin", thin),
    s("path", { class: "tie", d: TIES[player] }),
  );
}

/**
 * Draw a place of a focus: an eye that is open where the focus is, half open where it may go.
 * @param {number} player
 * @param {"open" | "half" | "shut"} how
 * @returns {SVGSVGElement}
 */
export function eyeFigure(player, how) {
  const kind = `focus ${"wb"[player]} ${how}`;
  if (how === "shut") {
    return picture(kind, 48, s("path", { class: "lid", d: "M9 21q15 14 30 0M13.5 26l-3.5 4.5M24 28.5v5.5M34.5 26l3.5 4.5" }));
  }
  return picture(
    kind,
    48,
    s("circle", { class: "ball", cx: 24, cy: 24, r: 21 }),
    s(
      "g",
      { class: "gaze" },
      s("circle", { class: "iris", cx: 24, cy: 24, r: 12.5 }),
      s("path", { class: "pupil", d: "M18.5 16.5h11q0 4.5-4 7.5 4 3 4 7.5h-11q0-4.5 4-7.5-4-3-4-7.5z" }),
      s("circle", { class: "spark", cx: 29.5, cy: 18, r: 2.4 }),
    ),
    how === "half" ? s("path", { class: "half", d: "M3 24a21 21 0 0 1 42 0q-21-9-42 0z" }) : null,
  );
}

const DISC = "m12 2a10 10 0 1 0 .01 0z";
/** Outline, and what is cut out of it, by the name of a light's meaning, or of what a turn was; others tell what is `cut`. */
const SHAPES = /** @type {Record<string, [string, string]>} */ ({
  move: ["m12 4.5a7.5 7.5 0 1 0 .01 0z", ""],
  push: ["M2.5 7.5h9V2.5l10 9.5-10 9.5v-5h-9z", ""],
  squish: [
    "m12 .4l2.3 5.4 5.2-2.7-1.8 5.6 5.7 1.3-4.9 3.1 3.5 4.7-5.8-.7-.2 5.8-4-4.3-4 4.3-.2-5.8-5.8.7 3.5-4.7-4.9-3.1 5.7-1.3L4.5 3.100l5.2 2.7z",
    "",
  ],
  paradox: [
    "M8.3 4.3a7.7 7.7 0 1 0 3.7 14.4 7.7 7.7 0 1 0 0-13.4 7.7 7.7 0 0 0-3.7-1z",
    "m12 5.3a7.7 7.7 0 0 0 0 13.4 7.7 7.7 0 0 0 0-13.4z",
  ],
  own_death: [
    "m12 1.5a9.5 9.5 0 0 0-9.5 9.3c0 3.6 1.9 5.6 4 6.7V21q0 1.5 1.5 1.5h8q1.5 0 1.5-1.5v-3.5c2.1-1.1 4-3.1 4-6.7A9.5 9.5 0 0 0 12 1.5z",
    "M8.3 9a2.5 2.5 0 1 0 .01 0zM15.7 9a2.5 2.5 0 1 0 .01 0zM12 14.2l1.5 2.6h-3z",
  ],
  forward: [DISC, "M5.8 6.5h3.6l4 5.5-4 5.5H5.8l4-5.5zM12 6.5h3.6l4 5.5-4 5.5H12l4-5.5z"],
  back: [DISC, "M18.2 6.5h-3.6l-4 5.5 4 5.5h3.6l-4-5.5zM12 6.5H8.4l-4 5.5 4 5.5H12L8 12z"],
  no: ["m12 2.5a9.5 9.5 0 1 0 .01 0z", "M4.9 17.6L17.6 4.9l1.5 1.5L6.4 19.1z"],
  todo_take: [DISC, "m12 4.5l5.5 6H14v6h-4v-6H6.500zM6.5 18h11v1.6h-11z"],
  best: ["M2.5 12.5l3.2-3.2 4.3 4.3 8.5-9 3.5 3.1L10 20.2z", ""],
  only: ["M9.5 1.8h5l-.9 12.7h-3.2zM12 16.8a2.7 2.7 0 1 0 .01 0z", ""],
  good: ["m12 8a4 4 0 1 0 .01 0z", ""],
  "longer-win": ["m12 4l8 8-8 8-8-8z", ""],
  inaccuracy: ["m12 4a8 8 0 1 0 .01 0z", "M7.5 10.6h9v2.8h-9z"],
  mistake: ["M12 22.5L1 3.5h22z", "M10.7 6h2.6l-.4 6.5h-1.8zM12 13.8a1.5 1.5 0 1 0 .01 0z"],
  blunder: ["M7.5 1.5h9l6 6v9l-6 6h-9l-6-6v-9z", "M8 6l4 4 4-4 2 2-4 4 4 4-2 2-4-4-4 4-2-2 4-4-4-4z"],
  "missed-win": ["m12 .8l3.4 7.2 7.8 1-5.7 5.5 1.5 7.8-7-3.8-7 3.8 1.5-7.8L.8 9l7.8-1z", "M8 11.2h8v2.6H8z"],
  todo_put: [DISC, "m12 16.500l5.5-6H14v-6h-4v6H6.500zM6.5 18h11v1.6h-11z"],
});
for (const name of ["put_white", "put_black"]) SHAPES[`todo_${name}`] = SHAPES.todo_put;

/**
 * Tell whether something is to be seen at a place that is lit so.
 * @param {import("./pieces.js").MeaningLook | undefined} meaning
 */
export function isMark(meaning) {
  return Boolean(meaning && (meaning.name in SHAPES || meaning.cut));
}

/**
 * Draw the mark of what happens at a place.
 * @param {{name: string, cut?: string | null}} meaning
 * @param {number} [degrees] to turn it by; it points to the right
 * @returns {SVGSVGElement}
 */
export function markFigure({ name, cut }, degrees = 0) {
  const [outline, own] = SHAPES[name] ?? [DISC, cut ?? ""];
  const transform = degrees ? `rotate(${degrees} 12 12)` : null;
  return picture(
    `shape ${name}`,
    24,
    s("path", { d: outline, transform }),
    own ? s("path", { class: "cut", d: own, transform }) : null,
  );
}

const ICONS = /** @type {Record<string, string>} */ ({
  back: "M9 6 4 11l5 5M4 11h10a5 5 0 0 1 0 10h-2",
  end: "M6 22V3M6 4h12l-3 4 3 4H6",
  learn: "M3 9.5 12 5l9 4.5-9 4.5zM7 12v4.5c3 2 7 2 10 0V12M21 9.5V15",
  hint: "M9 18h6M10 21h4M8.5 14.5a5.5 5.5 0 1 1 7 0c-.7.6-1 1.2-1 2h-5c0-.8-.3-1.4-1-2z",
  turns: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  menu: "M4 6h16M4 12h16M4 18h16",
  before: "M15 5l-7 7 7 7",
  after: "M9 5l7 7-7 7",
  best: "M9.5 18h5M10.5 21h3M9 15a6.5 6.5 0 1 1 6 0v1.5H9Z",
  share: "M12 15V3M8 7l4-4 4 4M5 11v9h14v-9",
  swap: "M8 4v15M4.500 15.500 8 19l3.500-3.500M16 20V5M12.500 8.500 16 5l3.500 3.500",
  play: "M8 5v14l11-7z",
  box: "M4 8l8-4 8 4v9l-8 4-8-4zM4 8l8 4 8-4M12 12v9",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
  pause: "M8.5 5v14M15.5 5v14",
});

/** The time of day of an era: sunrise, noon, night. */
const DAYS = /** @type {Record<string, string>} */ ({
  past: "M3 18h18M6.5 18a5.5 5.5 0 0 1 11 0M12 6.5v3M4.6 10.6l1.8 1.8M19.4 10.6l-1.8 1.8",
  present: "M12 7.5a4.5 4.5 0 1 0 .01 0zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19",
  future: "M17.5 15.5A7.5 7.5 0 0 1 8.5 5 7.5 7.5 0 1 0 17.5 15.5zM17 4v4M15 6h4M20.5 10.5v2M19.5 11.5h2",
});

/** Draw what an era is told by, beside its name. @param {string} era */
export function dayFigure(era) {
  return picture("day", 24, s("path", { d: DAYS[era] }));
}

/** The three boards, for the face of who speaks for the table. */
export function tableFigure() {
  return picture("table", 60, ...["past", "present", "future"].map((era, at) => s("rect", { class: `sq ${era}`, x: 4 + 10 * at, y: 6 + 12 * at, width: 32, height: 24, rx: [1, 4, 8][at] })));
}

/** Draw an icon. @param {string} name */
export function icon(name) {
  return picture("icon", 24, s("path", { d: ICONS[name] }));
}

/**
 * @param {string} kind
 * @param {number} size
 * @param {...(SVGElement | null)} parts
 */
function picture(kind, size, ...parts) {
  const view = `0 0 ${size} ${size}`;
  return s("svg", { class: kind, viewBox: view, "aria-hidden": "true", focusable: "false" }, ...parts);
}
