// @ts-check
/**
 * The hand at a virtual table. The server has the truth; what was asked for and is not yet in its
 * view is drawn as if it were, so that a piece never jumps back for a moment.
 */

import { SPACES } from "./geometry.js";

/** @import { Reply } from "./socket.js" */
/**
 * @typedef {{at: number, look: string}} Lying
 * @typedef {{piece: string, count: number}} Stock
 * @typedef {{pieces: Lying[], held: string[], box: Stock[]}} Seen what lies where, as it looks now
 * @typedef {{effect: (seen: Seen) => void, settled: boolean}} Pending
 * @typedef {ReturnType<typeof createHand>} Hand
 */

const NEXT_VIEW_MS = 400;
const MOST_VIEWS = 10;
const MARKER = "-focus";
const SIDES = ["white", "black"];

/**
 * What a button of the table is called and whose it is; `button undo white` and `button a`.
 * @param {string} sensor
 * @returns {{name: string, side: string}}
 */
export function buttonOf(sensor) {
  const [, name = "", side = ""] = sensor.split(" ");
  return { name, side };
}

/**
 * Make the hand. `act` asks the server and tells people why it refuses; `changed` is called
 * whenever things look different; `isFlat` tells looks that no hand takes, `light` what a light says.
 * @param {{act: (what: string, values: Record<string, unknown>) => Promise<boolean>,
 *   changed: () => void, isFlat: (look: string) => boolean, light: (at: number) => string}} links
 */
