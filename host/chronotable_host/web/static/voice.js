// @ts-check
/**
 * The voice: the one place below the boards that speaks. Mostly that is the bar of what one can do
 * to the game; a question, a choice, steps for the hands or the end of a game take its place.
 */

import { createChoosing, optionSheet } from "./choosing.js";
import { linked } from "./cited.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { farSheet, farShown } from "./far.js";
import { copyFigure, icon } from "./figures.js";
import { tr, trC } from "./language.js";
import { button } from "./parts.js";
import { say } from "./speak.js";
import { dueStep, isNew, setKnown, setTips, wantsTips } from "./table.js";
import { capital, sideName } from "./words.js";

/** @import { Table } from "./table.js" */

const SIDES = ["white", "black"];
const KNOBS = /** @type {Record<string, string>} */ ({
  back: trC("knob", "Back"),
  undo: trC("knob", "Undo"),
  draw: trC("knob", "Draw"),
  resign: trC("knob", "Resign"),
  hint: tr("Hint"),
  menu: tr("Menu"),
});
const PLAYING = ["turn", "provisional", "question"];

/**
 * Make the voice; `menu` opens what else there is. Calling `draw` shows what is due, `touch` is told
 * of a place at which more than one thing can be chosen.
 * `chat` is that with somebody far away.
 * @param {Table} table
 * @param {() => void} menu
 * @param {ReturnType<typeof import("./far.js").createChat> | null} [chat]
 */
export function createVoice(table, menu, chat = null) {
  const root = byId("voice");
  /** @type {"" | "resign" | "draw"} what one is asked whether one means it */
  let sure = "";
  let seen = "";

  const again = (/** @type {typeof sure} */ next) => {
    sure = next;
    draw();
    root.querySelector("button")?.focus();
  };

  const choose = (/** @type {string} */ text) => table.act("choose", { text, after: table.view.builder?.text ?? "" });
  const choosing = createChoosing({
    builder: () => table.view.builder,
    choose,
    back: () => table.act("back"),
    asks() {
      draw();
      root.querySelector("button")?.focus();
    },
  });

  const drawSheet = whenChanged((/** @type {any} */ shown) => {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    fill(root, h("fieldset", { class: shown.may ? "acting" : "" }, sheet(shown)));
    if (focused) buttonLike(focused)?.focus(); // who presses a key twice means the same button
  });

  /** The button that says what another one said, else the first. @param {Element} button */
  function buttonLike({ textContent: text }) {
    const found = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("button:enabled")]);
    return found.find((each) => each.textContent === text) ?? found[0];
  }

  /** @param {any} shown */
  function sheet(shown) {
    if (shown.sure) return sureSheet(table, shown, () => again(""));
    if (shown.options) return whichSheet(shown.options);
    if (shown.over) return endSheet(table, shown, menu);
    return [spoken(shown), bar(shown)];
  }

  /** @param {import("./choosing.js").Choice[]} options */
  function whichSheet(options) {
    const close = () => (choosing.forget(), draw());
    return optionSheet(table.hello?.places[options[0].at] ?? "", options, choose, close);
  }

  const openChat = () => {
    if (!document.body.classList.contains("menu")) menu();
    chat?.focus();
    draw();
  };

  /** What stands over the bar, if anything. @param {any} shown */
  function spoken(shown) {
    if (shown.question) return questionSheet(table, shown.question);
    if (shown.asks) return asksSheet(table, shown.asks);
    if (shown.asked) return askedSheet(table, shown.asked);
    const far = farSheet(shown.far, shown.said, openChat);
    if (far) return far;
    if (shown.todo) return todoSheet(table, shown);
    if (shown.lesson) return lessonSheet(table, shown);
    if (shown.chapter) return chapterSheet(table, shown.chapter, draw);
    return shown.tip ? tipSheet(table, shown, draw) : null;
  }

  /** @param {any} shown */
  function bar({ builder, isOn, turns, may, mine, lesson, todo, mayAsk, hint, far }) {
    const act = (/** @type {string} */ name, /** @type {() => void} */ press, isOff = false, title = "") =>
      h("button", { type: "button", disabled: isOff, title, on: { click: press } }, icon(name), h("span", {}, KNOBS[name]));
    const isGuest = table.hello?.mode === "guest";
    const take = () => table.act("undo");
    const cannotEnd = !isOn || !mine.length;
    const back = () => (table.canBuild() ? act("back", () => table.act("back"), !builder, tr("Take back one choice")) : null);
    const advise = () => act("hint", () => table.act("hint"), !hint, hint?.step ? tr("The whole turn") : tr("Which copy should act?"));
    const acts = () => [
      back(),
      mayAsk ? advise() : null,
      act("undo", take, !turns, far || isGuest ? tr("Ask to take your last turn back") : tr("Take the last turn back")),
      act("draw", () => again("draw"), cannotEnd, tr("Offer a draw")),
      act("resign", () => again("resign"), cannotEnd),
    ];
    const leave = () => h("button", { type: "button", on: { click: () => table.act("leave") } }, icon("resign"), h("span", {}, lesson.acts[0].text));
    const shown = !may ? null : lesson ? [back(), todo ? leave() : null] : acts();
    return h("div", { class: "bar", role: "toolbar", "aria-label": tr("Game") }, shown, act("menu", menu));
  }

  function draw() {
    const { view, hello } = table;
    const isOn = PLAYING.includes(view.phase) && !view.game?.over;
    if (!isOn) sure = "";
    const mine = table.mine();
    const isGuest = hello?.mode === "guest";
    const may = isGuest || table.control.yours || !table.control.holder;
    const mayAnswer = may && table.isOnline;
    const todo = view.todo ?? [];
    const guide = view.guide ?? null;
    const shown = {
      sure: may ? sure : "",
      options: choosing.asked(),
      question: may && !isGuest ? view.question : null,
      asks: mayAnswer ? view.asks : null,
      asked: mayAnswer ? view.asked : null,
      over: view.game?.over ?? null,
      todo: !isGuest && (todo.length || guide) ? todo : null,
      guide,
      isSaid: guide?.why === view.note,
      builder: Boolean(view.builder?.text),
      chapter: isOn && mine.length ? newChapter(table) : null,
      tip: view.builder && mine.includes(view.game?.mover) && wantsTips() ? view.builder.tip : "",
      lesson: isGuest ? null : (view.lesson ?? null),
      isOn,
      turns: view.game?.turns?.length ?? 0,
      canTidy: may && Boolean(hello?.hand),
      may,
      mine,
      mayAsk: mine.some((side) => view.hints?.[side]),
      hint: view.hint && mine.includes(view.game?.mover) ? { step: view.hint.step } : null,
      id: view.game?.id,
      far: farShown(table),
      said: chat?.said() ?? null,
    };
    drawSheet(shown);
    const due = dueStep(view);
    const asked = shown.asks ? shown.asks.says : shown.question ? spokenQuestion(shown.question) : [guide?.why, due?.says].filter(Boolean).join(" ");
    if (asked !== seen) say(asked, "assertive");
    seen = asked;
  }

  return { draw, touch: choosing.touch };
}

