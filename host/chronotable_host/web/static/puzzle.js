// @ts-check
/** One puzzle: turns are made as in just play; right ones are answered, wrong ones shown why. */

import { ask } from "./answers.js";
import { fill, h, hearKeys } from "./dom.js";
import { createHint } from "./hint.js";
import { tr, trN } from "./language.js";
import { button, wayBack } from "./parts.js";
import { turnRow } from "./turns.js";
import { note, say } from "./speak.js";
import { PUZZLER, recall, remember } from "./switches.js";
import { createSide, knob, setDisabled } from "./stepping.js";
import { createTryStage } from "./trystage.js";
import { doneBy, sideName } from "./words.js";

/**
 * A puzzle after some turns: `stories` are those of both players, `tried` is where the last one leads,
 * `position` where the next is due; `hint` and `rest`, the turns that are left, are for who asked.
 * @typedef {import("./trying.js").Told & {turn: string}} Turn
 * @typedef {{number: number, title: string, task: string, player: "white" | "black", left: number,
 *   rating: number, options: string, verdict: "on" | "solved" | "wrong", says: string,
 *   stories: Turn[], hint: import("./hint.js").Hint | null, rest: (Turn & {position: import("./answers.js").Position})[],
 *   position: import("./answers.js").Position,
 *   tried: import("./answers.js").Position, looks: import("./pieces.js").Looks["pieces"]}} Told
 */

const ON = "on";
const SOLVED = "solved";
const WRONG = "wrong";
const UNASKED = { step: 0, thinking: false, copy: null, turn: null };
const LOOK_COST = 30; // points, as the server counts them
const STEP_MS = 1600; // of a solution

/** @type {Promise<unknown>} */
let keeping = Promise.resolve();

/** Resolves when what was tried last is kept: then lists know it. */
export const kept = () => keeping;

/** Whose rating it is on this screen, "" for who gave no name. */
export function puzzler() {
  return recall(PUZZLER) ?? "";
}

