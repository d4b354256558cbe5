// @ts-check
/** One game of the archive, turn by turn, on boards as the live page has them. */

import { ask, askText, picturePath, recordPath } from "./answers.js";
import { copy, POSITION, RECORD } from "./clipboard.js";
import { fill, h } from "./dom.js";
import { createEras } from "./eras.js";
import { copyFigure, icon } from "./figures.js";
import { dateOf } from "./gamelist.js";
import { judgedTurns } from "./judged.js";
import { language, tr, trC } from "./language.js";
import { learnLinks } from "./mistakes.js";
import { button, folder } from "./parts.js";
import { createShare } from "./share.js";
import { addressOf, analysisOf, markTurn, turnRow } from "./sofar.js";
import { note, say } from "./speak.js";
import { strip } from "./stage.js";
import { isTurned } from "./table.js";
import { timeBar } from "./timebar.js";
import { createVerdict } from "./verdict.js";
import { betterText, chanceAfter, summaryText, verdictName, verdictTag } from "./verdicts.js";
import { capital, COLOURS, nameOf, sideName, within } from "./words.js";

/** @typedef {import("./archive.js").Context} Context */
/** @typedef {import("./archive.js").Shown} Shown */
/** @typedef {import("./answers.js").Turn & import("./answers.js").Story} Told */
/** @typedef {import("./answers.js").Game & {turns: Told[]}} Game */

const PLAY_MS = 1000;
const SIDES = /** @type {const} */ (["white", "black"]);
const HOW = /** @type {Record<string, string>} */ ({ asked: trC("how a turn was understood", "asked"), corrected: trC("how a turn was understood", "corrected") });
const ONE_DIGIT = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const WINNERS = ["1-0", "0-1"];
const NO_LIGHTS = /** @type {number[]} */ ([]);
/** @type {Record<string, (at: number, last: number) => number>} */
const KEYS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

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
  fill(root, parts.stage, parts.side);
  scrollTo(0, 0);
  parts.title.focus({ preventScroll: true });
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
  let at = -1;
  let isBetter = false; // the better turn is shown, and not the one that was played
  let timer = 0;
  const left = new AbortController();

  const verdict = createVerdict(context.request, game.id, context.isOn(game.id), () => {
    isBetter = !isBetter;
    pause();
    draw();
  });
  const draw = () => {
    drawTurn(parts, game, at, isBetter);
    verdict.show(game, at, isBetter);
  };
  const judge = () => {
    parts.bar.draw(game.turns);
    fill(parts.turns, turnRows(game));
    fill(parts.judged, learnLinks(game), judgedTurns(game));
  };
  const hear = async (/** @type {import("./verdict.js").Judging | null} */ judging) => {
    if (!verdict.hear(judging)) return;
    const now = await readGame(game.id);
    if (left.signal.aborted || now.turns.length !== last) return;
    game = now;
    judge();
    draw();
    say(summaryText(game.turns));
  };

  const open = (/** @type {boolean} */ isOpen) => {
    root.classList.toggle("open", isOpen);
    parts.list.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) markTurn(parts.turns, at);
    (isOpen ? parts.close : parts.list).focus({ preventScroll: true });
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    drawPlay(parts.play, false);
  };
  const go = (/** @type {number} */ to) => {
    const next = Math.min(last, Math.max(0, to));
    if (next === last && timer) pause();
    if (next === at) return;
    at = next;
    isBetter = false;
    draw();
    history.replaceState(null, "", addressOf(game.id, at));
  };
  const byHand = (/** @type {number} */ to) => {
    pause();
    go(to);
  };
  const play = () => {
    if (timer) return pause();
    if (at === last) go(0);
    timer = setInterval(() => go(at + 1), PLAY_MS);
    drawPlay(parts.play, true);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape" && root.classList.contains("open")) return open(false);
    const to = KEYS[event.key];
    if (!to || !isFree(event)) return;
    event.preventDefault();
    byHand(to(at, last));
  };

  parts.play.addEventListener("click", play);
  parts.before.addEventListener("click", () => byHand(at - 1));
  parts.after.addEventListener("click", () => byHand(at + 1));
  parts.bar.input.addEventListener("input", () => byHand(Number(parts.bar.input.value)));
  parts.list.addEventListener("click", () => open(!root.classList.contains("open")));
  parts.close.addEventListener("click", () => open(false));
  parts.turns.addEventListener("click", (/** @type {Event} */ { target }) => {
    const isTurn = target instanceof Element && target.closest("a");
    if (isTurn && root.classList.contains("open")) open(false);
  });
  document.addEventListener("keydown", press, { signal: left.signal });
  equipRecord(parts, game, () => at);
  parts.said.after(createShare(game.id, () => at));
  parts.branch.addEventListener("click", () => playOn(context, "branch", game.id, at));
  parts.onTable.addEventListener("click", () => playOn(context, "analyse", game.id, at));
  parts.analyse.addEventListener("click", () => (location.hash = analysisOf(game.id, at)));
  drawPlay(parts.play, false);
  parts.head.append(verdict.element);
  judge();
  go(turn < 0 ? last : turn);
  verdict.hear(context.judging());

  return {
    leave() {
      pause();
      left.abort();
    },
    go(to, next) {
      context = next;
      if (to >= 0) byHand(to);
    },
    hear(judging) {
      hear(judging).catch((error) => note(error.message));
    },
  };
}

