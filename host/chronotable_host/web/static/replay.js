// @ts-check
/** One game of the archive, turn by turn, on boards as the live page has them. */

import { ask, askText, picturePath, recordPath } from "./answers.js";
import { copy, POSITION, RECORD } from "./clipboard.js";
import { fill, h } from "./dom.js";
import { dateOf } from "./gamelist.js";
import { judgedTurns } from "./judged.js";
import { language, tr, trC } from "./language.js";
import { learnLinks } from "./mistakes.js";
import { button, folder, wayBack } from "./parts.js";
import { drawStage, stageParts, turnRows } from "./replaystage.js";
import { createShare } from "./share.js";
import { addressOf, analysisOf, markTurn } from "./turns.js";
import { note, say } from "./speak.js";
import { createStepping } from "./stepping.js";
import { LOOK, turned } from "./switches.js";
import { createVerdict } from "./verdict.js";
import { summaryText } from "./verdicts.js";
import { capital } from "./words.js";

/** @import { Context, Shown } from "./archive.js" */
/** @typedef {import("./answers.js").Turn & import("./answers.js").Story} Told */
/** @typedef {Omit<import("./answers.js").Game, "turns"> & {turns: Told[]}} Game */

const HOW = /** @type {Record<string, string>} */ ({ asked: trC("how a turn was understood", "asked"), corrected: trC("how a turn was understood", "corrected") });
const ONE_DIGIT = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Show a game in `root`; a turn of -1 is the end. Rejects with an Error that has a sentence.
 * @param {HTMLElement} root
 * @param {import("./archive.js").Route} route
 * @param {Context} context
 * @param {() => boolean} isWanted false once something else is to be shown
 * @returns {Promise<Shown>}
 */
export async function showGame(root, { id, turn }, context, isWanted) {
  const game = await readGame(id);
  if (!isWanted()) return { leave() {} };
  const parts = build(game, context);
  root.classList.add("playing");
  return replay(root, game, parts, context, turn);
}

/** Ask for a game with its stories. @param {string} id @returns {Promise<Game>} */
export async function readGame(id) {
  const address = `/api/games/${encodeURIComponent(id)}`;
  const [game, stories] = await Promise.all([ask(address), ask(`${address}/stories`)]);
  // of a game that is being played, the second answer may have a turn more
  const count = Math.min(game.turns.length, stories.turns.length);
  const turns = game.turns.slice(0, count).map((/** @type {any} */ turn, /** @type {number} */ at) => ({ ...turn, ...stories.turns[at] }));
  return { ...game, turns };
}

/**
 * @param {HTMLElement} root
 * @param {Game} game
 * @param {Parts} parts
 * @param {Context} context
 * @param {number} turn
 * @returns {Shown}
 */
function replay(root, game, parts, context, turn) {
  const last = game.turns.length;
  let isBetter = false; // the better turn is shown, and not the one that was played
  const left = new AbortController();

  const verdict = createVerdict(context.request, game.id, context.isOn(game.id), () => {
    isBetter = !isBetter;
    stepping.pause();
    draw();
  });
  const draw = () => {
    drawTurn(parts, game, stepping.at(), isBetter);
    verdict.show(game, stepping.at(), isBetter);
  };
  const judge = () => {
    parts.bar.draw(game.turns);
    fill(parts.turns, turnRows(game, addressIn(game), parts.called));
    fill(parts.judged, learnLinks(game), judgedTurns(game));
  };
  const hear = async (/** @type {import("./verdict.js").Judging | null} */ judging) => {
    if (!verdict.hear(judging)) return;
    const now = await readGame(game.id);
    if (left.signal.aborted || now.turns.length !== last) return;
    game = now;
    judge();
    markTurn(parts.turns, stepping.at());
    draw();
    say(summaryText(game.turns, parts.called));
  };
  const stepping = createStepping(
    root,
    parts,
    last,
    (at) => {
      isBetter = false;
      draw();
      history.replaceState(null, "", addressOf(game.id, at));
    },
    parts.beside,
    left.signal,
  );
  fill(root, parts.stage, stepping.side);
  scrollTo(0, 0);
  parts.title.focus({ preventScroll: true });

  const look = () => ((parts.south = turned.isOn() ? 1 : 0), draw());
  document.addEventListener(LOOK, look, { signal: left.signal });
  equipRecord(parts, game, stepping.at);
  parts.said.after(createShare(game.id, stepping.at));
  parts.branch.addEventListener("click", () => playOn(context, "branch", game.id, stepping.at()));
  parts.onTable.addEventListener("click", () => playOn(context, "analyse", game.id, stepping.at()));
  parts.analyse.addEventListener("click", () => (location.hash = analysisOf(game.id, stepping.at())));
  parts.controls.append(verdict.element);
  judge();
  stepping.go(turn < 0 ? last : turn);
  verdict.hear(context.judging());

  return {
    leave() {
      stepping.pause();
      left.abort();
    },
    go(to, next) {
      context = next;
      if (to >= 0) stepping.go(to);
    },
    hear(judging) {
      hear(judging).catch((error) => note(error.message));
    },
  };
}

