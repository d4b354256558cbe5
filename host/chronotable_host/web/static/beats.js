// @ts-check
/** Turns of others as they were played: the copy, its first action, its second, and then the focus. */

import { tr } from "./language.js";
import { createSwitch } from "./switches.js";
import { eraName, sideName, SIDES, within } from "./words.js";

/** @import { Table } from "./table.js" */

const BEAT_MS = 960; // what moves, and the pause until the next
const LATE_MS = 400; // a tap that was meant for what was shown comes later than its end
/** Whether turns of others are shown beat by beat on this screen. */
export const wanted = createSwitch("beats", true);
const slow = createSwitch("slow");

/**
 * Make what plays turns; `see` is told of each view, `changed` is called when the next beat is due,
 * `called` says what the player of a side is called.
 * @param {Pick<Table, "mine">} table
 * @param {() => void} changed
 * @param {(side: string) => string} [called]
 */
export function createBeats(table, changed, called = sideName) {
  /** The turn that is played, and how far. @type {{turn: any, at: number} | null} */
  let playing = null;
  let known = { id: "", no: Infinity };
  let timer = 0;
  let ended = -LATE_MS;
  const count = () => (playing?.turn.path.length ? playing.turn.beats.length + 2 : 1);

  function end() {
    clearTimeout(timer);
    if (playing) ended = performance.now();
    playing = null;
  }
  function wait() {
    timer = setTimeout(() => {
      if (playing && (playing.at += 1) < count()) wait();
      else end();
      changed();
    }, BEAT_MS * (slow.isOn() ? 2 : 1));
  }

  return {
    /** Begin to play a turn that has come. @param {any} view */
    see({ game }) {
      const last = game?.last;
      const now = { id: game?.id ?? "", no: last?.no ?? 0 };
      const isNext = now.id === known.id && now.no === known.no + 1;
      if (now.id !== known.id || now.no !== known.no) end();
      known = now;
      if (!isNext || !last.beats || !wanted.isOn() || table.mine().includes(last.player)) return;
      playing = { turn: last, at: 0 };
      wait();
    },
    isOn: () => Boolean(playing),
    /** Whether who taps now has not seen yet that it is over. */
    isJustOver: () => !playing && performance.now() - ended < LATE_MS,
    skip() {
      end();
      changed();
    },
    /** What the boards show meanwhile. @param {import("./eras.js").Picture} now @returns {import("./eras.js").Picture} */
    picture(now) {
      if (!playing) return now;
      const { turn, at } = playing;
      const { player, path, beats, before, focus } = turn;
      const mover = SIDES.indexOf(player);
      const isEye = at === count() - 1;
      const done = beats[Math.min(at, beats.length) - 1];
      return {
        ...now,
        mover,
        leds: [],
        choices: [],
        hinted: null,
        choosing: false,
        isDark: false,
        active: !isEye && at === 0 ? path[0] : null,
        pieces: isEye ? now.pieces : (done ?? before).pieces,
        focus: now.focus.map((era, of) => (of !== mover ? era : isEye ? focus : before.focus)),
        last: done ? { path: path.slice(0, at + 1), died: done.died, player, isCounted: true } : null,
      };
    },
    /** What the strip says meanwhile. */
    line() {
      const { turn, at } = /** @type {NonNullable<typeof playing>} */ (playing);
      const { player: side, beats, before, focus } = turn;
      const player = called(side);
      const era = { player, era: eraName(at === count() - 1 ? focus : before.focus) };
      const did = beats[at - 1] ? tr("{player} {did}.", { player, did: within(beats[at - 1].says) }) : "";
      const [says, note] =
        at === count() - 1
          ? [tr("{player}’s focus: the {era}", era), tr("There {player} acts next.", { player })]
          : at === 0
            ? [tr("{player} moves this copy", { player }), tr("In the {era}, in the light of {player}’s focus.", era)]
            : [at === 1 ? tr("{player}’s first action", { player }) : tr("{player}’s second action", { player }), did];
      return {
        player: SIDES.indexOf(side),
        says,
        note,
        steps: /** @type {[number, number]} */ ([at, count()]),
        acts: [
          { text: slow.isOn() ? tr("Faster") : tr("Slower"), press: slow.turn },
          { text: tr("Skip"), press: this.skip },
        ],
      };
    },
  };
}