export function createHand({ act, changed, isFlat, light }) {
  /** @type {any} */
  let view = null;
  /** @type {Pending[]} */
  let pending = [];
  /** @type {Lying[]} */
  let origins = [];
  /** @type {(() => void)[]} */
  let awaiting = [];
  let chosen = "";
  /** Resolves once what was let go is asked to be put down. @type {Promise<unknown>} */
  let landed = Promise.resolve();

  /** Draw an effect from now on; the returned function ends that. */
  const pretend = (/** @type {Pending["effect"]} */ effect) => {
    const entry = { effect, settled: false };
    pending.push(entry);
    changed();
    return {
      settle: () => {
        entry.settled = true;
      },
      end: () => {
        if (!pending.includes(entry)) return;
        pending = pending.filter((other) => other !== entry);
        changed();
      },
    };
  };

  const run = async (
    /** @type {string} */ what,
    /** @type {Record<string, unknown>} */ values,
    /** @type {(seen: Seen) => void} */ effect,
    /** @type {Promise<unknown> | null} */ after = null,
  ) => {
    const pretence = pretend(effect);
    if (after) await after;
    const done = await act(what, values);
    pretence.settle();
    if (done) setTimeout(pretence.end, NEXT_VIEW_MS);
    else pretence.end();
    return done;
  };

  const seen = () => {
    /** @type {Seen} */
    const now = {
      pieces: [...(view?.pieces ?? [])],
      held: [...(view?.hand?.held ?? [])],
      box: (view?.hand?.box ?? []).map((/** @type {Stock} */ stock) => ({ ...stock })),
    };
    for (const { effect } of pending) effect(now);
    return now;
  };

  const topIn = (/** @type {Lying[]} */ pieces, /** @type {number} */ at) =>
    pieces.findLastIndex((piece) => piece.at === at && !isFlat(piece.look));

  const nextView = () =>
    new Promise((/** @type {(nothing: void) => void} */ resolve) => {
      awaiting.push(resolve);
      setTimeout(resolve, NEXT_VIEW_MS);
    });

  const hand = {
    /** Take the server's newest view. @param {any} next */
    see(next) {
      view = next;
      pending = pending.filter((entry) => !entry.settled);
      if (!pending.length) {
        origins = origins.filter(({ look }) => view.hand?.held.includes(look));
      }
      for (const resolve of awaiting.splice(0)) resolve();
    },

    seen,

    /** The look of what a hand would lift from a place, or null. @param {number} at */
    topAt(at) {
      const { pieces } = seen();
      return pieces[topIn(pieces, at)]?.look ?? null;
    },

    /** The piece that is placed next: held, or picked from the box; empty for none. */
    chosen() {
      const { held, box } = seen();
      if (held.includes(chosen)) return chosen;
      if (box.some(({ piece, count }) => piece === chosen && count > 0)) return chosen;
      return held[held.length - 1] ?? "";
    },

    /**
     * The piece that goes to a place with a click: the one that was chosen, else what hands would
     * put there. Where a piece was lifted comes the one that pushed it, and farther on the last
     * that was lifted; with an empty hand, what the light asks for comes out of the box.
     * @param {number} at
     */
    due(at) {
      const { held, box } = seen();
      const isChosen = held.includes(chosen) || box.some(({ piece, count }) => piece === chosen && count > 0);
      if (isChosen) return chosen;
      if (held.length) return carriedTo(at)?.look ?? hand.chosen();
      const isPlain = box.every(({ piece }) => SIDES.includes(piece) || piece.endsWith(MARKER));
      const asked = { todo_put_white: "white", todo_put_black: "black", todo_put: isPlain && at < SPACES ? view?.game?.mover : "" };
      return asked[/** @type {"todo_put"} */ (light(at))] ?? "";
    },

    /** Say which piece is placed next. @param {string} piece */
    choose(piece) {
      chosen = piece;
      changed();
    },

    /**
     * Lift what lies there, after what was let go is put down: it may be that. Resolves to the piece
     * that is then held, null where it was refused.
     * @param {number} at
     * @param {Promise<unknown> | null} [after]
     * @returns {Promise<string | null>}
     */
    async lift(at, after = landed) {
      const before = view?.hand?.held.length ?? 0;
      const look = hand.topAt(at) ?? "";
      const origin = { at, look };
      origins.push(origin);
      chosen = "";
      const done = await run("lift", { at }, (now) => {
        const index = topIn(now.pieces, at);
        if (index >= 0) now.held.push(now.pieces.splice(index, 1)[0].look);
      }, after);
      if (!done) {
        origins = origins.filter((other) => other !== origin);
        return null;
      }
      let held = view?.hand?.held ?? [];
      // a view that is late shows what the hand held before
      for (let views = 0; views < MOST_VIEWS && held.length <= before && !held.includes(look); views++) {
        await nextView();
        held = view?.hand?.held ?? [];
      }
      origin.look = held.includes(look) ? look : held[held.length - 1] ?? look;
      if (!origins.includes(origin) && held.length) origins.push(origin);
      changed();
      return origin.look;
    },

    /**
     * Put a piece there, out of the hand or else the box; `look` is how it is drawn meanwhile.
     * @param {number} at
     * @param {string} piece
     * @param {string} [look]
     */
    place(at, piece, look = piece) {
      leave(piece, carriedTo(at));
      return run("place", { at, piece }, placing(at, piece, look));
    },

    /**
     * Put down what was dragged, once it is known to be held; what lies there is lifted first.
     * @param {number} at
     * @param {string} look
     * @param {Promise<string | null>} lifted
     */
    land(at, look, lifted) {
      const pretence = pretend(placing(at, look, look));
      const put = lifted.then((piece) => {
        pretence.end();
        if (piece === null) return;
        if (hand.topAt(at) !== null) hand.lift(at, null);
        hand.place(at, piece, look);
      });
      landed = Promise.all([landed, put]);
    },

    /** Put a held piece into the box. @param {string} piece */
    putAway(piece) {
      leave(piece, undefined);
      return run("put_away", { piece }, (now) => {
        const index = now.held.indexOf(piece);
        if (index < 0) return;
        now.held.splice(index, 1);
        const stock = now.box.find((other) => other.piece === piece);
        if (stock) stock.count += 1;
      });
    },

    /** Tap a place. @param {number} at */
    tap: (at) => run("tap", { at }, () => {}),

    /**
     * Put a held piece back where it came from, or else into the box.
     * @param {string} [piece] the chosen one where it is not said
     */
    async back(piece = hand.chosen()) {
      chosen = "";
      if (!piece || !seen().held.includes(piece)) return changed();
      const origin = origins.findLast(({ look }) => look === piece);
      if (origin && hand.topAt(origin.at) === null) await hand.place(origin.at, piece);
      else await hand.putAway(piece);
    },

    /**
     * Tell whether a piece can lie on a reed at all: markers on their player's spots, all else
     * on spaces.
     * @param {string} piece
     * @param {number} at
     */
    fits(piece, at) {
      if (!piece.endsWith(MARKER)) return at < SPACES;
      const player = piece.startsWith("white") ? 0 : 1;
      return at >= SPACES + 3 * player && at < SPACES + 3 * player + 3;
    },
  };

  const placing =
    (/** @type {number} */ at, /** @type {string} */ piece, /** @type {string} */ look) =>
    (/** @type {Seen} */ now) => {
      if (topIn(now.pieces, at) >= 0) return;
      take(now, piece);
      now.pieces.push({ at, look });
    };

  /**
   * Which of the lifted pieces goes to a place, as hands push: the mover's first, each to where the
   * next one lay, the last one farther on.
   * @param {number} at
   */
  const carriedTo = (at) => {
    const { held } = seen();
    const carried = origins.filter(({ look }) => held.includes(look) && hand.fits(look, at));
    if (carried.length && !belongs(carried[0].look) && belongs(carried[carried.length - 1].look)) carried.reverse();
    const from = carried.findIndex((origin) => origin.at === at);
    return from < 0 ? carried[carried.length - 1] : carried[Math.max(0, from - 1)];
  };

  /** @param {string} piece @returns {boolean} whether it is the mover's */
  const belongs = (piece) => Boolean(piece) && piece.startsWith(view?.game?.mover ?? "");

  const leave = (/** @type {string} */ piece, /** @type {Lying | undefined} */ origin) => {
    const index = origin?.look === piece ? origins.indexOf(origin) : origins.findLastIndex(({ look }) => look === piece);
    if (index >= 0) origins.splice(index, 1);
    if (chosen === piece) chosen = "";
  };

  return hand;
}

/** @param {Seen} now @param {string} piece */
function take(now, piece) {
  const index = now.held.indexOf(piece);
  if (index >= 0) {
    now.held.splice(index, 1);
    return;
  }
  const stock = now.box.find((other) => other.piece === piece);
  if (stock) stock.count = Math.max(0, stock.count - 1);
}
