// @ts-check
/** What the server's archive answers. */

import { tr } from "./language.js";

const SILENT = tr("The server does not answer. It may have been stopped.");

/**
 * @typedef {{id: string, date: string, white: string, black: string, result: string, says: string,
 *   turns: number, copies: string, modules: string | null, called: string | null, imported: boolean,
 *   analysed: number, errors: number[]}} Entry
 * @typedef {{id: string, game: string, title: string, date: string, players: string[],
 *   winners: string[], actions: number, imported: boolean}} Night
 * @typedef {{games: (Entry | Night)[], total: number,
 *   unreadable: {total: number, files: {file: string, why: string}[]}}} List
 * @typedef {{no: number, player: "white" | "black", turn: string, understood: string,
 *   seconds: number | null, comment: string, hint: number, said: Said | null}} Turn
 * What an analysis says of a turn; chances are White's, 0 to 1.
 * @typedef {{value: string, chance: number, mark: string, where?: string, why?: string, best_value?: string,
 *   best_chance?: number, best?: string[], best_plan?: string, best_where?: string, best_focus?: string,
 *   best_why?: string, best_path?: number[], best_died?: {at: number, look: string}[]}} Said
 * @typedef {{says: string, focus: string, path: number[], died: {at: number, look: string}[]}} Story
 * @typedef {{position: string, pieces: {at: number, look: string}[], supply: number[],
 *   captured: number[] | null, mover: "white" | "black", focus: string[], extra: string}} Position
 * A variation leaves the game at turn `no`; the last `own` turns are its own, behind the comment.
 * @typedef {{no: number, turns: string[], own: number, starting_comment: string}} Variation
 * @typedef {{id: string, note: string, headers: Record<string, string>, turns: Turn[],
 *   positions: Position[], starting_comment: string, variations: Variation[], scores: number[][] | null, looks: import("./pieces.js").Looks["pieces"],
 *   understood: Record<string, number>, result: string, says: string, file: string}} Game
 */

/**
 * Ask for JSON; rejects with an Error whose message is a sentence for people.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, signal) {
  const response = await reach(path, signal);
  return response.json();
}

/**
 * Ask for a text; rejects as `ask` does.
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function askText(path) {
  const response = await reach(path);
  return response.text();
}

/** @param {string} id @returns {string} the address of a game's record */
export function recordPath(id) {
  return `/api/games/${encodeURIComponent(id)}/record`;
}

/** @param {string} position @returns {string} the address of its picture */
export function picturePath(position) {
  return `/picture.svg?position=${encodeURIComponent(position)}`;
}

/** Where copies stand: six masks of spaces, White's eras first, as lists have them. @param {string} copies */
export function piecesOf(copies) {
  return [...copies.matchAll(/.{4}/g)].flatMap(([mask], word) =>
    Array.from({ length: 16 }, (_, space) => ((parseInt(mask, 16) >> space) & 1 ? [{ at: 16 * (word % 3) + space, look: word < 3 ? "white" : "black" }] : [])).flat(),
  );
}

/** Ask for anything; rejects as `ask` does. @param {string} path @param {AbortSignal} [signal] @returns {Promise<Response>} */
export async function reach(path, signal) {
  let response;
  try {
    response = await fetch(path, { signal, cache: "no-store" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(SILENT, { cause: error });
  }
  if (response.ok) return response;
  const { why = "" } = await response.json().catch(() => ({}));
  throw new Error(String(why) || tr("The server answers {status}.", { status: response.status }));
}
