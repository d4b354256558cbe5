// @ts-check
import { card, cardBack } from "/night/static/drawing.js";

export { facts } from "./phone.js";

export function board(state, { el }) {
  const shown = state.happened.findLast(({ what }) => what === "revealed")?.facts.cards;
  const cards = state.view.chosen.map((isChosen, seat) => {
    if (isChosen) return cardBack();
    const value = shown?.[seat];
    return value ? card({ label: String(value), value }) : el("span", { class: "card slot" });
  });
  return el("div", { class: "shown" }, ...cards);
}

export function sign(state) {
  return String(state.view.deck);
}

export async function animate(before, state, happened) {
  document.body.dataset.animated = happened.map(({ n }) => n).join(" ");
}
