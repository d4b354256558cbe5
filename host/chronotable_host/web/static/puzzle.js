// @ts-check
/** One puzzle: turns are made as in just play; right ones are answered, wrong ones shown why. */

import { ask } from "./answers.js";
import { fill, h } from "./dom.js";
import { tr } from "./language.js";
import { button } from "./parts.js";
import { turnRow } from "./sofar.js";
import { note, say } from "./speak.js";
import { recall, remember } from "./table.js";
import { createSide, createTryStage, knob } from "./trystage.js";
import { sideName } from "./words.js";

/**
 * A puzzle after some turns: `stories` are those of both players, `tried` is where the last one leads,
 * `position` where the next is due.
 * @typedef {import("./trying.js").Told & {turn: string}} Turn
 * @typedef {{number: number, title: string, task: string, player: "white" | "black", left: number,
 *   rating: number, options: string, verdict: "on" | "solved" | "wrong", says: string,
 *   stories: Turn[], position: import("./answers.js").Position,
 *   tried: import("./answers.js").Position, looks: import("./pieces.js").Looks["pieces"]}} Told
 */

const ON = "on";
const SOLVED = "solved";
const WRONG = "wrong";
const NAME = "chronotable-puzzler";

/** @type {Promise<unknown>} */
let keeping = Promise.resolve();

/** Resolves when what was tried last is kept: then lists know it. */
export const kept = () => keeping;

/** Whose rating it is on this screen, "" for who gave no name. */
export function puzzler() {
  return recall(NAME) ?? "";
}

/** Take note of whose rating it is on this screen. @param {string} name */
export function setPuzzler(name) {
  remember(NAME, name);
}

/** @param {number} number @returns {string} where a puzzle is solved */
export function puzzleAddress(number) {
  return `#puzzles/${number}`;
}

/**
 * Show a puzzle in `root`. Rejects with an Error that has a sentence.
 * @param {HTMLElement} root
 * @param {string} number
 * @param {import("./archive.js").Context} context
 * @param {() => boolean} isWanted false once something else is to be shown
 * @returns {Promise<import("./views.js").Shown>}
 */
