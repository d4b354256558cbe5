// @ts-check
/** Actions and names in words, for people who do not read the notation. */

import { tr, trC } from "./language.js";

export const SIDES = ["white", "black"];
const PLAYERS = /** @type {Record<string, string>} */ ({ white: trC("player", "White"), black: trC("player", "Black") });
/** What is white's and black's. */
export const COLOURS = [trC("player", "white"), trC("player", "black")];
const ERAS = /** @type {Record<string, string>} */ ({
  past: trC("era", "past"),
  present: trC("era", "present"),
  future: trC("era", "future"),
});

/** What records call who plays on the page; for whom looks on that is somebody else. */
export const YOU = "you";
/** Names that stand in records, as they are shown. */
const OF_RECORDS = /** @type {Record<string, string>} */ ({
  [YOU]: trC("a player's name", "You"),
  "A guest": tr("A guest"),
  "Chronotable, by chance": tr("Chronotable, by chance"),
  "Chronotable, the table (easy)": tr("Chronotable, the table (easy)"),
  "Chronotable, the table (medium)": tr("Chronotable, the table (medium)"),
  "Chronotable, the table (strong)": tr("Chronotable, the table (strong)"),
});

const ACTIONS = "NESWFB";
/** The letters of actions in the language of the page, whose records have ACTIONS: those of the four ways first. */
export const ACTION_LETTERS = trC("letters of north, east, south, west, forward, back", "NESWFB");

let known = /** @type {Record<string, string>} */ ({});
let levels = /** @type {Record<string, string>} */ ({});

/** Learn what actions and levels are called; the server knows what may be said. @param {any} hello */
export function learn({ looks, candidates = [] }) {
  known = looks.actions ?? {};
  levels = Object.fromEntries(candidates.map((/** @type {any} */ { seat, name }) => [seat, name]));
}

/**
 * Say an action in words.
 * @param {string} action
 * @returns {string}
 */
export function spellAction(action) {
  return known[action] ?? action;
}

/** Write a turn as records do, with the letters of the language, and without where its focus goes. @param {string} turn */
export function written(turn) {
  return turn.replace(/ ?>\w+$/, "").replace(/[NESWFB](?=\*?( |$))/g, (letter) => ACTION_LETTERS[ACTIONS.indexOf(letter)]);
}

/** Tell a turn that could be played. @param {{plan: string, where: string, turn: string, focus: string}} of as the server says it */
export function lineText({ plan, where, turn, focus }, isWritten = false) {
  const told = { plan, where: isWritten ? written(turn) : where, era: eraName(focus) };
  return told.where ? tr("{plan} ({where}); focus on the {era}", told) : tr("{plan}; focus on the {era}", told);
}

/** What a player is called in a sentence. @param {string} side @returns {string} */
export function sideName(side) {
  return PLAYERS[side] ?? capital(side);
}

/** Which side somebody has whose name does not say it. @param {string} name @param {number} player */
export function seatOf(name, player) {
  return name === Object.values(PLAYERS)[player] ? "" : COLOURS[player];
}

/** Whether no person plays a seat. @param {string} seat */
export function isProgram(seat) {
  return /^(level|random|engine)/.test(seat);
}

/** What an era is called. @param {string} era @returns {string} */
export function eraName(era) {
  return ERAS[era] ?? era;
}

/**
 * Write a word with a capital.
 * @param {string} text
 * @returns {string}
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Write what a turn did as it stands behind who did it: it begins with a verb. @param {string} says @returns {string} */
export function within(says) {
  return says.charAt(0).toLowerCase() + says.slice(1);
}

/** Tell a turn in a sentence. @param {{player: string, says: string}} turn @param {string[]} [called] */
export function doneBy({ player, says }, called = Object.values(PLAYERS)) {
  return tr("{player} {did}.", { player: called[Number(player === "black")], did: within(says) });
}

/**
 * Join words as people do: `a, b and c`.
 * @param {string[]} words
 * @returns {string}
 */
export function list(words) {
  if (words.length < 2) return words.join("");
  return tr("{words} and {last}", { words: words.slice(0, -1).join(", "), last: words[words.length - 1] });
}

/**
 * What a player is called on the page: the name where there is one.
 * @param {string | undefined} name
 * @param {string} side
 * @returns {string}
 */
export function nameOf(name, side) {
  if (!name || name === "?") return sideName(side);
  const level = name.match(/^(level:|Chronotable, level )(\d(?:\.\d)?)$/);
  if (!level) return OF_RECORDS[name] ?? name;
  const [, , number] = level;
  const called = levels[`level:${number}`];
  if (called) return capital(called);
  return name.startsWith("level") ? tr("level {number}", { number }) : tr("Level {number}", { number });
}

/** What White and Black are called in sentences: by name where two people have names of their own. @param {(string | undefined)[]} names */
export function bothCalled(names) {
  const areOwn = names[0] !== names[1] && names.every((name) => name && ![...Object.values(PLAYERS), "?"].includes(name) && !(name in OF_RECORDS) && !/^(level:|Chronotable,)/.test(name));
  return SIDES.map((side, player) => nameOf(areOwn ? names[player] : "", side));
}

/** The time of a clock. @param {number} seconds @returns {string} */
export function clockText(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [minutes, rest] = [Math.floor(seconds / 60), two(seconds % 60)];
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
