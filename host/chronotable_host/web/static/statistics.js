// @ts-check
/** How the games of the archive went: plain tables, and openings to walk on boards. */

import { ask } from "./answers.js";
import { linked } from "./cited.js";
import { fill, h } from "./dom.js";
import { createEras } from "./eras.js";
import { language, tr, trC, trN } from "./language.js";
import { button, wayBack } from "./parts.js";
import { searchForm, select } from "./search.js";
import { capital, eraName, nameOf, sideName, SIDES, written } from "./words.js";

/**
 * @typedef {{games: number, won: number, lost: number, drawn: number, unfinished: number}} Tally
 * @typedef {Tally & {name: string}} Row
 * @typedef {import("./answers.js").Story & {no: number, player: string, turn: string}} Turn
 * @typedef {{turns: Turn[], position: import("./answers.js").Position, tally: Tally,
 *   looks: import("./pieces.js").Looks["pieces"], next: (Turn & Tally)[]}} Opening
 * @typedef {{total: Tally, seats: Row[], players: Row[], modules: (Row & {called: string | null})[],
 *   thinking: {name: string, turns: number, mean_s: number, longest_s: number}[],
 *   sensing: {month: string, table: string, games: number, certain: number, asked: number,
 *     corrected: number}[], opening: Opening,
 *   nights: {called: string, games: number, won: number | null}[]}} Statistics
 */

const MOST = 12;
const STANDARD = "standard";
const LOCKED = "?";
const ENDS = [tr("games"), tr("won"), tr("lost"), tr("drawn"), tr("not finished")];
const FOR_WHITE = [tr("games"), tr("White won"), tr("Black won"), tr("drawn"), tr("not finished")];
const BETWEEN = " / ";
const ONE_DIGIT = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What was asked for last; `after` are turns as they are written. */
const wanted = { player: "", modules: STANDARD, after: /** @type {string[]} */ ([]) };

/**
 * Show the statistics in `root`, in the place of what is there.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded: `statistics`, a player
 * @param {import("./archive.js").Context} context
 */
export function showStatistics(root, [, asked = wanted.player], context) {
  wanted.player = asked;
  const player = h("input", { type: "search", name: "player", autocomplete: "off", spellcheck: "false", placeholder: tr("Name or a part of it"), value: wanted.player });
  const modules = select([[STANDARD, trC("game", "standard")]], STANDARD);
  const status = h("p", { class: "status", role: "status" }, tr("Looking …"));
  const tables = h("div", { class: "tables" });
  const walk = createWalk(context, (after) => {
    wanted.after = after;
    load().then(() => walk.head.focus());
  });
  const search = () => {
    if (wanted.modules !== modules.value) wanted.after = [];
    Object.assign(wanted, { player: player.value.trim(), modules: modules.value });
    load();
  };
  const form = searchForm(tr("Statistics"), [[tr("Player"), player], [tr("Openings of"), modules]], search);
  const back = h("p", {}, wayBack(tr("All games"), "#games"));
  fill(root, h("div", { class: "archive" }, back, h("h1", {}, tr("Statistics")), form, status, walk.element, tables));
  let running = new AbortController();

  async function load() {
    running.abort();
    const mine = (running = new AbortController());
    const query = { player: wanted.player, modules: wanted.modules, after: wanted.after.join(BETWEEN) };
    try {
      const found = /** @type {Statistics} */ (await ask(`/api/statistics?${new URLSearchParams(query)}`, mine.signal));
      fill(status, trN("{n} game", "{n} games", found.total.games));
      for (const { name, called } of found.modules) if (called) learn(modules, name, called);
      learn(modules, wanted.modules, wanted.modules);
      modules.value = wanted.modules;
      walk.show(found.opening);
      fill(tables, tablesOf(found));
    } catch (error) {
      if (mine.signal.aborted) return;
      fill(status, ...linked(error instanceof Error ? error.message : String(error)));
    }
  }

  load();
}

/** Have a game among the choices. @param {HTMLSelectElement} select @param {string} name @param {string} called */
function learn(select, name, called) {
  if (![...select.options].some(({ value }) => value === name)) select.append(h("option", { value: name }, called));
}

