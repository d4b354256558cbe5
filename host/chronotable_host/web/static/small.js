// @ts-check
/** A position as a small picture for lists: three boards, each in its era's colour, and who stands there. */

import { s } from "./dom.js";

const ERAS = ["past", "present", "future"];
const PAWN = "M5 1a2.4 2.4 0 0 0-1.7 4.2C2 5.9 1.4 7.2 1.4 9h7.2c0-1.8-.6-3.1-1.9-3.8A2.4 2.4 0 0 0 5 1z";

/**
 * Draw a position as White sees it.
 * @param {{at: number, look: string}[]} pieces
 * @returns {SVGSVGElement}
 */
export function smallBoards(pieces) {
  /** Where a space lies. @param {number} at */
  const place = (at) => [48 * Math.floor(at / 16) + 11 * (3 - (at % 4)), 11 * (3 - Math.floor((at % 16) / 4))];
  const spaces = Array.from({ length: 48 }, (_, at) => {
    const [x, y] = place(at);
    const era = Math.floor(at / 16);
    return s("rect", { class: `sq ${ERAS[era]}`, x, y, width: 10, height: 10, rx: [1, 2.5, 4][era] });
  });
  const copies = pieces.filter(({ at, look }) => at < 48 && (look === "white" || look === "black"));
  const pawns = copies.map(({ at, look }) => s("path", { class: `pawn ${look[0]}`, d: PAWN, transform: `translate(${place(at)})` }));
  return s("svg", { class: "small-boards", viewBox: "-1 -1 141 45", "aria-hidden": "true", focusable: "false" }, ...spaces, ...pawns);
}
