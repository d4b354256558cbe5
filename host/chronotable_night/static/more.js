// @ts-check
/** What a phone has beside the hand: what happened, the rules of the moment, and the table. */

import { h } from "/static/dom.js";
import { tr } from "/static/language.js";
import { about } from "/night/static/choosing.js";
import { botChoice, chosen, ownBox } from "/night/static/lobby.js";
import { isAway } from "/night/static/frame.js";
import { button, joining, languageOption, minute, seatCode, seated, sitting } from "/night/static/parts.js";

/** @import { Frame, State } from "./types.js" */
/** @import { Ask } from "./voice.js" */
/** @import { SeatCode } from "./parts.js" */

/** The bot that plays for somebody who is away. */
const STAND_IN = "sensible";

/**
 * @param {Frame} frame
 * @param {Element[]} staying what keeps the screen on, and the hand open
 * @param {() => boolean} isCovered whether the hand is covered, and so all that only this seat knows
 * @param {Ask} ask
 * @param {() => void} redraw
 */
export function createMore(frame, staying, isCovered, ask, redraw) {
  let isOpen = false;
  let shown = "told";
  /** A new link to a seat, and whose: shown until it is put away. @type {SeatCode | null} */
  let code = null;
  const spoken = languageOption();
  const parts = /** @type {Record<string, [string, (state: State) => any[]]>} */ ({
    told: [tr("What happened"), told],
    rules: [tr("Rules now"), rules],
    table: [tr("The table"), table],
  });

  /** The newest first. @param {State} state */
  function told(state) {
    const said = state.happened.filter((each) => each.says && !(each.own && isCovered())).reverse();
    if (!said.length) return [h("p", { class: "none" }, tr("Nothing has happened yet."))];
    return [h("ol", { class: "told" }, ...said.map((each) => h("li", {}, each.says)))];
  }

  /** Those of the decision; where there is none, what the game is about, and all of them. @param {State} state */
  function rules(state) {
    const { decision, rulebook } = state;
    const all = (decision?.rules ?? rulebook).map(([number, text]) => [h("dt", {}, number), h("dd", {}, text)]);
    const brief = minute(state);
    const inBrief = brief ? [h("h2", {}, tr("In one minute")), brief] : [];
    const told = [h("p", {}, decision ? decision.explains : about(state)), h("dl", { class: "rulelist" }, ...all.flat())];
    return decision ? [...told, ...inBrief] : [...inBrief, ...told];
  }

  /** @param {State} state */
  function table(state) {
    const isPlaying = state.phase === "play";
    return [
      h("ul", { class: "handing" }, ...state.players.map((each) => seat(state, each))),
      isPlaying ? undoing(state) : chosen(state, ask),
      staying,
      spoken,
      ...(state.phase === "lobby" ? [ownBox(state), button("plain", tr("Leave this seat"), () => ask("leave"))] : []),
      state.note ? h("p", { class: "note" }, state.note) : null,
      h("h2", {}, isPlaying ? tr("Who comes late takes the seat of a bot, or looks on") : tr("Who comes scans this")),
      joining(state, ask),
    ];
  }

  /** @param {State} state */
  function undoing(state) {
    const press = () => {
      isOpen = false;
      ask("take_back");
    };
    return button("plain", tr("Take my last action back"), state.can_take_back && !state.take_back ? press : null);
  }

  /** @param {State} state @param {import("./types.js").Player} player */
  function seat(state, player) {
    const isFree = player.who === "free";
    if (isFree && state.phase !== "lobby") return null;
    const name = h("span", {}, h("b", {}, isFree ? tr("free") : player.name), h("small", {}, sitting(player)));
    if (state.phase === "lobby" && player.who !== "phone") {
      return h("li", {}, seated(player, frame, isFree ? "shut" : ""), name, botChoice(player, player.seat, ask));
    }
    return h("li", {}, seated(player, frame), name, ...changes(state, player));
  }

  /** How a seat may change hands now. @param {State} state @param {import("./types.js").Player} player */
  function changes(state, player) {
    const { seat } = player;
    if (seat === state.seat) return [button("plain", tr("To another phone"), () => handOver(player))];
    if (!isAway(player) || state.phase !== "play") return [];
    return [
      button("plain", tr("A new link"), () => handOver(player), `code ${seat}`),
      button("plain", tr("A bot plays"), () => ask("bot", { seat, bot: STAND_IN }), `bot ${seat}`),
    ];
  }

  /** @param {import("./types.js").Player} player */
  async function handOver(player) {
    const { ok, link = "", qr = "" } = await ask("hand_over", { seat: player.seat });
    code = ok && link ? { name: player.name, link, qr } : null;
    redraw();
  }

  return {
    isOpen: () => isOpen || Boolean(code),
    /** Whether a new link is shown, which stays when the seat of this phone has gone. */
    hasCode: () => Boolean(code),
    toggle() {
      isOpen = !isOpen && !code;
      code = null;
      redraw();
    },
    /** @param {State} state */
    draw(state) {
      if (code) return seatCode(code);
      const choose = (/** @type {string} */ name) => {
        shown = name;
        redraw();
      };
      const tabs = Object.entries(parts).map(([name, [label]]) => button("tab", label, () => choose(name), "", name === shown));
      const panel = h("div", { class: "panel", tabindex: 0, role: "region", "aria-label": parts[shown][0] }, ...parts[shown][1](state));
      return h("div", { class: "more" }, h("div", { class: "tabs" }, ...tabs), panel);
    },
  };
}
