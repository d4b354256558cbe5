// @ts-check
/** The start: what can be gone on with, one form for a new game, a lesson, today's puzzle, a friend. */

import { ask } from "./answers.js";
import { fill, h, whenChanged } from "./dom.js";
import { copyFigure, eyeFigure, icon } from "./figures.js";
import { createInvitations } from "./invitations.js";
import { tr, trC } from "./language.js";
import { acting, button } from "./parts.js";
import { segments } from "./segments.js";
import { smallBoards } from "./small.js";
import { lessonDone, PUZZLER, recall, remember } from "./switches.js";
import { showView } from "./views.js";
import { capital, isProgram, nameOf as called, sideName, SIDES } from "./words.js";

/** @import { Table } from "./table.js" */
/** @import { Candidate } from "./candidates.js" */
/**
 * What a form says: `against` is the program, somebody here or a friend, `level` the program's seat,
 * `side` white, black or lot, `where` how people here play; `fewer` of each side's supply.
 * @typedef {{against: string, level: string, side: string, times: string, modules: string, where: string,
 *   fewer: [number, number], names: [string, string]}} Wanted
 */

const SUPPLY = 4;
const CHAPTERS = 4;
const MOST_OFFERED = 3; // side by side
const NAME_LENGTH = 60;
const LATE_MS = 400; // what is found later comes above a form that stands already
const [BEGIN_MS, LOOK_MS] = [5000, 40]; // how long a new game is waited for, and how often is looked
const OFF = "off";
const LAST = "chronotable-form";
/** Begins the game with a friend that was asked for while no link could lead to it. @type {(() => unknown) | undefined} */
let awaited;
const CLOCKS = /** @type {[string, string][]} */ ([
  [OFF, trC("clocks", "none")],
  ["10+0", tr("10 min")],
  ["5+5", "5 + 5"],
  ["", tr("other")],
]);

/** Whether a game goes on at the table that somebody may come back to. @param {any} view */
export function isGoing(view) {
  return Boolean((view.game?.turns.length || view.builder?.text) && !view.game.over && !view.lesson);
}

/**
 * Show the start in `root`, or how a friend comes to the game.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded
 * @param {import("./archive.js").Context & {table: Table, lesson: (number: number) => unknown}} context
 */
export async function showStart(root, [, place = ""], context) {
  const make = place === "friend" ? showFriend : showForm;
  await showView(root, place, () => make(root, context), place);
}