/** @param {Table} table @param {any} shown */
function lessonSheet(table, { lesson: { title, step, steps, says, learner, acts }, may }) {
  const dots = Array.from({ length: steps }, (_, at) => h("i", { class: at === step ? "on" : "" }));
  const buttons = acts.map((/** @type {any} */ { do: what, values, text, main }) =>
    button(text, () => table.act(what, values), { class: main ? "primary" : "" }),
  );
  return h(
    "div",
    { class: "sheet lesson", role: "group", "aria-label": title },
    steps ? copyFigure(learner) : h("i"), // who looks at a game again needs the room
    h("p", {}, says),
    steps ? null : h("i"),
    h("div", { class: "foot" }, steps ? h("span", { class: "steps", role: "img", "aria-label": `${step + 1} / ${steps}` }, dots) : null, may ? buttons : null),
  );
}

/** @param {Table} table @param {any} shown @param {() => void} changed */
function tipSheet(table, { tip, turns, may, builder }, changed) {
  const enough = () => {
    setTips(false);
    changed();
  };
  const learn = table.hello?.learn;
  const begin = () => table.act("lesson", { number: 1 });
  return h(
    "div",
    { class: "sheet tip", role: "note" },
    copyFigure(0),
    h("p", {}, tip),
    learn && may && !turns && !builder ? button(learn.offer, begin, { class: "primary" }) : null,
    button(tr("I know the game"), enough),
  );
}

/** What comes into play for the first time on this screen. @param {Table} table */
function newChapter({ hello, view }) {
  const chapters = hello?.chapters ?? [];
  const played = (view.game?.modules ?? "").split("+");
  if (played.length > 1) played.push(chapters.at(-1)?.name); // the last one is about mixing them
  return chapters.find((/** @type {any} */ { name }) => played.includes(name) && isNew(name)) ?? null;
}

/** @param {Table} table @param {{name: string, brings: string, rule: string}} chapter @param {() => void} changed */
function chapterSheet({ hello }, { name, brings, rule }, changed) {
  const enough = () => (setKnown(name), changed());
  const lead = h("a", { class: "button", href: `#rules/${rule}` }, tr("Its rules"));
  return h("div", { class: "sheet tip chapter", role: "note" }, h("p", {}, h("b", {}, `${capital(hello?.called?.[name] ?? name)}. `), brings), lead, button(tr("I see"), enough));
}

/** @param {Table} table @param {any} shown @param {() => void} close */
function sureSheet(table, { sure: what, mine }, close) {
  const ask = (/** @type {string} */ side) => () => {
    close();
    table.act(what, table.hello?.mode === "guest" ? {} : { side });
  };
  const words = /** @type {Record<string, string>} */ ({ resign: tr("Really resign?"), draw: tr("A draw needs both sides.") });
  const label = (/** @type {string} */ side) => {
    const player = sideName(side);
    if (mine.length === 1) return what === "resign" ? tr("Yes, I resign") : tr("Offer a draw");
    return what === "resign" ? tr("{player} resigns", { player }) : tr("{player} agrees", { player });
  };
  return h(
    "div",
    { class: "sheet", role: "group", "aria-label": words[what] },
    h("p", {}, words[what]),
    mine.map((/** @type {string} */ side) => button(label(side), ask(side), { class: what === "resign" ? "danger" : "primary" })),
    button(tr("Cancel"), close),
  );
}

