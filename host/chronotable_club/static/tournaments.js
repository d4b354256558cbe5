// @ts-check
/** A tournament for everybody: pairings by table, standings, cross table; and the club's ratings. */

import { ask } from "/static/answers.js";
import { byId, fill, h, whenChanged } from "/static/dom.js";
import { language, tr, trN } from "/static/language.js";
import { choice } from "/static/parts.js";
import { heads, resultOf } from "/club/static/tournament-parts.js";

const EVERY_MS = 3000;
const VIEWS = /** @type {[string, string][]} */ ([
  ["pairings", tr("Pairings")],
  ["standings", tr("Standings")],
  ["cross", tr("Cross table")],
  ["ratings", tr("Ratings")],
]);
const FILES = /** @type {Record<string, string>} */ ({ pairings: "pairings", standings: "standings", cross: "cross" });
const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

const which = choice(tr("Tournament"), [], (id) => go(id, shown().view));
fill(byId("which"), which.element);

/** What the address asks for: `#autumn-cup/standings`. */
function shown() {
  const [id, view] = location.hash.slice(1).split("/").map(decodeURIComponent);
  return { id: id ?? "", view: VIEWS.some(([name]) => name === view) ? view : "pairings" };
}

/** @param {string} id @param {string} view */
function go(id, view) {
  location.hash = `${encodeURIComponent(id)}/${view}`;
}

const drawChoice = whenChanged((/** @type {any} */ { tournaments, id }) => {
  which.select.replaceChildren(...tournaments.map((/** @type {any} */ it) => h("option", { value: it.id }, it.name)));
  which.select.value = id;
  which.element.hidden = tournaments.length < 2;
});

const drawViews = whenChanged((/** @type {any} */ { id, view }) => {
  fill(byId("views"), VIEWS.map(([name, text]) => h("a", { href: `#${encodeURIComponent(id)}/${name}`, "aria-current": name === view ? "page" : false }, text)));
  const file = FILES[view];
  fill(byId("files"), file && id ? h("a", { href: `/tournaments/${encodeURIComponent(id)}/${file}.csv` }, tr("As a spreadsheet (CSV)")) : "");
});

const draw = whenChanged((/** @type {any} */ { view, told, rated }) => {
  fill(byId("view"), DRAWS[view](told, rated));
});

