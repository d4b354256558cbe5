// @ts-check
/** The big line, what happened last, the two players, and who has control. */

import { linked } from "./cited.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { pieceIcon, pieceName } from "./pieces.js";
import { button } from "./parts.js";
import { say } from "./speak.js";
import { capital, spell } from "./words.js";

/** @typedef {import("./live.js").Table} Table */

const SIDES = /** @type {const} */ (["white", "black"]);
const MOST_DISCS = 7;
/** So many characters are shown in the largest letters. */
const SHORT = 44;

/**
 * Make the big line and what stands below it.
 * @param {Table} table
 */
export function createHeadline(table) {
  const says = byId("says");
  const drawSays = whenChanged((/** @type {string} */ text) => {
    fill(says, h("span", {}, ...linked(text)));
    says.classList.toggle("long", text.length > SHORT);
    document.title = text ? `${text} · Chronotable` : "Chronotable";
    say(text);
  });
  const drawHappened = whenChanged((/** @type {any} */ happened) => {
    fill(byId("happened"), ...happenedNodes(table, happened));
  });
  return () => {
    const { view } = table;
    const turns = view.game?.turns ?? [];
    drawSays(view.says ?? "");
    says.classList.toggle("over", Boolean(view.game?.over));
    const last = turns[turns.length - 1] ?? null;
    drawHappened({ now: view.provisional, last, extra: view.game?.extra ?? "" });
  };
}

/** @param {Table} table @param {any} happened */
function happenedNodes(table, { now, last, extra }) {
  const more = extra ? h("span", { class: "extra" }, extra) : null;
  if (now) {
    return [
      h("span", { class: "tag now" }, "So far"),
      h("b", { class: "turn" }, now),
      words(now),
      more,
    ];
  }
  if (!last) return [more];
  const icon = pieceIcon(table.looks(), last.player);
  const how = last.understood === "certain" ? null : h("span", { class: "tag" }, last.understood);
  return [icon, h("b", { class: "turn" }, `${last.no}. ${last.turn}`), words(last.turn), how, more];
}

/** @param {string} turn */
function words(turn) {
  return h("span", { class: "in-words" }, spell(turn));
}

/**
 * Make the strips of the two players, each at the edge of the board where that player sits.
 * @param {Table} table
 */
export function createPlayers(table) {
  const drawStrip = SIDES.map((_, player) =>
    whenChanged((/** @type {any} */ facts) => fill(byId(facts.at), ...strip(table, player, facts))),
  );
  return () => {
    const { view } = table;
    const game = view.game ?? {};
    const north = table.board?.northern ?? 0;
    SIDES.forEach((side, player) => {
      const at = player === north ? "player-north" : "player-south";
      const isOn = !game.over && ["turn", "provisional", "question"].includes(view.phase);
      const isMoving = isOn && game.mover === side;
      byId(at).classList.toggle("moving", isMoving);
      drawStrip[player]({
        at,
        isMoving,
        name: table.name(player),
        seat: table.seat(player),
        supply: game.supply?.[player] ?? 0,
        gone: game.captured?.[player] ?? 0,
        focus: game.focus?.[player] ?? "",
        hasWon: game.over?.winner === side,
        left: view.clocks?.left[side] ?? null,
        isRunning: view.clocks?.running === side,
        looks: table.looksVersion,
      });
    });
  };
}

/** @param {Table} table @param {number} player @param {any} facts */
function strip(table, player, facts) {
  const { name, seat, supply, gone, focus, isMoving, hasWon, left, isRunning } = facts;
  const side = SIDES[player];
  const looks = table.looks();
  const title = capital(side);
  const hands = table.hello?.hand ? "you" : "";
  const tag = seat === "hands" ? hands : seat.replace(":", " ");
  return [
    h("span", { class: "player-disc" }, pieceIcon(looks, side)),
    h(
      "span",
      { class: "player-name" },
      h("b", {}, name),
      name === title ? null : h("span", { class: "faint" }, title),
      tag ? h("span", { class: "tag" }, tag) : null,
    ),
    left === null
      ? null
      : h("b", { class: isRunning ? "clock running" : "clock", title: "time left" }, clock(left)),
    isMoving ? h("span", { class: "pill" }, "to move") : null,
    hasWon ? h("span", { class: "pill won" }, "wins") : null,
    h("span", { class: "unseen" }, focus ? `focus in the ${focus}, ` : ""),
    stock(looks, side, { label: "supply", count: supply }),
    stock(looks, side, { label: "lost", count: gone }),
  ];
}

/** @param {number} seconds @returns {string} */
function clock(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${rest}`;
}

/**
 * @param {import("./pieces.js").Looks} looks
 * @param {string} side
 * @param {{label: string, count: number}} of
 */
function stock(looks, side, { label, count }) {
  const discs = Array.from({ length: Math.min(count, MOST_DISCS) }, () => pieceIcon(looks, side));
  return h(
    "span",
    { class: `stock ${label}`, title: `${pieceName(looks, side)}: ${label} ${count}` },
    h("span", { class: "faint" }, label),
    h("b", {}, count),
    h("span", { class: "discs", "aria-hidden": "true" }, discs),
  );
}

/**
 * Make the bar that says who has control, where that is worth a word.
 * @param {Table} table
 */
export function createControl(table) {
  const bar = byId("control");
  const take = () => table.act("take_control");
  const release = () => table.act("release_control");
  const draw = whenChanged((/** @type {any} */ { holder, yours, viewers, you }) => {
    const isOther = Boolean(holder) && !yours;
    bar.hidden = !isOther && viewers < 2;
    bar.classList.toggle("other", isOther);
    const others = viewers > 1 ? ` Open on ${viewers} screens.` : "";
    if (yours)
      fill(bar, h("p", {}, `You (${you}) have control.${others}`), button("Hand over", release));
    else if (isOther)
      fill(bar, h("p", {}, `${capital(holder)} has control.${others}`), taking(take));
    else fill(bar, h("p", {}, `Nobody has control.${others}`), taking(take));
    if (isOther) say(`${holder} has control.`);
  });
  return () => draw(table.control);
}

/** @param {() => void} take */
function taking(take) {
  return button("Take control", take, { class: "primary" });
}
