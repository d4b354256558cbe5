// @ts-check
/** Around the boards: the two players, and who has control. */

import { byId, fill, h, whenChanged } from "./dom.js";
import { copyFigure } from "./figures.js";
import { tr, trN } from "./language.js";
import { button } from "./parts.js";
import { note, say } from "./speak.js";
import { ERRORS, errorsMean, errorsText, verdictFigure } from "./verdicts.js";
import { clockText, isProgram, sideName, SIDES } from "./words.js";

/** @import { Table } from "./table.js" */

export const PLAYING = ["turn", "provisional", "question"];
/** Signs of what a head says: what is longer is set smaller. */
export const FITS = 84;

/**
 * Tell the moods of both players' copies: once a game is over how they took it; before, programs
 * have the face of their level, all others are calm.
 * @param {Table} table
 * @returns {import("./figures.js").Mood[]}
 */
export function moodsOf({ hello, view, seat }) {
  const winner = view.game?.over?.winner;
  if (SIDES.includes(winner)) return SIDES.map((side) => (side === winner ? "glad" : "sad"));
  return SIDES.map((_, player) => hello?.candidates?.find((/** @type {any} */ each) => each.seat === seat(player))?.face ?? "");
}

/**
 * Make the plates of the two players, which the boards have at the edges where they sit.
 * @param {Table} table
 */
export function createPlayers(table) {
  const plates = SIDES.map((_, player) => createPlate(player));
  const draw = () => {
    const { view } = table;
    const game = view.game ?? {};
    const mine = table.mine();
    SIDES.forEach((side, player) => {
      const isOn = !game.over && PLAYING.includes(view.phase);
      const isMoving = isOn && game.mover === side;
      plates[player].show({
        isMoving,
        isAsking: mine.length === 1 && Boolean(mine[0] === side ? view.asked : view.asks),
        name: table.called(player),
        seat: seatName(table, table.seat(player)),
        far: table.seat(player) === "far" ? { joined: view.far?.joined, there: view.far?.there } : view.guests?.[side] === "gone" ? { joined: true, there: false } : null,
        isThinking: isMoving && thinks(table, player) && !view.todo?.length,
        supply: (view.builder ?? game).supply?.[player] ?? 0, // a travel back takes one at once
        lost: game.captured?.[player] ?? 0,
        extra: game.extra,
        left: view.clocks?.left[side] ?? null,
        isRunning: view.clocks?.running === side,
        score: (game.over && view.scores?.[player]) || null,
      });
    });
  };
  return { elements: plates.map(({ element }) => element), draw };
}

/** What a plate shows, in words. @param {number} player @param {any} facts */
function plateText(player, { supply, lost, score, extra = "" }) {
  const who = sideName(SIDES[player]);
  if (score) {
    const [percent, ...counts] = score;
    const played = tr("{player} was {percent} % accurate: 100 % is always the best turn.", { player: who, percent });
    return `${played} ${ERRORS.map((mark, at) => errorsText(mark, counts[at])).join(", ")}.`;
  }
  const dead = lost ? trN("{n} copy is dead and never comes back.", "{n} copies are dead and never come back.", lost) : "";
  return [tr("{player}: {n} in supply; who goes back in time takes one.", { player: who, n: supply }), dead, extra].filter(Boolean).join(" ");
}

/** Whether somebody who is not here thinks about a turn. @param {Table} table @param {number} player */
function thinks(table, player) {
  const seat = table.seat(player);
  return isProgram(seat) || (seat === "far" && Boolean(table.view.far?.there));
}

/** @param {Table} table @param {string} seat @returns {string} who plays a side that no person here does */
function seatName(table, seat) {
  if (!isProgram(seat)) return "";
  const known = table.hello?.candidates.find((/** @type {any} */ each) => each.seat === seat);
  return known?.name ?? seat.split(/[:/\\]/).at(-1);
}

/** Whether somebody far away is there, in a word and a shape. @param {any} far */
function presence(far) {
  if (!far?.joined) return null;
  return h("span", { class: far.there ? "there" : "away" }, far.there ? tr("there now") : tr("not there"));
}

/**
 * Make the plate of a player, which says in words what it shows to whom asks by a tap.
 * @param {number} player
 * @param {boolean} [isTold] whether the page has where `note` says it
 */
export function createPlate(player, isTold = true) {
  const element = h("div", { class: "player", on: { click: () => isTold && note(element.title, "news") } });
  const show = whenChanged((/** @type {any} */ facts) => {
    element.title = plateText(player, facts);
    element.classList.toggle("moving", Boolean(facts.isMoving));
    element.classList.toggle("asking", Boolean(facts.isAsking));
    fill(element, ...shown(player, facts));
  });
  return { element, show };
}

