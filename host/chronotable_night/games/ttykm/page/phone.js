// @ts-check
/** A phone: the play page's boards, on which a turn is made as in just play. */

import { tr } from "/static/language.js";
import { createTips } from "/static/switches.js";
import { createTrying } from "/static/trying.js";
import { eraName, learn } from "/static/words.js";
import { createParts, lastOf, SIDES } from "./boards.js";

export { sheets } from "./boards.js";

/** @import { Frame, State } from "/night/static/types.js" */
/** @import { Tried } from "/static/trying.js" */

/** Nothing is hidden in this game: no lid, and the boards are seen by who waits, too. */
export const isPublic = true;

const parts = createParts();
const tip = createTips();
let shown = "";
/** The turn in the making, or as it is whole. @type {Tried | null} */
let made = null;
/** @type {{state: State, frame: Frame} | null} */
let now = null;

const trying = createTrying({
  boards: parts.boards,
  players: parts.plates,
  places: parts.places,
  looks: parts.looks,
  whose: parts.whose,
  south: () => (now?.state.seat === 1 ? 1 : 0),
  changed(told) {
    made = told;
    now?.frame.redraw();
  },
  played(whole) {
    made = whole;
    trying.show(whole.position, whole.story, whole.over);
    now?.frame.lift({ action: whole.turn ?? "", label: tr("Take this turn"), says: leadsTo(whole) });
  },
});

/** @param {State} state @param {Frame} frame */
export function field(state, frame) {
  now = { state, frame };
  const { view, seat, decision, outcome } = state;
  const winner = outcome ? SIDES[outcome.winners[0]] : null;
  const next = JSON.stringify([seat, view?.turns, view?.position, Boolean(decision)]);
  parts.take(state);
  learn({ looks: parts.looks() });
  if (next === shown) return parts.boards;
  shown = next;
  made = null;
  if (decision) begin();
  else trying.show(view?.shown, lastOf(state), winner);
  return parts.boards;
}

/** Begin the turn, some of which may be made already. @param {string[]} [words] */
function begin(words = []) {
  const { state } = /** @type {NonNullable<typeof now>} */ (now);
  trying.begin(state.view?.position, state.view?.options, lastOf(state), words);
}

/** Choices are made on the boards. */
export const hand = () => null;

/** What the turn in the making asks for, and how its last step is taken back. @param {State} state @param {Frame} frame */
export function making(state, frame) {
  if (!state.decision || !made) return null;
  const { turn, builder, says, note } = made;
  const again = () => {
    frame.lift(null);
    begin(turn?.split(" ").slice(0, -1));
  };
  return {
    headline: turn ? tr("Is that your turn?") : says,
    line: turn ? "" : note,
    says: builder ? tip(builder.tips) || tr("The marks on the boards say what can be done.") : "",
    label: tr("Take this turn"),
    back: turn ? again : trying.canBack() ? trying.back : null,
  };
}

/** What a whole turn leads to. @param {Tried} whole */
function leadsTo({ story, over, side }) {
  const did = `${story?.says}.`;
  if (over) return `${did} ${over === side ? tr("That wins the game.") : tr("That loses the game.")}`;
  return `${did} ${tr("Your focus goes to the {era}.", { era: eraName(story?.focus ?? "") })}`;
}

/** The boards stay when all is over. @param {State} state @param {Frame} frame */
export const end = field;
