// @ts-check
/**
 * What stands beside a replay's headline: how good the turn was, and what was better; before that,
 * how to have the game analysed, and how far that is.
 */

import { fill, h, whenChanged } from "./dom.js";
import { tr, trC } from "./language.js";
import { button } from "./parts.js";
import { note } from "./speak.js";
import { LEVEL, betterText, summaryText, verdictFigure, verdictName } from "./verdicts.js";
import { bothCalled, capital } from "./words.js";

/** @import { Game } from "./replay.js" */
/**
 * How far an analysis is that somebody asked for.
 * `no` is of this one alone.
 * @typedef {{no: number, game: string, done: number, turns: number, is_on: boolean, why: string}} Judging
 */

const ANNOTATOR = /^Chronotable, level ([4-8])(?:, checked)?$/;

/**
 * Make it. `flip` is called where the better turn is to be shown, or no longer; `isOn` tells whether
 * the game is still played.
 * @param {import("./socket.js").Ask} request
 * @param {string} id of the game
 * @param {boolean} isOn
 * @param {() => void} flip
 */
export function createVerdict(request, id, isOn, flip) {
  const element = h("div", { class: "verdict" });
  /** @type {Judging | null | undefined} undefined until the first was heard of */
  let judging;
  /** @type {[Game, number, boolean] | null} */
  let shown = null;

  const ask = async (/** @type {string} */ what, values = {}) => {
    const { ok, why } = await request(what, values);
    if (!ok) note(why ?? tr("This game cannot be analysed now."));
  };
  /** As an analysis was begun, it goes on. */
  const begin = () => {
    const [, level = LEVEL] = shown?.[0].headers.Annotator?.match(ANNOTATOR) ?? [];
    return ask("judge", { game: id, level: Number(level) });
  };

  // they stay while the analysis goes on: who presses a button takes longer than it does for a turn
  const bar = h("progress", { "aria-label": tr("Analysis") });
  const count = h("span");
  const stop = button(tr("Stop"), () => ask("stop_judging"));

  const fillWith = whenChanged((/** @type {any} */ what) => {
    const hadFocus = element.contains(document.activeElement);
    fill(element, ...contents(what));
    if (hadFocus) element.querySelector("button")?.focus({ preventScroll: true });
  });

  /** @param {any} what */
  function contents({ running, offer, mark, better, isBetter, summary }) {
    if (running) return [bar, count, stop];
    if (offer) return [button(offer, begin)];
    if (summary) return [h("span", {}, summary)];
    if (!mark) return [];
    const told = [verdictFigure(mark), h("b", {}, capital(verdictName(mark)))];
    if (!better) return [h("span", { class: "judgement" }, told)];
    return [h("button", { type: "button", class: "judgement", "aria-pressed": String(isBetter), title: tr("Show the better turn"), on: { click: flip } }, told)];
  }

  function draw() {
    if (!shown) return;
    const [{ turns, headers }, at, isBetter] = shown;
    const turn = turns[at - 1];
    const running = judging?.is_on && judging.game === id ? judging : null;
    const isDone = turns.every(({ said }) => said);
    const isBegun = Boolean(turns[0]?.said);
    const offer = isOn || !turns.length || isDone || turn?.said ? "" : isBegun ? tr("Go on analysing") : trC("knob", "Analyse");
    if (running) {
      bar.max = running.turns || 1;
      bar.value = running.done;
      fill(count, running.turns ? tr("{done} of {turns}", { done: running.done, turns: running.turns }) : tr("beginning …"));
    }
    fillWith({
      running: Boolean(running),
      offer,
      mark: turn?.said?.mark ?? "",
      better: turn ? betterText(turn) : "",
      isBetter,
      summary: at || !isBegun ? "" : summaryText(turns, bothCalled([headers.White, headers.Black])),
    });
  }

  /**
   * Whether one of this game has ended between two views; a short one may lie between them whole.
   * @param {Judging | null | undefined} before
   * @param {Judging | null} next
   */
  function hasEnded(before, next) {
    if (before?.is_on && before.game === id) return !next?.is_on || next.no !== before.no;
    return before !== undefined && next?.game === id && !next.is_on && next.no !== before?.no;
  }

  return {
    element,
    /** @param {Game} game @param {number} at @param {boolean} isBetter whether the better turn is shown */
    show(game, at, isBetter) {
      shown = [game, at, isBetter];
      draw();
    },
    /**
     * Take note of how far an analysis is; tell whether one of this game has just ended.
     * @param {Judging | null} next
     */
    hear(next) {
      const before = judging;
      judging = next;
      draw();
      if (!hasEnded(before, next)) return false;
      if (next?.game === id && next.why) note(next.why);
      return true;
    },
  };
}