/** @type {Record<string, (told: any, rated: any) => any[]>} */
const DRAWS = {
  pairings(told) {
    const round = told.pairings.filter((/** @type {any} */ it) => it.started).at(-1);
    if (!round) return [h("p", {}, tr("The first round has not begun yet."))];
    const rows = round.boards.map((/** @type {any} */ it) => h("tr", {}, h("td", { class: "table" }, it.table || tr("Board {n}", { n: it.board })), h("td", { class: "white" }, it.white), h("td", { class: `result${it.corrected ? " corrected" : ""}` }, resultOf(it.result) || "–"), h("td", { class: "black" }, it.black)));
    const free = told.system === "swiss" ? tr("{name} has the bye.", { name: round.bye }) : tr("{name} is free.", { name: round.bye });
    return [
      h("h2", {}, tr("Round {round} of {rounds}", { round: round.round, rounds: told.rounds })),
      scroll(tr("Pairings"), h("table", { class: "list pairs" }, heads([tr("Table"), tr("White"), tr("Result"), tr("Black")]), h("tbody", {}, rows))),
      round.bye ? h("p", {}, free) : "",
      round.away.length ? h("p", {}, tr("Not there: {names}", { names: round.away.join(", ") })) : "",
    ];
  },
  standings(told) {
    const rows = told.standings.map((/** @type {any} */ it) => h("tr", {}, h("td", { class: "number" }, it.place), h("td", { class: it.there ? "" : "left" }, it.name), h("td", { class: "number table" }, it.points), told.tie_breaks.map((/** @type {string} */ name) => h("td", { class: "number" }, it[name] ?? ""))));
    return [
      h("h2", {}, trN("Standings after {n} round", "Standings after {n} rounds", told.after)),
      scroll(tr("Standings"), h("table", { class: "list" }, heads([tr("Place"), tr("Name"), tr("Points"), ...told.tie_breaks], [0, 2, 3, 4, 5, 6, 7, 8]), h("tbody", {}, rows))),
      h("p", { class: "faint" }, told.legend),
      corrections(told),
    ];
  },
  cross(told) {
    const count = Math.max(0, ...told.cross.map((/** @type {any} */ it) => it.rounds.length));
    const numbers = Array.from({ length: count }, (_, at) => `${at + 1}`);
    const rows = told.cross.map((/** @type {any} */ it) => h("tr", {}, h("td", { class: "number" }, it.row), h("td", {}, it.name), numbers.map((_, at) => h("td", {}, it.rounds[at] ?? "")), h("td", { class: "number table" }, it.points)));
    return [
      h("h2", {}, tr("Cross table")),
      scroll(tr("Cross table"), h("table", { class: "list cross" }, heads(["", tr("Name"), ...numbers, tr("Points")]), h("tbody", {}, rows))),
      h("p", { class: "faint" }, tr("12w1: against number 12, with White, won. + and - are rounds without a game.")),
    ];
  },
  ratings(_told, rated) {
    const rows = rated.map((/** @type {any} */ it) => h("tr", {}, h("td", { class: "number" }, it.place), h("td", {}, it.name), h("td", { class: "number table" }, it.rating), h("td", { class: "number" }, `± ${2 * it.deviation}`), h("td", { class: "number" }, it.games)));
    return [
      h("h2", {}, tr("Ratings of the club")),
      scroll(tr("Ratings"), h("table", { class: "list" }, heads([tr("Place"), tr("Name"), tr("Rating"), tr("Give or take"), tr("Games")], [0, 2, 3, 4]), h("tbody", {}, rows))),
      h("p", { class: "faint" }, tr("Glicko-2 over all games between named players, week by week; who was entered with a rating begins with it.")),
    ];
  },
};

/** @param {string} label @param {any} table */
function scroll(label, table) {
  return h("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, table);
}

/** @param {any} told */
function corrections(told) {
  const lines = told.corrections.map((/** @type {any} */ it) => h("li", {}, tr("{time}: round {round}, board {board}: {before} → {after} ({reason})", { time: DAY.format(new Date(it.at)), round: it.round, board: it.board, before: resultOf(it.before) || "–", after: resultOf(it.after) || "–", reason: it.reason })));
  return lines.length ? h("ul", { class: "corrections", "aria-label": tr("Corrections") }, lines) : "";
}

/** What is being asked for: the latest, null for nothing. @type {object | null} */
let asking = null;

/** Show what the address asks for, unless it asks for something else by the time that is known. */
async function show() {
  const mine = (asking = {});
  try {
    const { tournaments } = await ask("/api/tournaments");
    const { id: asked, view } = shown();
    const id = tournaments.some((/** @type {any} */ it) => it.id === asked) ? asked : (tournaments[0]?.id ?? "");
    const told = id ? await ask(`/api/tournaments/${encodeURIComponent(id)}`) : null;
    const rated = view === "ratings" ? (await ask("/api/ratings")).ratings : [];
    if (mine !== asking) return;
    drawChoice({ tournaments, id });
    drawViews({ id, view });
    byId("title").textContent = told ? told.name : tr("Tournament");
    byId("sum").textContent = told ? stateOf(told) : tr("There is no tournament yet.");
    if (told || view === "ratings") draw({ view, told, rated });
  } catch (error) {
    if (mine !== asking) return;
    byId("sum").textContent = error instanceof Error ? error.message : String(error);
  } finally {
    if (mine === asking) asking = null;
  }
}

/** @param {any} told */
function stateOf({ players, over }) {
  const count = trN("{n} player", "{n} players", players);
  return over ? `${count}, ${tr("over")}` : count;
}

addEventListener("hashchange", show);
show();
setInterval(() => document.hidden || asking || show(), EVERY_MS);
