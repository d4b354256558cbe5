// @ts-check
/**
 * The strip: the one place that speaks and is answered. It has a face, a headline, what there is to say
 * and buttons: mostly tools, else the answers to what is asked. Whatever it says, its size stays.
 */

import { createChoosing, showFan } from "./choosing.js";
import { uncited } from "./cited.js";
import { byId, fill, h, hearKeys, keepPresses, whenChanged } from "./dom.js";
import { wordOf } from "./eras.js";
import { copyFigure, icon, isMark, markFigure, tableFigure } from "./figures.js";
import { createHint } from "./hint.js";
import { tr, trC } from "./language.js";
import { learningOf } from "./pages.js";
import { addressOf } from "./turns.js";
import { hush, note, say } from "./speak.js";
import { FITS, moodsOf, pipsOf, PLAYING, setMenu } from "./stage.js";
import { createSwitch, createTips, known, lessonDone, tips } from "./switches.js";
import { dueStep } from "./table.js";
import { ERRORS, errorsText, verdictName } from "./verdicts.js";
import { capital, COLOURS, isProgram, sideName, SIDES, within } from "./words.js";

/** @import { Table } from "./table.js" */
/**
 * A button: what it says, what it asks the server for or else does here, how it looks; a tool has a picture.
 * @typedef {{text: string, ask?: [string, Record<string, unknown>], press?: () => unknown, href?: string,
 *   look?: string, off?: boolean, title?: string, tool?: string, letter?: string}} Act
 * What the strip says: `face` is a player with a mood, or the table; `steps` how far it is, `key` the
 * marks on the boards, `hands` what hands are to do; `tools` stand beside the answers.
 * @typedef {{kind: string, face: {player: number, mood: import("./figures.js").Mood} | "table" | null,
 *   says: string, note: string, steps?: [number, number] | null, key?: any[], hands?: any[], acts: Act[],
 *   tools: "all" | "few" | "look" | "none"}} Line
 */

const REFUSED_MS = 4000;
const learnt = createSwitch("learnt");
/** What somebody else asks, by its kind: the headline, and the two answers. */
const ASKS = /** @type {Record<string, (name: string) => [string, string, string]>} */ ({
  draw: (name) => [tr("{name} offers a draw", { name }), tr("Play on"), tr("Take the draw")],
  aside: (name) => [tr("{name} would like to stop", { name }), tr("Play on"), tr("End without a result")],
  lesson: (name) => [tr("{name} would like a lesson", { name }), tr("Play on"), tr("End this game")],
  puzzle: (name) => [tr("{name} would like a puzzle", { name }), tr("Play on"), tr("End this game")],
  take_back: (name) => [tr("{name} asks for turns back", { name }), trC("answer", "No"), tr("Give them back")],
  new: (name) => [tr("{name} asks for a new game", { name }), tr("Play on"), tr("Begin anew")],
  rematch: (name) => [tr("{name} asks for a rematch", { name }), trC("answer", "No"), trC("answer", "Rematch")],
  again: (name) => [tr("{name} asks for a rematch", { name }), trC("answer", "No"), trC("answer", "Rematch")],
});

/**
 * Make the strip; `menu` opens what else there is, `turns` the turns so far where they lie in a drawer.
 * Calling `draw` shows what is due, `touch` is told of a place that was pressed. `chat` is that with
 * somebody far away, `eras` gives the boards, `beats` plays turns of others, `changed` draws all anew.
 * @param {Table} table
 * @param {{menu: () => void, turns: () => void, eras: () => ReturnType<typeof import("./eras.js").createEras>,
 *   beats: ReturnType<typeof import("./beats.js").createBeats>, changed: () => void,
 *   chat?: () => ReturnType<typeof import("./far.js").createChat> | null}} links
 */
