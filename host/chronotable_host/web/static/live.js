// @ts-check
/** The live page: the table as the server tells it, and what people ask of it. */

import { createAsk } from "./ask.js";
import { createBoard, forgetDrawing } from "./board.js";
import { byId, fill, h } from "./dom.js";
import { createDrag } from "./drag.js";
import { createGame } from "./game.js";
import { createHand } from "./hand.js";
import { createHealth } from "./health.js";
import { createNewGame } from "./newgame.js";
import { createLegend } from "./legend.js";
import { pieceName } from "./pieces.js";
import { createLog, createSettings } from "./settings.js";
import { note, say } from "./speak.js";
import { createControl, createHeadline, createPlayers } from "./status.js";
import { createTray } from "./tray.js";
import { buttonOf, createSeats, createTroubles } from "./virtual.js";
import { capital, learn, list, nameOf } from "./words.js";

/** @typedef {import("./pieces.js").Looks} Looks */
/** @typedef {import("./board.js").Board} Board */
/**
 * What all panels see. `act` asks the server, tells why it refuses, and resolves to whether it did
 * it; `seat` is who plays a side of a virtual table, `name` what the player is called.
 * @typedef {{hello: any, view: any, control: any, isOnline: boolean, board: Board | null,
 *   looksVersion: number, looks: () => Looks, seat: (player: number) => string,
 *   name: (player: number) => string,
 *   act: (what: string, values?: Record<string, unknown>) => Promise<boolean>,
 *   press: (button: {name: string, side: string}) => void}} Table
 */

const NO_LOOKS = { meanings: [], pieces: {} };
const UNSPOKEN = new Set(["ask", "guide", "provisional"]);
const NIGHT = 24;

/**
 * Make the live page.
 * @param {import("./socket.js").Ask} request
 */
export function createLive(request) {
  /** @type {Table} */
  const table = {
    hello: null,
    view: {},
    control: { holder: null, yours: false, viewers: 1, you: "" },
    isOnline: false,
    board: null,
    looksVersion: 0,
    looks: () => table.hello?.looks ?? NO_LOOKS,
    seat: (player) => seatOf(table.view.players, player),
    name: (player) => {
      const side = player ? "black" : "white";
      const name = table.view.game?.[side];
      return nameOf(name === table.seat(player) ? "" : name, side);
    },
    async act(what, values) {
      const { ok, why } = await request(what, values);
      if (!ok) note(capital(why ?? "The table refuses that."));
      return ok;
    },
    press: ({ name, side }) => {
      table.act("press", { button: name, side: side || table.view.game?.mover || "white" });
    },
  };
  const tapping = { on: false };
  const isFlat = (/** @type {string} */ look) =>
    Boolean(/** @type {any} */ (table.looks().pieces[look])?.flat);
  const hand = createHand({ act: table.act, changed: () => drawTable(), isFlat });
  const links = { hand, looks: table.looks, changed: () => drawTable() };
  const drag = createDrag({
    ...links,
    board: () => table.board,
    mayAct: () => mayAct(table) && Boolean(table.hello?.hand),
    isTapping: () => tapping.on,
    refuse: () => note(refusal(table)),
    press: (sensor) => table.press(buttonOf(table.hello.sensors[sensor] ?? "")),
  });
  const tray = createTray({ ...links, drag: () => drag, tapping });
  const panels = makePanels(table);
  let hear = logSpeaker();

  function drawTable() {
    const { view } = table;
    const { pieces, held } = hand.seen();
    table.board?.show({
      pieces,
      leds: view.leds,
      todo: view.todo,
      reeds: reedsOf(table),
      night: isNight(view),
    });
    tray.draw();
    sayHeld(held.map((piece) => pieceName(table.looks(), piece)));
  }

  function draw() {
    const may = mayAct(table);
    drawTable();
    for (const panel of panels) panel();
    for (const part of document.querySelectorAll("fieldset.acting")) {
      /** @type {HTMLFieldSetElement} */ (part).disabled = !may;
    }
    table.board?.setInteractive(may && Boolean(table.hello?.hand));
    byId("tray").hidden = !table.hello?.hand || !may;
    byId("live").classList.toggle("tapping", tapping.on);
  }

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, select");
    if (event.key !== "Escape" || isTyping || !table.hello?.hand || !mayAct(table)) return;
    drag.stop();
    hand.back();
  });

  return {
    table,

    /** Begin anew: the server says what there is. @param {any} hello */
    async greet(hello) {
      const isOther = table.hello?.board !== hello.board;
      if (table.hello?.server !== hello.server) hear = logSpeaker();
      table.hello = hello;
      learn(hello.looks.actions ?? {});
      table.looksVersion += 1;
      if (isOther || !table.board) table.board = await newBoard(table, drag);
      table.board?.setLooks(hello.looks);
      tray.forget();
      draw();
    },

    /** Show the table as it is now. @param {any} view */
    show(view) {
      table.view = view;
      hand.see(view);
      draw();
      hear(view.log ?? []);
    },

    /** Take note of who has control. @param {any} control */
    rule(control) {
      table.control = control;
      draw();
    },

    /** Take note of whether the line stands. @param {boolean} isOnline */
    line(isOnline) {
      table.isOnline = isOnline;
      if (!isOnline) drag.stop();
      draw();
    },

    /** Fit the board to its place, after that was hidden. */
    fit: () => table.board?.fit(),
  };
}

