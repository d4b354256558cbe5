// @ts-check
/** What a phone has beside the hand: what happened, the rules of the moment, and the table. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { chosen } from "/night/static/lobby.js";
import { button, isPhone, seated, sitting } from "/night/static/parts.js";

/**
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./voice.js").Ask} Ask
 */

/**
 * @param {Frame} frame
 * @param {Ask} ask
 * @param {() => void} redraw
 */
export function createMore(frame, ask, redraw) {
  let isOpen = false;
  let shown = "told";
  const parts = /** @type {Record<string, [string, (state: State) => any[]]>} */ ({
    told: [tr("What happened"), told],
    rules: [tr("Rules now"), rules],
    table: [tr("The table"), table],
  });

  /** The newest first. @param {State} state */
  function told(state) {
    const said = state.happened.filter((each) => each.says).reverse();
    if (!said.length) return [h("p", { class: "none" }, tr("Nothing has happened yet."))];
    return [h("ol", { class: "told" }, ...said.map((each) => h("li", {}, each.says)))];
  }

  /** @param {State} state */
  function rules({ decision }) {
    if (!decision) return [h("p", { class: "none" }, tr("You have nothing to decide just now."))];
    const all = decision.rules.map(([number, text]) => [h("dt", {}, number), h("dd", {}, text)]);
    return [decision.explains ? h("p", {}, decision.explains) : null, h("dl", { class: "rulelist" }, ...all.flat())];
  }

  /** @param {State} state */
  function table(state) {
    const isPlaying = state.phase === "play";
    return [
      h("ul", { class: "handing" }, ...state.players.map((each) => seat(state, each))),
      isPlaying ? undoing(state) : chosen(state, ask),
      state.phase === "lobby" ? button("plain", tr("Leave this seat"), () => ask("leave")) : null,
      state.note ? h("p", { class: "note" }, state.note) : null,
    ];
  }

  /** @param {State} state */
  function undoing(state) {
    const press = () => {
      isOpen = false;
      ask("take_back");
    };
    return button("plain", tr("Take the last step back"), state.can_take_back && !state.take_back ? press : null);
  }

  /** @param {State} state @param {import("./types.js").Player} player */
  function seat(state, player) {
    const hand = () => ask("hand_over", { seat: player.seat });
    const label = tr("A new code for {player}", { player: player.name });
    return h(
      "li",
      {},
      seated(player, frame),
      h("span", {}, h("b", {}, player.name), h("small", {}, sitting(player))),
      isPhone(player) ? button("plain", label, hand) : null,
    );
  }

  return {
    isOpen: () => isOpen,
    toggle() {
      isOpen = !isOpen;
      redraw();
    },
    /** @param {State} state */
    draw(state) {
      const choose = (/** @type {string} */ name) => {
        shown = name;
        redraw();
      };
      const tabs = Object.entries(parts).map(([name, [label]]) =>
        h(
          "button",
          { type: "button", class: "tab", "aria-pressed": String(name === shown), on: { click: () => choose(name) } },
          label,
        ),
      );
      const panel = h("div", { class: "panel", tabindex: 0, role: "region", "aria-label": parts[shown][0] }, ...parts[shown][1](state));
      return h("div", { class: "more" }, h("div", { class: "tabs" }, ...tabs), panel);
    },
  };
}
