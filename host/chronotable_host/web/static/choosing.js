// @ts-check
/** What can be chosen at a place of the boards; where that is more than one thing, which of them. */

import { h } from "./dom.js";
import { wordOf } from "./eras.js";
import { markFigure } from "./figures.js";
import { tr } from "./language.js";
import { capital, spellAction } from "./words.js";

const LAPSE_MS = 2000; // after which a choice that was taken, and does not show, was taken back elsewhere

/**
 * @typedef {{at: number, text: string, meaning: number}} Choice
 * @typedef {{choices: Choice[], active: number | null, text: string,
 *   tips: [string, string][], refusals: {says: string[], at: number[]}}} Builder
 */

/**
 * Choose by places. `builder` is the turn in the making, `choose` takes the text of a choice, `back`
 * takes the last one back (both resolve to false where that is refused), `asks` is told that a place has several,
 * and `refuse` that nothing can be chosen at one.
 * @param {{builder: () => Builder | null | undefined, choose: (text: string) => Promise<unknown>,
 *   back: () => Promise<unknown>, asks: () => void, refuse?: (sensor: number, why: string) => void}} turn
 */
export function createChoosing({ builder, choose, back, asks, refuse }) {
  /** @type {{place: number, text: string} | null} a place at which more than one thing can be done, and what was chosen before */
  let only = null;
  /** The turn in the making that a choice is on its way to, until it shows: what is pressed meanwhile counts then. @type {{text: string} | null} */
  let awaited = null;
  /** @type {number[]} */
  let ahead = [];
  const at = (/** @type {number} */ place) => (builder()?.choices ?? []).filter((each) => each.at === place);

  /** @param {Promise<unknown>} answer false where it is refused */
  async function wait(answer) {
    const mine = (awaited = { text: builder()?.text ?? "" });
    const end = () => awaited === mine && goOn();
    if ((await answer) !== false) return setTimeout(end, LAPSE_MS);
    ahead = [];
    end();
  }

  function goOn() {
    awaited = null;
    const next = ahead.shift();
    if (next !== undefined) touch(next);
  }

  /** Choose what lies at a place; where there are several things, ask which. @param {number} sensor */
  function touch(sensor) {
    if (awaited) {
      // what the boards still offer may be meant in place of what was chosen; who presses twice means it once
      if (!at(sensor).length && sensor !== ahead.at(-1)) ahead.push(sensor);
      return;
    }
    const turn = builder();
    if (!turn) return refuse?.(sensor, "");
    const here = at(sensor);
    only = null;
    if (here.length === 1) take(here[0].text);
    else if (here.length) {
      only = { place: sensor, text: turn.text };
      asks();
    } else if (sensor === turn.active) wait(back());
    else refuse?.(sensor, turn.refusals.says[turn.refusals.at[sensor]]);
  }

  /** Take one of the choices. @param {string} text */
  function take(text) {
    wait(choose(text));
  }

  return {
    touch,
    take,
    back: () => void wait(back()),
    /** Note that the turn in the making may be another. */
    told() {
      if (!awaited || builder()?.text === awaited.text) return;
      if (!builder()) ahead = []; // it is made
      goOn();
    },
    /** What it is asked about, if anything. @returns {Choice[] | null} */
    asked() {
      const here = only?.text === builder()?.text && only ? at(only.place) : []; // what is chosen there is not asked about again
      if (here.length < 2) only = null;
      return only && here;
    },
    /** Ask no more. */
    forget() {
      only = null;
    },
  };
}

/**
 * Offer several things on the place itself: a button for each, with its mark and its word; none for null.
 * @param {ReturnType<typeof import("./eras.js").createEras>} eras
 * @param {{options: Choice[] | null, looks: import("./pieces.js").Looks, places: string[],
 *   choose: (text: string) => unknown, close: () => void}} how
 */
export function showFan(eras, { options, looks: { meanings }, places, choose, close }) {
  if (!options) return eras.fan(null);
  const isOne = (/** @type {number} */ meaning) => options.filter((each) => each.meaning === meaning).length === 1;
  const one = (/** @type {Choice} */ { text, meaning }) => {
    const word = isOne(meaning) ? wordOf(meanings[meaning]) : spellAction(text);
    return h("button", { type: "button", class: "option", on: { click: () => choose(text) } }, markFigure(meanings[meaning]), h("span", {}, capital(word)));
  };
  const cancel = h("button", { type: "button", on: { click: close } }, markFigure({ name: "no" }), h("span", {}, tr("Cancel")));
  const [{ at }] = options;
  eras.fan({ at, buttons: [...options.map(one), cancel], says: tr("What to do on {place}", { place: places[at] ?? "" }) });
}
