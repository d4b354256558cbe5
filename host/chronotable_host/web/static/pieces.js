// @ts-check
/** Pieces as the server draws them, and a plain disc for what it has no drawing of. */

import { s } from "./dom.js";

/**
 * @typedef {{name: string, svg: string}} PieceLook
 * @typedef {{name: string, colour: string, rhythm: string, says: string,
 *   word?: string, cut?: string}} MeaningLook word and cut: of marks that not every game has
 * @typedef {{meanings: MeaningLook[], pieces: Record<string, PieceLook>}} Looks
 */

/**
 * Draw a piece around 0,0, in millimetres for a space of 40 mm.
 * @param {Looks} looks
 * @param {string} look
 * @returns {SVGGElement}
 */
export function pieceNode(looks, look) {
  const group = s("g", { class: "piece", "data-look": look });
  const drawn = parsed(looks.pieces?.[look]?.svg ?? "");
  if (drawn.length) group.append(...drawn);
  else group.append(s("circle", { class: "unknown-piece", r: 10.8 }));
  return group;
}

/**
 * A piece as a picture of its own, for lists, trays and the hand.
 * @param {Looks} looks
 * @param {string} look
 * @returns {SVGSVGElement}
 */
export function pieceIcon(looks, look) {
  const view = { viewBox: "-15 -15 30 30", "aria-hidden": "true", focusable: "false" };
  return s("svg", { class: "piece-icon", ...view }, pieceNode(looks, look));
}

/**
 * Name a piece for people, as `black copy`.
 * @param {Looks} looks
 * @param {string} look
 * @returns {string}
 */
export function pieceName(looks, look) {
  return looks.pieces?.[look]?.name ?? look.replaceAll("-", " ");
}

/** @type {Map<string, Element[]>} */
const known = new Map();

/** @param {string} markup @returns {Node[]} copies of its elements; none where it is no markup */
function parsed(markup) {
  let elements = known.get(markup);
  if (!elements) {
    const text = `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    elements = root.querySelector("parsererror") ? [] : [...root.children];
    known.set(markup, elements);
  }
  return elements.map((element) => document.importNode(element, true));
}
