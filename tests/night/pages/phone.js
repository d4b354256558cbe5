// @ts-check
import { card } from "/night/static/drawing.js";

export function field(state, { el, name, head }) {
  const seats = state.players.map(({ seat }) => el("li", {}, head(seat), name(seat)));
  return el("ul", { class: "table" }, ...seats);
}

export function hand(state, frame) {
  const own = state.view.hands[state.seat];
  const cards = own.map((value) => {
    const choice = frame.choice(`play ${value}`);
    const isOn = choice && frame.lifted === choice.action;
    return card({
      label: String(value),
      value,
      how: choice ? (isOn ? "can on" : "can") : "no",
      press: choice ? () => frame.lift(isOn ? null : choice) : null,
    });
  });
  return frame.el("div", { class: "cards", vars: { "--n": own.length } }, ...cards);
}

export function facts(state, { el }, seat) {
  return el("span", {}, el("b", {}, state.view.points[seat]));
}

export function backs({ view, seat }) {
  return view.hands[seat].length;
}

export const equal = ["greet"];
