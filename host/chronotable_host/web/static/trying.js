// @ts-check
/** Turns that are tried at any position, for both players; nothing of them is kept by the server. */

import { ask } from "./answers.js";
import { createChoosing, showFan } from "./choosing.js";
import { createEras } from "./eras.js";
import { tr } from "./language.js";
import { note, say } from "./speak.js";
import { COLOURS, SIDES } from "./words.js";

/**
 * What a turn did: `path` are places, 0..47, `focus` is the era that the focus went to.
 * @typedef {import("./answers.js").Story & {player: "white" | "black"}} Told
 * A turn in the making, and once it is whole: `turn` is its text and `story` what it did, else null;
 * `position` is that after what was chosen, `over` who has won.
 * @typedef {{side: "white" | "black", says: string, note: string, leds: number[],
 *   builder: import("./choosing.js").Builder | null, turn: string | null, story: Told | null,
 *   position: import("./answers.js").Position, over: "white" | "black" | null}} Tried
 */

const NO_LIGHTS = /** @type {number[]} */ ([]);

/**
 * Make boards on which turns are tried, by click, key or drag. `boards` is an empty element for the
 * eras, `players` are the plates at their edges; `south` is the player at the lower edge. `changed` hears what there is to choose, once it is shown; `played`
 * hears a whole turn, and then says what is to be shown: `begin` or `show`; `hinted` is the way of a hint,
 * `whose` says whose focus each is.
 * @param {{boards: HTMLElement, players: HTMLElement[], places: () => string[],
 *   looks: () => import("./pieces.js").Looks, south: () => number,
 *   hinted?: () => import("./eras.js").Way | null, whose?: () => string[],
 *   changed: (now: Tried) => void, played: (whole: Tried) => void}} of
 */
export function createTrying({ boards, players, places, looks, south, changed, played, hinted = () => null, whose = focuses }) {
  /** What is tried: a position as text, the options of the rules, the turn before it. */
  let from = { position: "", options: "", last: /** @type {Told | null} */ (null) };
  /** @type {string[]} */
  let choices = [];
  /** @type {Tried | null} */
  let now = null;
  /** @type {import("./eras.js").Way | null} a turn that is shown in the place of the last one */
  let shown = null;
  let redraw = () => {};
  let number = 0; // of the newest question: the answers to others come too late

  const choose = (/** @type {string} */ text) => go([...choices, text]);
  const back = () => (choices.length ? go(choices.slice(0, -1)) : Promise.resolve());
  const choosing = createChoosing({ builder: () => now?.builder, choose, back, asks: () => drawFan(), refuse: (_, why) => note(why, "news") });
  const eras = createEras(boards, { places, looks, choose: choosing.touch, players });

  boards.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !choices.length) return;
    event.preventDefault();
    back();
  });

  /** Ask what these choices come to. @param {string[]} next */
  async function go(next) {
    const mine = ++number;
    const { position, options } = from;
    boards.ariaBusy = "true";
    try {
      const asked = new URLSearchParams({ position, options, choices: next.join(";") });
      /** @type {Tried} */
      const told = await ask(`/api/try?${asked}`);
      if (mine !== number) return;
      choices = told.turn ? [] : next;
      now = told.turn ? null : told;
      choosing.forget();
      if (told.turn) return played(told);
      boards.ariaBusy = "false";
      draw(told);
      choosing.told();
    } catch (error) {
      if (mine !== number) return;
      boards.ariaBusy = "false";
      note(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** @param {Tried} told */
  function drawBoards(told) {
    redraw = () => drawBoards(told);
    const [last, way] = choices.length ? [null, null] : [shown ? null : from.last, shown];
    eras.show({ ...picture(told.position, told.leds, last, told.builder, told.over), way });
  }

  /** @param {Tried} told */
  function draw(told) {
    drawBoards(told);
    drawFan();
    if (told.says) say(told.says);
    changed(told);
  }

  function drawFan() {
    showFan(eras, { options: choosing.asked(), looks: looks(), places: places(), choose: choosing.take, close: () => (choosing.forget(), drawFan()) });
  }

  /**
   * @param {import("./answers.js").Position} position
   * @param {number[]} leds
   * @param {Told | null} last
   * @param {import("./choosing.js").Builder | null} builder
   * @param {string | null} winner
   * @returns {import("./eras.js").Picture}
   */
  function picture({ pieces, focus, mover }, leds, last, builder, winner) {
    return {
      pieces,
      leds,
      focus,
      mover: SIDES.indexOf(mover),
      active: builder?.active ?? null,
      choosing: Boolean(builder),
      choices: builder?.choices,
      hinted: builder && hinted(),
      isDark: Boolean(winner) || builder?.due === "focus",
      south: south(),
      whose: whose(),
      put: COLOURS.map((player) => (era) => tr("Put {player}’s focus to the {era}", { player, era })),
      moods: SIDES.map((side) => (!winner ? "" : side === winner ? "glad" : "sad")),
      last,
      steps: [],
    };
  }

  return {
    /**
     * Have turns tried at a position; `last` is the turn before it, to be marked, and `made` what is
     * chosen already.
     * @param {string} position @param {string} [options] @param {Told | null} [last] @param {string[]} [made]
     */
    begin(position, options = "", last = null, made = []) {
      from = { position, options, last };
      choices = [];
      now = shown = null;
      choosing.told();
      return go(made);
    },
    /**
     * Show a position at which nothing is to be chosen, with a way over it.
     * @param {import("./answers.js").Position} position @param {Told | null} last @param {string | null} [winner]
     */
    show(position, last, winner = null) {
      number += 1;
      boards.ariaBusy = "false";
      choices = [];
      now = shown = null;
      choosing.told();
      choosing.forget();
      drawFan();
      redraw = () => eras.show(picture(position, NO_LIGHTS, last, null, winner));
      redraw();
    },
    /** Show the way of a turn that could be played. @param {import("./eras.js").Way | null} way */
    point(way) {
      if (JSON.stringify(shown) === JSON.stringify(way)) return;
      shown = way;
      if (now) drawBoards(now);
    },
    /** Draw the boards once more: they are to look otherwise. */
    redraw: () => redraw(),
    /** Take the last choice back. */
    back,
    /** Whether there is a choice to take back. */
    canBack: () => choices.length > 0,
  };
}

function focuses() {
  return [tr("White’s focus"), tr("Black’s focus")];
}

/**
 * Ask what a whole turn does.
 * @param {string} position @param {string} options @param {string} turn as it is written
 * @returns {Promise<Tried & {turn: string, story: Told}>}
 */
export function tried(position, options, turn) {
  return ask(`/api/try?${new URLSearchParams({ position, options, choices: turn.replaceAll(" ", ";") })}`);
}
