// @ts-check
/**
 * The voice: the one place below the boards that speaks. Mostly that is the bar of what one can do
 * to the game; a question, a choice, steps for the hands or the end of a game take its place.
 */

import { linked } from "./cited.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { copyFigure, icon } from "./figures.js";
import { button } from "./parts.js";
import { say } from "./speak.js";
import { setTips, wantsTips } from "./table.js";
import { capital, spell, spellAction } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

const SIDES = ["white", "black"];
const PLAYING = ["turn", "provisional", "question"];

/**
 * Make the voice; `menu` opens what else there is. Calling `draw` shows what is due, `touch` is told
 * of a place at which more than one thing can be chosen.
 * @param {Table} table
 * @param {() => void} menu
 */
export function createVoice(table, menu) {
  const root = byId("voice");
  /** @type {"" | "resign" | "draw"} what one is asked whether one means it */
  let sure = "";
  /** @type {number | null} a place at which more than one thing can be done */
  let only = null;
  let seen = "";

  const again = (/** @type {typeof sure} */ next) => {
    sure = next;
    draw();
    root.querySelector("button")?.focus();
  };

  const drawSheet = whenChanged((/** @type {any} */ shown) => {
    const hadFocus = root.contains(document.activeElement);
    fill(root, h("fieldset", { class: shown.may ? "acting" : "" }, sheet(shown)));
    if (hadFocus) root.querySelector("button:enabled")?.focus();
  });

  /** @param {any} shown */
  function sheet(shown) {
    if (shown.sure) return sureSheet(table, shown, () => again(""));
    if (shown.options) return optionSheet(table, shown.options, () => ((only = null), draw()));
    if (shown.over) return endSheet(table, shown, menu);
    return [spoken(shown), bar(shown)];
  }

  /** What stands over the bar, if anything. @param {any} shown */
  function spoken(shown) {
    if (shown.question) return questionSheet(table, shown.question);
    if (shown.offer) return offerSheet(table, shown.offer);
    if (shown.todo) return todoSheet(table, shown);
    if (shown.lesson) return lessonSheet(table, shown);
    return shown.tip ? tipSheet(table, shown, draw) : null;
  }

  /** @param {any} shown */
  function bar({ builder, isOn, turns, may, mine, lesson, todo }) {
    const act = (/** @type {string} */ name, /** @type {() => void} */ press, isOff = false, title = "") =>
      h("button", { type: "button", disabled: isOff, title, on: { click: press } }, icon(name), h("span", {}, capital(name)));
    const isGuest = table.hello?.mode === "guest";
    const take = () => table.act("undo");
    const cannotEnd = !isOn || !mine.length;
    const back = () => (table.canBuild() ? act("back", () => table.act("back"), !builder, "Take back one choice") : null);
    const acts = () => [
      back(),
      isGuest ? null : act("undo", take, !turns, "Take the last turn back"),
      act("draw", () => again("draw"), cannotEnd, "Offer a draw"),
      act("resign", () => again("resign"), cannotEnd),
    ];
    const leave = () => h("button", { type: "button", on: { click: () => table.act("leave") } }, icon("resign"), h("span", {}, lesson.acts[0].text));
    const shown = !may ? null : lesson ? [back(), todo ? leave() : null] : acts();
    return h("div", { class: "bar", role: "toolbar", "aria-label": "Game" }, shown, act("menu", menu));
  }

  function draw() {
    const { view, hello } = table;
    const choices = view.builder?.choices ?? [];
    const here = choices.filter((/** @type {any} */ each) => each.at === only);
    if (here.length < 2) only = null;
    const isOn = PLAYING.includes(view.phase) && !view.game?.over;
    if (!isOn) sure = "";
    const mine = table.mine();
    const isGuest = hello?.mode === "guest";
    const may = isGuest || table.control.yours || !table.control.holder;
    const todo = view.todo ?? [];
    const guide = view.guide ?? null;
    const from = isOn ? (view.offer ?? "") : "";
    const shown = {
      sure: may ? sure : "",
      options: only === null ? null : here,
      question: may && !isGuest ? view.question : null,
      offer: from && mine.some((side) => side !== from) ? from : "",
      over: view.game?.over ?? null,
      todo: !isGuest && (todo.length || guide) ? todo : null,
      guide,
      isSaid: guide?.why === view.note,
      builder: Boolean(view.builder?.text),
      tip: view.builder && mine.includes(view.game?.mover) && wantsTips() ? view.builder.tip : "",
      lesson: isGuest ? null : (view.lesson ?? null),
      isOn,
      turns: view.game?.turns?.length ?? 0,
      canTidy: may && Boolean(hello?.hand),
      may,
      mine,
      id: view.game?.id,
    };
    drawSheet(shown);
    const asked = shown.question ? spokenQuestion(shown.question) : (guide?.why ?? "");
    if (asked !== seen) say(asked, "assertive");
    seen = asked;
  }

  return {
    draw,
    /** Choose what lies at a place; where there are several things, ask which. @param {number} sensor */
    touch(sensor) {
      const builder = table.view.builder;
      if (!builder) return;
      const here = builder.choices.filter((/** @type {any} */ each) => each.at === sensor);
      only = null;
      if (here.length === 1) table.act("choose", { text: here[0].text });
      else if (here.length) {
        only = sensor;
        draw();
        root.querySelector("button")?.focus();
      } else if (sensor === builder.active) table.act("back");
    },
  };
}