export async function showPuzzle(root, number, context, isWanted) {
  const address = `/api/puzzles/${encodeURIComponent(number)}`;
  /** @param {string[]} given @param {boolean} [hinted] @returns {Promise<Told>} */
  const after = (given, hinted) => ask(`${address}?${new URLSearchParams({ turns: given.join(";"), hint: hinted ? "1" : "" })}`);
  let told = await after([]);
  if (!isWanted()) return { leave() {} };
  /** Turns of who solves it that were right. @type {string[]} */
  let turns = [];
  let isKept = false; // how the first try ended
  let isLeft = false;
  /** While it is being found out which puzzle is the next. @type {Promise<void> | null} */
  let finding = null;

  const back = knob("back", tr("Take the last choice back"), () => stage.trying.back());
  const hint = button(tr("Hint"), () => help(), { class: "button" });
  const again = button(tr("Try again"), () => resume(), { class: "primary" });
  const table = button(tr("On the table"), () => setUp(), { class: "button" });
  const next = h("a", { class: "button primary", href: "#puzzles", on: { click: onward } }, tr("Next puzzle"));
  const says = h("p", { role: "status" });
  const rows = h("ol", { class: "turns", "aria-label": tr("Turns of this puzzle") });
  const beside = createSide(
    root,
    tr("Turns"),
    () => {},
    h("p", {}, h("a", { class: "all-games", href: "#puzzles" }, tr("All puzzles"))),
    h("h2", {}, told.title),
    h("p", {}, told.task),
    h("p", { class: "faint" }, tr("difficulty {rating}", { rating: told.rating })),
    says,
    rows,
  );
  const controls = [h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, back, beside.list), hint, again, next, table];
  const names = ["white", "black"].map(sideName);
  const stage = createTryStage(context, { names, pieces: told.looks, controls, changed, played, south: ["white", "black"].indexOf(told.player) });

  /** @param {import("./trying.js").Tried} now */
  function changed(now) {
    stage.tell({ says: now.says, note: stage.trying.canBack() ? now.note : told.says, position: now.position, over: now.over });
    back.setAttribute("aria-disabled", String(!stage.trying.canBack()));
  }

  /** @param {import("./trying.js").Tried} whole */
  async function played({ turn, position, story }) {
    stage.trying.show(position, story);
    try {
      const given = [...turns, /** @type {string} */ (turn)];
      const found = await after(given);
      if (isLeft) return;
      told = found;
      if (told.verdict !== WRONG) turns = given;
      if (told.verdict !== ON) keep(given, false);
      if (told.verdict === ON) await resume();
      else stand();
    } catch (error) {
      refuse(error);
      await resume();
    }
  }

  /** Show where the last turn, and its answer, lead: nothing is to be chosen there. */
  function stand() {
    const isSolved = told.verdict === SOLVED;
    stage.trying.show(told.tried, told.stories.at(-1) ?? null);
    stage.tell({ says: isSolved ? tr("Solved!") : tr("That does not win"), note: told.says, position: told.tried, over: null });
    draw();
    say(told.says);
    (isSolved ? next : again).focus({ preventScroll: true });
  }

  /** Have the next turn tried, or the same one again. */
  function resume() {
    const last = told.verdict === WRONG ? null : (told.stories.at(-1) ?? null);
    if (told.verdict === WRONG) told = { ...told, verdict: ON, stories: told.stories.slice(0, 2 * turns.length), says: told.task };
    draw();
    if (last) say(told.says);
    return stage.trying.begin(told.position.position, told.options, last);
  }

  async function help() {
    const asked = told;
    try {
      const { says: advice } = await after(turns, true);
      keep(turns, true);
      if (isLeft || told !== asked) return; // a turn was faster
      told = { ...told, says: advice };
      fill(says, told.says);
      note(told.says, "news");
    } catch (error) {
      refuse(error);
    }
  }

  /** Keep how the first try ended. @param {string[]} given @param {boolean} hinted */
  function keep(given, hinted) {
    if (isKept) return;
    isKept = true;
    const values = { number: told.number, player: puzzler(), turns: given.join(";"), hinted: Number(hinted) };
    keeping = context.request("tried", values).then(
      (/** @type {any} */ reply) => reply?.ok === false && note(reply.why ?? tr("This try is not kept.")),
    );
    finding = keeping.then(findNext).catch(refuse).then(() => {
      finding = null;
    });
  }

  async function findNext() {
    const list = await ask(`/api/puzzles?${new URLSearchParams({ player: puzzler() })}`);
    next.setAttribute("href", list.next === null ? "#puzzles" : puzzleAddress(list.next));
  }

  /** Go to the next one as soon as it is known which that is. @param {Event} event */
  async function onward(event) {
    if (!finding) return;
    event.preventDefault();
    await finding;
    if (!isLeft) location.hash = next.getAttribute("href") ?? "#puzzles";
  }

  async function setUp() {
    try {
      const reply = await context.request("puzzle", { number: told.number, player: puzzler() });
      if (reply?.ok === false) note(reply.why ?? tr("The table cannot set it up now."));
      else location.hash = "#live";
    } catch (error) {
      refuse(error);
    }
  }

  function draw() {
    const isDue = told.verdict === ON;
    hint.hidden = !isDue;
    again.hidden = told.verdict !== WRONG;
    next.hidden = told.verdict !== SOLVED;
    table.hidden = !context.canTeach;
    back.hidden = !isDue;
    fill(says, told.says);
    fill(rows, told.stories.map((turn, at) => turnRow({ ...turn, no: at + 1, understood: "" }, "")));
  }

  root.classList.add("playing");
  fill(root, stage.element, beside.element);
  scrollTo(0, 0);
  stage.count(told.position);
  stage.title.focus({ preventScroll: true });
  await resume();
  return {
    leave() {
      isLeft = true;
    },
  };
}

/** @param {unknown} error */
function refuse(error) {
  note(error instanceof Error ? error.message : String(error));
}
