// @ts-check
/** The director of a tournament: players, pairings, rounds, results, corrections, and the log. */

import { byId, fill, h, whenChanged } from "/static/dom.js";
import { language, tr, trN } from "/static/language.js";
import { button, choice } from "/static/parts.js";
import { createPatience } from "/static/patience.js";
import { openLine, showLine, withoutDoubles } from "/static/socket.js";
import { heads, resultOf } from "/club/static/tournament-parts.js";

const TIME = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
const KINDS = /** @type {Record<string, string>} */ ({
  created: tr("made"),
  "player-added": tr("player added"),
  "player-withdrawn": tr("player left"),
  "player-returned": tr("player came back"),
  "bye-requested": tr("bye asked for"),
  "round-paired": tr("round paired"),
  "pairing-taken-back": tr("pairing taken back"),
  "table-changed": tr("table changed"),
  "round-started": tr("round begun"),
  result: tr("result of a game"),
  corrected: tr("result by the director"),
  "round-closed": tr("round closed"),
});

let chosen = "";
/** @type {any} */
let told = { list: [], open: {}, tables: [], results: [], remarks: [], problem: "" };
/** The board whose result is being entered, with its round. @type {{round: number, board: number} | null} */
let correcting = null;

const line = openLine("/director/ws", {
  message(message) {
    if (message.type !== "parts" || !message.parts.tournaments) return;
    told = message.parts.tournaments;
    draw();
  },
  state: showLine,
});

const request = withoutDoubles(line.request);
const patience = createPatience([byId("boards")], () => draw()); // a list of tables that is open stays so

const which = choice(tr("Tournament"), [], (id) => {
  chosen = id;
  correct(null);
});
fill(byId("which"), which.element);

/** @param {string} what @param {Record<string, unknown>} values */
async function act(what, values = {}) {
  const { ok, why, ...rest } = await request(what, what === "tournament_new" ? values : { tournament: chosen, ...values });
  byId("problem").textContent = ok ? "" : (why ?? "");
  return ok ? rest : null;
}

function draw() {
  const ids = Object.keys(told.open);
  if (!ids.includes(chosen)) chosen = ids[0] ?? "";
  const state = told.open[chosen];
  drawChoice({ list: told.list.filter((/** @type {any} */ it) => ids.includes(it.id)), chosen });
  for (const id of ["next", "entrants-card", "log-card"]) byId(id).hidden = !state;
  byId("sum").textContent = told.problem || (state ? trN("{n} player", "{n} players", state.players) : tr("There is no tournament yet."));
  if (!state) return;
  if (!patience.mustWait()) drawRound({ state, correcting, tables: told.tables, results: told.results });
  drawEntrants(state.entrants);
  drawLog({ log: state.log, remarks: told.remarks });
}

const drawChoice = whenChanged((/** @type {any} */ { list, chosen: now }) => {
  which.select.replaceChildren(...list.map((/** @type {any} */ it) => h("option", { value: it.id }, it.name)));
  which.select.value = now;
  which.element.hidden = list.length < 2;
});

const drawRound = whenChanged((/** @type {any} */ { state }) => {
  const round = state.pairings.at(-1);
  const isOpen = round && !round.closed;
  byId("next-title").textContent = round ? tr("Round {round} of {rounds}", { round: round.round, rounds: state.rounds }) : tr("Before the first round");
  const canPair = !round || ((round.closed || round.complete) && round.round < state.rounds);
  fill(
    byId("acts"),
    canPair && button(tr("Pair the next round"), () => act("tournament_pair"), { class: "primary" }),
    isOpen && !round.started && button(tr("Start the round"), () => act("tournament_start"), { class: "primary" }),
    isOpen && round.complete && button(tr("Close the round"), () => act("tournament_close")),
    isOpen && !round.boards.some((/** @type {any} */ it) => it.result) && button(tr("Take the pairing back"), takeBack),
    state.over && h("p", {}, tr("The tournament is over.")),
  );
  const boards = round ? round.boards : [];
  const rows = boards.map((/** @type {any} */ it) => {
    const isThis = correcting?.board === it.board && correcting?.round === round.round;
    const tools = button(it.result ? tr("Correct") : tr("Enter"), () => correct(isThis ? null : { round: round.round, board: it.board }), { "aria-expanded": isThis, "aria-label": tr("Result of board {n}", { n: it.board }) });
    return h("tr", {}, h("td", { class: "number" }, it.board), h("td", {}, isOpen ? tableOf(it) : it.table), h("td", {}, it.white), h("td", { class: `result${it.corrected ? " corrected" : ""}` }, resultOf(it.result) || "–"), h("td", {}, it.black), h("td", {}, tools));
  });
  fill(byId("boards"), boards.length ? heads([tr("Board"), tr("Table"), tr("White"), tr("Result"), tr("Black"), tr("Change")], [0]) : "", h("tbody", {}, rows));
});