/** Tell whether nothing else wants a key: a field, a shortcut. @param {KeyboardEvent} event */
function isFree(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  return !(event.target instanceof Element && event.target.closest("input, textarea, select"));
}

// ---- what it looks like

/** @param {Game} game @param {Context} context */
function build(game, context) {
  const { headers, turns } = game;
  const south = isTurned() ? 1 : 0;
  const looks = { meanings: [], pieces: { ...context.looks.pieces, ...game.looks } };
  const boards = h("div", { class: "eras" });
  const isOn = context.isOn(game.id);
  const knob = (/** @type {string} */ name, /** @type {string} */ says) =>
    h("button", { type: "button", "aria-label": says, title: says }, icon(name));
  const parts = {
    south,
    names: SIDES.map((side) => nameOf(headers[capital(side)], side)),
    eras: createEras(boards, { places: () => context.places, looks: () => looks }),
    figure: h("span", { class: "mover", "aria-hidden": "true" }),
    title: h("h1", { tabindex: "-1" }),
    note: h("p"),
    strips: SIDES.map(() => h("div", { class: "player" })),
    before: knob("before", tr("One turn back")),
    play: h("button", { type: "button", class: "primary" }),
    after: knob("after", tr("One turn on")),
    list: h("button", { type: "button", class: "list-knob", "aria-label": tr("Turns"), title: tr("Turns"), "aria-expanded": "false" }, icon("turns")),
    bar: timeBar(turns, ticksOf(game)),
    judged: h("div"),
    branch: button(tr("Play on from here"), () => {}, { class: "branch" }),
    analyse: button(tr("Try something here"), () => {}),
    onTable: button(tr("On the table"), () => {}),
    close: button(tr("Back to the boards"), () => {}, { class: "close" }),
    turns: h("ol", { class: "turns", "aria-label": tr("Turns of this game") }, turnRows(game)),
    now: h("p"),
    copyPosition: h("button", { type: "button" }, tr("Copy position")),
    copyRecord: h("button", { type: "button" }, tr("Copy record")),
    picture: h("a", { class: "button", download: true }, tr("Save picture")),
    copied: h("div", { class: "copied" }),
    said: h("p", { role: "status" }),
  };
  const head = h("div", { class: "head" }, parts.figure, parts.title, parts.note);
  parts.onTable.hidden = !context.canAnalyse;
  parts.branch.hidden = isOn || !context.canBranch;
  const controls = h(
    "div",
    { class: "sheet controls" },
    h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, parts.before, parts.play, parts.after, parts.list),
    parts.bar.element,
    parts.branch,
    isOn ? h("a", { class: "button", href: "#live" }, tr("Back to the game")) : null,
  );
  const stage = h(
    "div",
    { class: "stage replay" },
    head,
    parts.strips[1 - south],
    boards,
    parts.strips[south],
    h("div", { class: "voice" }, controls),
  );
  const side = h(
    "aside",
    { class: "side replay", "aria-label": tr("Turns and record") },
    parts.close,
    /** @type {Node} */ (document.querySelector(".pages")?.cloneNode(true)),
    h(
      "div",
      { class: "so-far" },
      h("p", {}, h("a", { class: "all-games", href: "#games" }, tr("All games"))),
      h("h2", {}, tr("{white} against {black}", { white: parts.names[0], black: parts.names[1] })),
      parts.turns,
      parts.judged,
      h("div", { class: "wrapped" }, parts.analyse, parts.onTable),
      recordFolder(game, parts),
    ),
  );
  return { ...parts, head, stage, side };
}

/** @typedef {ReturnType<typeof build>} Parts */

/** @param {Game} game @param {any} parts */
function recordFolder(game, { now, copyPosition, copyRecord, picture, copied, said }) {
  const save = h("a", { class: "button", href: recordPath(game.id), download: true }, tr("Save record"));
  const facts = factsOf(game).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  const tools = h("div", { class: "tools" }, copyPosition, copyRecord, save, picture);
  return folder(tr("Record"), {}, now, h("dl", {}, facts.flat()), tools, said, copied);
}

