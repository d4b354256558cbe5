// @ts-check
/** The hand: choose a card, then its targets on the grid above; below it what is always there. */

import { glyph } from "/night/static/drawing.js";
import { button } from "/night/static/parts.js";
import { SHAPES, drawn, nameOf, printedOn, row, shapeOf } from "./cards.js";
import { grid, labelOf } from "./grid.js";
import { ending, queue } from "./parts.js";
import { facts, isStep, moods, waysInQuestion } from "./story.js";

/** @import { Choice, Frame, State } from "/night/static/types.js" */
/** @import { Way } from "./grid.js" */

export { facts };
export { ending as end };

/** Decisions between two buttons. */
export const equal = ["window", "order"];
/** Those of them that a covered phone asks, too: what all see is enough, and all are asked alike. */
export const open = ["window"];

/** So many arrows have a button each; more are chosen on the grid. */
const MOST_ARROWS = 2;

/** @param {State} state */
export function backs(state) {
  const hand = state.view?.hands[state.seat];
  return Array.isArray(hand) ? hand.length : 0;
}

/** @param {State} state @param {Frame} frame */
export function covered(state, frame) {
  return state.view ? grid(state, frame, { moods: moods(state), ways: waysInQuestion(state) }) : null;
}

/** @param {State} state @param {Frame} frame */
export function field(state, frame) {
  const { el, tr } = frame;
  if (state.view?.phase === "window") {
    const ways = waysInQuestion(state);
    const tiles = ways.map(({ tile }) => tile);
    const shown = { ways, pale: true, from: ways.map(({ start }) => start), moods: moods(state), on: tiles[0] };
    return el("div", { class: "window" }, grid(state, frame, shown), queue(state, frame));
  }
  const targets = targetsOnGrid(state, frame);
  const legend = el(
    "p",
    { class: "legend" },
    glyph(SHAPES.green, "to"),
    tr("green leads to"),
    glyph(SHAPES.red, "fro"),
    tr("red leads back to"),
  );
  const shown = { targets, on: targetOf(state, frame), ways: waysOfLifted(state, frame), moods: moods(state) };
  return el("div", { class: "choosing" }, grid(state, frame, shown), legend);
}

/** @param {State} state @param {Frame} frame */
export function hand(state, frame) {
  const { el } = frame;
  const kind = state.decision?.kind;
  const parts = {
    main: [ownCards, guides, people, rest],
    play: [openCard, ownCards, guides, people, rest],
    second: [ownCards, rest],
    leap: [ownCards],
  }[kind ?? ""] ?? [ownCards];
  return el("div", { class: "holding" }, ...parts.map((part) => part(state, frame)));
}

/* ---- the cards */

/** What a card leads to: its choices. @param {State} state @param {string} verb @param {string} card */
function choicesOf(state, verb, card) {
  const start = `${verb} ${card}`;
  const all = state.decision?.choices ?? [];
  return all.filter(({ action }) => action === start || action.startsWith(`${start} `));
}

/** @param {Choice} choice */
function wordsOf({ action }) {
  return action.split(" ").slice(1);
}

/** @param {State} state @param {Frame} frame */
function ownCards(state, frame) {
  const cards = /** @type {string[]} */ (state.view?.hands[state.seat] ?? []);
  const kind = state.decision?.kind;
  const verb = kind === "leap" ? "leap" : "play";
  const isMine = kind === "main" || kind === "leap";
  const all = cards.map((card, at) => {
    if (isMine && frame.memory.dump) return dumpable(state, frame, card, at);
    const choices = isMine ? choicesOf(state, verb, card) : [];
    const can = choices.some(({ refused }) => !refused);
    const isOn = frame.memory.at === at;
    const isAnswer = kind === "window" && card === "stop_time";
    if (!choices.length) return drawn(state, card, { how: isAnswer ? "can" : kind ? "no" : "" });
    const press = () => {
      Object.assign(frame.memory, { at: isOn ? undefined : at, guide: "", verb });
      lift(state, frame, isOn ? [] : choices);
    };
    const reason = can ? "" : choices[0].refused;
    return drawn(state, card, { how: can ? (isOn ? "can on" : "can") : isOn ? "no on" : "no", reason, press });
  });
  return row(frame, all, !isMine);
}

/** The card that lies open and has to be played. @param {State} state @param {Frame} frame */
function openCard(state, frame) {
  const [card, ...later] = state.view?.queue ?? [];
  const choices = choicesOf(state, "play", card);
  const press = () => {
    Object.assign(frame.memory, { at: "open", guide: "", verb: "play" });
    lift(state, frame, choices);
  };
  const isOn = choices.length > 1 || frame.memory.at === "open";
  const then = later.map((/** @type {string} */ each) => drawn(state, each, { how: "no" }));
  return frame.el("div", { class: "cards open" }, drawn(state, card, { how: isOn ? "can on" : "can", press }), ...then);
}

