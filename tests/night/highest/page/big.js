// @ts-check
import { card, cardBack } from "/night/static/drawing.js";

export { facts } from "./phone.js";

export function board(state, { el }) {
  const { shown, chosen } = state.view;
  const cards = (shown ?? chosen).map((value) => (value ? card({ label: String(value), value }) : cardBack()));
  return el("div", { class: "shown", "data-shown": Boolean(shown) }, ...cards);
}

export function sign(state) {
  return String(state.view.left);
}

export async function animate(before, state, happened) {
  document.body.dataset.animated = happened.map(({ n }) => n).join(" ");
}