/** @param {HTMLElement} root @param {{table: Table, lesson: (number: number) => unknown}} context */
async function showForm(root, { table, lesson }) {
  /** @type {Awaited<ReturnType<typeof lastBrokenOff>>} */
  let brokenOff = null;
  awaited = undefined;
  const found = lastBrokenOff(table).then((game) => (brokenOff = game), () => {}); // without it the start is a start, too
  await Promise.race([found, new Promise((late) => setTimeout(late, LATE_MS))]);
  const form = createForm(table);
  const going = h("div");
  const learn = table.hello.learn;
  const today = h("div", { class: "card tile" });
  const drawToday = (/** @type {any[]} */ pieces, task = "", number = "") => fill(today, h("h2", {}, tr("Puzzle of the day")), smallBoards(pieces), h("a", { href: `#puzzles/${number}` }, task || tr("Looking …")));
  drawToday([]);
  const beads = (learn?.lessons ?? []).map((/** @type {{number: number, title: string}} */ { number, title }) =>
    lessonDone(number).isOn()
      ? button("✓", () => lesson(number), { title, class: "done", "aria-label": tr("{title}: done", { title }) })
      : button(String(number), () => lesson(number), { title, "aria-label": title }),
  );
  const lessons = h("div", { class: "card tile", hidden: !learn }, h("h2", {}, learn?.offer), h("p", {}, tr("Three minutes each, on the boards.")), h("span", { class: "beads" }, beads));
  const { why } = table.view.reach ?? {};
  const friend = h("div", { class: "card tile" }, h("h2", {}, tr("A friend")), h("p", {}, why ?? tr("Scan, and you play: no account, same Wi-Fi.")), why ? null : button(tr("Invite"), () => (location.hash = "#start/friend")));
  const greeting = h("div", { class: "greet" }, h("h1", { tabindex: "-1" }, tr("When shall we play?")), h("p", {}, tr("Three times, one you. Leave the other only one.")));
  const isKnown = !SIDES.some((_, player) => table.seat(player) === "level:1"); // whose first game is over
  fill(root, h("div", { class: isKnown ? "start known" : "start" }, hero(), greeting, going, form.element, h("div", { class: "tiles" }, acting(lessons, today, friend))));

  const drawGoing = whenChanged((/** @type {{pieces: any[], says: string, id?: string, turn: number, ended?: string} | null} */ game) => {
    const open = () => (game?.id ? takeUp(game.id, game.turn) : (location.hash = "#live"));
    fill(going, game && h("div", { class: "card going" }, smallBoards(game.pieces), h("span", {}, h("b", {}, game.ended ?? tr("Go on")), game.says), button(game.ended ? tr("To the game") : tr("Continue"), open, { class: "primary" })));
  });
  /** @param {string} id @param {number} turn */
  const takeUp = async (id, turn) => {
    if (await startGame(table, "branch", { game: id, turn })) location.hash = "#live";
  };

  function draw() {
    const { view } = table;
    form.draw();
    const { game } = view;
    // it may have ended while somebody looked elsewhere
    if (game?.over && !view.lesson) return drawGoing(brokenOff ?? { pieces: view.pieces, says: view.note, turn: 0, ended: view.says });
    if (!isGoing(view)) return drawGoing(brokenOff);
    const mine = table.mine();
    const other = 1 - Math.max(0, SIDES.indexOf(mine[0]));
    const values = { no: game.turns.length + 1, player: sideName(game.mover), name: nameOf(table, other) };
    const says = mine.length !== 1 ? tr("Turn {no} is {player}’s.", values) : mine[0] === game.mover ? tr("Turn {no} is yours, against {name}.", values) : tr("Turn {no}, against {name}.", values);
    drawGoing({ pieces: view.pieces, says: view.clocks?.paused ? `${says} ${tr("The clock stands.")}` : says, turn: 0 });
  }
  const left = new AbortController();
  const find = async () => {
    const { today: number, puzzles } = await ask(`/api/puzzles?player=${encodeURIComponent(recall(PUZZLER) ?? "")}`, left.signal);
    const { task, position } = await ask(`/api/puzzles/${number}`, left.signal);
    const isSolved = puzzles.some((/** @type {any} */ each) => each.number === number && each.solved);
    drawToday(position.pieces, isSolved ? `${task} ✓` : task, number);
  };
  find().catch(() => drawToday([], tr("Puzzles")));
  draw();
  found.then(draw);
  return { leave: () => left.abort(), go() {}, hear: draw };
}

/**
 * The game that was played last, if it was broken off and is not the one that is on.
 * @param {Table} table
 */
async function lastBrokenOff({ hello, view }) {
  const [last] = hello.hand ? (await ask("/api/games?limit=1")).games : [];
  if (last?.result !== "*" || last.id === view.game?.id) return null;
  const { positions } = await ask(`/api/games/${encodeURIComponent(last.id)}`);
  const turn = positions.length - 1;
  const [white, black] = SIDES.map((side) => called(last[side], side));
  return { pieces: positions[turn].pieces, says: tr("{white} against {black}, turn {no}.", { white, black, no: turn + 1 }), id: last.id, turn };
}

/**
 * Ask for another game, and wait until the boards are its own: what is chosen before is lost with the old one. At a real
 * table hands set up first, and a guest may be asked: nothing is waited for then. @param {Table} table @param {string} what @param {Record<string, unknown>} game
 */
async function startGame(table, what, game) {
  const begun = () => table.view.log?.findLast((/** @type {any} */ { kind }) => kind === "started")?.no;
  const before = begun();
  if (!(await table.act(what, game))) return false;
  for (let ms = table.hello.hand ? BEGIN_MS : 0; ms > 0 && begun() === before && !table.view.asked; ms -= LOOK_MS) await new Promise((later) => setTimeout(later, LOOK_MS));
  return true;
}

