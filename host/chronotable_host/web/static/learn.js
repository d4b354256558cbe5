// @ts-check
/**
 * Learn from your mistakes: each one is a question, `#learn/ID/SIDE/NUMBER`. The turn that is tried
 * is judged by what is found out about it, and what would have followed is played through.
 */

import { fill, h, hearKeys } from "./dom.js";
import { tr } from "./language.js";
import { mistakesOf } from "./mistakes.js";
import { cameFrom, learningOf } from "./pages.js";
import { button, wayBack } from "./parts.js";
import { readGame } from "./replay.js";
import { addressOf, turnRow } from "./turns.js";
import { note, say } from "./speak.js";
import { tried } from "./trying.js";
import { createSide, knob, setDisabled } from "./stepping.js";
import { createTryStage } from "./trystage.js";
import { betterPlan, LEVEL } from "./verdicts.js";
import { showView } from "./views.js";
import { bothCalled, capital, doneBy, nameOf, SIDES, within, YOU } from "./words.js";
import { percent, think } from "./worth.js";

/** @import { Tried } from "./trying.js" */
/** @typedef {{position: import("./answers.js").Position, told: import("./trying.js").Told | null}} Step */

const AS_GOOD = 0.05; // of the chance to win: what an analysis calls no error
const JUDGED_MS = 3000;
const FOLLOWING = 6; // turns that are played through

/**
 * Show the mistakes of a side, one by one, in `root`. Those of the same side are not drawn anew.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded
 * @param {import("./archive.js").Context} context
 */
export async function showLearning(root, [, id = "", side = "", number = "1"], context) {
  const make = async (/** @type {() => boolean} */ isWanted) => {
    const game = await readGame(id);
    const own = SIDES.includes(side) ? side : SIDES[0];
    if (!isWanted()) return { leave() {} };
    return game.turns.every(({ said }) => said) ? learning(root, context, game, own, Number(number)) : waiting(root, context, game);
  };
  await showView(root, `${id}/${side}`, make, Number(number));
}

/**
 * Say how far the analysis is, of a game that was not analysed yet: the mistakes come when it is done.
 * @param {HTMLElement} root
 * @param {import("./archive.js").Context} context
 * @param {import("./replay.js").Game} game
 */
function waiting(root, context, { id, positions, turns, headers, looks }) {
  const names = SIDES.map((each) => nameOf(headers[capital(each)], each));
  const stage = createTryStage(context, { names, pieces: looks, controls: [], changed() {}, played() {} });
  const [position, told] = [positions[turns.length], turns[turns.length - 1]];
  const tell = (/** @type {string} */ text) => stage.tell({ says: tr("Looking for mistakes …"), note: text, position, over: null });
  /** Which analysis was the last one before that of this game, once this is asked for. @type {number | null} */
  let before = null;
  /** @param {import("./verdict.js").Judging | null} judging */
  async function hear(judging) {
    if (judging?.is_on) {
      if (judging.game === id) before ??= judging.no - 1;
      const done = tr("{done} of {turns}", { done: judging.done, turns: judging.turns || turns.length });
      tell(judging.game === id ? done : tr("Another game is being analysed."));
    } else if (before === null) {
      before = judging?.no ?? 0;
      const { ok, why } = await context.request("judge", { game: id, level: LEVEL });
      if (!ok) tell(capital(why ?? tr("This game cannot be analysed now.")));
    } else if (judging?.game === id && judging.no > before) {
      if (judging.why) tell(judging.why);
      else showLearning(root, location.hash.slice(1).split("/").map(decodeURIComponent), context);
    }
  }
  root.classList.add("playing");
  fill(root, stage.element);
  stage.trying.show(position, told);
  hear(context.judging());
  return { leave() {}, hear };
}

/**
 * @param {HTMLElement} root
 * @param {import("./archive.js").Context} context
 * @param {import("./replay.js").Game} game
 * @param {string} side
 * @param {number} number of the mistake to begin with, from 1
 */
