// @ts-check
/** The stage of a game that was played: its boards, who plays, and what happened in a turn. */

import { fill, h } from "./dom.js";
import { createEras, still } from "./eras.js";
import { copyFigure } from "./figures.js";
import { tr } from "./language.js";
import { turnRow } from "./turns.js";
import { say } from "./speak.js";
import { createPlate, tellNote } from "./stage.js";
import { stepParts } from "./stepping.js";
import { betterChance, betterText, chanceAfter, verdictName, verdictTag } from "./verdicts.js";
import { bothCalled, capital, doneBy, nameOf, seatOf, SIDES } from "./words.js";

/**
 * What is shown of a game.
 * @typedef {{positions: import("./answers.js").Position[], turns: import("./replay.js").Told[],
 *   starting_comment: string, result: string, says: string, scores?: number[][] | null}} Played
 */

const WINNERS = ["1-0", "0-1"];

/**
 * Make the parts of a stage; `names` are the players' as the record has them, `addressOf` says where
 * a turn is looked at, `south` is the player at the lower edge.
 * @param {Played} game
 * @param {{names: string[], addressOf: (turn: number) => string, places: () => string[],
 *   back?: Node, looks: import("./pieces.js").Looks, south?: number}} of
 */
export function stageParts(game, { names, addressOf, places, looks, back, south = 0 }) {
  const boards = h("div", { class: "eras" });
  const plates = SIDES.map((_, player) => createPlate(player));
  const parts = {
    south,
    names: SIDES.map((side, player) => nameOf(names[player], side)),
    called: bothCalled(names),
    eras: createEras(boards, { places, looks: () => looks, players: plates.map((each) => each.element) }),
    figure: h("span", { class: "mover", "aria-hidden": "true" }),
    title: h("h1", { tabindex: "-1" }),
    note: h("p"),
    plates,
    ...stepParts(game.turns, ticksOf(game), turnRows(game, addressOf, bothCalled(names))),
  };
  const head = h("div", { class: "head" }, parts.figure, parts.title, back ?? null, parts.note);
  const controls = h("div", { class: "voice controls" }, parts.knobs, parts.bar.element);
  const stage = h("div", { class: "stage replay" }, h("div", { class: "strip" }, head, controls), boards);
  const against = h("h2", {}, tr("{white} against {black}", { white: parts.names[0], black: parts.names[1] }));
  return { ...parts, head, controls, stage, against, opening: remark(game.starting_comment) };
}

/** @typedef {ReturnType<typeof stageParts>} StageParts */

/** What somebody wrote in front of a first turn. @param {string | undefined} comment @param {string} [tag] */
export function remark(comment, tag = "p") {
  return comment ? h(tag, { class: "none" }, comment) : null;
}

/** The turns of a game as a list has them. @param {Played} game @param {(turn: number) => string} addressOf @param {string[]} called */
export function turnRows({ turns }, addressOf, called) {
  return turns.map((turn) => turnRow(turn, addressOf(turn.no), turn.said && verdictTag(turn.said.mark), called));
}

/** @param {Played} game */
function ticksOf({ turns, result }) {
  const deaths = turns.filter(({ died }) => died.length).map(({ no }) => ({ at: no, kind: "death" }));
  return WINNERS.includes(result) && turns.length ? [...deaths, { at: turns.length, kind: "win" }] : deaths;
}

/**
 * Show the position after a turn, and say what happened; with `isBetter` the one before it, and the
 * turn that would have been better.
 * @param {StageParts} parts @param {Played} game @param {number} at @param {boolean} isBetter
 */
export function drawStage(parts, game, at, isBetter = false) {
  const turn = game.turns[at - 1];
  const position = game.positions[isBetter ? at - 1 : at];
  const isEnd = at === game.turns.length && !isBetter;
  const winner = isEnd ? WINNERS.indexOf(game.result) : -1;
  const isWon = winner >= 0; // how, is told below: a headline has no room for it
  const moods = /** @type {import("./figures.js").Mood[]} */ (SIDES.map((_, player) => (winner < 0 ? "" : player === winner ? "glad" : "sad")));
  const player = isWon ? winner : SIDES.indexOf(turn ? turn.player : position.mover);
  const isOver = isEnd && game.result !== "*";
  const where = at ? tr("Turn {at} of {turns}", { at, turns: game.turns.length }) : tr("The start");
  const { called } = parts;
  const says = isWon ? tr("{player} wins", { player: called[winner] }) : isOver ? game.says : where;
  const done = turn ? doneBy(turn, called) : tr("{player} begins.", { player: called[SIDES.indexOf(position.mover)] });
  const chance = turn?.said ? `${chanceAfter(turn.said, called)}.` : "";
  const verdict = turn?.said ? `${capital(verdictName(turn.said.mark))}.` : "";
  const { why, best_why: whyBetter } = turn?.said ?? {};
  const [better, left] = turn ? [betterText(turn), betterChance(turn, called)] : ["", ""];
  const told = isBetter ? [better, whyBetter, left] : [isWon && game.says !== `${says}.` ? game.says : "", isOver ? `${where}:` : "", done, isOver || better ? "" : chance, why, position.extra, ...(why ? [] : [better, left])];
  const more = why && !isBetter ? [better, left] : []; // where there is no room for it the boards tell it, to who wants to see
  const last = turn && !isBetter ? { path: turn.path, died: turn.died, player: turn.player } : null;
  parts.eras.show(still(position, { south: parts.south, moods, last, way: isBetter ? wayOf(turn) : null, whose: called.map((player) => tr("{player}’s focus", { player })) }));
  fill(parts.figure, copyFigure(player, moods[player]));
  fill(parts.title, says);
  tellNote(parts.note, told.filter(Boolean).join(" "), h("span", { class: "more" }, ` ${more.join(" ")}`));
  say([isOver && !isWon ? says : `${says}.`, ...told, ...more, verdict, isBetter ? "" : turn?.comment].filter(Boolean).join(" "));
  parts.plates.forEach(({ show }, of) => show({ name: parts.names[of], seat: seatOf(parts.names[of], of), supply: position.supply[of], lost: position.captured?.[of] ?? 0, score: (isOver && game.scores?.[of]) || null }));
  const spoken = [done, chance, verdict].filter(Boolean).join(" ");
  parts.bar.show(at, turn ? tr("turn {at}: {sentence}", { at, sentence: spoken }) : tr("the start"));
}

/** The way of the better turn over the boards. @param {import("./replay.js").Told} turn */
function wayOf({ player, said }) {
  return { path: said?.best_path ?? [], died: said?.best_died ?? [], player, focus: said?.best_focus ?? "" };
}