/** @param {Statistics} found */
function tablesOf({ seats, players, modules, thinking, sensing, nights }) {
  const tally = (/** @type {Row} */ row, /** @type {string} */ name) => [name, row.games, row.won, row.lost, row.drawn, row.unfinished];
  const [who, kind] = wanted.player ? [tr("Opponent"), tr("Modules")] : [tr("Player"), tr("Modules (White)")];
  const timed = thinking.filter(({ turns }) => turns);
  return [
    table(tr("Results by seat"), [tr("Seat"), ...ENDS], seats.map((row) => tally(row, sideName(row.name)))),
    table(wanted.player ? tr("Results by opponent") : tr("Results by player"), [who, ...ENDS], players.map((row) => tally(row, row.name === LOCKED ? tr("without a name") : nameOf(row.name, SIDES[0])))),
    table(tr("Results by modules"), [kind, ...ENDS], modules.map((row) => tally(row, row.name === LOCKED ? tr("locked here") : (row.called ?? row.name)))),
    table(tr("Think times (a game’s first turn has none)"), [tr("Seat"), trC("counted", "turns"), tr("seconds on average"), tr("longest")], timed.map((row) => [sideName(row.name), row.turns, ONE_DIGIT.format(row.mean_s), ONE_DIGIT.format(row.longest_s)])),
    table(tr("Games nights"), [tr("Game"), tr("games"), ...(wanted.player ? [tr("won")] : [])], nights.map(({ called, games, won }) => [called, games, ...(won === null ? [] : [won])])),
    table(tr("How well the table sensed"), [tr("Month"), trC("sensed", "Table"), tr("games"), trC("turns", "certain"), trC("turns", "asked"), trC("turns", "corrected")], sensing.map((row) => [row.month, row.table, row.games, row.certain, row.asked, row.corrected])),
  ];
}

/**
 * A table whose first column names its rows; long ones show their end when asked.
 * @param {string} title
 * @param {string[]} head
 * @param {(string | number | Node)[][]} rows
 * @param {string} [kind] the class of what it stands in
 */
function table(title, head, rows, kind = "card") {
  if (!rows.length) return null;
  const drawn = rows.map(([name, ...cells], at) => h("tr", { hidden: at >= MOST }, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell))));
  const more = button(trN("{n} more", "{n} more", rows.length - MOST), () => {
    for (const row of drawn) row.hidden = false;
    more.remove();
  });
  return h(
    "section",
    { class: kind },
    h("h2", {}, title),
    h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": title }, h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))), h("tbody", {}, drawn))),
    rows.length > MOST ? more : null,
  );
}

/**
 * The openings: where the boards are, how games came there, and how they went on.
 * @param {import("./archive.js").Context} context
 * @param {(after: string[]) => void} go
 */
function createWalk(context, go) {
  const boards = h("div", { class: "eras" });
  const looks = { meanings: [], pieces: { ...context.looks.pieces } };
  const eras = createEras(boards, { places: () => context.places, looks: () => looks });
  const head = h("h2", { tabindex: "-1" }, tr("Openings"));
  const way = h("ol", { class: "wrapped", "aria-label": tr("The turns that led here") });
  const next = h("div");
  const element = h("section", { class: "card walk" }, head, way, boards, next);
  return {
    element,
    head,
    /** @param {Opening} opening */
    show(opening) {
      const { turns, position } = opening;
      const last = turns[turns.length - 1];
      const line = turns.map(({ turn }) => turn);
      Object.assign(looks.pieces, opening.looks);
      const step = (/** @type {string} */ text, /** @type {number} */ count) =>
        h("li", {}, button(text, () => go(line.slice(0, count)), { class: "quiet", "aria-current": count === line.length ? "step" : null }));
      fill(way, step(tr("The start"), 0), turns.map((turn, at) => step(sentence(turn), at + 1)));
      eras.show({
        steps: [],
        pieces: position.pieces,
        leds: [],
        focus: position.focus,
        mover: SIDES.indexOf(position.mover),
        active: null,
        choosing: false,
        south: 0,
        whose: [tr("White’s focus"), tr("Black’s focus")],
        moods: ["", ""],
        last: last ? { path: last.path, died: last.died, player: last.player } : null,
      });
      const rows = opening.next.map((turn) => [
        h("button", { type: "button", class: "quiet", on: { click: () => go([...line, turn.turn]) } }, sentence(turn), " ", h("span", { class: "turn faint" }, written(turn.turn))),
        ...[turn.games, turn.won, turn.lost, turn.drawn, turn.unfinished],
      ]);
      fill(next, table(tr("How games went on"), [tr("Turn"), ...FOR_WHITE], rows, "next") ?? h("p", {}, tr("No game is known to go on from here.")));
    },
  };
}

/** @param {Turn} turn @returns {string} */
function sentence({ no, says, focus }) {
  return `${no}. ${says}. ${capital(eraName(focus))}.`;
}
