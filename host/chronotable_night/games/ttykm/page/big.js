// @ts-check
/** The big screen: the play page's boards, each turn in its beats. */

import { createBeats } from "/static/beats.js";
import { createEras, still } from "/static/eras.js";
import { tr } from "/static/language.js";
import { COLOURS, learn } from "/static/words.js";
import { createParts, lastOf, SIDES } from "./boards.js";

export { sheets } from "./boards.js";

/** @import { Frame, Happening, State } from "/night/static/types.js" */

/** The last turn stands between both seats. */
export const tells = 1;

const parts = createParts();
const eras = createEras(parts.boards, { places: parts.places, looks: parts.looks, players: parts.plates });
/** @type {State | null} */
let shown = null;
let told = () => {};
const beats = createBeats({ mine: () => [] }, () => (draw(), told()), (side) => parts.called(SIDES.indexOf(side)));

/** @param {State} state @param {Frame} _frame @param {boolean} [isAnimated] whether it is shown beat by beat, next */
export function board(state, _frame, isAnimated = false) {
  shown = state;
  parts.take(state);
  if (!isAnimated && !beats.isOn()) draw();
  return parts.boards;
}

function draw() {
  const { view, outcome } = /** @type {State} */ (shown);
  learn({ looks: parts.looks() });
  const winner = outcome?.winners[0];
  const moods = /** @type {import("/static/figures.js").Mood[]} */ (COLOURS.map((_, seat) => (winner === undefined ? "" : seat === winner ? "glad" : "sad")));
  const last = lastOf(/** @type {State} */ (shown));
  eras.show(beats.picture({ ...still(view?.shown, { south: 0, moods, last }), whose: parts.whose(), isDark: Boolean(outcome) }));
}

/**
 * Show the turn that was played as hands play it; each beat is said.
 * @param {State} before @param {State} state @param {Happening[]} _fresh @param {Frame} _frame
 * @param {(view: State["view"], says: string, line: string) => void} tell
 */
export async function animate(before, state, _fresh, _frame, tell) {
  for (const { view } of [before, state]) beats.see({ game: { id: state.name, last: view?.last } });
  if (!beats.isOn()) return draw();
  await new Promise((/** @type {(nothing: void) => void} */ done) => {
    told = () => {
      if (!beats.isOn()) return done();
      const { says, note } = beats.line();
      tell(state.view, says, note);
    };
    draw();
    told();
  });
}

/** @param {State} state @param {Frame} _frame @param {number} seat */
export function facts({ view }, _frame, seat) {
  const { supply, captured } = view?.shown;
  return tr("{colour}, {supply} in the supply, {lost} lost", { colour: COLOURS[seat], supply: supply[seat], lost: captured[seat] });
}

/** The boards stay when all is over. */
export const end = board;