/** The aim in a picture: of two copies in three times one is left. */
export function hero() {
  const panes = ["past", "present", "future"].map((era, at) =>
    h("div", { class: `pane ${era}` }, at === 1 ? eyeFigure(0, "open") : null, h("span", {}, copyFigure(0, at === 1 ? "wide" : "")), h("span", {}, copyFigure(1, at === 2 ? "3" : "dead"), at === 2 ? null : copyFigure(1))),
  );
  return h("div", { class: "hero", "aria-hidden": "true" }, panes);
}

/** A level has a name, anybody else is what they are. @param {Candidate} who */
function inSentence({ face, name }) {
  return Number(face) ? capital(name) : name;
}

/** @param {Table} table @param {number} player */
function nameOf(table, player) {
  const seat = table.seat(player);
  const known = table.hello.candidates.find((/** @type {Candidate} */ each) => each.seat === seat);
  return isProgram(seat) && known ? inSentence(known) : table.name(player);
}

/** @param {Table} table */
function createForm(table) {
  const { hello, view } = table;
  const levels = /** @type {Candidate[]} */ (hello.candidates.filter(({ seat }) => seat.startsWith("level")));
  const others = /** @type {Candidate[]} */ (hello.candidates.filter(({ seat }) => isProgram(seat) && !seat.startsWith("level")));
  const people = hello.hand && !table.isFelt() ? "page" : "hands";
  const seated = SIDES.map((_, player) => table.seat(player)).find(isProgram) ?? levels[0].seat;
  const games = hello.games;
  /** @type {Wanted} */
  const wanted = {
    ...{ against: "program", level: seated, side: "white", times: OFF, modules: games[0], where: people, fewer: [0, 0] },
    names: [view.start?.white ?? "", view.start?.black ?? ""],
    ...JSON.parse(recall(LAST) ?? "{}"),
  };
  if (!games.includes(wanted.modules)) wanted.modules = games[0];
  const change = (/** @type {Partial<Wanted>} */ what) => {
    Object.assign(wanted, what);
    remember(LAST, JSON.stringify({ ...wanted, times: times() })); // for who looks elsewhere before it begins
    draw();
  };
  const face = (/** @type {Candidate} */ { seat, face: mood, name }) => /** @type {[string, any[], string]} */ ([seat, [copyFigure(1, mood), h("span", {}, Number(mood) || capital(name))], capital(name)]);

  const who = h("p", { class: "who" });
  const level = h("div", { class: "level" }, segments(tr("Level"), [...levels, ...others].map(face), wanted.level, (seat) => change({ level: seat }), "faces"), who);
  const against = [["program", tr("the program")], ["here", tr("somebody here")], ...(table.view.reach?.why ? [] : [["friend", tr("a friend, by link")]])];
  const sides = SIDES.map((side, player) => /** @type {[string, any[]]} */ ([side, [copyFigure(player), sideName(side)]]));
  const side = row(tr("You are"), segments(tr("You are"), [...sides, ["lot", tr("By lot")]], wanted.side, (value) => change({ side: value })));
  const minutes = h("input", { type: "number", min: 1, max: 600, value: 20, "aria-label": tr("minutes"), on: { input: () => change({}) } });
  const seconds = h("input", { type: "number", min: 0, max: 600, value: 0, "aria-label": tr("seconds a turn"), on: { input: () => change({}) } });
  const own = h("span", { class: "own-clock" }, minutes, "+", seconds);
  const isListed = CLOCKS.some(([times]) => times === wanted.times);
  const clock = row(tr("Clock"), h("div", { class: "clock" }, segments(tr("Clock"), CLOCKS, isListed ? wanted.times : "", (value) => change({ times: value })), own));
  if (!isListed) {
    [minutes.value, seconds.value] = wanted.times.split("+");
    wanted.times = "";
  }
  const supply = row(tr("Supply"), h("div", { class: "stock" }, SIDES.map((_, player) => stepper(player)), h("small", {}, tr("Who goes back in time takes a copy from here; the stronger begins with fewer."))));
  const fields = SIDES.map((_, player) => h("input", { type: "text", maxlength: NAME_LENGTH, autocomplete: "off", spellcheck: "false", "aria-label": tr("Name of {player}", { player: sideName(SIDES[player]) }), placeholder: sideName(SIDES[player]), value: wanted.names[player], on: { input: () => change({ names: /** @type {[string, string]} */ (fields.map(({ value }) => value)) }) } }));
  const names = row(tr("Names"), h("div", { class: "names" }, fields));
  const where = row(tr("Where"), segments(tr("Where"), [["hands", tr("at the table")], ["page", tr("on this screen")]], wanted.where, (value) => change({ where: value })));
  where.hidden = hello.hand;
  const boxed = h("div", { class: "boxed" });
  let opened = table.hello.chapters.length;
  const drawChapters = whenChanged((/** @type {number} */ open) => {
    const { name } = table.hello.chapters.at(-1) ?? {};
    if (open > opened && table.hello.games.includes(name)) wanted.modules = name; // who opens a box means to play it
    opened = open;
    fill(boxed, chapters(table.hello, wanted.modules, (modules) => change({ modules })), closedBoxes(open, table));
  });
  const says = h("p", { id: "summary", role: "status" });
  const takes = button(tr("Take over"), () => table.act("take_control"), { class: "primary" });
  const begins = h("button", { type: "submit", class: "primary", "aria-describedby": "summary" }, trC("a game", "Begin"));
  const element = h(
    "form",
    { class: "card form", on: { submit: begin } },
    h(
      "fieldset",
      {}, // what one wishes for is chosen before one takes over
      h("h2", {}, tr("New game")),
      row(tr("Against"), segments(tr("Against"), /** @type {[string, string][]} */ (against), wanted.against, (value) => change({ against: value }))),
      h("div", { class: "foe" }, level, side, h("div", { class: "pair", "aria-hidden": "true" }, SIDES.map((_, player) => copyFigure(player)))),
      names,
      clock,
      row(tr("Chapter"), boxed),
      supply,
      where,
      h("div", { class: "go" }, says, acting(begins), takes),
    ),
  );

  /** How many copies a side has in supply. @param {number} player */
  function stepper(player) {
    const set = (/** @type {number} */ by) => {
      wanted.fewer[player] -= by;
      change({});
    };
    const fewer = button("", () => set(-1), { "aria-label": tr("one fewer") });
    const again = button("", () => set(1), { "aria-label": tr("one more") });
    fill(fewer, icon("minus"));
    fill(again, icon("plus"));
    return h("span", { class: "stepper", role: "group", "aria-label": sideName(SIDES[player]) }, copyFigure(player), fewer, h("b", {}), again);
  }

  const times = () => wanted.times || `${minutes.value || 1}+${seconds.value || 0}`;

  /** What begins, in a sentence. */
  function summary() {
    const program = hello.candidates.find((/** @type {Candidate} */ each) => each.seat === wanted.level);
    const against = { program: program && inSentence(program), here: tr("somebody here"), friend: tr("a friend") }[wanted.against];
    const [min, plus] = times().split("+");
    const time = times() === OFF ? tr("without a clock") : tr("{min} min + {s} s each", { min, s: plus });
    const values = { player: sideName(wanted.side), against: against ?? "", time };
    const who =
      wanted.against === "here"
        ? tr("Two of you play here, {time}.", values)
        : wanted.side === "lot"
          ? tr("The lot says who you are, against {against}, {time}.", values)
          : tr("You are {player}, against {against}, {time}.", values);
    const { games: [plain], called } = table.hello;
    return wanted.modules === plain ? who : `${capital(called[wanted.modules] ?? wanted.modules)}. ${who}`;
  }

  for (const each of [level, side, names]) each.classList.add("kept");

  function draw() {
    level.hidden = wanted.against !== "program";
    side.hidden = wanted.against === "here";
    own.hidden = wanted.times !== "";
    drawChapters(table.hello.chapters.length);
    const isAlone = wanted.against === "program"; // a program has its own name
    names.hidden = isAlone && wanted.side === "lot";
    fields.forEach((field, player) => (field.hidden = isAlone && SIDES[player] !== wanted.side));
    const program = hello.candidates.find((/** @type {Candidate} */ each) => each.seat === wanted.level);
    fill(who, h("b", {}, capital(program?.name ?? ""), Number(program?.face) ? `, ${program.face}` : ","), ` ${program?.words ?? ""}`);
    [...supply.querySelectorAll(".stepper")].forEach((each, player) => {
      const left = SUPPLY - wanted.fewer[player];
      fill(each.querySelector("b"), left);
      const [fewer, again] = each.querySelectorAll("button");
      fewer.disabled = left === 0;
      again.disabled = left === SUPPLY;
    });
    const other = table.holder();
    begins.hidden = Boolean(other);
    takes.hidden = !other;
    fill(says, other ? tr("{viewer} plays here.", { viewer: other }) : summary());
  }

  /** @param {Event} event */
  async function begin(event) {
    event.preventDefault();
    const own = wanted.side === "lot" ? Math.floor(Math.random() * 2) : SIDES.indexOf(wanted.side);
    const other = { program: wanted.level, here: wanted.where, friend: "guest" }[wanted.against] ?? "";
    const seats = [other, other];
    if (wanted.against !== "here") seats[own] = wanted.where;
    else seats[0] = wanted.where;
    const [white, black] = wanted.names.map((name, player) => (names.hidden || fields[player].hidden ? "" : name.trim()));
    const game = { white, black, handicap: wanted.fewer, modules: wanted.modules, first: SIDES[0], seats, times: hello.clocks ? times() : OFF };
    const start = () => startGame(table, "new", game);
    if (wanted.against === "friend" && table.view.reach?.open === false) awaited = start;
    else if (!(await start())) return;
    location.hash = wanted.against === "friend" ? "#start/friend" : "#live";
  }

  clock.hidden = !hello.clocks;
  draw();
  return { element, draw };
}