/** @param {{round: number, board: number} | null} next */
function correct(next) {
  correcting = next;
  const state = told.open[chosen];
  const board = next && state?.pairings[next.round - 1]?.boards[next.board - 1];
  fill(byId("correction"), board && next ? correction(next.round, board) : ""); // once: what is typed stays
  draw();
  byId("correction").querySelector("select")?.focus();
}

/** @param {number} round @param {any} board */
function correction(round, board) {
  const options = told.results.map((/** @type {string} */ it) => [it, resultOf(it)]);
  const result = choice(tr("Result: {white} – {black}", { white: board.white, black: board.black }), [...options, ["", tr("none: it is played again")]], () => {});
  result.set(board.result || "1-0");
  const reason = h("input", { type: "text", maxlength: 200, required: true, autocomplete: "off" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await act("tournament_correct", { round, board: board.board, result: result.select.value, reason: reason.value.trim() })) correct(null);
  };
  return h("form", { class: "correcting", on: { submit } }, result.element, h("label", { class: "field" }, h("span", {}, tr("Reason; it is kept")), reason), h("button", { type: "submit", class: "primary" }, tr("Enter the result")), button(tr("Leave it"), () => correct(null)));
}

/** @param {any} board */
function tableOf({ board, table, result }) {
  if (result) return table;
  const select = h("select", { "aria-label": tr("Table of board {n}", { n: board }), on: { change: () => act("tournament_seat", { board, table: select.value }) } });
  const names = ["", ...told.tables, ...(told.tables.includes(table) ? [] : [table])];
  select.append(...[...new Set(names)].map((name) => h("option", { value: name }, name || "–")));
  select.value = table;
  return select;
}

async function takeBack() {
  const reason = prompt(tr("Why is the pairing taken back? The reason is kept."));
  if (reason?.trim()) await act("tournament_unpair", { reason: reason.trim() });
}

const drawEntrants = whenChanged((/** @type {any[]} */ entrants) => {
  const rows = entrants.map(({ player, number, name, rating, there }) => {
    const tool = there
      ? button(tr("Leaves"), () => act("tournament_withdraw", { player }), { "aria-label": tr("{name} leaves", { name }) })
      : button(tr("Is back"), () => act("tournament_return", { player }), { "aria-label": tr("{name} is back", { name }) });
    return h("tr", {}, h("td", { class: "number" }, number), h("td", { class: there ? "" : "left" }, name), h("td", { class: "number" }, rating || ""), h("td", {}, tool));
  });
  fill(byId("entrants"), heads([tr("Number"), tr("Name"), tr("Rating"), tr("Change")], [0, 2]), h("tbody", {}, rows));
});

const drawLog = whenChanged((/** @type {any} */ { log, remarks }) => {
  fill(byId("remarks"), remarks.slice(0, 5).map((/** @type {any} */ it) => h("li", {}, tr("A game of {table} counts for nothing: {why}", { table: it.table || "?", why: it.why }))));
  const rows = log.toReversed().map((/** @type {any} */ it) => h("tr", {}, h("td", {}, TIME.format(new Date(it.at))), h("td", {}, it.by), h("td", {}, KINDS[it.kind] ?? it.kind), h("td", {}, saidOf(it.fields))));
  fill(byId("log"), heads([tr("Time"), tr("Who"), tr("What"), tr("More")]), h("tbody", {}, rows));
});

/** @param {any} fields */
function saidOf({ round, board, result, name, table, reason, player }) {
  const parts = [
    round && tr("round {n}", { n: round }),
    board && tr("board {n}", { n: board }),
    player && !name && tr("player {n}", { n: player }),
    name,
    table,
    result !== undefined && (resultOf(result) || "–"),
    reason,
  ];
  return parts.filter(Boolean).join(", ");
}

byId("add").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const names = byId("names").value.trim();
  if (names && (await act("tournament_add", { names }))) byId("names").value = "";
});

const newName = h("input", { type: "text", maxlength: 60, required: true, autocomplete: "off" });
const newRounds = h("input", { type: "number", min: 1, max: 99, value: 7 });
const roundsField = h("label", { class: "field" }, h("span", {}, tr("Rounds")), newRounds);
const newSystem = choice(tr("System"), [["swiss", tr("Swiss")], ["round-robin", tr("round robin")], ["double-round-robin", tr("double round robin")]], (value) => {
  roundsField.hidden = value !== "swiss";
});
fill(byId("new"), h("label", { class: "field" }, h("span", {}, tr("Name")), newName), newSystem.element, roundsField, h("button", { type: "submit" }, tr("Make it")));
byId("new").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const made = await act("tournament_new", { name: newName.value.trim(), system: newSystem.select.value, rounds: Number(newRounds.value) || 0 });
  if (!made) return;
  newName.value = "";
  chosen = /** @type {any} */ (made).tournament ?? chosen;
  draw();
});
