// @ts-check
/** The live page: the table as the server tells it, and what people ask of it. */

import { createBeats } from "./beats.js";
import { createBoard, FAULTS, forgetDrawing } from "./board.js";
import { byId, fill, hearKeys, whenChanged } from "./dom.js";
import { createDrag } from "./drag.js";
import { createEras } from "./eras.js";
import { REEDS } from "./geometry.js";
import { buttonOf, createHand } from "./hand.js";
import { tr } from "./language.js";
import { createLegend } from "./legend.js";
import { pieceName } from "./pieces.js";
import { createSoFar } from "./sofar.js";
import { note, say } from "./speak.js";
import { createPlayers, moodsOf, openTurns, setMenu } from "./stage.js";
import { LOOK } from "./switches.js";
import { createTable, dueStep, isNight, pictureOf } from "./table.js";
import { createTray } from "./tray.js";
import { createVoice } from "./voice.js";
import { LEVEL } from "./verdicts.js";
import { learn, list } from "./words.js";

/** @import { Table } from "./table.js" */

const UNSPOKEN = new Set(["ask", "guide", "provisional", "turn"]);

/**
 * Make the live page.
 * @param {import("./socket.js").Ask} request
 */
export function createLive(request) {
  const table = createTable(request, { holder: null, yours: false, viewers: 1, you: "" });
  const tapping = { on: false };
  const isFlat = (/** @type {string} */ look) =>
    Boolean(/** @type {any} */ (table.looks().pieces[look])?.flat);
  const light = (/** @type {number} */ at) => table.looks().meanings[table.view.leds?.[at] ?? 0]?.name ?? "";
  const hand = createHand({ act: table.act, changed: () => drawTable(), isFlat, light });
  const links = { hand, looks: table.looks, changed: () => drawTable() };
  const drag = createDrag({
    ...links,
    board: () => table.board,
    mayAct: () => table.mayAct() && table.isFelt(),
    isTapping: () => tapping.on,
    refuse: () => note(refusal(table)),
    press: (sensor) => table.press(buttonOf(table.hello.buttons[sensor - REEDS] ?? "")),
  });
  const tray = createTray({ ...links, drag: () => drag, tapping });
  /** @type {ReturnType<typeof import("./far.js").createChat> | null} with somebody far away */
  let chat = null;
  const beats = createBeats(table, () => (draw(), watch()));
  const voice = createVoice(table, {
    menu: () => setMenu(!document.body.classList.contains("menu")),
    turns: openTurns,
    eras: () => eras,
    beats,
    changed: () => draw(),
    chat: () => chat,
  });
  const players = createPlayers(table);
  const eras = createEras(byId("eras"), {
    places: () => table.hello?.places ?? [],
    looks: table.looks,
    choose: voice.touch,
    players: players.elements,
  });
  const soFar = createSoFar(table);
  fill(byId("so-far"), soFar.element);
  const panels = [players.draw, createLegend(table), soFar.draw, voice.draw];
  /** @type {ReturnType<typeof import("./whole.js").createGraph> | null} */
  let graph = null;
  /** Fetch the menu and the graph of a game that is over, which nobody needs before the boards. */
  const fetchMenu = async () => {
    const [{ createMenu }, { createGraph }] = await Promise.all([import("./menu.js"), import("./whole.js")]);
    graph = createGraph(table);
    soFar.element.querySelector(".turns")?.before(graph.element);
    panels.unshift(...createMenu(table), graph.draw);
    draw();
  };
  const fetchChat = whenChanged(async (/** @type {boolean} */ isFar) => {
    if (!isFar) return;
    chat ??= (await import("./far.js")).createChat(table);
    panels.unshift(chat.draw);
    draw();
  });
  let hasMenu = false; // or it is being fetched: views come faster
  let hear = logSpeaker();
  /** Have a game looked at as soon as it is over. It is no matter where that is refused: who wants it can ask again. */
  const judge = whenChanged(async (/** @type {string} */ id) => {
    if (id && !(await request("judge", { game: id, level: LEVEL })).ok) graph?.give(id);
  });
  let isDrawn = false;
  const hearTurns = turnSpeaker();
  /** Have clocks run while who plays sees the boards, and not while a turn of the other is shown, which is that one's doing. */
  const watch = () => {
    const { view, control } = table;
    const boards = !byId("live").hidden && !beats.isOn();
    if (view.clocks && view.clocks.paused === boards && table.mayAct() && (control.yours || boards)) request("watch", { boards: Number(boards) });
  };

  /** Where hands are to do something next is not left below the edge of a small screen. */
  const bringIntoSight = whenChanged((/** @type {number | null} */ at) => {
    const place = at === null ? null : table.board?.place(at)?.getBoundingClientRect();
    const [stage, strip] = [document.querySelector("#live .stage"), document.querySelector("#live .strip")];
    if (!place || !stage || !strip) return;
    const [view, said] = [stage.getBoundingClientRect(), strip.getBoundingClientRect()];
    const hidden = place.bottom - (said.bottom < place.bottom ? view.bottom : said.top);
    if (hidden > 0) stage.scrollTop += hidden;
  });

  function drawTable() {
    const { view } = table;
    const felt = table.isFelt();
    document.body.classList.toggle("feel", felt);
    byId("eras").hidden = felt;
    byId("board").hidden = !felt;
    if (!felt) {
      if (byId("board").parentElement === players.elements[0].parentElement) byId("eras").querySelector(".era.future")?.append(...players.elements);
      if (view.game) eras.show(beats.picture({ ...pictureOf(table, moodsOf(table)), hinted: voice.hinted() }));
      return;
    }
    const [far, near] = [1 - table.south(), table.south()].map((player) => players.elements[player]);
    if (far.parentElement !== byId("board").parentElement) byId("board").before(far);
    if (near.parentElement !== byId("board").parentElement) byId("board").after(near);
    const { pieces, held } = hand.seen();
    table.board?.show({ pieces, leds: view.leds, reeds: reedsOf(table), night: isNight(view) });
    tray.draw();
    sayHeld(held.map((piece) => pieceName(table.looks(), piece)));
  }

  /** Have the table drawn, which is large, once somebody feels it. */
  async function drawBoard() {
    if (isDrawn || !table.isFelt()) return;
    isDrawn = true;
    table.board = await newBoard(table, drag);
    draw();
  }

  function draw() {
    drawBoard();
    const may = table.mayAct();
    drawTable();
    for (const panel of panels) panel();
    for (const part of document.querySelectorAll("fieldset.acting")) {
      /** @type {HTMLFieldSetElement} */ (part).disabled = !may;
    }
    table.board?.setInteractive(may && table.isFelt());
    byId("tray").hidden = !table.isFelt() || !may;
    byId("live").classList.toggle("tapping", tapping.on);
    if (table.isFelt() && table.board) bringIntoSight(dueStep(table.view)?.at.at(-1) ?? null);
  }

  /** Lead keys to the boards, where nothing has them yet. */
  const enter = () => {
    const place = document.activeElement === document.body && !byId("live").hidden && byId("eras").querySelector('[data-sensor][tabindex="0"]');
    return place instanceof HTMLElement && (place.focus(), true);
  };
  document.addEventListener(LOOK, draw);
  hearKeys(undefined, {
    ...Object.fromEntries(["Left", "Right", "Up", "Down"].map((way) => [`Arrow${way}`, enter])),
    " ": () => beats.isOn() && !byId("live").hidden && beats.skip(),
    Escape() {
      if (!table.mayAct() || !table.isFelt()) return false;
      drag.stop();
      hand.back();
    },
  });
  return {
    table,

    /** Begin anew: the server says what there is. @param {any} hello */
    greet(hello) {
      const isOther = table.hello?.board !== hello.board;
      if (table.hello?.server !== hello.server) hear = logSpeaker();
      table.hello = hello;
      learn(hello);
      table.looksVersion += 1;
      isDrawn &&= Boolean(table.board) && !isOther;
      table.board?.setLooks(hello.looks);
      tray.forget();
      eras.forget();
      draw();
    },

    /** Show the table as it is now. @param {any} view */
    show(view) {
      table.view = view;
      hand.see(view);
      beats.see(view);
      draw();
      if (!hasMenu) setTimeout(() => fetchMenu().catch(() => (hasMenu = false)));
      hasMenu = true;
      fetchChat(Boolean(view.far));
      hear(view.log ?? []);
      hearTurns(view.game?.turns ?? [], table.sides());
      const { over, id, turns } = view.game ?? {};
      judge(over && turns.length && table.mine().length ? (id ?? "") : "");
      watch();
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

    /** Begin a lesson, once who plays has agreed to put the game aside. @param {number} number */
    async lesson(number) {
      location.hash = "#live";
      voice.lesson(number);
    },

    /** Take note of whether the boards are seen, and fit them to their place after they were hidden. */
    seen() {
      watch();
      table.board?.fit();
    },
  };
}

/** @param {Table} table @param {import("./drag.js").Drag} drag */
async function newBoard(table, drag) {
  forgetDrawing();
  try {
    const { places, looks } = table.hello;
    const board = await createBoard(byId("board"), { places, looks });
    drag.attach(board);
    return board;
  } catch (error) {
    note(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** @param {Table} table @returns {string} why nothing can be moved; empty for a mere picture */
function refusal(table) {
  if (!table.isFelt() || !table.isOnline) return ""; // that the line is lost stands above
  return tr("{viewer} plays here; take over first.", { viewer: table.holder() });
}

/** @param {Table} table @returns {Record<string, string>} what is wrong with a reed, by sensor */
function reedsOf({ view }) {
  /** @type {Record<string, string>} */
  const reeds = {};
  for (const { at, kind } of view.health?.reeds ?? []) reeds[at] = tr("its reed {problem}", { problem: FAULTS[kind] ?? kind });
  for (const at of Object.keys(view.hand?.broken ?? {})) reeds[at] ??= tr("its reed is broken");
  return reeds;
}

/** Say new lines of the log, but not those of the first view; all are to see what the table refuses. */
function logSpeaker() {
  let last = -1;
  return (/** @type {any[]} */ log) => {
    const news = log.filter(({ no, kind }) => no > last && !UNSPOKEN.has(kind));
    if (last >= 0) for (const { kind, text } of news) kind === "refused" ? note(text) : say(text);
    last = log.length ? log[log.length - 1].no : Math.max(last, 0);
  };
}

/** Say a turn that has come, in the words of the list; not those of a game that one finds. */
function turnSpeaker() {
  let known = Infinity;
  return (/** @type {any[]} */ turns, /** @type {string[]} */ called) => {
    const last = turns.at(-1);
    if (last && turns.length === known + 1) say(`${called[Number(last.player === "black")]}: ${last.says}.`);
    known = turns.length;
  };
}

const sayHeld = (() => {
  let last = "";
  return (/** @type {string[]} */ names) => {
    const text = list(names);
    if (text === last) return;
    last = text;
    say(text ? tr("In the hand: {pieces}.", { pieces: text }) : tr("The hand is empty."));
  };
})();
