// @ts-check
/** What the pages of all games are drawn with: glyphs, cards, lids, places, dots of who thinks. */

import { h, s } from "/static/dom.js";
import { tr } from "/static/language.js";
import { eyeOf, picture } from "/night/static/figures.js";

/**
 * A glyph of 24 by 24: paths, each filled (""), a line ("wire") or cut out ("cut").
 * @typedef {["" | "wire" | "cut", string][]} Shape
 */

/** A circle as a path. @param {number} x @param {number} y @param {number} r @returns {string} */
export function disc(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

const SHAPES = /** @type {Record<string, Shape>} */ ({
  event: [["", "M6 2.5h12v3q0 4-4 6.5 4 2.5 4 6.5v3H6v-3q0-4 4-6.5-4-2.5-4-6.5z"]],
  check: [["wire", "M4 13l5.5 5.5L20 6"]],
  more: [["wire", "M4 6h16M4 12h16M4 18h16"]],
  close: [["wire", "M5 5l14 14M19 5L5 19"]],
});

/**
 * Draw a glyph.
 * @param {string | Shape} shape or the name of one that all games share: event, check, more, close
 * @param {string} [kind] a class of its own
 * @param {string} [label] where no word stands beside it
 * @returns {SVGSVGElement}
 */
export function glyph(shape, kind = "", label = "") {
  const parts = typeof shape === "string" ? SHAPES[shape] : shape;
  const paths = parts.map(([how, d]) => s("path", { class: how || undefined, d }));
  return picture("0 0 24 24", ["glyph", kind], paths, label);
}

/**
 * Draw a card: a button where it may be touched (`press`), else a picture.
 *
 * `how` is "can" (may be played), "on" (lifted), "no" (may not) or "" (just lies there); further
 * classes may follow. `hue` gives its suit: a class that sets `--h`. `reason` is why it may not.
 * @param {{label: string, value?: string | number, shape?: Shape | null, text?: string, hue?: string,
 *   how?: string, reason?: string, press?: (() => void) | null}} card
 * @returns {HTMLElement}
 */
export function card({ label, value = "", shape = null, text = "", hue = "", how = "", reason = "", press = null }) {
  const inside = [
    value === "" ? null : h("b", {}, value),
    shape ? glyph(shape) : null,
    text ? h("small", {}, text) : null,
  ];
  const kind = ["card", hue, how].filter(Boolean).join(" ");
  const told = reason ? `${label}: ${reason}` : label;
  if (!press) return h("span", { class: kind, role: "img", "aria-label": told }, ...inside);
  const isOn = how.split(" ").includes("on");
  const can = how.split(" ").includes("no") ? "true" : null;
  return h(
    "button",
    { type: "button", class: kind, "aria-label": told, "aria-pressed": String(isOn), "aria-disabled": can, on: { click: press } },
    ...inside,
  );
}

/** Draw the back of a card. @returns {HTMLElement} */
export function cardBack() {
  return h("span", { class: "card back" }, eyeOf("shut"));
}

/** Draw so many backs in a row. @param {number} n @param {string} label @returns {HTMLElement} */
export function lids(n, label) {
  return h("div", { class: "lids", role: "img", "aria-label": label }, ...Array.from({ length: n }, cardBack));
}

/** Dots of who thinks. @returns {HTMLElement} */
export function thinking() {
  const dots = [0, 1, 2].map(() => h("i"));
  return h("span", { class: "dots", role: "img", "aria-label": tr("thinks") }, ...dots);
}