function learning(root, context, { id, turns, positions, headers, looks }, side, number) {
  const mistakes = mistakesOf(turns, side);
  const names = SIDES.map((each) => nameOf(headers[capital(each)], each));
  const called = bothCalled(SIDES.map((each) => headers[capital(each)]));
  const player = called[SIDES.indexOf(side)];
  const { view, mine } = context.table;
  const isOwn = headers[capital(side)] === YOU || (view.game?.id === id && mine().join() === side);
  const task = isOwn ? tr("Find your better turn") : tr("Find a better turn for {player}", { player });
  /** How each one went: `found`, or `shown` where one was told. @type {Map<number, string>} */
  const went = new Map();
  let at = 0;
  /** What is played through, from the question on; empty while a turn is tried. @type {Step[]} */
  let steps = [];
  let step = 0;
  /** What is told of the turn that was found or shown, until the next question. @type {{title: string, text: string, mood?: "glad"} | null} */
  let answer = null;
  let judging = new AbortController();

  const before = knob("before", tr("One turn back"), () => (steps.length ? go(step - 1) : stage.trying.back()));
  const after = knob("after", tr("One turn on"), () => go(step + 1));
  const says = h("p");
  const acts = h("span", { class: "acts" });
  const list = h("ol", { class: "turns", tabindex: "0", "aria-label": tr("Mistakes") });
  const back = wayBack(tr("Back to the game"), cameFrom() || addressOf(id, 0));
  const beside = createSide(root, tr("Mistakes"), () => {}, h("h2", {}, isOwn ? tr("Your mistakes") : tr("{player}’s mistakes", { player })), list);
  const knobs = h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, before, after, beside.list);
  const stage = createTryStage(context, { names, pieces: looks, controls: [knobs, says, acts], back, changed, played });
  stage.count(positions[0]);

  const mistake = () => mistakes[at];
  /** How likely the side wins. @param {number} chance White's */
  const own = (chance) => (side === "white" ? chance : 1 - chance);
  const again = () => button(tr("Try again"), () => begin(at));
  const solution = () => button(tr("Show it"), show);
  const onward = () => button(tr("Next"), next, { class: "primary" });

  /** Ask about a mistake. @param {number} which from 0 */
  function begin(which) {
    judging.abort();
    answer = null;
    at = Math.min(Math.max(0, which), mistakes.length - 1);
    steps = [];
    history.replaceState(null, "", learningOf(id, side, at + 1));
    drawList();
    const { no } = mistake();
    tell(tr("{no} of {n}", { no: at + 1, n: mistakes.length }), [solution()]);
    const last = turns[no - 2] ?? null;
    return stage.trying.begin(positions[no - 1].position, headers.Options, last);
  }

  /** Ask about one that was not asked yet; behind the last say how many were found. */
  function next() {
    const left = [...mistakes.keys()].filter((which) => !went.has(which));
    const which = left.find((each) => each > at) ?? left[0];
    if (which !== undefined) return begin(which);
    const found = [...went.values()].filter((how) => how === "found").length;
    const counts = tr("Found {found} of {n}", { found, n: mistakes.length });
    const last = positions[positions.length - 1];
    steps = [];
    stage.trying.show(last, null);
    draw(last, counts, tr("Those were all of them."));
    const anew = () => (went.clear(), begin(0));
    tell("", [button(tr("Once more"), anew, { class: "primary" })]);
    say(counts);
  }

  /** @param {Tried} now */
  function changed(now) {
    const hasBegun = stage.trying.canBack();
    const { says, said } = mistake();
    const did = `${within(says)} (${said?.where})`;
    const question = isOwn ? tr("Your turn was: {did}.", { did }) : tr("In the game {player} {did}.", { player, did });
    draw(now.position, hasBegun ? now.says : task, hasBegun ? now.note : [question, said?.why].filter(Boolean).join(" "));
    setDisabled(before, !hasBegun);
    setDisabled(after, true);
  }

  /** @param {import("./answers.js").Position} position @param {string} title @param {string} told @param {import("./figures.js").Mood} [mood] that of the side that learns, whose face stays */
  function draw(position, title, told, mood = "") {
    stage.tell({ says: title, note: told, position, over: null, face: { player: side, mood } });
  }

  /** Judge a turn that was tried. @param {Tried} whole */
  async function played(whole) {
    const { said, turn } = mistake();
    if (!said || !whole.story) return;
    const best = own(said.best_chance ?? 0.5);
    const judge = (/** @type {number} */ chance, /** @type {any[]} */ line) => verdict(whole, best - own(chance), line);
    steps = [asked(), { position: whole.position, told: whole.story }];
    go(1);
    if (whole.turn === said.best?.[0] || whole.over === side) return found([tr("That was the better turn."), said.best_why].join(" "), said.best ?? []);
    if (whole.turn === turn) return judge(said.chance, []);
    tell(tr("Looking at it …"), []);
    judging.abort();
    const mine = (judging = new AbortController());
    let timer = 0;
    /** @type {import("./worth.js").Worth | null} */
    let last = null;
    const hears = (/** @type {import("./worth.js").Worth} */ found) => {
      last = found;
      timer ||= setTimeout(() => mine.abort("enough"), JUDGED_MS);
    };
    try {
      const of = { position: whole.position.position, options: headers.Options, turns: [] };
      await think(of, hears, mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) return tell(error instanceof Error ? error.message : String(error), [again(), solution()]);
    } finally {
      clearTimeout(timer);
    }
    if (mine !== judging || (mine.signal.aborted && mine.signal.reason !== "enough")) return;
    const worth = /** @type {import("./worth.js").Worth | null} */ (last);
    if (worth) judge(worth.chance, worth.line.map((each) => each.turn));
    else tell(tr("Nothing is known yet."), [again(), solution()]);
  }

  /** @param {Tried} whole @param {number} loss of the chance to win @param {string[]} line what would follow */
  function verdict(whole, loss, line) {
    if (loss <= AS_GOOD) return found(tr("That is as good as the best."), [/** @type {string} */ (whole.turn), ...line]);
    const gave = { percent: Math.max(1, percent(loss)) };
    tell(tr("That gives away {percent} %.", gave), [again(), solution()]);
    follow([/** @type {string} */ (whole.turn), ...line]);
  }

  /** @param {string} text @param {string[]} line */
  function found(text, line) {
    if (!went.has(at)) went.set(at, "found");
    drawList();
    answer = { title: tr("Found!"), text, mood: "glad" };
    tell("", [onward()]);
    go(1);
    follow(line);
  }

  function show() {
    judging.abort();
    if (!went.has(at)) went.set(at, "shown");
    drawList();
    const { said } = mistake();
    const text = [`${capital(betterPlan(mistake()))}.`, said?.best_why].join(" ");
    answer = { title: tr("This was better"), text };
    tell("", [onward()]);
    draw(asked().position, answer.title, text);
    follow(said?.best ?? [], 1);
  }

  /** @returns {Step} the position that is asked about */
  function asked() {
    const { no } = mistake();
    return { position: positions[no - 1], told: turns[no - 2] ?? null };
  }

  /**
   * Find the positions of a line, and show the one behind so many of its turns; without a number one
   * stays where one has gone meanwhile.
   * @param {string[]} line
   * @param {number} [to]
   */
  async function follow(line, to) {
    const found = [asked()];
    const mine = (steps = [...steps]); // other steps are shown once one has gone on
    try {
      for (const turn of line.slice(0, FOLLOWING)) {
        if (steps !== mine) return;
        const whole = await tried(found[found.length - 1].position.position, headers.Options, turn);
        found.push({ position: whole.position, told: whole.story });
      }
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
    }
    if (steps !== mine) return;
    steps = found;
    go(to ?? step);
  }

  /** @param {number} to */
  function go(to) {
    if (!steps.length) return;
    step = Math.min(Math.max(0, to), steps.length - 1);
    const { position, told } = steps[step];
    stage.trying.show(position, told);
    /** @type {NonNullable<typeof answer>} */
    const plain = { title: step ? tr("So it goes on") : task, text: told ? doneBy(told, called) : "" };
    const { title, text, mood } = (step === 1 && answer) || plain;
    draw(position, title, text, mood);
    if (step) say(text);
    setDisabled(before, step === 0);
    setDisabled(after, step === steps.length - 1);
  }

  /** @param {string} text @param {any[]} buttons */
  function tell(text, buttons) {
    const hadFocus = acts.contains(document.activeElement);
    fill(says, text);
    fill(acts, ...buttons);
    say(text);
    if (hadFocus) acts.querySelector("button")?.focus();
  }

  function drawList() {
    const rows = mistakes.map((each, which) => {
      const row = turnRow(each, learningOf(id, side, which + 1), null, called);
      row.classList.toggle("now", which === at);
      const how = { found: tr("found"), shown: tr("shown") }[went.get(which) ?? ""];
      if (how) row.querySelector(".entry > span:last-child")?.append(" ", h("span", { class: "tag" }, how));
      return row;
    });
    fill(list, rows);
  }

  const left = new AbortController();
  hearKeys(left.signal, {
    ArrowLeft: () => before.click(),
    ArrowRight: () => after.click(),
    Escape: () => beside.close(),
  });

  root.classList.add("playing");
  fill(root, stage.element, beside.element);
  stage.title.focus({ preventScroll: true });
  if (mistakes.length) begin(number - 1);
  else {
    stage.trying.show(positions[positions.length - 1], null);
    draw(positions[positions.length - 1], tr("Nothing to learn"), isOwn ? tr("No mistake of yours is known.") : tr("No mistake of {player} is known.", { player }));
  }
  return {
    leave() {
      judging.abort();
      left.abort();
    },
    go: (/** @type {number} */ to) => begin(to - 1),
  };
}
