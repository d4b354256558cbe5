// @ts-check
/** A card or event as it is printed, for who enters it. */

import { gadget, printedOn } from "./parts.js";

/** @param {any} printed @param {number} number */
export function sample(printed, number) {
  const state = /** @type {import("/night/static/types.js").State} */ ({ printed });
  return gadget(state, number, { text: printedOn(state, number).about });
}
