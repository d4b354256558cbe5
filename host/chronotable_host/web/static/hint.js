// @ts-check
/** A hint, beat by beat: the copy, the target of each action, and the eye; each until it is done. */

import { wordOf } from "./eras.js";
import { tr } from "./language.js";
import { capital, eraName } from "./words.js";

/** @import { Table } from "./table.js" */

const COPY = 1;

/**
 * Make what shows hints; `changed` draws anew. The server gives the copy first, then the whole turn,
 * of which this shows as much as was asked for.
 * @param {Table} table
 * @param {() => void} changed
 */
export function createHint(table, changed) {
  let at = 0; // beats that are shown
  let isQuiet = false; // who has seen enough has the tools again, and the marks stay
  let position = "";

  const given = () => (table.view.builder && table.mine().includes(table.view.game?.mover) ? table.view.hint : null);
  const count = () => (given()?.turn?.path.length ?? 0) + 1; // a beat for each place, and the eye
  /** How much of the turn is made already as it was hinted, -1 where another one is made. */
  function done() {
    const { text, active } = table.view.builder;
    const { turn, copy } = given();
    const actions = text ? text.split(" ").length - 1 : -1;
    return actions < 0 ? 0 : active === (turn ? turn.path : [copy])[actions] || active === null ? actions + 1 : -1;
  }
  function see() {
    const now = `${table.view.game?.id} ${table.view.game?.position}`;
    if (now !== position || !given()) at = 0;
    position = now;
    if (given()?.step) at = Math.max(at, table.view.lesson ? count() : 1); // an analysis shows all at once
  }
  async function next() {
    isQuiet = false;
    const { step } = given() ?? {};
    if (step !== COPY + 1) await table.act("hint");
    if (step) at = Math.max(at, done()) + 1;
    changed();
  }
  const quiet = (/** @type {number} */ to) => () => {
    [at, isQuiet] = [to, to === at];
    changed();
  };

  return {
    next,
    /** Whether the strip is the hint's. */
    isTold: () => (see(), Boolean(given()) && !isQuiet && (given().thinking || (done() >= 0 && at > done()))),
    /** Whether there is one for what was chosen so far. */
    isDue: () => Boolean(given()) && done() >= 0,
    /** What the boards show of it. @returns {import("./eras.js").Way | null} */
    way() {
      see();
      const hint = given();
      if (!hint || !at || done() < 0) return null;
      const { path, died, focus } = hint.turn ?? { path: hint.copy === null ? [] : [hint.copy], died: [], focus: "" };
      return { path: path.slice(0, Math.max(at, done())), died: [], player: table.view.game.mover, focus: at >= count() && died ? focus : "", done: done() };
    },
    /** What the strip says of it. */
    line() {
      const { thinking, turn } = given();
      const word = (/** @type {number} */ action) => wordOf(table.looks().meanings[turn?.kinds[action]]) || tr("act");
      const means = (/** @type {number} */ action) => table.looks().meanings[turn?.kinds[action]]?.means ?? "";
      const enough = { text: tr("Enough"), press: quiet(0) };
      const steps = /** @type {[number, number]} */ ([Math.max(0, at - 1), turn ? count() : 4]);
      if (thinking || (at > 1 && !turn)) return { says: tr("A hint"), note: tr("It is being thought about …"), steps, acts: [] };
      if (turn && at >= count()) {
        const again = { text: tr("From the start"), press: quiet(1) };
        return { says: tr("Last: look to the {era}", { era: eraName(turn.focus) }), note: tr("That is the whole turn. The marks stay until you have done it."), steps, acts: [again, { text: tr("I will do it"), look: "primary", press: quiet(at) }] };
      }
      const following = [tr("Next: the first action"), at + 1 === count() ? tr("Next: the eye") : tr("Next: the second action"), tr("Next: the eye")];
      const onward = { text: following[at - 1], look: "primary", press: next };
      if (at === 1) return { says: tr("This copy"), note: tr("The one in the frame. Choose it, or look at the rest first."), steps, acts: [enough, onward] };
      const says = at === 2 ? tr("First: {what}", { what: word(0) }) : tr("Second: {what}", { what: word(1) });
      return { says, note: capital(means(at - 2)), steps, acts: [enough, onward] };
    },
  };
}
