// @ts-check
/** Around the boards: the headline, the two players, and who has control. */

import { linked } from "./cited.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { copyFigure } from "./figures.js";
import { tr, trC } from "./language.js";
import { button } from "./parts.js";
import { say } from "./speak.js";
import { isProgram } from "./table.js";
import { capital, clockText } from "./words.js";

/** @import { Table } from "./table.js" */

const SIDES = /** @type {const} */ (["white", "black"]);
const PLAYING = ["turn", "provisional", "question"];

/**
 * Tell the moods of both players' copies once a game is over; before they are calm.
 * @param {any} view
 * @returns {import("./figures.js").Mood[]}
 */
export function moodsOf(view) {
  const winner = view.game?.over?.winner;
  return SIDES.map((side) => (!SIDES.includes(winner) ? "" : side === winner ? "glad" : "sad"));
}

/**
 * Make the headline: whose figure, what is to be done, and why or what was.
 * @param {Table} table
 */
export function createHeadline(table) {
  const drawFigure = whenChanged((/** @type {{player: number, mood: any} | null} */ of) =>
    fill(byId("mover"), of ? copyFigure(of.player, of.mood) : null),
  );
  const drawSays = whenChanged((/** @type {string} */ text) => {
    fill(byId("says"), ...linked(text));
    document.title = text ? `${text} · Chronotable` : "Chronotable";
    say(text);
  });
  const drawNote = whenChanged((/** @type {string[]} */ texts) =>
    fill(byId("note"), ...texts.filter(Boolean).flatMap((text) => [...linked(text), " "])),
  );
  return () => {
    const { view } = table;
    const winner = SIDES.indexOf(view.game?.over?.winner);
    const player = view.lesson ? view.lesson.learner : winner >= 0 ? winner : view.game?.mover === "black" ? 1 : 0;
    drawFigure(view.game ? { player, mood: moodsOf(view)[player] } : null);
    drawSays(view.says ?? tr("Connecting …"));
    drawNote([view.note ?? "", view.game?.extra ?? ""]);
  };
}

/**
 * Make the strips of the two players, each at the edge of the boards where that player sits.
 * @param {Table} table
 */
export function createPlayers(table) {
  const drawStrip = SIDES.map((_, player) =>
    whenChanged((/** @type {any} */ facts) => fill(byId(facts.at), ...strip(player, facts))),
  );
  return () => {
    const { view } = table;
    const game = view.game ?? {};
    SIDES.forEach((side, player) => {
      const isOn = !game.over && PLAYING.includes(view.phase);
      const isMoving = isOn && game.mover === side;
      const at = player === table.south() ? "player-south" : "player-north";
      byId(at).classList.toggle("moving", isMoving);
      drawStrip[player]({
        at,
        name: table.called(player),
        seat: seatName(table, table.seat(player)),
        far: table.seat(player) === "far" ? { joined: view.far?.joined, there: view.far?.there } : null,
        isThinking: isMoving && thinks(table, player) && !view.todo?.length,
        supply: game.supply?.[player] ?? 0,
        lost: game.captured?.[player] ?? 0,
        left: view.clocks?.left[side] ?? null,
        isRunning: view.clocks?.running === side,
      });
    });
  };
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
 * What the strip of a player shows.
 * @param {number} player
 * @param {any} facts
 */
export function strip(player, { name, seat, far = null, isThinking, supply, lost, left, isRunning }) {
  const dots = h("i", { class: "dots", role: "img", "aria-label": tr("thinking") }, h("i"), h("i"), h("i"));
  return [
    h("b", { class: "name" }, name),
    h("span", { class: "faint" }, seat, far ? presence(far) : null, isThinking ? dots : null),
    row("supply", tr("supply"), tr("{n} in the supply", { n: supply }), supply, () => copyFigure(player)),
    row("lost", trC("row", "lost"), tr("{n} lost", { n: lost }), lost, () => copyFigure(player, "dead")),
    left === null ? null : h("time", { class: isRunning ? "running" : "", title: tr("time left") }, clockText(left)),
  ];
}

/** @param {string} kind @param {string} label @param {string} says @param {number} count @param {() => SVGElement} figure */
function row(kind, label, says, count, figure) {
  if (!count) return null;
  const figures = Array.from({ length: count }, figure);
  return h("span", { class: `row ${kind}`, role: "img", "aria-label": says, title: says }, h("small", {}, label), figures);
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
  const draw = whenChanged((/** @type {any} */ { holder, yours, viewers, you }) => {
    const isOther = Boolean(holder) && !yours;
    bar.hidden = !isOther;
    element.hidden = isOther || viewers < 2;
    const others = viewers > 1 ? tr("Open on {n} screens.", { n: viewers }) : "";
    const who = yours
      ? tr("You ({viewer}) have control.", { viewer: you })
      : isOther
        ? tr("{viewer} has control.", { viewer: capital(holder) })
        : tr("Nobody has control.");
    fill(
      isOther ? bar : element,
      h("p", {}, [who, others].filter(Boolean).join(" ")),
      yours ? button(tr("Hand over"), release) : button(tr("Take control"), take, { class: "primary" }),
    );
    if (isOther) say(tr("{viewer} has control.", { viewer: holder }));
  });
  return { element, draw: () => draw(table.control) };
}
