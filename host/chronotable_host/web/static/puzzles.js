// @ts-check
/** The puzzles: `#puzzles`, the list, and `#puzzles/NUMBER`, one of them. */

import { ask, piecesOf } from "./answers.js";
import { fill, h } from "./dom.js";
import { copyFigure } from "./figures.js";
import { tr, trN } from "./language.js";
import { button } from "./parts.js";
import { searchForm, select } from "./search.js";
import { kept, puzzleAddress, puzzler, setPuzzler, showPuzzle } from "./puzzle.js";
import { smallBoards } from "./small.js";
import { showView } from "./views.js";

/**
 * @typedef {{number: number, says: string, player: "white" | "black", win: number, rating: number,
 *   copies: string, solved: boolean | null}} Row
 * @typedef {{today: number, next: number | null, standing: {says: string, rating: string,
 *   streak: number, best_streak: number}, puzzles: Row[]}} List
 */

const PER_PAGE = 24;
const NAME_LENGTH = 60;
const SIDES = ["white", "black"];
const WINS = [1, 2, 3];
const FITS = /** @type {Record<string, (row: Row) => boolean>} */ ({
  all: () => true,
  new: ({ solved }) => solved === null,
  missed: ({ solved }) => solved === false,
  solved: ({ solved }) => solved === true,
});

/** What was looked at last: who comes back from a puzzle finds the same rows. */
let wanted = { which: "all", win: 0, offset: 0 };

/**
 * Show the puzzles in `root`, or one of them.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded
 * @param {import("./archive.js").Context} context
 */
export async function showPuzzles(root, [, number = ""], context) {
  await showView(root, "", (isWanted) => (number ? showPuzzle(root, number, context, isWanted) : showList(root)));
}

/** @param {HTMLElement} root */
function showList(root) {
  const name = h("input", { type: "text", name: "puzzler", autocomplete: "off", spellcheck: "false", maxlength: NAME_LENGTH, placeholder: tr("any name"), value: puzzler() });
  const which = select([["all", tr("all")], ["new", tr("not tried yet")], ["missed", tr("missed")], ["solved", tr("solved")]], wanted.which);
  const win = select([["0", tr("of any length")], ...WINS.map((n) => /** @type {[string, string]} */ ([String(n), trN("won in {n} turn", "won in {n} turns", n)]))], String(wanted.win));
  const status = h("p", { class: "status", role: "status", tabindex: "-1" }, tr("Looking …"));
  const chosen = h("div", { class: "bar" });
  const row = h("p", { class: "rating" });
  const rows = h("div");
  const pager = h("div");
  /** @type {List | null} */
  let list = null;
  let shown = puzzler();
  let running = new AbortController();

  const load = async () => {
    running.abort();
    const mine = (running = new AbortController());
    shown = puzzler();
    try {
      await kept();
      list = await ask(`/api/puzzles?${new URLSearchParams({ player: puzzler() })}`, mine.signal);
      draw();
    } catch (error) {
      if (!mine.signal.aborted) fill(status, error instanceof Error ? error.message : String(error));
    }
  };
  const look = () => {
    wanted = { which: which.value, win: Number(win.value), offset: 0 };
    if (puzzler() === shown) draw();
    else load();
  };
  const turnPage = (/** @type {number} */ offset) => {
    wanted = { ...wanted, offset };
    draw();
    status.focus();
    scrollTo(0, 0);
  };

  function draw() {
    if (!list) return;
    const { today, next, standing, puzzles } = list;
    const fitting = puzzles.filter((row) => FITS[wanted.which](row) && (!wanted.win || row.win === wanted.win));
    const { offset } = wanted;
    const some = fitting.slice(offset, offset + PER_PAGE);
    const guessed = standing.rating.endsWith("?") ? tr("The question mark: so far it is a guess.") : "";
    fill(status, [standing.says, tr("Of puzzles as difficult as your rating you solve every second one."), guessed].join(" "));
    fill(row, h("small", {}, tr("rating")), " ", h("b", {}, standing.rating), standing.streak > 1 ? h("span", {}, tr("{n} in a row", { n: standing.streak })) : null);
    fill(
      chosen,
      h("a", { class: "button", href: puzzleAddress(today) }, tr("Puzzle of the day")),
      next === null ? null : h("a", { class: "button", href: puzzleAddress(next) }, tr("Next puzzle")),
    );
    fill(rows, some.length ? h("ol", { class: "games cards" }, some.map((row) => puzzleRow(row, today))) : h("p", { class: "empty" }, tr("No puzzle fits.")));
    const to = (/** @type {string} */ says, /** @type {number} */ where, /** @type {boolean} */ can) => button(says, () => turnPage(where), { disabled: !can });
    fill(
      pager,
      fitting.length <= PER_PAGE
        ? null
        : h("nav", { class: "pager", "aria-label": tr("Pages of the list") }, to(tr("Easier puzzles"), Math.max(0, offset - PER_PAGE), offset > 0), to(tr("Harder puzzles"), offset + PER_PAGE, offset + PER_PAGE < fitting.length)),
    );
  }

  name.addEventListener("input", () => setPuzzler(name.value.trim()));
  const form = searchForm(tr("Puzzles"), [[tr("Who solves"), name], [tr("Which"), which], [tr("Length"), win]], look);
  fill(root, h("div", { class: "archive" }, h("div", { class: "line-up" }, h("h1", {}, tr("Puzzles")), row), form, chosen, status, rows, pager));
  load();
  return { leave: () => running.abort() };
}

/** @param {Row} row @param {number} today */
function puzzleRow({ number, says, player, rating, copies, solved }, today) {
  const told = [
    tr("Puzzle {number}", { number }),
    tr("difficulty {rating}", { rating }),
    number === today ? tr("puzzle of the day") : "",
  ];
  return h(
    "li",
    {},
    h(
      "a",
      { class: "listed", href: puzzleAddress(number) },
      smallBoards(piecesOf(copies)),
      h("b", { class: "seat" }, copyFigure(SIDES.indexOf(player), solved ? "glad" : ""), says),
      solved === null ? null : h("span", { class: solved ? "says solved" : "says" }, solved ? tr("solved") : tr("missed")),
      h("span", { class: "facts" }, told.filter(Boolean).join(" · ")),
    ),
  );
}
