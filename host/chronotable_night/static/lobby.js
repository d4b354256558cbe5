// @ts-check
/** Before the game begins: who sits where, bots for free seats, and what is chosen for it. */

import { h } from "/static/dom.js";
import { tr, trN } from "/static/language.js";
import { eyeOf } from "/night/static/figures.js";
import { games } from "/night/static/choosing.js";
import { BOTS, button, joining, seated, sitting, wonTonight } from "/night/static/parts.js";

/** @import { Frame, Player, State } from "./types.js" */
/** @import { Ask } from "./voice.js" */

const LONGEST_NAME = 20;

/**
 * The lobby of a phone: field, you, hand, voice.
 * @param {State} state
 * @param {Frame} frame
 * @param {Ask} ask
 * @param {() => void} choose leads to the other games
 * @param {boolean} hasSecrets whether a phone is to be kept to oneself in this game
 */
export function phoneLobby(state, frame, ask, choose, hasSecrets) {
  const seats = h("div", { class: "pick" }, ...state.players.map((each) => pick(state, each, frame, ask)));
  const hush = h(
    "p",
    { class: "hush" },
    eyeOf("shut"),
    h("span", {}, tr("This phone is your hand. Turn the screen to you; when you look away, shut its eye.")),
  );
  const note = state.note ? h("p", { class: "note" }, state.note) : null;
  return [[seats, named(state, ask), hasSecrets ? hush : null, note], [], [], [says(state), h("div", { class: "choices" }, button("plain", tr("Another game"), choose), begin(state, ask))]];
}

/** A seat to be taken, on a phone. @param {State} state @param {Player} player @param {Frame} frame @param {Ask} ask */
function pick(state, player, frame, ask) {
  const isOwn = player.seat === state.seat;
  const isFree = player.who === "free";
  const who = isOwn ? tr("You") : isFree ? tr("free") : player.name;
  const mood = isOwn ? "glad" : isFree ? "shut" : "";
  const adds = player.plays ? [sitting(player), state.roles?.[player.seat], wonTonight(player)].filter(Boolean).join(", ") : tr("looks on");
  const inside = [frame.figure(player.figure, mood), h("b", {}, who), adds ? h("small", {}, adds) : null];
  const isOpen = isFree || player.plays !== state.players[state.seat]?.plays; // they change places
  const sit = () => isOpen && ask("sit", { seat: player.seat });
  return button(isOwn ? "on" : isOpen ? "" : "taken", inside, isOwn || isOpen ? sit : null, "", isOwn);
}

/** @param {State} state @param {Ask} ask */
function named(state, ask) {
  const own = state.players[state.seat];
  const input = h("input", {
    id: "own-name",
    value: own?.name ?? "",
    maxlength: LONGEST_NAME,
    autocomplete: "nickname",
    spellcheck: "false",
    on: { change: () => input.value.trim() && ask("rename", { name: input.value.trim() }) },
  });
  return h("label", { class: "field-name" }, h("span", {}, tr("Your name")), input);
}

/** What the game waits for before it can begin. @param {State} state */
function says(state) {
  const here = state.players.filter((each) => each.who !== "free").length;
  const lacking = state.least - here;
  const isCrowd = state.players.some((each) => !each.plays);
  const text = isCrowd
    ? tr("Tap somebody to change places. Who looks on keeps the seat, and is first in the next game.")
    : lacking > 0
      ? trN("One more seat has to be taken; the menu has bots.", "{n} more seats have to be taken; the menu has bots.", lacking)
      : tr("Who starts the game starts it for all.");
  return h("p", { class: "says" }, text);
}

/** @param {State} state @param {Ask} ask */
function begin(state, ask) {
  const here = state.players.filter((each) => each.who !== "free").length;
  return button("main", tr("Start"), here >= state.least ? () => ask("start") : null);
}

/**
 * The lobby of the big screen.
 * @param {State} state
 * @param {Frame} frame
 * @param {Ask} ask
 * @param {Element | null} trouble
 */
