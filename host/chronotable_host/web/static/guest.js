// @ts-check
/** A guest's page: one side of the table, played from elsewhere. */

import { createBoard } from "./board.js";
import { byId, fill, h } from "./dom.js";
import { createTurns } from "./game.js";
import { createLegend } from "./legend.js";
import { createBuilder } from "./builder.js";
import { openPages } from "./pages.js";
import { acting, button } from "./parts.js";
import { createRules } from "./rules.js";
import { openLine } from "./socket.js";
import { note } from "./speak.js";
import { createHeadline, createPlayers } from "./status.js";
import { capital, learn, nameOf } from "./words.js";

const LOST = "The connection is lost. Trying again …";

/** @type {import("./live.js").Table} */
const table = {
  hello: null,
  view: {},
  control: { holder: null, yours: true, viewers: 1, you: "" }, // all screens are the guest's
  isOnline: false,
  board: null,
  looksVersion: 0,
  looks: () => table.hello?.looks ?? { meanings: [], pieces: {} },
  seat: (player) => {
    const side = player ? "black" : "white";
    return side === table.hello?.side ? "you" : (table.view.players?.[side] ?? "");
  },
  name: (player) => {
    const side = player ? "black" : "white";
    return nameOf(table.view.game?.[side], side);
  },
  async act(what, values) {
    const { ok, why } = await line.request(what, values);
    if (!ok) note(capital(why ?? "The table refuses that."));
    return ok;
  },
  press: () => {},
};

const turns = createTurns();
const ending = createEnding();
fill(byId("side"), h("div", { class: "column" }, ending.element));
const panels = [
  createHeadline(table),
  createPlayers(table),
  createLegend(table),
  createBuilder(table),
  () => turns.draw(table.view.game?.turns ?? []),
  ending.draw,
];

const showRules = createRules(byId("rules"));
openPages({ live: () => {}, rules: (parts) => showRules(parts[1] ?? "") });
const line = openLine(`${location.pathname}ws`, {
  message: hear,
  state: ({ online, why }) => {
    table.isOnline = online;
    const bar = byId("lost");
    bar.hidden = online;
    fill(bar, online ? null : h("p", {}, why ? capital(why) : LOST));
    draw();
  },
  ended: (why) => {
    table.view = { says: `${capital(why)}.` };
    byId("lost").hidden = true;
    draw();
  },
});

/** @param {any} message */
async function hear(message) {
  if (message.type === "hello") await greet(message);
  else if (message.type === "view") table.view = message;
  draw();
}

/** @param {any} hello */
async function greet(hello) {
  table.hello = hello;
  table.looksVersion += 1;
  learn(hello.looks.actions ?? {});
  byId("you").textContent = `You play ${capital(hello.side)}.`;
  const { sensors, looks } = hello;
  try {
    table.board ??= await createBoard(byId("board"), { sensors, looks });
    table.board.setLooks(looks);
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
  }
}

function draw() {
  const { view, board } = table;
  const mayAct = table.isOnline;
  board?.show({ pieces: view.pieces, leds: view.leds, todo: view.todo });
  board?.setInteractive(mayAct && Boolean(view.builder));
  for (const panel of panels) panel();
  for (const part of document.querySelectorAll("fieldset.acting")) {
    /** @type {HTMLFieldSetElement} */ (part).disabled = !mayAct;
  }
}

/** Make the card of the game's turns, with what ends a game. */
function createEnding() {
  const actions = h("div", { class: "actions" });
  const resign = button("Resign", () => {
    const sure = button("Yes, I resign", () => table.act("resign"), { class: "danger" });
    const no = button("Play on", plain, { class: "quiet" });
    fill(actions, h("div", { class: "confirm" }, h("p", {}, "Really resign?"), sure, no));
    no.focus();
  });
  const agree = button("", () => table.act("draw"));
  const offer = h("p", { class: "offer", role: "status" });
  const plain = () => fill(actions, agree, resign);
  plain();
  const name = h("input", {
    maxlength: 60,
    placeholder: "A guest",
    autocomplete: "nickname",
    on: { change: () => table.act("name", { name: name.value }) },
  });
  const element = h(
    "section",
    { class: "card", "aria-labelledby": "game-title" },
    h("h2", { id: "game-title" }, "Game"),
    acting(h("label", { class: "field" }, h("span", {}, "Your name"), name)),
    turns.element,
    offer,
    acting(actions),
  );
  return {
    element,
    draw() {
      const isOn = ["turn", "provisional", "question"].includes(table.view.phase);
      if (!isOn && actions.querySelector(".confirm")) plain();
      const from = isOn ? (table.view.offer ?? "") : "";
      const isOwn = from === table.hello?.side;
      offer.hidden = !from;
      offer.textContent = from ? `${isOwn ? "You offer" : `${capital(from)} offers`} a draw.` : "";
      agree.textContent = from && !isOwn ? "Agree to the draw" : "Offer a draw";
      agree.disabled = resign.disabled = !isOn || Boolean(table.view.game?.over);
    },
  };
}