/** Lift the one choice of a card, or say that a target is missing. @param {State} state @param {Frame} frame @param {Choice[]} choices */
function lift(state, frame, choices) {
  const { tr } = frame;
  if (choices.length <= 1) {
    frame.lift(choices[0] ?? null);
    return;
  }
  const [card] = wordsOf(choices[0]);
  const seats = /^(return_to_hq|tag_along)$/.test(card);
  const missing = seats ? tr("Choose a player") : tr("Choose a tile");
  const where = seats ? tr("Whose pawn? Choose below your cards.") : tr("Choose a tile with a dot.");
  const hint = `${printedOn(state, card)[2]} ${where}`.trim();
  frame.lift({ action: "", label: missing, says: hint, refused: hint });
}

/** The choices of the card that is chosen, or of the arrows. @param {State} state @param {Frame} frame @returns {Choice[]} */
function chosen(state, frame) {
  const at = frame.memory.at ?? (state.decision?.kind === "play" ? "open" : undefined);
  if (at === undefined) return [];
  if (at === "arrows") return arrowsOf(state);
  const card = at === "open" ? state.view?.queue[0] : state.view?.hands[state.seat][at];
  return choicesOf(state, frame.memory.verb ?? "play", card).filter(({ refused }) => !refused);
}

/* ---- targets */

/** The tile that a choice is about, "" if none is named. @param {Choice} choice */
function tileOf(choice) {
  const words = choice.action.split(" ");
  if (words[0] === "follow") return words[1];
  const last = words[words.length - 1];
  return words.length > 2 && !/^\d$/.test(last) && !last.includes(":") ? last : "";
}

/** The choices that the grid is to offer. @param {State} state @param {Frame} frame */
function offered(state, frame) {
  if (state.decision?.kind === "second" && frame.memory.at === undefined) return arrowsOf(state);
  const choices = chosen(state, frame);
  const words = choices[0] ? wordsOf(choices[0]) : [];
  if (words[0] !== "on_the_move") return choices.filter((each) => !isForSeat(each));
  return choices.filter((each) => guideOf(each) === (frame.memory.guide ?? ""));
}

/** @param {Choice} choice */
function isForSeat(choice) {
  return /^play (return_to_hq|tag_along) /.test(choice.action);
}

/** @param {State} state @param {Frame} frame */
function targetsOnGrid(state, frame) {
  /** @type {Map<string, () => void>} */
  const targets = new Map();
  for (const choice of offered(state, frame)) {
    const tile = tileOf(choice);
    if (tile && state.view?.grid.includes(tile)) targets.set(tile, () => frame.lift(choice));
  }
  return targets;
}

/** @param {State} state @param {Frame} frame */
function targetOf(state, frame) {
  const choice = frame.lifted ? frame.choice(frame.lifted) : undefined;
  return choice ? tileOf(choice) : "";
}

/** Where the lifted choice leads. @param {State} state @param {Frame} frame @returns {Way[]} */
function waysOfLifted(state, frame) {
  const choice = frame.lifted ? frame.choice(frame.lifted) : undefined;
  if (!choice || !state.view || !/^(play|follow) /.test(choice.action)) return [];
  const words = choice.action.startsWith("follow") ? choice.action.split(" ") : wordsOf(choice);
  const [card] = words;
  const tile = tileOf(choice) || (words.at(-1) ?? "").split("jump:")[1] || "";
  if (!tile || card === "crash_a_gate") return [];
  const isThief = card === "on_the_move" || card === "shut_and_run";
  return [{ start: isThief ? state.view.breaker : state.view.pawns[state.seat], tile, steps: isStep(words) }];
}

/* ---- below the cards */

/** @param {Choice} choice */
function guideOf(choice) {
  const guide = choice.action.split(" ")[2] ?? "";
  return guide.includes(":") ? guide : "";
}

/** How On the Move is guided: by an arrow, or by another card. @param {State} state @param {Frame} frame */
function guides(state, frame) {
  const { el, tr } = frame;
  const choices = chosen(state, frame);
  if (!choices.length || wordsOf(choices[0])[0] !== "on_the_move") return null;
  const all = [...new Set(choices.map(guideOf))];
  const one = (/** @type {string} */ guide) => {
    const press = () => {
      frame.memory.guide = guide;
      const those = choices.filter((each) => guideOf(each) === guide);
      lift(state, frame, those);
    };
    const isOn = (frame.memory.guide ?? "") === guide;
    const label = guide ? printedOn(state, guide)[0] : tr("Arrow");
    const says = guide ? tr("with {card}", { card: nameOf(state, guide) }) : tr("along the green arrow");
    return plain(guide ? shapeOf(guide) : SHAPES.green, label, press, isOn, { says });
  };
  return el("div", { class: "rest guides", role: "group", "aria-label": tr("How the Time Breaker moves") }, ...all.map(one));
}