export function bigLobby(state, frame, ask, trouble) {
  const chairs = state.players.map((each) => chair(state, each, frame, ask));
  const choose = (/** @type {string} */ game) => ask("choose", { game });
  return [
    h(
      "div",
      { class: "lobby" },
      h("div", { class: "door" }, joining(state, ask), h("p", { class: "note" }, trouble, state.note)),
      h(
        "div",
        { class: "choosing" },
        h("ul", { class: "chairs", "data-n": chairs.length }, ...chairs),
        games(state, choose, Boolean(state.name)),
        state.name ? h("div", { class: "begin" }, chosen(state, ask), h("div", { class: "starts" }, ownBox(state), begin(state, ask))) : null,
      ),
    ),
  ];
}

/** Where what is printed in the own box is entered, of a game that needs it. @param {State} state */
export function ownBox({ name, games: all }) {
  const hasBox = all.find((each) => each.name === name)?.box;
  return hasBox ? h("a", { class: "plain", href: `box?game=${name}` }, tr("Our box")) : null;
}

/** @param {State} state @param {Player} player @param {Frame} frame @param {Ask} ask */
function chair(state, player, frame, ask) {
  const { who, seat } = player;
  const name = who === "free" ? tr("free") : player.name;
  const adds = [player.plays ? state.roles?.[seat] : "", wonTonight(player)].filter(Boolean).join(", ");
  const mood = who === "free" ? "shut" : player.here || who === "bot" ? "" : "wide";
  return h(
    "li",
    { class: who === "free" ? "chair" : "chair sits" },
    seated(player, frame, mood),
    h(
      "div",
      {},
      h("b", {}, name),
      adds ? h("span", { class: "adds" }, adds) : null,
      who === "phone" ? h("small", {}, !player.here ? tr("phone away") : player.plays ? tr("ready") : tr("looks on")) : botChoice(player, seat, ask),
    ),
  );
}

/** Who plays a seat that no phone has. @param {Player} player @param {number} seat @param {Ask} ask */
export function botChoice(player, seat, ask) {
  const choose = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    ask("bot", { seat, bot: value || null });
  };
  const options = Object.entries({ "": tr("no bot"), ...BOTS }).map(([value, means]) =>
    h("option", { value, selected: value === (player.who === "bot" ? player.bot : "") }, means),
  );
  const label = tr("A bot for seat {n}", { n: seat + 1 });
  return h("select", { "aria-label": label, "data-key": `bot ${seat}`, on: { change: choose } }, ...options);
}

/** What a value is called, and what that means, which stands behind a colon. @param {string} means */
function inTwo(means) {
  const [name, ...more] = means.split(": ");
  return [name, more.join(": ")];
}

/** What is chosen for the whole game. @param {State} state @param {Ask} ask */
export function chosen(state, ask) {
  const one = (/** @type {import("./types.js").Option} */ option) => {
    const choose = (/** @type {Event} */ event) => {
      const { selectedIndex } = /** @type {HTMLSelectElement} */ (event.target);
      ask("option", { name: option.name, value: option.values[selectedIndex].value });
    };
    const isChosen = (/** @type {{value: any}} */ { value }) => JSON.stringify(value) === JSON.stringify(option.value);
    const values = option.values.map((each) => h("option", { selected: isChosen(each) }, inTwo(each.means)[0]));
    const select = h("select", { "data-key": option.name, on: { change: choose } }, ...values);
    const more = inTwo(option.values.find(isChosen)?.means ?? "")[1];
    return h("label", { class: "option" }, h("span", {}, option.about), select, more ? h("small", {}, more) : null);
  };
  const remarks = h("input", {
    type: "checkbox",
    checked: state.remarks,
    "data-key": "remarks",
    on: { change: () => ask("remarks", { on: remarks.checked }) },
  });
  return h(
    "div",
    { class: "options" },
    ...state.options.filter(({ values }) => values.length > 1).map(one),
    h("label", { class: "option check" }, remarks, h("span", {}, tr("Each kind of decision explains itself once"))),
  );
}