/** @param {Game} game */
function turnRows({ id, turns }) {
  return turns.map((turn) => turnRow(turn, addressOf(id, turn.no), turn.said && verdictTag(turn.said.mark)));
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

/** @param {Game} game */
function ticksOf({ turns, result }) {
  const deaths = turns.filter(({ died }) => died.length).map(({ no }) => ({ at: no, kind: "death" }));
  return WINNERS.includes(result) && turns.length ? [...deaths, { at: turns.length, kind: "win" }] : deaths;
}

// ---- what changes with the turn

/** @param {Parts} parts @param {Game} game @param {number} at @param {boolean} isBetter */
function drawTurn(parts, game, at, isBetter) {
  const turn = game.turns[at - 1];
  const position = game.positions[isBetter ? at - 1 : at];
  const isEnd = at === game.turns.length && !isBetter;
  const winner = isEnd ? WINNERS.indexOf(game.result) : -1;
  const moods = SIDES.map((_, player) => (winner < 0 ? "" : player === winner ? "glad" : "sad"));
  const player = winner >= 0 ? winner : SIDES.indexOf(turn ? turn.player : position.mover);
  const isOver = isEnd && game.result !== "*";
  const where = at ? tr("Turn {at} of {turns}", { at, turns: game.turns.length }) : tr("The start");
  const says = isOver ? game.says : where;
  const done = turn ? sentence(turn) : tr("{player} begins.", { player: sideName(position.mover) });
  const chance = turn?.said ? `${chanceAfter(turn.said)}.` : "";
  const told = isBetter ? [] : [isOver ? `${where}:` : "", done, isOver ? "" : chance, position.extra];
  parts.eras.show({
    steps: [],
    pieces: position.pieces,
    leds: NO_LIGHTS,
    focus: position.focus,
    mover: SIDES.indexOf(position.mover),
    active: null,
    choosing: false,
    south: parts.south,
    whose: [tr("White’s focus"), tr("Black’s focus")],
    moods: /** @type {import("./figures.js").Mood[]} */ (moods),
    last: turn && !isBetter ? { path: turn.path, died: turn.died, player: turn.player } : null,
    way: isBetter ? wayOf(turn) : null,
  });
  fill(parts.figure, copyFigure(player, /** @type {import("./figures.js").Mood} */ (moods[player])));
  fill(parts.title, says);
  fill(parts.note, ...(isBetter ? betterNote(turn) : [told.filter(Boolean).join(" ")]));
  const judged = turn?.said ? [`${capital(verdictName(turn.said.mark))}.`, betterText(turn)] : [];
  say([isOver ? says : `${says}.`, ...told, ...judged].filter(Boolean).join(" "));
  parts.strips.forEach((each, of) => fill(each, ...strip(of, stripOf(parts.names[of], position, of))));
  const spoken = [done, chance, judged[0]].filter(Boolean).join(" ");
  parts.bar.show(at, turn ? tr("turn {at}: {sentence}", { at, sentence: spoken }) : tr("the start"));
  setDisabled(parts.before, at === 0);
  setDisabled(parts.after, at === game.turns.length);
  markTurn(parts.turns, at);
  fill(parts.now, ...notation(turn));
  parts.picture.setAttribute("href", picturePath(position.position));
  parts.picture.setAttribute("download", `${game.id}-turn-${at}.svg`);
  fill(parts.copied);
  fill(parts.said);
}

/** What stands under the headline; how good it was stands beside that, where there is room. @param {Told} turn */
function betterNote(turn) {
  const says = tr("This is the better turn, which was not played.");
  return [h("span", { class: "long" }, says), h("span", { class: "short" }, betterText(turn))];
}

/** The way of the better turn over the boards. @param {Told} turn */
function wayOf({ player, said }) {
  return { path: said?.best_path ?? [], died: said?.best_died ?? [], player, focus: said?.best_focus ?? "" };
}

/** @param {Told} turn @returns {string} */
function sentence({ player, says }) {
  return tr("{player} {did}.", { player: sideName(player), did: within(says) });
}

/** @param {string} name @param {import("./answers.js").Position} position @param {number} player */
function stripOf(name, { supply, captured }, player) {
  const seat = name === sideName(SIDES[player]) ? "" : COLOURS[player];
  return { name, seat, supply: supply[player], lost: captured?.[player] ?? 0, left: null };
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

/** A button that cannot be used keeps the focus: it is only said. @param {Element} button @param {boolean} is */
function setDisabled(button, is) {
  button.setAttribute("aria-disabled", String(is));
}

/** @param {HTMLElement} button @param {boolean} isPlaying */
function drawPlay(button, isPlaying) {
  const says = isPlaying ? tr("Pause") : trC("replay", "Play");
  button.setAttribute("aria-label", says);
  button.title = says;
  fill(button, icon(isPlaying ? "pause" : "play"));
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
