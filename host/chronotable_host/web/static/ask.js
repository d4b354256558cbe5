// @ts-check
/** What the table asks of people: a question, pieces to be put right, and the reason in words. */

import { linked } from "./cited.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { acting, button } from "./parts.js";
import { say } from "./speak.js";
import { list, spell } from "./words.js";

/** @typedef {import("./live.js").Table} Table */

const MEANING_OF = /** @type {Record<string, string>} */ ({
  a: "question",
  b: "question_b",
  c: "question_c",
});
const FEW = 6;

/** Whether the list of what is to be done is open; on a phone it would hide half of the board. */
let isOpen = window.matchMedia("(min-width: 75rem)").matches;

/**
 * Make the panel of what is asked.
 * @param {Table} table
 */
export function createAsk(table) {
  const root = byId("ask");
  const draw = whenChanged((/** @type {any} */ asked) => {
    const { question, guide, todo } = asked;
    root.hidden = !question && !guide && !todo.length;
    if (question) fill(root, questionCard(table, question));
    else if (guide || todo.length) fill(root, todoCard(table, asked));
    else fill(root);
  });
  const speak = whenChanged((/** @type {string} */ text) => say(text, "assertive"));
  return () => {
    const { view, hello } = table;
    const guide = view.guide ?? null;
    const question = view.question ?? null;
    const canTidy = Boolean(hello?.hand);
    const isSaid = Boolean(guide) && (view.says ?? "").includes(guide.why);
    const todo = grouped(view.todo ?? [], hello?.sensors ?? []);
    draw({ question, guide, todo, canTidy, isSaid });
    speak(question ? spokenQuestion(question) : (guide?.why ?? ""));
  };
}

/** @param {Table} table @param {{letter: string, turn: string}[]} choices */
function questionCard(table, choices) {
  const answer = (/** @type {string} */ choice) => () => table.act("answer", { choice });
  const answers = choices.map(({ letter, turn }) =>
    h(
      "button",
      { type: "button", class: "answer", on: { click: answer(letter) } },
      letterBadge(table, letter),
      h(
        "span",
        { class: "answer-text" },
        h("b", { class: "turn" }, turn),
        h("span", {}, spell(turn)),
      ),
    ),
  );
  const none = button("None of these", answer("none"), { class: "quiet" });
  return h(
    "section",
    { class: "card urgent question", "aria-labelledby": "question-title" },
    h("h2", { id: "question-title" }, "Which turn was it?"),
    acting(h("div", { class: "answers" }, answers, none)),
  );
}

/** @param {Table} table @param {string} letter */
function letterBadge(table, letter) {
  const meaning = table.looks().meanings.find(({ name }) => name === MEANING_OF[letter]);
  const badge = h("span", { class: "letter" }, letter);
  if (meaning) badge.style.setProperty("--led", meaning.colour);
  return badge;
}

/** @param {{letter: string, turn: string}[]} choices */
function spokenQuestion(choices) {
  const options = choices.map(({ letter, turn }) => `${letter}: ${spell(turn)}`);
  return `Which turn was it? ${options.join("; ")}; or none of these.`;
}

/** @param {Table} table @param {any} asked */
function todoCard(table, { guide, todo, canTidy, isSaid }) {
  const tidy = () => table.act("tidy");
  const first = todo.length ? `${shortened(todo[0].names)} ${todo[0].says}` : "";
  const card = h(
    "details",
    {
      class: `card ${guide ? "urgent" : ""}`,
      open: isOpen,
      on: { toggle: () => (isOpen = card.open) },
    },
    h("summary", {}, h("h2", {}, guide ? "Put this right" : "To do"), h("span", {}, first)),
    h(
      "div",
      { class: "card-body" },
      guide ? h("p", { class: isSaid ? "said" : "" }, ...linked(guide.why)) : null,
      todo.length ? todoList(todo) : guideList(guide),
      canTidy ? acting(button("Do it for me", tidy, { class: "quiet" })) : null,
    ),
  );
  return card;
}

/** @param {{says: string, names: string[]}[]} todo */
function todoList(todo) {
  const line = (/** @type {{says: string, names: string[]}} */ { says, names }) =>
    h("li", {}, h("b", {}, shortened(names)), ` ${says}`);
  return h("ul", { class: "todo" }, todo.map(line));
}

/** @param {{take?: string[], put?: string[]}} guide */
function guideList({ take = [], put = [] }) {
  return h(
    "ul",
    { class: "todo" },
    take.length ? h("li", {}, h("b", {}, list(take)), " take away") : null,
    put.length ? h("li", {}, h("b", {}, list(put)), " put back") : null,
  );
}

/** @param {string[]} names @returns {string} */
function shortened(names) {
  if (names.length <= FEW) return `${list(names)}:`;
  return `${names.slice(0, FEW - 1).join(", ")} and ${names.length - FEW + 1} more:`;
}

/**
 * Put together what is to be done alike at several places.
 * @param {{at: number, says: string}[]} todo
 * @param {string[]} sensors
 */
function grouped(todo, sensors) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { at, says } of todo) {
    groups.set(says, [...(groups.get(says) ?? []), sensors[at] ?? `place ${at}`]);
  }
  return [...groups].map(([says, names]) => ({ says, names }));
}