/** A labelled line of the form. @param {string} label @param {Node} inside */
function row(label, inside) {
  return h("div", { class: "form-line" }, h("span", { class: "label", "aria-hidden": "true" }, label), inside);
}

/** Which game: a few stand side by side, more are a list. @param {any} hello @param {string} modules @param {(modules: string) => void} change */
function chapters({ games, called }, modules, change) {
  const options = games.map((/** @type {string} */ name) => /** @type {[string, string]} */ ([name, name === games[0] ? tr("The game itself") : capital(called[name] ?? name)]));
  if (games.length <= MOST_OFFERED) return segments(tr("Chapter"), options, modules, change);
  const select = h("select", { "aria-label": tr("Chapter"), on: { change: () => change(select.value) } });
  for (const [value, text] of options) select.append(h("option", { value, selected: value === modules }, text));
  return select;
}

/** Chapters that nobody here has opened yet: boxes without a name. @param {number} open @param {Table} table */
function closedBoxes(open, table) {
  const closed = Array.from({ length: CHAPTERS - open }, () => h("i", {}, icon("box")));
  if (!closed.length) return null;
  const says = h("small", { role: "status" });
  const opens = () => acting(button(tr("Open the next one"), () => table.act("unlock")));
  const tell = () => fill(says, tr("Each box holds a chapter: new pieces and rules."), opens());
  return [button("", tell, { class: "boxes", "aria-label": tr("closed boxes: {n}", { n: closed.length }) }, closed), says];
}

/** @param {HTMLElement} root @param {{table: Table}} context */
function showFriend(root, { table }) {
  const invitations = createInvitations(table, awaited);
  const back = h("p", { class: "ways" }, h("a", { href: "#live" }, tr("To the game")), h("a", { href: "#start" }, tr("Back")));
  fill(root, h("div", { class: "narrow" }, h("h1", { tabindex: "-1" }, tr("Play with a friend")), invitations.element, back));
  invitations.draw();
  const isAwaited = () => Object.values(table.view.guests ?? {}).includes("awaited");
  let wasAwaited = isAwaited();
  const hear = () => {
    invitations.draw();
    if (wasAwaited && !isAwaited() && Object.values(table.view.guests ?? {}).includes("here")) location.hash = "#live";
    wasAwaited = isAwaited();
  };
  return { leave() {}, go() {}, hear };
}