// ---- what it looks like

/** @param {Game} game @param {Context} context */
function build(game, context) {
  const { White: white, Black: black } = game.headers;
  const looks = { meanings: [], pieces: { ...context.looks.pieces, ...game.looks } };
  const isOn = context.isOn(game.id);
  const isHere = context.table.view.game?.id === game.id; // also one that has just ended, where a rematch waits
  const back = isHere ? wayBack(tr("Back to the game"), "#live") : wayBack(tr("All games"), "#games");
  const parts = {
    ...stageParts(game, { names: [white, black], addressOf: addressIn(game), places: () => context.places, looks, back, south: turned.isOn() ? 1 : 0 }),
    judged: h("div"),
    branch: button(tr("Play on from here"), () => {}, { class: "branch" }),
    analyse: button(tr("Try something here"), () => {}),
    onTable: button(tr("On the table"), () => {}),
    now: h("p"),
    copyPosition: h("button", { type: "button" }, tr("Copy position")),
    copyRecord: h("button", { type: "button" }, tr("Copy record")),
    picture: h("a", { class: "button", download: true }, tr("Save picture")),
    copied: h("div", { class: "copied" }),
    said: h("p", { role: "status" }),
  };
  parts.onTable.hidden = !context.canAnalyse;
  parts.branch.hidden = isOn || !context.canBranch;
  const ways = h("div", { class: "wrapped" }, parts.branch, parts.analyse, parts.onTable);
  return { ...parts, beside: [parts.against, parts.opening, parts.turns, parts.judged, ways, recordFolder(game, parts)] };
}

/** Where a turn of a game is looked at. @param {Game} game @returns {(turn: number) => string} */
function addressIn({ id }) {
  return (turn) => addressOf(id, turn);
}

/** @typedef {ReturnType<typeof build>} Parts */

/** @param {Game} game @param {any} parts */
function recordFolder(game, { now, copyPosition, copyRecord, picture, copied, said }) {
  const save = h("a", { class: "button", href: recordPath(game.id), download: true }, tr("Save record"));
  const facts = factsOf(game).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  const tools = h("div", { class: "tools" }, copyPosition, copyRecord, save, picture);
  return folder(tr("Share"), {}, now, h("dl", {}, facts.flat()), tools, said, copied);
}

/** @param {Game} game @returns {string[][]} */
function factsOf({ headers, says, file, id, note: problem }) {
  const facts = [
    [tr("Result"), says],
    [tr("Date"), headers.Date.startsWith("?") ? "" : dateOf(headers.Date)],
    [tr("Modules"), headers.Modules],
    [tr("Options"), headers.Options],
    [tr("File"), file],
    [tr("Id"), id],
    [tr("Note"), problem ? `${capital(problem)}.` : ""],
  ];
  return facts.filter(([, value]) => value);
}

// ---- what changes with the turn

/** @param {Parts} parts @param {Game} game @param {number} at @param {boolean} isBetter */
function drawTurn(parts, game, at, isBetter) {
  const { position } = game.positions[isBetter ? at - 1 : at];
  drawStage(parts, game, at, isBetter);
  fill(parts.now, ...notation(game.turns[at - 1]));
  parts.picture.setAttribute("href", picturePath(position));
  parts.picture.setAttribute("download", `${game.id}-turn-${at}.svg`);
  fill(parts.copied);
  fill(parts.said);
}

/** @param {Told | undefined} turn @returns {any[]} as it is written, and how long it took */
function notation(turn) {
  if (!turn) return [tr("The start of the game.")];
  const how = turn.understood in HOW ? `, ${HOW[turn.understood]}` : "";
  const hint = turn.hint ? `, ${tr("with a hint")}` : "";
  return [tr("Turn {at}:", { at: turn.no }), " ", h("span", { class: "turn" }, turn.turn), `${lengthOf(turn.seconds)}${how}${hint}`];
}

/** @param {number | null} seconds since the turn before @returns {string} */
function lengthOf(seconds) {
  if (seconds === null) return "";
  if (seconds < 60) return `, ${ONE_DIGIT.format(seconds)} s`;
  return `, ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

// ---- what can be taken along

/** @param {Context} context @param {"branch" | "analyse"} what @param {string} id @param {number} turn */
async function playOn(context, what, id, turn) {
  try {
    const reply = await context.request(what, { game: id, turn });
    if (reply?.ok === false) note(reply.why ?? tr("This cannot be played on from here."));
    else location.hash = "#live";
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
  }
}

/** @param {Parts} parts @param {Game} game @param {() => number} turn */
function equipRecord({ copyPosition, copyRecord, copied, said }, game, turn) {
  const tell = (/** @type {string} */ text) => fill(said, text);
  const refuse = (/** @type {unknown} */ error) => tell(error instanceof Error ? error.message : String(error));
  copyPosition.addEventListener("click", () => {
    copy(game.positions[turn()].position, POSITION, copied).then(tell, refuse);
  });
  copyRecord.addEventListener("click", () => {
    askText(recordPath(game.id))
      .then((text) => copy(text, RECORD, copied))
      .then(tell, refuse);
  });
}
