// @ts-check
/** The play page's boards in a game of a night: where they stand, and who plays at their edges. */

import { h } from "/static/dom.js";
import { createPlate } from "/static/stage.js";
import { tr, trC } from "/static/language.js";
import { COLOURS } from "/static/words.js";

/** @import { State } from "/night/static/types.js" */

/** What the boards look like. */
export const sheets = ["/static/materials.css", "/static/eras.css"];

/** Both players, in the order of their seats. */
export const SIDES = ["white", "black"];

/** The last turn as it is marked; when all is over, only who died in it. @param {State} state */
export function lastOf({ view, outcome }) {
  return view?.last && { ...view.last, ...(outcome ? { path: [] } : { isCounted: true }) };
}

/** What a page draws of a game: `boards` is empty at first, `plates` are for its edges. */
export function createParts() {
  const boards = h("div", { class: "eras" });
  const plates = SIDES.map((_, seat) => createPlate(seat, false));
  /** @type {State | null} */
  let state = null;
  const called = (/** @type {number} */ seat) => (seat === state?.seat ? trC("player", "You") : (state?.players[seat]?.name ?? ""));

  return {
    boards,
    plates: plates.map(({ element }) => element),
    /** Take what there is to see, and say on the plates who plays. @param {State} now */
    take(now) {
      state = now;
      const { supply, captured, mover } = now.view?.shown;
      plates.forEach((plate, seat) => {
        const isMoving = now.phase === "play" && mover === SIDES[seat];
        plate.show({ isMoving, name: called(seat), seat: COLOURS[seat], supply: supply[seat], lost: captured[seat] });
      });
    },
    places: () => state?.printed.places ?? [],
    looks: () => state?.printed.looks,
    called,
    whose: () => SIDES.map((_, seat) => (seat === state?.seat ? tr("Your focus") : tr("{player}’s focus", { player: called(seat) }))),
  };
}