/** @param {Table} table @returns {(() => void)[]} */
function makePanels(table) {
  const played = [createGame, createSeats].map((create) => create(table));
  const others = [createTroubles, createNewGame, createSettings, createLog, createHealth].map(
    (create) => create(table),
  );
  const cards = [...played, ...others];
  fill(byId("side"), column(played), column(others));
  placeAsk();
  return [
    createHeadline(table),
    createPlayers(table),
    createControl(table),
    createAsk(table),
    createLegend(table),
    ...cards.map((card) => card.draw),
  ];
}

/** @param {{element: HTMLElement}[]} cards */
function column(cards) {
  return h(
    "div",
    { class: "column" },
    cards.map((card) => card.element),
  );
}

/** Have what is asked stand on top of the cards where they are beside the board. */
function placeAsk() {
  const wide = window.matchMedia("(min-width: 75rem)");
  const place = () => byId(wide.matches ? "side" : "dock").prepend(byId("ask"));
  wide.addEventListener("change", place);
  place();
}

/** @param {Table} table @param {import("./drag.js").Drag} drag */
async function newBoard(table, drag) {
  forgetDrawing();
  try {
    const { sensors, looks } = table.hello;
    const board = await createBoard(byId("board"), { sensors, looks });
    drag.attach(board);
    return board;
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** @param {Table} table */
function mayAct({ isOnline, control }) {
  return isOnline && (control.yours || !control.holder);
}

/** @param {Table} table @returns {string} why nothing can be moved; empty for a mere picture */
function refusal({ isOnline, control, hello }) {
  if (!hello?.hand) return "";
  if (!isOnline) return "The connection is lost. It comes back by itself.";
  return `${capital(control.holder ?? "")} has control; take it first.`;
}

/** @param {any} players by number or by side @param {number} player @returns {string} */
function seatOf(players, player) {
  return players?.[player] ?? players?.[player ? "black" : "white"] ?? "";
}

/** @param {Table} table @returns {Record<string, string>} what is wrong with a reed, by sensor */
function reedsOf({ view, hello }) {
  /** @type {Record<string, string>} */
  const reeds = {};
  for (const { space, kind } of view.health?.reeds ?? []) {
    reeds[hello?.sensors.indexOf(space) ?? -1] = `its reed ${kind}`;
  }
  for (const at of Object.keys(view.hand?.broken ?? {})) reeds[at] ??= "its reed is broken";
  return reeds;
}

/** @param {any} view @returns {boolean} */
function isNight({ settings }) {
  const brightness = settings?.brightness ?? "full";
  return brightness === "night" || (brightness !== "" && Number(brightness) <= NIGHT);
}

/** Say new lines of the log, but not those of the first view. */
function logSpeaker() {
  let last = -1;
  return (/** @type {any[]} */ log) => {
    const news = log.filter(({ no, kind }) => no > last && !UNSPOKEN.has(kind));
    if (last >= 0) for (const { text } of news) say(text);
    last = log.length ? log[log.length - 1].no : Math.max(last, 0);
  };
}

const sayHeld = (() => {
  let last = "";
  return (/** @type {string[]} */ names) => {
    const text = list(names);
    if (text === last) return;
    last = text;
    say(text ? `In the hand: ${text}.` : "The hand is empty.");
  };
})();
