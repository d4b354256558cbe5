// @ts-check
/** The list of the games: searched by player, filtered by result, page by page. */

import { ask, piecesOf } from "./answers.js";
import { linked } from "./cited.js";
import { fill, h } from "./dom.js";
import { copyFigure } from "./figures.js";
import { language, tr, trC, trN } from "./language.js";
import { button } from "./parts.js";
import { searchForm, select } from "./search.js";
import { smallBoards } from "./small.js";
import { note } from "./speak.js";
import { bothCalled, capital, COLOURS, nameOf } from "./words.js";

/** @import { Entry, List, Night } from "./answers.js" */
/** @typedef {{player: string, result: string, order: string, offset: number}} Wanted */

const PER_PAGE = 25;
const RESULTS = [
  ["", tr("any")],
  ["1-0", tr("white won")],
  ["0-1", tr("black won")],
  ["1/2-1/2", tr("drawn")],
  ["*", tr("not finished")],
];
const ORDERS = [
  ["", tr("newest first")],
  ["mistakes", tr("most mistakes")],
];
const STANDARD = "standard";
const UNFINISHED = "*";
const YOU = "you"; // what records call who plays here
const MOST_GOING = 3;

/** @type {Wanted} what was asked for last: who comes back from a game finds the same page */
let wanted = { player: "", result: "", order: "", offset: 0 };
let scrolled = 0;

/**
 * Show the list in `root`: what was broken off first.
 * @param {HTMLElement} root
 * @param {import("./archive.js").Context} context
 * @returns {{leave: () => void}}
 */
export function showList(root, context) {
  const search = () => {
    wanted = { player: parts.player.value.trim(), result: parts.result.value, order: parts.order.value, offset: 0 };
    load();
  };
  const parts = build(search);
  fill(root, parts.page);
  let running = new AbortController();

  const load = async () => {
    running.abort();
    const mine = (running = new AbortController());
    parts.page.setAttribute("aria-busy", "true");
    try {
      const isAll = !wanted.player && !wanted.result && !wanted.order && !wanted.offset;
      const going = { ...wanted, result: UNFINISHED };
      const [found, { games }] = /** @type {List[]} */ (await Promise.all([addressOf(wanted), isAll && addressOf(going)].map((address) => (address ? ask(address, mine.signal) : { games: [] }))));
      const first = games.flatMap((game) => ("players" in game ? [] : [game])).slice(0, MOST_GOING);
      draw(parts, found, turnPage, first, context);
      scrollTo(0, scrolled);
      scrolled = 0;
    } catch (error) {
      if (mine.signal.aborted) return;
      fill(parts.status, error instanceof Error ? error.message : String(error));
      fill(parts.games);
      fill(parts.pager);
    }
    parts.page.removeAttribute("aria-busy");
  };
  const turnPage = (/** @type {number} */ offset) => {
    wanted = { ...wanted, offset };
    load();
    parts.status.focus({ preventScroll: true });
  };
  load();
  return {
    leave() {
      scrolled = scrollY;
      running.abort();
    },
  };
}

/** @param {Wanted} asked @returns {string} */
function addressOf({ player, result, order, offset }) {
  const query = { player, result, order, limit: String(PER_PAGE), offset: String(offset) };
  return `/api/games?${new URLSearchParams(query)}`;
}

/** The page without its games. @param {() => void} search */
function build(search) {
  const player = h("input", {
    type: "search",
    name: "player",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: tr("Name or a part of it"),
    value: wanted.player,
  });
  const result = select(RESULTS, wanted.result);
  const order = select(ORDERS, wanted.order);
  const form = searchForm(tr("Games"), [[tr("Player"), player], [tr("Result"), result], [trC("list", "Order"), order]], search);
  const status = h("p", { class: "status", role: "status", tabindex: "-1" }, tr("Looking …"));
  const games = h("div");
  const pager = h("div");
  const more = h("p", { class: "status" }, h("a", { href: "#statistics" }, tr("Statistics")), " · ", h("a", { href: "#analyse" }, tr("Analysis board")));
  const page = h("div", { class: "archive" }, h("h1", {}, tr("Games")), form, more, status, games, pager);
  return { page, player, result, order, status, games, pager };
}

/** @typedef {ReturnType<typeof build>} Parts */

/** @param {Parts} parts @param {List} found @param {(offset: number) => void} turnPage @param {Entry[]} going @param {import("./archive.js").Context} context */
function draw(parts, found, turnPage, going, context) {
  const others = found.games.filter(({ id }) => !going.some((each) => each.id === id));
  fill(parts.status, statusOf(found));
  fill(parts.games, going.length ? h("ol", { class: "games going" }, going.map((game) => goingRow(game, context))) : null, found.games.length ? rows(others) : nothing(found), unreadable(found));
  fill(parts.pager, found.total > found.games.length ? pager(found, turnPage) : null);
}

/** @param {List} found @returns {string} */
function statusOf({ games, total }) {
  if (games.length === total) return trN("{n} game", "{n} games", total);
  const shown = { from: wanted.offset + 1, to: wanted.offset + games.length };
  return trN("{from} to {to} of {n} game", "{from} to {to} of {n} games", total, shown);
}

/** @param {List} found */
function nothing({ total }) {
  if (total) return h("p", { class: "empty" }, tr("There is nothing on this page."));
  const [head, more] =
    wanted.player || wanted.result
      ? [tr("No game fits."), tr("Search for another name, or for any result.")]
      : wanted.order
        ? [tr("No game was analysed yet."), tr("Look at a game, and have it analysed.")]
        : [tr("No games yet."), tr("Every game that is played here is kept, and is listed here.")];
  const pair = h("span", { class: "pair" }, copyFigure(0, "wide"), copyFigure(1));
  return h("div", { class: "empty" }, pair, h("b", {}, head), h("p", {}, more));
}