/** @param {Table} table @param {any} shown */
function lessonSheet(table, { lesson: { title, step, steps, says, acts }, may }) {
  const dots = Array.from({ length: steps }, (_, at) => h("i", { class: at === step ? "on" : "" }));
  const buttons = acts.map((/** @type {any} */ { do: what, values, text, main }) =>
    button(text, () => table.act(what, values), { class: main ? "primary" : "" }),
  );
  return h(
    "div",
    { class: "sheet lesson", role: "group", "aria-label": title },
    copyFigure(0),
    h("p", {}, says),
    h("div", { class: "foot" }, h("span", { class: "steps", role: "img", "aria-label": `${step + 1} / ${steps}` }, dots), may ? buttons : null),
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
    button("I know the game", enough),
  );
}

/** @param {Table} table @param {any} shown @param {() => void} close */
function sureSheet(table, { sure: what, mine }, close) {
  const ask = (/** @type {string} */ side) => () => {
    close();
    table.act(what, table.hello?.mode === "guest" ? {} : { side });
  };
  const words = /** @type {Record<string, string>} */ ({ resign: "Really resign?", draw: "A draw needs both sides." });
  const label = (/** @type {string} */ side) => {
    const one = mine.length === 1 ? (what === "resign" ? "Yes, I resign" : "Offer a draw") : "";
    return one || `${capital(side)} ${what === "resign" ? "resigns" : "agrees"}`;
  };
  return h(
    "div",
    { class: "sheet", role: "group", "aria-label": words[what] },
    h("p", {}, words[what]),
    mine.map((/** @type {string} */ side) => button(label(side), ask(side), { class: what === "resign" ? "danger" : "primary" })),
    button("Cancel", close),
  );
}

/** @param {Table} table @param {{at: number, text: string}[]} options @param {() => void} close */
function optionSheet(table, options, close) {
  const name = table.hello?.sensors[options[0].at] ?? "";
  const choose = (/** @type {string} */ text) => () => table.act("choose", { text });
  return h(
    "div",
    { class: "sheet options", role: "group", "aria-label": `What to do on ${name}` },
    options.map(({ text }) => button(capital(spellAction(text)), choose(text), { class: "option" })),
    button("Cancel", close),
  );
}

/** @param {Table} table @param {{letter: string, turn: string}[]} choices */
function questionSheet(table, choices) {
  const answer = (/** @type {string} */ choice) => () => table.act("answer", { choice });
  return h(
    "div",
    { class: "sheet answers question", role: "group", "aria-label": "Which turn was it?" },
    choices.map(({ letter, turn }) =>
      h(
        "button",
        { type: "button", class: "answer", on: { click: answer(letter) } },
        h("b", { class: `letter ${letter}` }, letter.toUpperCase()),
        h("span", {}, spell(turn)),
      ),
    ),
    button("None of these", answer("none")),
  );
}

/** @param {{letter: string, turn: string}[]} choices */
function spokenQuestion(choices) {
  const options = choices.map(({ letter, turn }) => `${letter}: ${spell(turn)}`);
  return `Which turn was it? ${options.join("; ")}; or none of these.`;
}

/** @param {Table} table @param {string} from */
function offerSheet(table, from) {
  const side = SIDES[1 - SIDES.indexOf(from)];
  const agree = () => table.act("draw", table.hello?.mode === "guest" ? {} : { side });
  return h(
    "div",
    { class: "sheet", role: "group", "aria-label": "A draw is offered" },
    h("p", {}, `${capital(from)} offers a draw. To decline it, play on.`),
    button("Agree to the draw", agree, { class: "primary" }),
  );
}

/** @param {Table} table @param {any} shown @param {() => void} menu */
function endSheet(table, { over, id, may, canTidy }, menu) {
  const winner = SIDES.indexOf(over.winner);
  const figures = winner < 0 ? [0, 1].map((player) => copyFigure(player)) : [copyFigure(winner, "glad"), copyFigure(1 - winner, "dead")];
  const seats = SIDES.map((_, player) => table.seat(player));
  const begin = () => {
    const { white, black, handicap } = table.view.start ?? {};
    const modules = table.view.game?.modules ?? "standard";
    return table.act("new", { white: white ?? "", black: black ?? "", handicap: handicap ?? [0, 0], modules, first: "white" });
  };
  const swap = async () => {
    await table.act("sit", { side: "white", who: seats[1] });
    await table.act("sit", { side: "black", who: seats[0] });
    await begin();
  };
  const isGuest = table.hello?.mode === "guest";
  return h(
    "div",
    { class: "sheet end", role: "group", "aria-label": "The game is over" },
    h("div", { class: "scene" }, figures),
    isGuest || !id ? null : h("a", { class: "button", href: `#games/${encodeURIComponent(id)}` }, "Look at it"),
    canTidy && seats[0] !== seats[1] ? button("Swap sides", swap) : null,
    isGuest || !may ? null : button("Again", begin, { class: "primary" }),
    button("Menu", menu),
  );
}

/** @param {Table} table @param {any} shown */
function todoSheet(table, { todo, guide, isSaid, canTidy, lesson }) {
  const why = guide ? h("p", { class: isSaid ? "said" : "" }, ...linked(guide.why)) : null;
  return h(
    "div",
    { class: "sheet steps", role: "group", "aria-label": "What is to be done" },
    h(
      "div",
      { class: "told" },
      lesson ? h("p", {}, lesson.says) : why,
      h(
        "ul",
        {},
        todo.map((/** @type {string} */ says) => h("li", {}, says)),
      ),
    ),
    canTidy ? button("Do it for me", () => table.act("tidy")) : null,
  );
}