export function createVoice(table, { menu, turns, eras, beats, changed, chat = () => null }) {
  const root = byId("voice");
  const strip = /** @type {HTMLElement} */ (root.parentElement);
  /** @type {"" | "end" | "back" | "aside"} what one is asked whether one means it */
  let sure = "";
  let seen = "";
  let wasOver = false;
  /** @type {Record<string, string>} whether guests were there, by side */
  let were = {};
  let knowsTaken = false;
  const dueTip = createTips();
  let lesson = 1; // that is asked about
  let isBegun = false; // the game that is gone back to after it
  let timeless = ""; // the game that is played on without time

  const ask = (/** @type {typeof sure} */ next) => {
    sure = next;
    draw();
    root.querySelector("button")?.focus();
  };
  const choose = (/** @type {string} */ text) => table.act("choose", { text, after: table.view.builder?.text ?? "" });
  const hint = createHint(
    {
      given: () => (table.view.builder && table.mine().includes(table.view.game?.mover) ? table.view.hint : null),
      builder: () => table.view.builder,
      at: () => `${table.view.game?.id} ${table.view.game?.position}`,
      player: () => table.view.game.mover,
      isWhole: () => Boolean(table.view.lesson && !table.view.lesson.steps),
      ask() {
        table.refused = null; // whoever asks for a hint has read why that was wrong
        return table.act("hint");
      },
      back: () => table.act("back"),
      looks: table.looks,
    },
    changed,
  );
  const choosing = createChoosing({
    builder: () => table.view.builder,
    choose,
    back: () => table.act("back"),
    asks: () => drawFan(),
    refuse,
  });

  /** Say why nothing can be chosen there, and shake it. @param {number} sensor @param {string} why */
  function refuse(sensor, why) {
    const mine = table.mine();
    const { game } = table.view;
    if (!why && (!game || game.over || table.isFelt() || mine.includes(game.mover) || !mine.length)) return;
    why ||= tr("It is {player}’s turn; then it is yours.", { player: sideName(game.mover) });
    const refused = (table.refused = { sensor, why, text: table.view.builder?.text });
    changed();
    const lapse = () => table.refused === refused && ((table.refused = null), changed());
    if (!table.view.builder) setTimeout(lapse, REFUSED_MS); // nothing that is chosen ends it
    say(why, "assertive");
  }

  keepPresses(root);
  hearKeys(undefined, {
    Escape() {
      if (byId("live").hidden) return false;
      if (document.body.classList.contains("menu") || byId("live").classList.contains("open")) setMenu(false);
      else if (choosing.asked()) choosing.forget();
      else if (sure) sure = "";
      else if (table.mayAct() && table.view.builder?.text) choosing.back();
      else return false;
      draw();
    },
  });
  /** Say that a guest has come, is back, or has gone. @type {(guests: Record<string, string>) => void} */
  const tellGuests = whenChanged((/** @type {Record<string, string>} */ guests) => {
    for (const [side, now] of Object.entries(guests)) {
      if (!were[side] || were[side] === now || side === table.hello?.side) continue;
      const player = sideName(side);
      if (now !== "awaited") note(now === "here" ? tr("{player}: the guest is here.", { player }) : tr("{player}: the guest has gone. The link still leads back.", { player }), "news");
    }
    were = guests;
  });
  const drawFace = whenChanged((/** @type {Line["face"]} */ face) =>
    fill(byId("mover"), !face ? null : face === "table" ? tableFigure() : copyFigure(face.player, face.mood)),
  );
  const drawSays = whenChanged((/** @type {string} */ text) => {
    fill(byId("says"), text);
    document.title = text ? `${text} · Chronotable` : "Chronotable";
    say(text);
  });
  const drawNote = whenChanged((/** @type {Pick<Line, "note" | "key" | "hands">} */ { note, key, hands }) => {
    const next = hands ? h("div", { class: "told" }, note ? h("p", {}, note) : null, handsList(hands)) : key?.length ? keyOf(key, note) : h("p", {}, note);
    next.id = "note";
    next.classList.toggle("dense", note.length > FITS);
    byId("note").replaceWith(next);
  });
  const drawSteps = whenChanged((/** @type {Line["steps"]} */ steps) => {
    fill(byId("pips"), ...pipsOf(steps));
  });
  const drawActs = whenChanged((/** @type {{acts: Act[], may: boolean}} */ { acts, may }) => {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    fill(root, h("fieldset", { class: may ? "acting" : "" }, h("div", { class: "bar", role: "toolbar", "aria-label": tr("Game") }, acts.map(actButton))));
    if (focused) buttonLike(focused)?.focus(); // who presses a key twice means the same button
  });

  /** The button that says what another one said, else the first. @param {Element} button */
  function buttonLike({ textContent: text }) {
    const found = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("button:enabled")]);
    return found.find((each) => each.textContent === text) ?? found[0];
  }

  /** @param {Act} act */
  function actButton({ text, ask: asked, press, href, look = "", off, title, tool, letter }) {
    const inside = [tool ? icon(tool) : letter ? h("b", { class: `letter ${letter}` }, letter.toUpperCase()) : null, h("span", {}, text)];
    const kind = tool ? `tool ${tool}-knob ${look}` : look;
    if (href) return h("a", { class: `button ${kind}`, href }, inside);
    const click = (/** @type {MouseEvent} */ { detail }) => {
      if (detail && beats.isJustOver()) return; // keys are never late
      if (asked) table.act(...asked);
      else press?.();
    };
    return h("button", { type: "button", class: kind, disabled: off, title, on: { click } }, inside);
  }

  const drawOptions = whenChanged((/** @type {import("./choosing.js").Choice[] | null} */ options) =>
    showFan(eras(), { options, looks: table.looks(), places: table.hello?.places ?? [], choose: choosing.take, close: () => (choosing.forget(), drawFan()) }),
  );
  const drawFan = () => drawOptions(choosing.asked());

  /** Whether both play at this screen, and one has a name. @param {number} player */
  function isNamed(player) {
    return table.mine().length === 2 && table.name(player) !== sideName(SIDES[player]);
  }

  /** What the strip says now. @returns {Line} */
  function line() {
    const { view, hello } = table;
    const game = view.game;
    const mine = table.mine();
    const mover = game?.mover === "black" ? 1 : 0;
    const own = mine.length === 1 ? SIDES.indexOf(mine[0]) : mover;
    const may = table.plays();
    const moods = moodsOf(table);
    const face = (/** @type {number} */ player, mood = moods[player]) => ({ player, mood });
    /** @type {Line} */
    const stands = game?.moving && mine.length === 1 && mine[0] === game.last?.player;
    const plain = { kind: "", face: game ? face(mover) : null, says: stands ? tr("Your turn stands") : (view.says ?? tr("Connecting …")), note: [view.note, game?.extra].filter(Boolean).join(" "), acts: [], tools: may ? "all" : "look" };
    const isGuest = hello?.mode === "guest";
    if (isGuest && !may && (!knowsTaken || !table.control.holder)) return { ...plain, ...takenLine(hello.side), face: face(SIDES.indexOf(hello.side)), tools: "few" };
    // what part one has in it, where that may not be known
    const part = isGuest && !may ? tr("You look on.") : isWaiting(game, mine) ? tr("You play {player}. Win by leaving {other} in one era only.", { player: COLOURS[own], other: COLOURS[1 - own] }) : "";
    plain.note = `${part} ${plain.note}`.trim();
    if (isNamed(mover) && view.builder && !view.lesson) plain.says = `${table.name(mover)}: ${within(plain.says)}`;
    if (beats.isOn()) {
      const { player, ...told } = beats.line();
      return { ...plain, ...told, kind: "beat", face: face(player), tools: "few" };
    }
    if (sure && may) return { ...plain, ...sureLine(own), face: face(own, "wonders"), tools: "none" };
    if (view.question && may && !isGuest) return { ...plain, ...questionLine(view.question), face: "table", tools: "few" };
    if (may && table.isOnline && view.asks) return { ...plain, ...asksLine(view.asks, own), face: face(1 - own, "wonders"), tools: "few" };
    const asked = may && table.isOnline ? view.asked : null;
    if (asked) return { ...plain, kind: "asked", note: asked.says, acts: [{ text: tr("Never mind"), ask: ["withdraw", { question: asked.no }] }], tools: "few" };
    if (game?.over) return { ...plain, ...endLine(may, own), face: overFace(face, own), tools: "few" };
    const said = chat()?.said();
    if (said) return { ...plain, kind: "far-said", says: `${said.name}: ${said.text}`, note: said.text, acts: [{ text: tr("Answer"), press: openChat }], tools: "few" };
    const todo = view.todo ?? [];
    const guide = isGuest ? null : view.guide;
    if (!isGuest && (todo.length || guide)) {
      const acts = [...(may && hello?.hand ? [{ text: tr("Do it for me"), ask: ["tidy", {}] }] : []), ...(view.lesson && may ? [view.lesson.acts.map(lessonAct)[0]] : [])];
      return { ...plain, kind: "steps", says: plain.says, note: todo.length ? (guide?.why ?? "") : (guide?.why ?? plain.note), hands: todo.length ? todo : undefined, acts: /** @type {Act[]} */ (acts), tools: view.lesson ? "few" : may ? "all" : "look" };
    }
    if (view.lesson && !isGuest) {
      const { number, step, steps, says, learner, acts, is_done } = view.lesson;
      if (number && is_done) lessonDone(number).set(true);
      if (step + 1 === steps) learnt.set(true);
      if (steps && hint.isTold()) return { ...plain, ...hint.line(), note: says, kind: "lesson", tools: "few" };
      const line = table.refused ? { says: tr("Not there"), note: table.refused.why } : { says: steps && is_done ? tr("Well done") : plain.says, note: steps || !view.hint?.step ? says : `${says} ${view.hint.says}` };
      return { ...plain, kind: "lesson", ...line, face: steps ? face(learner, table.refused ? "wonders" : undefined) : plain.face, steps: steps ? [step, steps] : null, acts: may ? acts.map(lessonAct).map((/** @type {Act} */ act) => (act.ask?.[0] === "hint" && view.builder ? { text: act.text, press: hint.next } : act)) : [], tools: "few" };
    }
    if (view.guests?.[game?.mover] === "gone") {
      return { ...plain, kind: "gone", says: tr("The guest has gone"), note: view.reach?.open === false ? tr("This page is closed to other devices") : tr("The link still leads back."), acts: isGuest ? [] : [{ text: tr("Show the link"), href: "#start/friend", look: "primary" }] };
    }
    const late = SIDES.findIndex((side) => view.clocks?.left[side] === 0);
    if (late >= 0 && mine.length && timeless !== game?.id) {
      const acts = [{ text: tr("End the game"), press: () => ask("end") }, { text: tr("Play on"), look: "primary", press: () => ((timeless = game.id), draw()) }];
      return { ...plain, kind: "late", face: face(late, "wonders"), says: mine.length === 1 && mine[0] === SIDES[late] ? tr("Your time is up") : tr("{player}’s time is up", { player: table.called(late) }), note: tr("The clock ends no game: play on without it, or agree on an end."), acts, tools: "few" };
    }
    const chapter = mine.length ? newChapter(table) : null;
    if (chapter) {
      const acts = [{ text: tr("Its rules"), href: `#rules/${chapter.rule}` }, { text: tr("I see"), look: "primary", press: () => (known(chapter.name).set(true), draw()) }];
      const name = capital(hello?.called?.[chapter.name] ?? chapter.name);
      return { ...plain, kind: "chapter", note: `${name}: ${chapter.brings}`, acts, tools: "few" };
    }
    if (table.refused) return { ...plain, kind: "wrong", face: face(own, "wonders"), says: tr("Not there"), note: table.refused.why };
    if (view.said) return { ...plain, kind: "said", face: face(1 - own), says: view.said, note: part || view.says };
    if (view.builder && !mine.includes(game?.mover)) return { ...plain, says: tr("{player} is choosing", { player: sideName(game.mover) }), note: part };
    if (!view.builder) return plain;
    if (hint.isTold()) return { ...plain, ...hint.line(), kind: "hint", tools: "few" };
    const shown = dueTip(view.builder.tips);
    if (shown) return { ...plain, kind: "tip", note: shown };
    return view.builder.active === null || view.builder.due !== "action" ? plain : { ...plain, note: "", key: keyed(table) };
  }

  async function leaveLesson() {
    if ((await table.act("leave")) && !isBegun) location.hash = "#start"; // not to a game that nobody has begun
  }

  /** @param {any} act of a lesson @returns {Act} */
  function lessonAct({ do: what, values, text, main }) {
    const look = main ? "primary" : "";
    return what === "leave" && !table.view.lesson.is_done ? { text, look, press: leaveLesson } : { text, look, ask: [what, values] };
  }

  /** What is said to who comes by a link that is somebody's, and may play on once that one has gone. @param {string} side */
  function takenLine(side) {
    if (!table.control.holder) return { kind: "gone", says: tr("The guest has gone"), note: tr("You can play on in that place."), acts: [{ text: tr("Play on"), look: "primary", ask: /** @type {Act["ask"]} */ (["take_control", {}]) }] };
    const name = table.name(SIDES.indexOf(side));
    return { kind: "taken", says: tr("This place is taken"), note: tr("{name} plays {player} already. You can look on.", { name, player: COLOURS[SIDES.indexOf(side)] }), acts: [{ text: tr("Look on"), look: "primary", press: () => ((knowsTaken = true), draw()) }] };
  }

  /** @param {number} own @returns {Pick<Line, "kind" | "says" | "note" | "acts">} */
  function sureLine(own) {
    const mine = table.mine();
    const close = { text: tr("Never mind"), press: () => ask("") };
    const then = (/** @type {string} */ text, /** @type {() => unknown} */ press, look = "primary") => ({ text, look, press: () => (ask(""), press()) });
    const other = table.called(1 - own);
    if (sure === "back") {
      const answer = mine.length === 1 && mine[0] === table.view.game.mover ? tr("{player}’s answer is taken back, too.", { player: sideName(SIDES[1 - own]) }) : "";
      const isAsked = mine.length === 1 && !isProgram(table.seat(1 - own));
      const told = [answer, isAsked ? tr("{name} is asked first.", { name: capital(other) }) : ""].filter(Boolean).join(" ");
      const last = table.view.game.turns.at(-1)?.player;
      const says = mine.length === 1 ? tr("Take your last turn back?") : tr("Take {player}’s last turn back?", { player: table.name(SIDES.indexOf(last)) });
      return { kind: "sure", says, note: told, acts: [close, then(tr("Take it back"), () => table.act("undo"))] };
    }
    if (sure === "aside") return { kind: "sure", says: tr("Put this game aside?"), note: tr("Lesson {number} begins. The game waits among the games.", { number: lesson }), acts: [{ ...close, text: tr("Stay here") }, then(tr("Begin the lesson"), () => table.act("lesson_now", { number: lesson }))] };
    const act = (/** @type {string} */ what, /** @type {string} */ side) => table.act(what, table.hello?.mode === "guest" ? {} : { side });
    const resigns = mine.map((side) => then(mine.length === 1 ? tr("Resign") : tr("{player} resigns", { player: table.name(SIDES.indexOf(side)) }), () => act("resign", side), "danger"));
    const aside = isProgram(table.seat(0)) || isProgram(table.seat(1)) || table.view.far ? [] : [then(tr("Without a result"), () => table.act("aside"), "")];
    const offer = then(mine.length === 1 ? tr("Offer a draw") : tr("Agree on a draw"), () => mine.forEach((side) => act("draw", side)), "");
    return { kind: "sure", says: tr("End this game?"), note: mine.length === 1 ? tr("Who resigns has lost. The rest needs {name}’s yes.", { name: other }) : tr("Who resigns has lost. A draw needs both sides."), acts: [close, ...aside, offer, ...resigns] };
  }

  /** @param {boolean} may @param {number} own @returns {Pick<Line, "kind" | "says" | "note" | "key" | "acts">} */
  function endLine(may, own) {
    const { view, hello } = table;
    const { over, id, turns: played, mover, modules } = view.game;
    const { scores } = view;
    const mine = table.mine();
    const winner = SIDES.indexOf(over.winner);
    const seats = SIDES.map((_, player) => table.seat(player));
    const isGuest = hello?.mode === "guest";
    const { white = "", black = "", handicap = [0, 0] } = view.start ?? {};
    // who lost begins, after a draw who was second (T4), whichever colour they have then
    const swap = () => {
      const [[first, second], seated, fewer] = [[white, black], seats, handicap].map(([one, two]) => [two, one]);
      const begins = winner < 0 ? (played?.[0]?.player ?? mover) : SIDES[winner];
      return table.act("new", { white: first, black: second, handicap: fewer, first: begins, seats: seated, times: "", modules: modules ?? "standard" });
    };
    const acts = [];
    const kept = (isGuest ? view.game.is_kept : id) && played?.length;
    const review = { href: isGuest ? `review#${played?.length}` : addressOf(id, played?.length) };
    const hasErred = scores && mine.length === 1 && scores[own][1] + scores[own][2] > 0;
    if (kept) acts.push({ tool: "share", text: tr("Share"), press: shares });
    if (!view.far && may && hello?.hand && (seats[0] !== seats[1] || white !== black) && !seats.includes("guest")) acts.push({ tool: "swap", text: trC("knob", "Swap"), title: tr("Swap sides"), press: swap });
    if (may && !view.asked) acts.push({ text: trC("answer", "Rematch"), ask: [view.far && !isGuest ? "again" : "rematch", {}] });
    if (kept) acts.push(!isGuest && (hasErred || (!scores && mine.length === 1)) ? { text: tr("Review my mistakes"), look: "primary", href: learningOf(id, mine[0]) } : { text: tr("Review the game"), look: "primary", ...review });
    const says = winner < 0 ? tr("Draw") : isNamed(winner) ? tr("{player} wins", { player: table.name(winner) }) : mine.length !== 1 ? view.says : SIDES.indexOf(mine[0]) === winner ? tr("You won") : tr("You lost");
    const key = (scores ? ERRORS : []).map((name, at) => ({ name, word: mine.length === 1 ? errorsText(name, scores[own][at + 1]) : verdictName(name) }));
    return { kind: "end", says, note: view.note || (says === view.says ? "" : view.says), key, acts };
  }

  /** Hand the game that is over on, as a page. */
  async function shares() {
    const { id, turns } = table.view.game;
    const { pathOf, share } = await import("./share.js");
    note(await (id ? share(pathOf(id, "page", turns.length), `chronotable-${id}`) : share("game", "chronotable")), "news");
  }

  /** @param {(player: number) => {player: number, mood: any}} face @param {number} own */
  function overFace(face, own) {
    const winner = SIDES.indexOf(table.view.game.over.winner);
    return face(table.mine().length === 1 || winner < 0 ? own : winner);
  }

  /** @param {{no: number, kind?: string, says: string}} asks @param {number} own @returns {Pick<Line, "kind" | "says" | "note" | "acts">} */
  function asksLine({ no, kind = "draw", says }, own) {
    const [head, not, yes] = ASKS[kind](table.called(1 - own));
    return {
      kind: "asks",
      says: head,
      note: ["draw", "rematch"].includes(kind) ? "" : says, // the headline says it all
      acts: [
        { text: not, ask: ["decline", { question: no }] },
        { text: yes, ask: ["agree", { question: no }], look: "primary" },
      ],
    };
  }

  const openChat = () => {
    if (!document.body.classList.contains("menu")) menu();
    chat()?.focus();
    draw();
  };

  /** Begin a lesson; who plays is asked first. @param {number} number @param {boolean} [isHere] whether a game was begun that is gone back to */
  function teach(number, isHere = false) {
    const { view } = table;
    lesson = number;
    isBegun = isHere;
    if (PLAYING.includes(view.phase) && view.game?.turns.length && !view.game.over && !view.lesson) ask("aside");
    else table.act("lesson", { number });
  }

  const mayHint = () => table.mine().some((side) => table.view.hints?.[side]);

  /** What can be done to the game beside answers. @param {Line["tools"]} which @returns {Act[]} */
  function tools(which) {
    const { view, hello } = table;
    const mine = table.mine();
    const isOn = PLAYING.includes(view.phase) && !view.game?.over && !view.lesson;
    const played = view.game?.turns?.some((/** @type {any} */ { player }) => mine.includes(player));
    const chosen = Boolean(view.builder?.text);
    const back = { tool: "back", text: trC("knob", "Back"), off: !chosen && !(isOn && played), title: chosen ? tr("Take back one choice") : tr("Take the last turn back"), press: () => (chosen ? choosing.back() : ask("back")) };
    const others = [
      { tool: "turns", text: tr("Turns"), press: turns },
      { tool: "end", text: trC("knob", "End"), off: !isOn || !mine.length, title: tr("Offer a draw, or resign"), press: () => ask("end") },
      { tool: "menu", text: tr("Menu"), press: menu },
    ];
    if (which === "none" || !hello || (!view.game && !table.isOnline)) return [];
    if (which === "look") return others.filter(({ tool }) => tool !== "end");
    if (which === "few") return [...(view.lesson?.steps && table.canBuild() ? [back] : []), others[2]];
    const mayAsk = mayHint();
    const areTwo = mine.length && view.hints && !isProgram(table.seat(0)) && !isProgram(table.seat(1));
    return [
      back,
      ...(mayAsk || areTwo ? [{ tool: "hint", text: tr("Hint"), off: mayAsk && !hint.isDue(), title: tr("Which copy should act?"), press: () => (mayHint() ? hint.next() : note(tr("Hints are off where two people play."), "news")) }] : []),
      ...(hello?.learn ? [{ tool: "learn", text: tr("Lessons"), look: learnt.isOn() ? "" : "lit", press: () => teach(1, true) }] : []),
      ...others,
    ];
  }

  function draw() {
    const { view } = table;
    if (wasOver && !view.game?.over) hush();
    wasOver = Boolean(view.game?.over);
    choosing.told();
    if (!PLAYING.includes(view.phase) || view.game?.over) sure = "";
    if (table.refused?.text !== view.builder?.text) table.refused = null;
    const now = line();
    strip.className = `strip ${now.kind}`;
    strip.ariaLabel = now.kind === "lesson" ? view.lesson.title : tr("Voice");
    drawFace(now.face);
    drawSays(uncited(now.says));
    drawNote({ note: uncited(now.note), key: now.key, hands: now.hands });
    drawSteps(now.steps);
    drawActs({ acts: [...now.acts, ...tools(now.tools)], may: table.plays() });
    drawFan();
    const asked = now.kind === "asks" ? now.note : view.question && now.kind === "question" ? spokenQuestion(view.question) : [view.guide?.why, dueStep(view)?.says].filter(Boolean).join(" ");
    if (asked !== seen) say(asked, "assertive");
    seen = asked;
    tellGuests(view.guests ?? {});
  }

  return { draw, hinted: hint.way, lesson: teach, touch: (/** @type {number} */ sensor) => (beats.isOn() ? beats.skip() : beats.isJustOver() || choosing.touch(sensor)) };
}