/** @param {Table} table @param {{letter: string, turn: string, says: string}[]} choices */
function questionSheet(table, choices) {
  const turns = choices.map(({ turn }) => turn).join(";"); // the answer says what it is to
  const answer = (/** @type {string} */ choice) => () => table.act("answer", { choice, turns });
  return h(
    "div",
    { class: "sheet answers question", role: "group", "aria-label": tr("Which turn was it?") },
    choices.map(({ letter, says }) =>
      h(
        "button",
        { type: "button", class: "answer", on: { click: answer(letter) } },
        h("b", { class: `letter ${letter}` }, letter.toUpperCase()),
        h("span", {}, says),
      ),
    ),
    button(tr("None of these"), answer("none")),
  );
}

/** @param {{letter: string, says: string}[]} choices */
function spokenQuestion(choices) {
  const options = choices.map(({ letter, says }) => `${letter}: ${says}`);
  return tr("Which turn was it? {turns}; or none of these.", { turns: options.join("; ") });
}

/** @param {Table} table @param {{no: number, says: string}} asks */
function asksSheet(table, { no, says }) {
  return h(
    "div",
    { class: "sheet asks", role: "group", "aria-label": tr("The other player asks") },
    h("p", {}, says),
    button(trC("answer", "Yes"), () => table.act("agree", { question: no }), { class: "primary" }),
    button(trC("answer", "No"), () => table.act("decline", { question: no })),
  );
}

/** @param {Table} table @param {{no: number, says: string}} asked */
function askedSheet(table, { no, says }) {
  return h(
    "div",
    { class: "sheet asked", role: "group", "aria-label": tr("What you have asked") },
    h("p", {}, says),
    button(tr("Never mind"), () => table.act("withdraw", { question: no })),
  );
}

/** @param {Table} table @param {any} shown @param {() => void} menu */
function endSheet(table, { over, id, may, canTidy, far, asks, asked }, menu) {
  if (asks) return asksSheet(table, asks);
  const winner = SIDES.indexOf(over.winner);
  const figures = winner < 0 ? [0, 1].map((player) => copyFigure(player)) : [copyFigure(winner, "glad"), copyFigure(1 - winner, "dead")];
  const seats = SIDES.map((_, player) => table.seat(player));
  const { turns, mover, modules } = table.view.game ?? {};
  // who lost begins the next game, after a draw who was second (T4), whichever colour they have then
  const first = 1 - (winner < 0 ? SIDES.indexOf(turns?.[0]?.player ?? mover) : winner);
  const begin = (/** @type {number[]} */ order) => {
    const { white = "", black = "", handicap = [0, 0] } = table.view.start ?? {};
    const [names, fewer] = [[white, black], handicap].map((each) => order.map((side) => each[side]));
    const who = { white: names[0], black: names[1], handicap: fewer, first: SIDES[order[first]] };
    return table.act("new", { ...who, modules: modules ?? "standard" });
  };
  const again = () => begin([0, 1]);
  const swap = async () => {
    await table.act("sit", { side: "white", who: seats[1] });
    await table.act("sit", { side: "black", who: seats[0] });
    await begin([1, 0]);
  };
  const isGuest = table.hello?.mode === "guest";
  return h(
    "div",
    { class: "sheet end", role: "group", "aria-label": tr("The game is over") },
    h("div", { class: "scene" }, figures),
    isGuest || !id ? null : h("a", { class: "button", href: `#games/${encodeURIComponent(id)}` }, tr("Look at it")),
    asked ? h("p", {}, asked.says) : null,
    !far && canTidy && seats[0] !== seats[1] ? button(tr("Swap sides"), swap) : null,
    isGuest || !may || asked ? null : button(tr("Again"), far ? () => table.act("again") : again, { class: "primary" }),
    button(tr("Menu"), menu),
  );
}

/** @param {Table} table @param {any} shown */
function todoSheet(table, { todo, guide, isSaid, canTidy, lesson }) {
  const why = guide ? h("p", { class: isSaid ? "said" : "" }, ...linked(guide.why)) : null;
  const now = todo.findIndex((/** @type {any} */ step) => !step.is_done);
  return h(
    "div",
    { class: "sheet steps", role: "group", "aria-label": tr("What is to be done") },
    h(
      "div",
      { class: "told" },
      lesson ? h("p", {}, lesson.says) : why,
      h(
        "ol",
        { class: "hands" },
        todo.map((/** @type {{says: string, is_done: boolean}} */ { says, is_done: isDone }, /** @type {number} */ at) =>
          h(
            "li",
            { class: isDone ? "done" : at === now ? "now" : "", "aria-current": at === now ? "step" : null },
            h("b", { class: "number", "aria-hidden": "true" }, at + 1),
            h("span", {}, says),
          ),
        ),
      ),
    ),
    canTidy ? button(tr("Do it for me"), () => table.act("tidy")) : null,
  );
}
