// @ts-check
/** The game's turns, and what players do to it as a whole: take back, draw, resign. */

import { byId, fill, h, whenChanged } from "./dom.js";
import { acting, button } from "./parts.js";
import { note } from "./speak.js";
import { capital, spell } from "./words.js";

/** @typedef {import("./live.js").Table} Table */

const SIDES = ["white", "black"];
const MARKS = /** @type {Record<string, string>} */ ({ asked: "?", corrected: "±" });
const OFFER = /(white|black)\b.*\boffer/i;

/** Make the list of a game's turns. */
export function createTurns() {
  const element = h("ol", { class: "turns", tabindex: "0", "aria-label": "Turns of this game" });
  const draw = whenChanged((/** @type {any[]} */ list) => {
    fill(
      element,
      list.map(turnRow),
      list.length ? null : h("li", { class: "faint" }, "No turn yet."),
    );
    element.scrollTop = element.scrollHeight;
  });
  return { element, draw };
}

/**
 * Make the card of the game.
 * @param {Table} table
 */
export function createGame(table) {
  const turns = createTurns();
  const offer = h("p", { class: "offer", hidden: true });
  const actions = h("div", { class: "actions" });
  const element = h(
    "section",
    { class: "card", "aria-labelledby": "game-title" },
    h("h2", { id: "game-title" }, "Game"),
    turns.element,
    offer,
    acting(actions),
  );

  const undo = button("Take back", () => table.act("undo"));
  const draw = button("Draw", () => ask(drawQuestion(table, close)));
  const resign = button("Resign", () => ask(resignQuestion(table, close)));
  const again = button("Play again", openForm, { class: "primary", hidden: true });
  const plain = () => fill(actions, again, undo, draw, resign);
  let opener = draw;

  function ask(/** @type {any} */ question) {
    opener = /** @type {HTMLButtonElement} */ (document.activeElement) ?? draw;
    fill(actions, question);
    question.querySelector("button")?.focus();
  }

  function close() {
    plain();
    if (opener.isConnected) opener.focus();
  }

  const drawOffer = whenChanged((/** @type {string} */ text) => {
    offer.textContent = text;
    offer.hidden = !text;
  });

  plain();
  return {
    element,
    draw() {
      const { view } = table;
      const isOn = ["turn", "provisional", "question"].includes(view.phase) && !view.game?.over;
      turns.draw(view.game?.turns ?? []);
      drawOffer(isOn ? standingOffer(view.log ?? []) : "");
      again.hidden = !view.game?.over;
      undo.disabled = !view.game?.turns?.length;
      draw.disabled = resign.disabled = !isOn;
      if (!isOn && actions.querySelector(".confirm")) plain();
    },
  };
}

/** Open the form for a new game and go there. */
function openForm() {
  const form = byId("new-game");
  form.open = true;
  form.scrollIntoView({ block: "center" });
  form.querySelector("input")?.focus({ preventScroll: true });
}

/** @param {any} turn */
function turnRow({ no, player, turn, understood }) {
  const mark = MARKS[understood];
  return h(
    "li",
    { class: player },
    h("span", { class: "no" }, `${no}.`),
    h("span", { class: "chip", role: "img", "aria-label": player }),
    h("span", { class: "turn" }, turn),
    h("span", { class: "row-words faint" }, spell(turn)),
    mark
      ? h("span", { class: "how", role: "img", title: understood, "aria-label": understood }, mark)
      : null,
  );
}

/** @param {Table} table @param {() => void} close */
function resignQuestion(table, close) {
  const resign = (/** @type {string} */ side) => async () => {
    close();
    await table.act("resign", { side });
  };
  return confirmRow(
    "Really resign?",
    sidesOf(table).map((side) =>
      button(`${who(table, side)} resigns`, resign(side), { class: "danger" }),
    ),
    close,
  );
}

/** @param {Table} table @param {() => void} close */
function drawQuestion(table, close) {
  const offer = (/** @type {string} */ side) => async () => {
    close();
    if (await table.act("draw", { side })) note(`${who(table, side)} offers a draw.`, "news");
  };
  return confirmRow(
    "A draw needs both sides.",
    sidesOf(table).map((side) => button(`${who(table, side)} agrees`, offer(side))),
    close,
  );
}

/** @param {string} text @param {any[]} buttons @param {() => void} close */
function confirmRow(text, buttons, close) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  return h(
    "div",
    { class: "confirm", role: "group", "aria-label": text, on: { keydown: onKey } },
    h("p", {}, text),
    ...buttons,
    button("Cancel", close, { class: "quiet" }),
  );
}

/** @param {Table} table the sides that a person may speak for here */
function sidesOf(table) {
  const sides = SIDES.filter((_, player) => ["", "hands"].includes(table.seat(player)));
  return sides.length ? sides : SIDES;
}

/** @param {Table} table @param {string} side @returns {string} as `White (Ann)` */
function who(table, side) {
  const name = table.name(SIDES.indexOf(side));
  return name === capital(side) ? name : `${capital(side)} (${name})`;
}

/**
 * The offer of a draw that stands, as far as the log tells: none after a turn was made.
 * @param {{kind: string, text: string, t_ms?: number}[]} log
 */
function standingOffer(log) {
  for (const { kind, text } of [...log].reverse()) {
    if (["turn", "started", "joined", "game_over", "taken_back"].includes(kind)) return "";
    const side = /draw/i.test(text) ? OFFER.exec(text)?.[1] : undefined;
    if (side) return `${capital(side.toLowerCase())} offers a draw.`;
  }
  return "";
}
