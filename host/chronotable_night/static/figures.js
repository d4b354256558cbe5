// @ts-check
/** Who plays: figures with a shape before they have a colour, their heads, and eyes. */

import { s } from "/static/dom.js";

/**
 * @typedef {"p0" | "p1" | "p2" | "p3" | "p4" | "p5" | "p6"} Who p0 is nobody's: a piece of a game
 * @typedef {"" | "wide" | "glad" | "sad" | "shut" | "dead"} Mood "" is calm
 * @typedef {"open" | "half" | "shut"} How an eye: what is known, thinking, a secret
 */

const TRUNK =
  "M20 20.5c-9.5 0-15.6 5.8-15.6 13v1.9q0 2.6 2.6 2.6h26q2.6 0 2.6-2.6v-1.9c0-7.2-6.1-13-15.6-13z";
const ROUND = "M8.6 13.7a11.4 11.4 0 1 0 22.8 0a11.4 11.4 0 1 0-22.8 0z";
const SKULLS = /** @type {Record<string, string>} */ ({
  p0: ROUND,
  p1: ROUND,
  p2: "M13.3 2.6h13.4q4.5 0 4.5 4.5v13q0 4.5-4.5 4.5H13.3q-4.5 0-4.5-4.5v-13q0-4.5 4.5-4.5z",
  p3: "M18 1.2q2-2.6 4 0l10.4 20q1.4 3.6-2.4 3.6H10q-3.8 0-2.4-3.6z",
  p4: "M12.5-3.5h15v9h-15zM6.5 4.5h27v3.6h-27zM9.5 7h21v7.5a10.5 10.5 0 0 1-21 0z",
  p5:
    "M4.5 5.2a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM25.5 5.2a5 5 0 1 0 10 0a5 5 0 1 0-10 0z" +
    "M8.8 14.2a11.2 11.2 0 1 0 22.4 0a11.2 11.2 0 1 0-22.4 0z",
  p6:
    "M20 1.2l4.2 3.4 6.8-.4-.3 6.6 3.5 4.4-4.9 3.7-1.9 6H12.6l-1.9-6-4.9-3.7 3.5-4.4-.3-6.6 6.8.4z",
});
const TIES = /** @type {Record<string, string>} */ ({
  p0: "M7 29h26v2.6H7zM5 34h30v2.6H5z",
  p1: "M20 28.6l-5.2-2.5v5zM20 28.6l5.2-2.5v5z",
  p2: "M18 26.6h4l-.9 2 1.6 5.2-2.7 2.6-2.7-2.6 1.6-5.2z",
  p3: "M13 29.5a1.7 1.7 0 1 0 .01 0zM20 31.6a1.7 1.7 0 1 0 .01 0zM27 29.5a1.7 1.7 0 1 0 .01 0z",
  p4: "M13 27.5h14l-7 7.5z",
  p5: "M10 26.8q10 5 20 0l1.5 2.6q-4 2-7.5 2.7v4.5h-3.6v-4q-6 0-12-3.2z",
  p6: "M19 27h2.4v2.6H19zM19 30.9h2.4v2.6H19zM19 34.8h2.4v2.4H19z",
});
const MASK =
  "M8.7 12.2q5.6-3 11.3-.6 5.7-2.4 11.3.6-.2 6.6-6 6.6-3.6 0-5.3-2.6-1.7 2.6-5.3 2.6-5.8 0-6-6.6z";
/** How far down a face sits in its head. */
const LOWER = /** @type {Record<string, number>} */ ({ p3: 2.6, p4: 0.6 });

