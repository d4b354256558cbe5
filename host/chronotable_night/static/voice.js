// @ts-check
/** The voice of a phone: what a choice leads to, in a sentence, and the button that makes it. */

import { h } from "/static/dom.js";
import { tr, trC } from "/static/language.js";
import { button } from "/night/static/parts.js";

/** @import { Choice, Decision, Frame, Making, State } from "./types.js" */
/** @import { Reply } from "/static/socket.js" */
/**
 * @typedef {(what: string, values?: Record<string, unknown>) => Promise<Reply>} Ask
 */

const SEALED = tr("Sealed. It counts when all before you have answered.");

/**
 * @param {Frame} frame
 * @param {() => Choice | null} lifted
 * @param {Ask} ask
 */
export function createVoice(frame, lifted, ask) {
  let isWaiting = false;
  let refused = "";

  const trouble = () => (refused ? h("p", { class: "says trouble", role: "alert" }, refused) : null);

  /** @param {State} state @param {Choice} choice */
  const act = async (state, choice) => {
    const { decision, steps } = state;
    if (decision?.explains) await ask("explained", { kind: decision.kind });
    await ask("act", { action: choice.action, steps });
  };

  /**
   * A button for each choice, all of one size, each with what it leads to; on a covered phone they
   * are the same for every hand.
   * @param {State} state
   * @param {Decision} decision
   * @param {boolean} [isCovered]
   */
  const equals = (state, decision, isCovered = false) => {
    const choices = decision.choices ?? [];
    const each = (/** @type {Choice} */ choice) => {
      const refused = isCovered ? "" : choice.refused;
      const press = isWaiting || refused ? null : () => act(state, choice);
      return button("plain", [h("b", {}, choice.label), h("small", {}, refused || choice.says)], press);
    };
    return [
      says(decision.explains),
      trouble(),
      h("div", { class: choices.length > 2 ? "equal several" : "equal" }, ...choices.map(each)),
      decision.passes ? one(tr("Let all pass until I say"), () => ask("let_pass", { on: true })) : null,
    ];
  };

  /** The button that makes what is lifted. @param {State} state @param {Decision} decision @param {Making | null} making */
  const main = (state, decision, making) => {
    const choice = lifted();
    const text = choice ? choice.refused || choice.says : making?.says || decision.explains || tr("Choose; then it says here what that leads to.");
    const can = choice && !choice.refused && !isWaiting;
    return [
      trouble() ?? says(state.refused && !choice ? state.refused : text),
      h(
        "div",
        { class: "choices" },
        making ? button("plain", trC("one step", "Back"), making.back) : null,
        button("main", choice?.label || making?.label || tr("Choose first"), can ? () => act(state, choice) : null, "main"),
      ),
    ];
  };

  /** A bot plays for this seat. @param {State} state */
  const absent = (state) => [
    says(tr("A bot plays for you.")),
    one(tr("Play myself"), () => ask("bot", { seat: state.seat, bot: null })),
  ];

  /** A wish to take the last action back, which all have to agree to. @param {State} state */
  const wish = (state) => {
    const { take_back: asked, seat } = state;
    if (!asked) return [];
    const name = frame.name(asked.by);
    if (asked.by === seat || asked.agreed.includes(seat)) {
      const drop = asked.by === seat ? one(tr("Never mind"), () => ask("refuse")) : null;
      return [says(tr("The last action is taken back when all have agreed.")), drop];
    }
    const buttons = [button("plain", tr("No"), () => ask("refuse")), button("plain", tr("Agree"), () => ask("agree"))];
    return [
      says(tr("{player} wants to take the last action back.", { player: name })),
      h("div", { class: "choices" }, ...buttons),
    ];
  };

  return {
    trouble,
    /** Whether an answer is awaited. */
    isWaiting: () => isWaiting,
    /** A question is on its way. */
    wait() {
      isWaiting = true;
      refused = "";
    },
    /** It was answered. @param {Reply} reply */
    hear(reply) {
      isWaiting = false;
      refused = reply.ok ? "" : (reply.why ?? "");
    },
    /** What is said to who has no hand in this game. */
    looksOn: () => [trouble() ?? says(tr("You look on. Your place is kept: you play the next game."))],
    /** A question that needs no look at the hand. @param {State} state */
    asks: (state) => (state.decision ? equals(state, state.decision, true) : []),
    /** What is said while the hand is covered. @param {State} state */
    covered(state) {
      if (state.take_back) return [trouble(), ...wish(state)];
      if (state.players[state.seat]?.who === "bot") return [trouble(), ...absent(state)];
      const sealed = state.decision && state.decision.sealed !== null;
      const again = one(tr("Ask me again"), () => ask("let_pass", { on: false }));
      if (state.lets_pass) return [trouble() ?? says(tr("You let all pass. You are asked where it ends the game, or time is stopped.")), again];
      if (sealed) return [trouble() ?? says(SEALED), one(tr("Change it"), () => ask("unseal"))];
      const refusal = state.refused ? says(tr("Your sealed answer could not be played. Look at your hand.")) : null;
      const undo = state.can_take_back ? one(tr("Take my last action back"), () => ask("take_back")) : null;
      return [trouble() ?? refusal, undo];
    },
    /**
     * What is said over an open hand.
     * @param {State} state
     * @param {boolean} areEqual whether its choices are buttons of one size
     * @param {Making | null} [making] what is half made on the page
     */
    open(state, areEqual, making = null) {
      const { decision } = state;
      if (state.take_back) return wish(state);
      if (!decision) return [trouble() ?? says(state.line)];
      if (decision.sealed !== null) return [says(SEALED)];
      return areEqual && decision.choices ? equals(state, decision) : main(state, decision, making);
    },
  };
}

/** A plain button that has its line for itself. @param {string} label @param {() => void} press */
function one(label, press) {
  return h("div", { class: "choices" }, button("plain", label, press));
}

/** @param {string} text */
function says(text) {
  return text ? h("p", { class: "says", "aria-live": "polite" }, text) : null;
}
