// @ts-check
/** The turn that a guest puts together: what can be chosen next, on the board and as buttons. */

import { byId, fill, h, whenChanged } from "./dom.js";
import { button } from "./parts.js";
import { sensorOf } from "./walk.js";
import { capital, spell, spellAction } from "./words.js";

/** @typedef {import("./live.js").Table} Table */
/** @typedef {{at: number, text: string}} Choice */

/**
 * Make the panel; `choosing` listens to the board, too.
 * @param {Table} table
 */
export function createBuilder(table) {
  const root = byId("choices");
  const container = byId("board");
  /** @type {number | null} a place at which more than one thing can be done */
  let only = null;

  const choices = () => /** @type {Choice[]} */ (table.view.builder?.choices ?? []);
  const choose = (/** @type {string} */ text) => {
    only = null;
    table.act("choose", { text });
  };

  /** Choose what lies at a place; where there are several, show those alone. @param {number} at */
  function touch(at) {
    const here = choices().filter((each) => each.at === at);
    if (here.length === 1) choose(here[0].text);
    else if (here.length) {
      only = at;
      draw();
      root.querySelector("button")?.focus();
    }
  }

  container.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const places = new Set(choices().map((each) => each.at));
    const at = table.board?.reedAt(event.clientX, event.clientY, (sensor) => places.has(sensor));
    if (at !== null && at !== undefined) touch(at);
  });
  container.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const at = sensorOf(event.target);
    if (at === null || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    touch(at);
  });

  const drawBuilder = whenChanged((/** @type {any} */ { builder, at }) => {
    root.hidden = !builder;
    const hadFocus = root.contains(document.activeElement);
    if (builder) fill(root, ...panel(table, builder, at, choose, () => (at === null ? 0 : leave())));
    if (builder && hadFocus) (root.querySelector("button") ?? root).focus();
  });

  /** Show all choices again. */
  function leave() {
    only = null;
    draw();
  }

  function draw() {
    if (!choices().some((each) => each.at === only)) only = null;
    drawBuilder({ builder: table.view.builder ?? null, at: only, looks: table.looksVersion });
  }
  return draw;
}

/**
 * @param {Table} table
 * @param {any} builder
 * @param {number | null} at
 * @param {(text: string) => void} choose
 * @param {() => void} leave
 */
function panel(table, builder, at, choose, leave) {
  const { due, text } = builder;
  const shown = builder.choices.filter((/** @type {Choice} */ each) => at === null || each.at === at);
  const options = shown.map((/** @type {Choice} */ each) =>
    button(nameOf(table, due, each), () => choose(each.text), { class: "option" }),
  );
  const back = at === null ? () => table.act("back") : leave;
  return [
    text ? h("p", { class: "so-far" }, h("b", { class: "turn" }, text), ` ${text.includes(" ") ? spell(text) : ""}`) : null,
    options.length ? h("div", { class: "options" }, options) : null,
    h(
      "div",
      { class: "actions" },
      due === "nothing"
        ? button("Play this turn", () => table.act("play"), { class: "primary" })
        : null,
      text ? button("Back", back, { class: "quiet" }) : null,
    ),
  ];
}

/** @param {Table} table @param {string} due @param {Choice} choice @returns {string} */
function nameOf(table, due, { at, text }) {
  if (due === "focus") return `to the ${text.slice(1)}`;
  const place = table.hello?.sensors[at] ?? text;
  return due === "copy" ? capital(place) : `${capital(spellAction(text))} (${place})`;
}