/** Whether somebody who may not know the game yet waits for the own first turn. @param {any} game @param {string[]} mine */
function isWaiting(game, mine) {
  return mine.length === 1 && game && !game.over && game.mover !== mine[0] && tips.isOn() && !game.turns?.some((/** @type {any} */ { player }) => player === mine[0]);
}

/** What comes into play for the first time on this screen. @param {Table} table */
function newChapter({ hello, view }) {
  const chapters = hello?.chapters ?? [];
  const played = (view.game?.modules ?? "").split("+");
  if (played.length > 1) played.push(chapters.at(-1)?.name); // the last one is about mixing them
  return chapters.find((/** @type {any} */ { name }) => played.includes(name) && !known(name).isOn()) ?? null;
}

/** @param {{letter: string, turn: string, says: string}[]} choices @returns {Pick<Line, "kind" | "acts">} */
function questionLine(choices) {
  const turns = choices.map(({ turn }) => turn).join(";"); // the answer says what it is to
  const answer = (/** @type {string} */ text, /** @type {string} */ choice, letter = "") => ({ text, letter, look: letter && "answer", ask: /** @type {Act["ask"]} */ (["answer", { choice, turns }]) });
  return { kind: "question", acts: [...choices.map(({ letter, says }) => answer(says, letter, letter)), answer(tr("None of these"), "none")] };
}