/** @param {(Entry | Night)[]} games */
function rows(games) {
  return h("ol", { class: "games" }, games.map((game) => ("players" in game ? nightRow(game) : row(game))));
}

/** A game that was broken off, and how to go on with it. @param {Entry} game @param {import("./archive.js").Context} context */
function goingRow(game, { isOn, canBranch, request }) {
  const element = row(game);
  const again = async () => {
    const { ok, why } = isOn(game.id) ? { ok: true, why: "" } : await request("branch", { game: game.id, turn: game.turns });
    if (ok) location.hash = "#live";
    else note(capital(why ?? tr("This cannot be played on from here.")));
  };
  if (canBranch || isOn(game.id)) element.append(button(tr("Continue"), again, { class: "primary" }));
  return element;
}

/** @param {Entry} game */
function row(game) {
  const turns = trN("{n} turn", "{n} turns", game.turns);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "listed pictured", href: `#games/${encodeURIComponent(game.id)}` },
      smallBoards(piecesOf(game.copies)),
      h(
        "span",
        { class: "against" },
        seat(0, game.white, game.result),
        h("span", { class: "unseen" }, ` ${trC("players", "against")} `),
        seat(1, game.black, game.result),
      ),
      h("span", { class: "says" }, h("span", { class: "unseen" }, ". "), endOf(game)),
      h("span", { class: "facts" }, dateOf(game.date), " · ", turns, ofKind(game), mistakesOf(game)),
    ),
  );
}

/** A game of a night, which is replayed on a big screen's page. @param {Night} game */
function nightRow({ id, title, date, players, winners, actions, imported }) {
  const names = players.map((name, at) => [at ? ", " : "", h("span", { class: winners.includes(name) ? "won" : "" }, name)]);
  const says = winners.length ? tr("won by {names}", { names: winners.join(", ") }) : tr("won by nobody");
  const facts = [dateOf(date), trN("{n} action", "{n} actions", actions), title, ...(imported ? [tr("imported")] : [])];
  return h(
    "li",
    {},
    h(
      "a",
      { class: "listed", href: `/night/static/replay.html?game=${encodeURIComponent(id)}` },
      h("span", { class: "against night" }, h("span", {}, names.flat())),
      h("span", { class: "says" }, h("span", { class: "unseen" }, ". "), capital(says), "."),
      h("span", { class: "facts" }, facts.join(" · ")),
    ),
  );
}

/** @param {number} player @param {string} name @param {string} result */
function seat(player, name, result) {
  const colour = ["white", "black"][player];
  const won = ["1-0", "0-1"].indexOf(result);
  const mood = won < 0 ? "" : won === player ? "glad" : "sad";
  return h(
    "span",
    { class: won === player ? "seat won" : "seat" },
    copyFigure(player, mood),
    nameOf(name, colour),
    h("span", { class: "unseen" }, ` (${COLOURS[player]})`),
  );
}

/** How a game ended, for who played it here. @param {Entry} game */
function endOf({ white, black, result, says }) {
  const own = [white, black].indexOf(YOU);
  const winner = ["1-0", "0-1"].indexOf(result);
  if (own < 0 || winner < 0 || white === black) return says;
  return winner === own ? tr("You won") : tr("You lost");
}

/** @param {Entry} game @returns {string} what is special about it */
function ofKind({ modules, called, imported }) {
  const kind = modules === STANDARD ? "" : ` · ${called ?? modules ?? tr("locked here")}`;
  return kind + (imported ? ` · ${tr("imported")}` : "");
}

/** @param {Entry} game @returns {string} how many of White's and of Black's turns were mistakes */
function mistakesOf({ analysed, errors: [white, black], ...of }) {
  const [first, second] = bothCalled([of.white, of.black]);
  const says = tr("mistakes: {first} {white}, {second} {black}", { first, second, white, black });
  return analysed ? ` · ${says}` : "";
}

/** @param {string} date as `2026-11-20` @returns {string} as people here write it */
export function dateOf(date) {
  const [, year, month, day] = date.match(/^(\d{4})-(\d\d)-(\d\d)$/) ?? [];
  if (!year) return tr("no date");
  const moment = new Date(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(moment.getTime()) ? date : moment.toLocaleDateString(language, { dateStyle: "medium" });
}

/** @param {List} found @param {(offset: number) => void} turnPage */
function pager({ games, total }, turnPage) {
  const { offset } = wanted;
  const button = (/** @type {string} */ says, /** @type {number} */ to, /** @type {boolean} */ can) =>
    h("button", { type: "button", disabled: !can, on: { click: () => turnPage(to) } }, says);
  return h(
    "nav",
    { class: "pager", "aria-label": tr("Pages of the list") },
    button(wanted.order ? tr("Page before") : tr("Newer games"), Math.max(0, offset - PER_PAGE), offset > 0),
    button(wanted.order ? tr("Next page") : tr("Older games"), offset + PER_PAGE, offset + games.length < total),
  );
}

/** @param {List} found */
function unreadable({ unreadable: { total, files } }) {
  if (!total) return null;
  const says = trN("{n} file cannot be read", "{n} files cannot be read", total);
  return h(
    "details",
    { class: "unreadable" },
    h("summary", {}, says),
    h(
      "ul",
      {},
      files.map(({ file, why }) => h("li", {}, h("code", {}, file), ": ", ...linked(why))),
      files.length < total ? h("li", {}, "…") : null,
    ),
  );
}