const CALM = /** @type {[string, number, number, number, number][]} */ ([
  ["look", 15.6, 15.2, 2.4, 3],
  ["look", 24.4, 15.2, 2.4, 3],
]);
/** By mood: ellipses (class, x, y, rx, ry) and a line. */
const FACES = /** @type {Record<string, {round: [string, number, number, number, number][], line?: string}>} */ ({
  dead: { round: [], line: "M13.2 13.4l4.4 4.4m0-4.4-4.4 4.4M22.4 13.4l4.4 4.4m0-4.4-4.4 4.4" },
  glad: { round: [], line: "M12.6 16.2q2.6-3.6 5.2 0M22.2 16.2q2.6-3.6 5.2 0" },
  shut: { round: [], line: "M12.6 15.2q2.6 3 5.2 0M22.2 15.2q2.6 3 5.2 0" },
  sad: {
    round: [
      ["look", 15.4, 16.4, 2.2, 2.2],
      ["look", 24.6, 16.4, 2.2, 2.2],
    ],
    line: "M12.4 12.8l4.4-1.6M27.6 12.8l-4.4-1.6",
  },
  wide: {
    round: [
      ["look", 15.2, 14.6, 3.5, 3.5],
      ["look", 24.8, 14.6, 3.5, 3.5],
      ["spark", 16.2, 13.4, 1.2, 1.2],
      ["spark", 25.8, 13.4, 1.2, 1.2],
      ["look", 20, 21, 1.6, 1.6],
    ],
  },
});

/**
 * Draw somebody whole.
 * @param {string} who
 * @param {string} [mood]
 * @returns {SVGSVGElement}
 */
export function figureOf(who, mood = "") {
  return picture("0 -4 40 44", ["copy", who, mood], [
    ...filled(TRUNK + SKULLS[who]),
    face(who, mood),
    s("path", { class: "tie", d: TIES[who] }),
  ]);
}

/**
 * Draw somebody's head.
 * @param {string} who
 * @param {string} [mood]
 * @param {string} [label] who it is, where no name stands beside it
 * @returns {SVGSVGElement}
 */
export function headOf(who, mood = "", label = "") {
  const parts = [...filled(SKULLS[who]), face(who, mood)];
  return picture("3 -5 34 33", ["copy", "headonly", who, mood], parts, label);
}

/**
 * Draw an eye.
 * @param {string} how open, half or shut
 * @param {string} [who] whose it is
 * @param {string} [label] what it says, where no word stands beside it
 * @returns {SVGSVGElement}
 */
export function eyeOf(how, who = "", label = "") {
  const lashes = s("path", { class: "lid", d: "M5 19q19 19 38 0M11 27l-4 6M24 31v7M37 27l4 6" });
  if (how === "shut") return picture("0 0 48 48", ["eye", "shut", who], [lashes], label);
  const parts = [
    s("circle", { class: "ball", cx: 24, cy: 24, r: 21 }),
    s("circle", { class: "iris", cx: 24, cy: 24, r: 12.5 }),
    s("path", {
      class: "pupil",
      d: "M18.5 16.5h11q0 4.5-4 7.5 4 3 4 7.5h-11q0-4.5 4-7.5-4-3-4-7.5z",
    }),
    s("circle", { class: "spark", cx: 29.5, cy: 18, r: 2.4 }),
    how === "half" ? s("path", { class: "half", d: "M3 24a21 21 0 0 1 42 0q-21-8-42 0z" }) : null,
  ];
  return picture("0 0 48 48", ["eye", how, who], parts, label);
}

/** Outlines that may lie upon each other, their rims below all. @param {string} outlines */
function filled(outlines) {
  const all = outlines.split(/(?<=z)/);
  return ["rim", "body"].flatMap((kind) => all.map((d) => s("path", { class: kind, d })));
}

/** @param {string} who @param {string} mood @returns {SVGGElement} */
function face(who, mood) {
  const { round, line } = FACES[mood] ?? { round: CALM, line: undefined };
  return s(
    "g",
    { transform: `translate(0 ${LOWER[who] ?? 0})` },
    who === "p0" ? s("path", { class: "mask", d: MASK }) : null,
    ...round.map(([kind, cx, cy, rx, ry]) => s("ellipse", { class: kind, cx, cy, rx, ry })),
    line ? s("path", { class: "look line", d: line }) : null,
  );
}

/**
 * @param {string} viewBox
 * @param {string[]} kinds
 * @param {(SVGElement | null)[]} parts
 * @param {string} [label]
 * @returns {SVGSVGElement}
 */
export function picture(viewBox, kinds, parts, label = "") {
  const told = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return s("svg", { class: kinds.filter(Boolean).join(" "), viewBox, focusable: "false", ...told }, ...parts);
}
