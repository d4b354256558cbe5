// @ts-check
/**
 * Sounds for a turn, a death, the end of a game, and what a table asks or finds wrong, for who wants
 * them, but not at night: the page makes them itself. And turns in words, in the browser's voice.
 */

import { h } from "./dom.js";
import { language, tr } from "./language.js";
import { toggle } from "./parts.js";
import { createSwitch } from "./switches.js";
import { isNight } from "./table.js";

/** @import { Table } from "./table.js" */
/** From one pitch to another, in Hz, from a time on, for a time, in seconds. @typedef {[number, number, number, number]} Tone */

const sounds = createSwitch("sounds");
const spoken = createSwitch("spoken");
const LOUDNESS = 0.12;
const SOUNDS = /** @type {Record<"turn" | "death" | "end" | "question" | "wrong", Tone[]>} */ ({
  turn: [[523, 392, 0, 0.12]],
  death: [
    [523, 392, 0, 0.12],
    [330, 82, 0.12, 0.5],
  ],
  end: [
    [392, 392, 0, 0.18],
    [494, 494, 0.16, 0.18],
    [587, 587, 0.32, 0.18],
    [784, 784, 0.48, 0.6],
  ],
  question: [
    [784, 784, 0, 0.12],
    [1175, 1175, 0.1, 0.2],
  ],
  wrong: [
    [587, 587, 0, 0.12],
    [392, 392, 0.1, 0.2],
  ],
});

/** Make what plays, where it `isWanted`, and once somebody has touched the page. @param {() => boolean} isWanted */
export function createTones(isWanted) {
  /** @type {AudioContext | null} */
  let audio = null;

  /** Browsers let a page sound from a gesture on. */
  function ready() {
    if (isWanted()) audio ??= new AudioContext();
  }
  for (const gesture of ["pointerup", "keyup"]) document.addEventListener(gesture, ready, { passive: true });

  return {
    ready,
    /** @param {keyof typeof SOUNDS} name */
    play(name) {
      if (!audio || !isWanted()) return;
      for (const [from, to, at, seconds] of SOUNDS[name]) {
        const [start, end] = [audio.currentTime + at, audio.currentTime + at + seconds];
        const voice = new OscillatorNode(audio, { type: "triangle", frequency: from });
        const volume = new GainNode(audio, { gain: 0 });
        voice.frequency.setValueAtTime(from, start);
        voice.frequency.exponentialRampToValueAtTime(to, end);
        volume.gain.setValueAtTime(0, start);
        volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
        volume.gain.exponentialRampToValueAtTime(0.001, end);
        voice.connect(volume).connect(audio.destination);
        voice.start(start);
        voice.stop(end);
      }
    },
  };
}

/**
 * Make the sounds of a table: `draw` plays what has come since it was last called, `element` switches
 * them on and off, which is remembered. Nothing sounds before somebody touched the page.
 * @param {Table} table
 */
export function createSounds(table) {
  const tones = createTones(() => sounds.isOn() && !isNight(table.view));
  let turns = Infinity;
  let isOver = true;
  let heard = Infinity;
  const element = h("div", { class: "sounds" }, toggle(tr("Sounds"), sounds, tones.ready).element, toggle(tr("Turns are spoken"), spoken).element);

  /** @param {any} turn */
  function speak({ player, says }) {
    if (!spoken.isOn() || !window.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(`${table.sides()[player === "white" ? 0 : 1]}: ${says}.`);
    words.lang = language;
    speechSynthesis.cancel(); // who is quicker than the voice hears the newest turn
    speechSynthesis.speak(words);
  }

  return {
    element,
    draw() {
      const { turns: played = [], last, over } = table.view.game ?? {};
      const [count, name] = /** @type {[number, "question" | "wrong"]} */ (table.view.sounded ?? [Infinity]);
      if (over && !isOver) tones.play("end");
      else if (played.length === turns + 1) tones.play(last?.died.length ? "death" : "turn");
      else if (count > heard) tones.play(name);
      if (played.length === turns + 1) speak(played[played.length - 1]);
      heard = count;
      turns = table.view.game ? played.length : Infinity;
      isOver = Boolean(over) || !table.view.game;
    },
  };
}
