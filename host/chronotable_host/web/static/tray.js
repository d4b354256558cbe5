// @ts-check
/** What is in the hand and in the box beside the board, as buttons that can be dragged as well. */

import { byId, fill, h, whenChanged } from "./dom.js";
import { tr } from "./language.js";
import { pieceIcon, pieceName } from "./pieces.js";

/** @import { Looks } from "./pieces.js" */
/**
 * @typedef {{hand: import("./hand.js").Hand, drag: () => import("./drag.js").Drag,
 *   looks: () => Looks, tapping: {on: boolean}, changed: () => void}} Links
 */

/**
 * Make the tray; `draw` shows it as it is now.
 * @param {Links} links
 */
export function createTray(links) {
  const { hand, tapping } = links;
  const held = h("div", { class: "tray-pieces" });
  const box = h("div", { class: "tray-pieces" });
  const away = h(
    "button",
    { type: "button", on: { click: () => hand.putAway(hand.chosen()) } },
    tr("Into the box"),
  );
  const back = h(
    "button",
    { type: "button", class: "put-back", on: { click: () => hand.back() } },
    tr("Put back"),
  );
  const tap = h(
    "button",
    { type: "button", class: "toggle", "aria-pressed": "false", on: { click: toggle } },
    tr("Tap"),
  );
  const root = byId("tray");
  fill(
    root,
    h(
      "div",
      { class: "tray-part hand-part" },
      h("h2", { class: "tray-title" }, tr("In the hand")),
      held,
    ),
    h("div", { class: "tray-part box-part" }, h("h2", { class: "tray-title" }, tr("Box")), box),
    h("div", { class: "tray-tools" }, back, away, tap),
  );

  function toggle() {
    tapping.on = !tapping.on;
    tap.setAttribute("aria-pressed", String(tapping.on));
    links.changed();
  }

  const drawHeld = whenChanged((/** @type {any} */ { pieces, chosen }) => {
    const firstOf = pieces.indexOf(chosen);
    fill(
      held,
      pieces.map((/** @type {string} */ piece, /** @type {number} */ index) =>
        button(piece, { from: "hand", count: 0, isChosen: index === firstOf }),
      ),
      pieces.length ? null : h("span", { class: "faint" }, tr("nothing")),
    );
  });

  const drawBox = whenChanged((/** @type {any} */ { stock, chosen }) => {
    const there = stock.filter((/** @type {any} */ { count }) => count > 0);
    fill(
      box,
      there.map((/** @type {any} */ { piece, count }) =>
        button(piece, { from: "box", count, isChosen: piece === chosen }),
      ),
      there.length ? null : h("span", { class: "faint" }, tr("empty")),
    );
  });

  const button = (
    /** @type {string} */ piece,
    /** @type {{from: "hand" | "box", count: number, isChosen: boolean}} */ how,
  ) => {
    const { from, count, isChosen } = how;
    const where = from === "hand" ? tr("in the hand") : tr("{n} in the box", { n: count });
    return h(
      "button",
      {
        type: "button",
        class: "piece-button",
        "data-piece": piece,
        "aria-pressed": String(isChosen),
        "aria-label": `${pieceName(links.looks(), piece)}, ${where}`,
        on: {
          pointerdown: (/** @type {PointerEvent} */ event) => links.drag().take(event, piece, from),
          click: (/** @type {MouseEvent} */ event) => event.detail === 0 && hand.choose(piece),
        },
      },
      pieceIcon(links.looks(), piece),
      count > 1 ? h("span", { class: "count", "aria-hidden": "true" }, count) : null,
    );
  };

  return {
    /** Show what is held and what is in the box; a dragged piece is at the pointer instead. */
    draw() {
      const { held: pieces, box: stock } = hand.seen();
      const chosen = hand.chosen();
      const isHeld = pieces.includes(chosen);
      const carried = links.drag().carried();
      if (carried) hide(pieces, stock, carried, links.drag().carriedFrom());
      drawHeld({ pieces, chosen });
      drawBox({ stock, chosen: isHeld ? "" : chosen });
      for (const tool of [away, back]) tool.disabled = !isHeld;
      root.classList.toggle("holding", pieces.length > 0);
    },

    /** Draw it anew: names and drawings have changed. */
    forget() {
      drawHeld({ pieces: [], chosen: "-" });
      drawBox({ stock: [], chosen: "-" });
    },
  };
}

/**
 * @param {string[]} pieces
 * @param {{piece: string, count: number}[]} stock
 * @param {string} carried
 * @param {string | null} from
 */
function hide(pieces, stock, carried, from) {
  const index = pieces.lastIndexOf(carried);
  if (from !== "box" && index >= 0) pieces.splice(index, 1);
  const there = stock.find(({ piece }) => piece === carried);
  if (from === "box" && there) there.count -= 1;
}
