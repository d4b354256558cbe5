// @ts-check
/** One table of the wall, large: its boards, its players, the game so far. */

import { ask } from "/static/answers.js";
import { fill, h, whenChanged } from "/static/dom.js";
import { createEras } from "/static/eras.js";
import { tr } from "/static/language.js";
import { button } from "/static/parts.js";
import { markTurn, turnRow } from "/static/turns.js";
import { createPlate } from "/static/stage.js";
import { COLOURS, sideName } from "/static/words.js";
import { lastOf, namesOf, pictureOf, secondsLeft, SIDES, stateText } from "./tile.js";

/** @import { Told } from "./tile.js" */

/**
 * Make the large view in an element; `close` leads back to the wall.
 * @param {HTMLElement} root
 * @param {{places: () => string[], looks: () => any, late: () => number, close: () => void}} of
 */
export function createLarge(root, { places, looks, late, close }) {
  const title = h("h2", { id: "large-title", tabindex: "-1", class: "large-title" });
  const note = h("p", { role: "status" });
  const back = button(tr("All tables"), close, { class: "close" });
  const boards = h("div", { class: "eras" });
  const plates = SIDES.map((_, player) => createPlate(player, false));
  const eras = createEras(boards, { places, looks, players: plates.map(({ element }) => element) });
  const turns = h("ol", { class: "turns", tabindex: "0", "aria-label": tr("Turns of this game") });
  const stage = h("div", { class: "stage" }, h("div", { class: "strip" }, h("div", { class: "head" }, title, note), back), boards);
  const replay = h("p", { class: "links" });
  const side = h("aside", { class: "side", "aria-label": tr("The game so far") }, h("div", { class: "so-far" }, h("h2", {}, tr("So far")), replay, turns));
  fill(root, stage, side);

  /** @type {Told | null} */
  let told = null;
  let asked = "";
  let listed = "";

  const draw = whenChanged((/** @type {Told} */ now) => {
    const picture = pictureOf(now);
    const mover = now.state === "playing" && picture ? tr("{player} is to move.", { player: sideName(SIDES[picture.mover]) }) : "";
    fill(title, `${now.name}: ${stateText(now)}`);
    fill(note, [now.refusal, lastOf(now), now.game?.ends, mover, now.game?.position?.extra].filter(Boolean).join(" "));
    boards.hidden = !picture;
    if (picture) eras.show(picture);
    fill(replay, now.game?.id && now.state === "over" ? h("a", { href: `/replay/${encodeURIComponent(now.game.id)}` }, tr("Replay")) : null);
    list(now);
  });

  /** Have the turns of the game in the list. @param {Told} now */
  async function list(now) {
    const game = `${now.id} ${now.game?.id}`;
    const of = `${game} ${now.game?.turns}`;
    if (of === asked) return;
    asked = of;
    if (game !== listed) fill(turns); // those of another game are not under this one's title
    listed = game;
    try {
      const found = await ask(`/api/tables/${encodeURIComponent(now.id)}`);
      if (asked !== of) return;
      fill(turns, found.turns.map((/** @type {any} */ turn) => turnRow(turn, "")));
      markTurn(turns, found.turns.length);
    } catch {
      asked = ""; // it is asked for again with the next turn
    }
  }

  return {
    /** @param {Told} now */
    show(now) {
      told = now;
      draw(now);
      this.tick();
    },
    /** Have the clocks go on. */
    tick() {
      if (!told) return;
      const now = told;
      const names = namesOf(now);
      const mover = now.state === "playing" ? pictureOf(now)?.mover : null;
      SIDES.forEach((side, player) => {
        plates[player].show({
          isMoving: mover === player,
          name: names[player],
          seat: names[player] === sideName(side) ? "" : COLOURS[player],
          supply: now.game?.position?.supply[player] ?? 0,
          lost: now.game?.position?.captured?.[player] ?? 0,
          left: secondsLeft(now, player, late()),
          isRunning: now.clocks?.running === player && now.state === "playing",
        });
      });
    },
    focus() {
      title.focus({ preventScroll: true });
    },
    forget() {
      eras.forget();
    },
  };
}