/** @param {{letter: string, says: string}[]} choices */
function spokenQuestion(choices) {
  const options = choices.map(({ letter, says }) => `${letter}: ${says}`);
  return tr("Which turn was it? {turns}; or none of these.", { turns: options.join("; ") });
}

/** The marks that are on the boards, in the order of their numbers. @param {Table} table */
function keyed(table) {
  const kinds = new Set(table.view.builder.choices.map((/** @type {any} */ { meaning }) => meaning));
  return table.looks().meanings.filter((each, number) => kinds.has(number) && isMark(each));
}

/** @param {import("./pieces.js").MeaningLook[]} meanings @param {string} note what is said before them */
function keyOf(meanings, note = "") {
  return h("p", { class: "key" }, note, meanings.map((each) => h("span", {}, markFigure(each), wordOf(each))));
}

/** What hands are to do, step by step; the present one is written out. @param {{says: string, is_done: boolean}[]} todo */
function handsList(todo) {
  const now = todo.findIndex((step) => !step.is_done);
  const step = (/** @type {{says: string, is_done: boolean}} */ { says, is_done: isDone }, /** @type {number} */ at) =>
    h(
      "li",
      { class: isDone ? "done" : at === now ? "now" : "", "aria-current": at === now ? "step" : null },
      h("b", { class: "number", "aria-hidden": "true" }, at + 1),
      h("span", {}, says),
    );
  return h("ol", { class: "hands", "aria-label": tr("What is to be done") }, todo.map(step));
}