/** Whose pawn a card is about. @param {State} state @param {Frame} frame */
function people(state, frame) {
  const { el, tr, name, head } = frame;
  const choices = chosen(state, frame).filter(isForSeat);
  if (!choices.length) return null;
  const one = (/** @type {Choice} */ choice) => {
    const seat = Number(choice.action.split(" ").at(-1));
    const isOn = frame.lifted === choice.action;
    const press = () => frame.lift(choice);
    return button("plain", [head(seat), seat === state.seat ? tr("You") : name(seat)], press, "", isOn);
  };
  return el("div", { class: "rest", role: "group", "aria-label": tr("Whose pawn") }, ...choices.map(one));
}

/** @param {State} state */
function arrowsOf(state) {
  return (state.decision?.choices ?? []).filter(({ action }) => action.startsWith("follow "));
}

/** What is always there: arrows, the Wormhole; and now and then an arrest and dumping. @param {State} state @param {Frame} frame */
function rest(state, frame) {
  const { el, tr } = frame;
  const simple = (/** @type {string} */ action, /** @type {any} */ shape, /** @type {string} */ label) => {
    const choice = frame.choice(action);
    if (!choice) return null;
    const press = () => {
      forget(frame);
      frame.lift(choice);
    };
    return plain(shape, label || choice.label, press, frame.lifted === action, { isSunk: Boolean(choice.refused) });
  };
  const dumps = (state.decision?.choices ?? []).some(({ action }) => action.startsWith("dump "));
  const isDumping = Boolean(frame.memory.dump);
  const dump = () => {
    forget(frame);
    frame.memory.dump = isDumping ? undefined : [];
    frame.lift(null);
  };
  return el(
    "div",
    { class: "rest" },
    ...arrowButtons(state, frame),
    simple("wormhole", SHAPES.worm, ""),
    simple("arrest", null, tr("Arrest")),
    dumps ? plain(null, tr("Dump"), dump, isDumping) : null,
  );
}

/** @param {Frame} frame */
function forget(frame) {
  Object.assign(frame.memory, { at: undefined, guide: "", dump: undefined });
}

/** @param {State} state @param {Frame} frame */
function arrowButtons(state, frame) {
  const { tr } = frame;
  const choices = arrowsOf(state);
  if (choices.length > MOST_ARROWS) {
    const press = () => {
      forget(frame);
      frame.memory.at = "arrows";
      frame.lift({ action: "", label: tr("Choose a tile"), says: "", refused: tr("Choose a tile with a dot.") });
    };
    const isOn = frame.memory.at === "arrows" || frame.lifted.startsWith("follow");
    return state.decision?.kind === "second" ? [] : [plain(SHAPES.green, tr("Follow an arrow"), press, isOn)];
  }
  return choices.map((choice) => {
    const press = () => {
      forget(frame);
      frame.lift(choice);
    };
    const label = tr("Follow to {tile}", { tile: labelOf(state, tileOf(choice)) });
    return plain(SHAPES.green, label, press, frame.lifted === choice.action);
  });
}

/**
 * @param {any} shape
 * @param {string} label
 * @param {() => void} press
 * @param {boolean} isOn
 * @param {{isSunk?: boolean, says?: string}} [more] `isSunk`: may be touched, to learn why it cannot be done
 */
function plain(shape, label, press, isOn, { isSunk = false, says = "" } = {}) {
  return button(isSunk ? "plain sunk" : "plain", [shape ? glyph(shape) : null, label], press, "", isOn, says);
}

/* ---- dumping Jumps for crashed gates */

/** @param {State} state @param {Frame} frame @param {string} card @param {number} at */
function dumpable(state, frame, card, at) {
  const { tr, memory } = frame;
  const tile = card.startsWith("jump:") ? card.slice("jump:".length) : "";
  if (!state.view?.closed.includes(tile)) {
    return drawn(state, card, { how: "no", reason: tr("Only Jumps for crashed gates can be dumped.") });
  }
  const isOn = memory.dump.includes(at);
  const press = () => {
    memory.dump = isOn ? memory.dump.filter((/** @type {number} */ each) => each !== at) : [...memory.dump, at];
    const cards = memory.dump.map((/** @type {number} */ each) => state.view?.hands[state.seat][each]).sort();
    const action = ["dump", ...cards].join(" ");
    const n = cards.length;
    const label = n === 1 ? tr("Dump 1 card") : tr("Dump {n} cards", { n });
    const says = tr("You discard what you chose and draw as many cards. Your turn goes on.");
    frame.lift(n ? (frame.choice(action) ?? { action, label, says }) : null);
  };
  return drawn(state, card, { how: isOn ? "can on" : "can", press });
}