/** Take note of whose rating it is on this screen. @param {string} name */
export function setPuzzler(name) {
  remember(PUZZLER, name);
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
  /** @param {string[]} given @param {"" | "hint" | "solution"} [asked] @returns {Promise<Told>} */
  const after = (given, asked = "") => ask(`${address}?${new URLSearchParams({ turns: given.join(";"), ask: asked })}`);
  const list = () => ask(`/api/puzzles?${new URLSearchParams({ player: puzzler() })}`);
  let told = await after([]);
  if (!isWanted()) return { leave() {} };
  const { player, position: start } = told;
  const other = sideName(player === "white" ? "black" : "white");
  const left = new AbortController();
  /** Turns of who solves it that were right. @type {string[]} */
  let turns = [];
  /** What is chosen just now. @type {import("./trying.js").Tried | null} */
  let now = null;
  /** @type {import("./hint.js").Hint} */
  let given = UNASKED;
  /** The solution, turn by turn, once it is shown, and how far. @type {Told["rest"]} */
  let rest = [];
  let at = 0;
  let timer = 0;
  let isKept = false; // how the first try ended
  let isSure = true; // or one is asked whether one wants to see the solution
  let rating = ""; // before that, and what it did to it
  let rated = "";
  /** While it is being found out which puzzle is the next. @type {Promise<void> | null} */
  let finding = null;

  const back = knob("back", tr("Take the last choice back"), () => stage.trying.back());
  const before = knob("before", tr("One turn back"), () => step(at - 1));
  const forth = knob("after", tr("One turn on"), () => step(at + 1));
  const acts = h("span", { class: "acts" });
  const table = button(tr("On the table"), () => setUp(), { hidden: !context.canTeach });
  const next = h("a", { class: "button primary", href: "#puzzles", on: { click: onward } }, tr("Next puzzle"));
  const difficulty = tr("difficulty {rating}", { rating: told.rating });
  const rows = h("ol", { class: "turns", "aria-label": tr("Turns of this puzzle") });
  const beside = createSide(
    root,
    tr("Turns"),
    () => {},
    h("h2", {}, told.title),
    h("p", {}, told.task),
    h("p", { class: "faint" }, difficulty),
    rows,
    table,
  );
  const controls = [h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, back, before, forth, beside.list), acts];
  const names = ["white", "black"].map(sideName);
  const south = ["white", "black"].indexOf(player);
  const hint = createHint(
    {
      given: () => (now?.builder ? given : null),
      builder: () => /** @type {any} */ (now?.builder),
      at: () => told.position.position,
      player: () => player,
      ask: help,
      back: () => stage.trying.back(),
      looks: () => context.looks,
    },
    () => (draw(), stage.trying.redraw()),
  );
  const stage = createTryStage(context, { names, pieces: told.looks, controls, back: wayBack(tr("All puzzles"), "#puzzles"), changed, played, hinted: () => hint.way(), south });

  const again = () => button(tr("Try again"), () => resume(), { class: "button primary" });
  const solution = () => button(tr("Show the solution"), () => (isKept ? showSolution() : mind(false)), { class: "button" });
  const mind = (/** @type {boolean} */ is) => ((isSure = is), draw());
  const look = () => h("a", { class: "button", href: `#analyse/position/${encodeURIComponent(start.position)}` }, tr("Analysis"));

  /** @param {import("./trying.js").Tried} tried */
  function changed(tried) {
    now = tried;
    draw();
  }

  /** @param {import("./trying.js").Tried} whole */
  async function played({ turn, position, story }) {
    now = null;
    stage.trying.show(position, story);
    try {
      const tried = [...turns, /** @type {string} */ (turn)];
      const found = await after(tried);
      if (left.signal.aborted) return;
      told = found;
      if (told.verdict !== WRONG) turns = tried;
      if (told.verdict !== ON) keep(tried, false);
      if (told.verdict === ON) return await resume();
      stage.trying.show(told.tried, told.stories.at(-1) ?? null, told.verdict === SOLVED ? player : null);
      draw();
      say(told.says);
      /** @type {any} */ (acts.querySelector(".primary"))?.focus({ preventScroll: true });
    } catch (error) {
      refuse(error);
      await resume();
    }
  }

  /** Have the next turn tried, or the same one again. */
  function resume() {
    clearTimeout(timer);
    [rest, given] = [[], UNASKED];
    const last = told.verdict === ON ? (told.stories.at(-1) ?? null) : null;
    if (told.verdict === WRONG) told = { ...told, verdict: ON, stories: told.stories.slice(0, 2 * turns.length), says: told.task };
    if (last) say(told.says);
    return stage.trying.begin(told.position.position, told.options, last);
  }

  async function help() {
    const asked = told;
    try {
      const found = await after(turns, "hint");
      keep(turns, true);
      if (!left.signal.aborted && told === asked && found.hint) given = found.hint; // else a turn was faster
    } catch (error) {
      refuse(error);
    }
  }

  async function showSolution() {
    isSure = true;
    try {
      if (told.verdict === WRONG) await resume();
      const found = await after(turns, "solution");
      keep(turns, true);
      if (left.signal.aborted) return;
      now = null;
      rest = found.rest;
      step(0);
    } catch (error) {
      refuse(error);
    }
  }

  /** Show so much of the solution, and go on by itself. @param {number} to */
  function step(to) {
    clearTimeout(timer);
    if (!rest.length) return;
    at = Math.min(Math.max(0, to), rest.length);
    const last = rest[at - 1] ?? null;
    stage.trying.show(last?.position ?? told.position, last, at === rest.length ? player : null);
    draw();
    if (last) say(doneBy(last));
    if (at < rest.length) timer = setTimeout(() => step(at + 1), STEP_MS);
  }

  /** Keep how the first try ended. @param {string[]} tried @param {boolean} hinted */
  function keep(tried, hinted) {
    if (isKept) return;
    isKept = true;
    const values = { number: told.number, player: puzzler(), turns: tried.join(";"), hinted: Number(hinted) };
    keeping = context.request("tried", values).then(
      (/** @type {any} */ reply) => reply?.ok === false && note(reply.why ?? tr("This try is not kept.")),
    );
    finding = keeping.then(findNext).catch(refuse).then(() => {
      finding = null;
    });
  }

  async function findNext() {
    const { next: number, standing } = await list();
    next.setAttribute("href", number === null ? "#puzzles" : puzzleAddress(number));
    if (rating && rating !== standing.rating) rated = ratedText(rating, standing.rating);
    if (!left.signal.aborted) draw();
  }

  /** Go to the next one as soon as it is known which that is. @param {Event} event */
  async function onward(event) {
    if (!finding) return;
    event.preventDefault();
    await finding;
    if (!left.signal.aborted) location.hash = next.getAttribute("href") ?? "#puzzles";
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

  /** What the strip says, and what can be pressed. @returns {{says: string, note: string, mood?: import("./figures.js").Mood, steps?: [number, number], buttons: any[]}} */
  function line() {
    const score = (/** @type {string} */ text) => (rated ? `${text} ${rated}` : text);
    if (rest.length) {
      const last = rest[at - 1];
      const buttons = [button(tr("Try again"), () => resume(), { class: "button" }), next];
      return { says: tr("The solution"), note: score(last ? doneBy(last) : tr("This is how {player} wins.", { player: sideName(player) })), mood: at === rest.length ? "glad" : "", steps: [at, rest.length + 1], buttons };
    }
    if (!isSure) {
      const buttons = [button(tr("Keep trying"), () => mind(true), { class: "button" }), button(tr("Show it"), showSolution, { class: "button primary" })];
      return { says: tr("Show the solution?"), note: tr("Then this puzzle is not solved: that costs {n} points of your rating at most.", { n: LOOK_COST }), mood: "wonders", buttons };
    }
    if (told.verdict === SOLVED) return { says: tr("Solved."), note: score(told.says), mood: "glad", buttons: [look(), next] };
    if (told.verdict === WRONG) return { says: tr("That does not win"), note: score(told.says), mood: "wonders", buttons: [solution(), again()] };
    if (hint.isTold()) {
      const { acts: given, ...said } = hint.line();
      return { ...said, buttons: given.map(({ text, press, look: kind = "", off }) => button(text, press, { class: `button ${kind}`, disabled: off })) };
    }
    const you = { player: sideName(player), other };
    const asked = told.left === 1 ? tr("You are {player}, and {other} gets no turn any more.", you) : tr("You are {player}. Whatever {other} does in between, it must not help.", you);
    const answered = told.stories.length ? `${told.says} ${doneBy(/** @type {Turn} */ (told.stories.at(-1)))}` : asked;
    const buttons = [button(tr("Hint"), hint.next, { class: "button", disabled: !hint.isDue() }), solution()];
    const isBegun = stage.trying.canBack();
    return { says: isBegun && now ? now.says : trN("Win in {n} turn", "Win in {n} turns", told.left), note: isBegun && now ? now.note : answered, buttons };
  }

  function draw() {
    const { buttons, mood = "", ...said } = line();
    const isDue = !rest.length && told.verdict === ON;
    const position = isDue ? (now?.position ?? told.position) : (rest[at - 1]?.position ?? told.tried);
    stage.tell({ ...said, position, over: null, face: { player, mood } });
    const hadFocus = acts.contains(document.activeElement);
    fill(acts, ...buttons);
    if (hadFocus) /** @type {any} */ (acts.lastElementChild)?.focus();
    back.hidden = !isDue;
    before.hidden = forth.hidden = !rest.length;
    setDisabled(back, !stage.trying.canBack());
    setDisabled(before, !at);
    setDisabled(forth, at === rest.length);
    const seen = [...told.stories, ...rest.slice(0, at)].map((turn, no) => turnRow({ ...turn, no: no + 1, understood: "" }, ""));
    fill(rows, seen.length ? seen : h("li", { class: "none" }, `${told.title}. ${difficulty}`));
  }

  hearKeys(left.signal, {
    ArrowLeft: () => rest.length > 0 && (step(at - 1), clearTimeout(timer)),
    ArrowRight: () => rest.length > 0 && step(at + 1),
    Escape: () => beside.close(),
  });

  root.classList.add("playing");
  fill(root, stage.element, beside.element);
  scrollTo(0, 0);
  stage.count(told.position);
  stage.title.focus({ preventScroll: true });
  list().then(({ standing }) => (rating = standing.rating), () => {}); // without it nothing is said of it
  await resume();
  return {
    leave() {
      clearTimeout(timer);
      left.abort();
    },
  };
}

/** What became of a rating; it is of first tries, and far off as long as it is a guess. @param {string} before @param {string} after */
function ratedText(before, after) {
  const values = { before: parseInt(before), after: parseInt(after) };
  if (after.endsWith("?")) return tr("A first guess at your rating: {after}, by first tries alone.", values);
  return values.after < values.before ? tr("Your rating: {after} after {before}; the first try counts.", values) : tr("Your rating: {after} after {before}.", values);
}

/** @param {unknown} error */
function refuse(error) {
  note(error instanceof Error ? error.message : String(error));
}
