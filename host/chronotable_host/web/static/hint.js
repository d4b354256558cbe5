// @ts-check
/** A hint, beat by beat: the copy, the target of each action, and the focus; each until it is done. */

import { wordOf } from "./eras.js";
import { tr } from "./language.js";
import { capital, eraName } from "./words.js";

/**
 * A hint as the server has it: `step` is how far it was given, `copy` the place of who acts, `turn` the
 * whole of it, with why its focus goes there and the lights that offer its actions.
 * @typedef {{step: number, thinking: boolean, copy: number | null,
 *   turn: {path: number[], died: any[], focus: string, why: string, kinds: number[]} | null}} Hint
 */

const COPY = 1;
const SPACES = 16; // of an era

/**
 * Make what shows hints; `changed` draws anew. The server gives the copy first, then the whole turn,
 * of which this shows as much as was asked for. `given` is the hint of a turn that is made here, `builder`
 * that turn, `at` names the position, `player` is who makes it, `back` takes its last choice back; where
 * it `isWhole` all is shown at once.
 * @param {{given: () => Hint | null, builder: () => {text: string, active: number | null},
 *   at: () => string, player: () => string, isWhole?: () => boolean, ask: () => Promise<unknown>,
 *   back: () => unknown, looks: () => import("./pieces.js").Looks}} of
 * @param {() => void} changed
 */
export function createHint({ given, builder, at: place, player, isWhole = () => false, ask, back, looks }, changed) {
  let at = 0; // beats that are shown
  let isQuiet = false; // who has seen enough, or does it, has the tools again
  let asked = ""; // what was chosen when it was asked for: only then it is told that it differs
  let position = "";

  const hint = () => /** @type {Hint} */ (given());
  const count = () => (given()?.turn?.path.length ?? 0) + 1; // a beat for each place, and the focus
  const chosen = () => builder().text.split(" ").filter(Boolean);
  /** How much of the turn is made already as it was hinted, -1 where another one is made. */
  function done() {
    const { active } = builder();
    const { turn, copy } = hint();
    const made = chosen().length;
    const isSame = !made || copy === null || active === null || active === (turn ? turn.path : [copy])[made - 1];
    return isSame ? made : -1;
  }
  function see() {
    const now = place();
    if (now !== position || !given()) at = 0;
    position = now;
    if (given()?.step && !isQuiet) at = Math.max(at, isWhole() ? count() : 1); // an analysis shows all at once
  }
  async function next() {
    isQuiet = false;
    asked = builder().text;
    const { step } = given() ?? {};
    if (step !== COPY + 1) await ask();
    if (!step && asked) await ask(); // who has a copy already asks for the way
    if (step || asked) at = Math.max(at, chosen().length) + 1;
    changed();
  }
  const show = (/** @type {number} */ to, quietly = true) => () => {
    [at, isQuiet] = [to, quietly];
    changed();
  };

  return {
    next,
    /** Whether the strip is the hint's. */
    isTold: () => (see(), Boolean(given()) && !isQuiet && (hint().thinking || (done() < 0 ? asked === builder().text : at > done()))),
    /** Whether one can be asked for. */
    isDue: () => Boolean(given()),
    /** What the boards show of it. @returns {import("./eras.js").Way | null} */
    way() {
      see();
      const now = given();
      const isElse = now && done() < 0;
      if (!now || !at || (isElse && (isQuiet || asked !== builder().text))) return null;
      if (isElse) return { path: [/** @type {number} */ (now.copy)], died: [], player: player(), focus: "", done: 0 };
      const { path, died, focus } = now.turn ?? { path: now.copy === null ? [] : [now.copy], died: null, focus: "" };
      return { path: path.slice(0, Math.max(at, done())), died: [], player: player(), focus: at >= count() && died ? focus : "", done: done() };
    },
    /** What the strip says of it. */
    line() {
      const { thinking, turn, copy } = hint();
      const kind = (/** @type {number} */ action) => looks().meanings[turn?.kinds[action] ?? -1];
      const word = (/** @type {number} */ action) => wordOf(kind(action)) || tr("act");
      const means = (/** @type {number} */ action) => kind(action)?.means ?? "";
      const enough = { text: tr("Enough"), press: show(0) };
      const steps = /** @type {[number, number]} */ ([Math.max(0, at - 1), turn ? count() : 4]);
      const following = [tr("Next: the first action"), at + 1 === count() ? tr("Next: the focus") : tr("Next: the second action"), tr("Next: the focus")];
      const onward = { text: following[at - 1], look: "primary", press: next };
      // the buttons have their places already: who taps for more meets no other one
      if (thinking || (at > 1 && !turn)) return { says: tr("A hint"), note: tr("It is being thought about …"), steps, acts: [enough, { ...onward, off: true }] };
      if (done() < 0) {
        const isCopy = Number(chosen()[0]) - 1 !== (copy ?? 0) % SPACES;
        const other = isCopy ? [tr("Another copy is better"), tr("The one in the frame. Let yours go for it, or play on.")] : [tr("Another action is better"), tr("Take yours back to see which, or play on.")];
        const release = { text: tr("Take it back"), look: "primary", press: () => ((at = chosen().length), back()) };
        return { says: other[0], note: other[1], steps: null, acts: [{ text: tr("Play on"), press: show(at) }, release] };
      }
      if (turn && at >= count()) {
        const again = { text: tr("From the start"), press: show(1, false) };
        return { says: tr("Focus on the {era}", { era: eraName(turn.focus) }), note: turn.why, steps, acts: [again, { text: tr("I will do it"), look: "primary", press: show(at) }] };
      }
      if (at === 1) return { says: tr("This copy"), note: tr("The one in the frame. Choose it, or look at the rest first."), steps, acts: [enough, onward] };
      const says = at === 2 ? tr("First: {what}", { what: word(0) }) : tr("Second: {what}", { what: word(1) });
      return { says, note: capital(means(at - 2)), steps, acts: [enough, onward] };
    },
  };
}