/** @param {number} player @param {any} facts */
function shown(player, { name, seat, far = null, isThinking, supply, lost, left = null, isRunning, score = null }) {
  const dots = h("i", { class: "dots", role: "img", "aria-label": tr("thinking") }, h("i"), h("i"), h("i"));
  const rows = [
    row("supply", tr("{n} in the supply", { n: supply }), supply, () => copyFigure(player)),
    row("lost", tr("{n} lost", { n: lost }), lost, () => copyFigure(player, "dead")),
  ];
  return [
    h("b", { class: "name" }, name),
    seat || far || isThinking ? h("small", {}, seat, far ? presence(far) : null, isThinking ? dots : null) : null,
    left === null ? null : h("time", { class: isRunning ? "running" : "", title: tr("time left") }, clockText(left)),
    score ? scoreOf(score) : h("span", { class: "rows" }, rows),
  ];
}

/** How exactly somebody played, and how many turns were wrong: of all, from the worst on. @param {number[]} score */
function scoreOf([accuracy, ...counts]) {
  const marks = ERRORS.map((mark, at) => {
    const says = errorsText(mark, counts[at]);
    return h("span", { role: "img", "aria-label": says, title: `${says}: ${errorsMean(mark)}` }, verdictFigure(mark), counts[at]);
  });
  return h("span", { class: "score" }, h("b", {}, tr("{percent} %", { percent: accuracy })), h("i", {}, ` ${tr("accurate")}`), h("span", {}, marks));
}

/** Say in a head what there is to say. @param {Element} note @param {string} text @param {any} [more] behind it */
export function tellNote(note, text, more = null) {
  fill(note, text, more);
  note.classList.toggle("dense", (note.textContent ?? "").length > FITS);
}

/** How far something is, as dots. @param {[number, number] | null} [steps] the present one, from 0, and how many */
export function pipsOf(steps) {
  if (!steps) return [];
  const [at, count] = steps;
  const dots = Array.from({ length: count }, (_, i) => h("i", { class: i <= at ? "on" : "", "aria-current": i === at ? "step" : null }));
  return [h("span", { class: "pips", role: "img", "aria-label": `${at + 1} / ${count}` }, dots)];
}

/** @param {string} kind @param {string} says @param {number} count @param {() => SVGElement} figure */
function row(kind, says, count, figure) {
  if (!count) return null;
  return h("span", { class: `row ${kind}`, role: "img", "aria-label": says, title: says }, Array.from({ length: count }, figure), h("b", {}, count));
}

/**
 * Make the lines that say who has control, where that is worth a word: below the boards for whom
 * it keeps from acting, else in the menu. Boards stay where they are when somebody comes to look on.
 * @param {Table} table
 */
export function createControl(table) {
  const bar = byId("control");
  const element = h("div", { class: "control" });
  const take = () => table.act("take_control");
  const release = () => table.act("release_control");
  const draw = whenChanged((/** @type {any} */ { other, yours, viewers, you }) => {
    const isOther = Boolean(other);
    bar.hidden = !isOther;
    element.hidden = isOther || viewers < 2;
    const others = viewers > 1 && !isOther ? tr("Open on {n} screens.", { n: viewers }) : "";
    const who = yours
      ? tr("You play here ({viewer}).", { viewer: you })
      : isOther
        ? tr("{viewer} plays here.", { viewer: other })
        : tr("Nobody plays here.");
    fill(
      isOther ? bar : element,
      h("p", {}, [who, others].filter(Boolean).join(" ")),
      yours ? button(tr("Hand over"), release) : button(tr("Take over"), take, { class: "primary" }),
    );
    if (isOther) say(tr("{viewer} plays here.", { viewer: other }));
  });
  return { element, draw: () => draw({ ...table.control, other: table.holder() }) };
}

/** Show what else there is, or the game again. @param {boolean} isOpen */
export function setMenu(isOpen) {
  document.body.classList.toggle("menu", isOpen);
  byId("live").classList.remove("open");
  byId("menu").hidden = !isOpen;
  if (isOpen) byId("menu").querySelector("input:checked, button, summary")?.focus({ preventScroll: true });
  else byId("voice").querySelector("button:last-of-type")?.focus({ preventScroll: true });
}

/** Show the turns so far where they lie in a drawer, or the game again. */
export function openTurns() {
  const isOpen = byId("live").classList.toggle("open");
  if (isOpen) document.querySelector("#live .side > .close")?.focus({ preventScroll: true });
}
