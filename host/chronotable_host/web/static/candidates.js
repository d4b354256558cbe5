// @ts-check
/** Who plays a side: chosen among faces, each with a few words; the server has the list. */

import { fill, h, whenChanged } from "./dom.js";
import { copyFigure } from "./figures.js";
import { tr } from "./language.js";
import { capital, sideName } from "./words.js";

/** @import { Table } from "./table.js" */
/** @typedef {{seat: string, face: import("./figures.js").Mood, name: string, words: string}} Candidate */

const AS_YOU = "level:you";

/**
 * Make the choice of who plays a side; it is closed until somebody wants another one.
 * @param {Table} table
 * @param {number} player
 */
export function createCandidates(table, player) {
  const side = ["white", "black"][player];
  const label = tr("{player} is played by", { player: sideName(side) });
  const now = h("span", { class: "candidate" });
  const head = h("summary", {}, h("small", { class: "faint" }, label), now);
  const rows = h("div", { class: "candidates", role: "group", "aria-label": label });
  const element = h("details", { class: "seat-choice" }, head, rows);

  const sit = (/** @type {string} */ who) => () => {
    table.act("sit", { side, who });
    element.open = false;
    head.focus();
  };
  const draw = whenChanged((/** @type {{seat: string, list: Candidate[], matched: string}} */ { seat, list, matched }) => {
    const here = list.find((each) => each.seat === seat);
    fill(now, ...(here ? lines(player, seat === AS_YOU && matched ? { ...here, words: matched } : here) : [h("b", {}, seat.split(/[/\\]/).at(-1) || tr("as the table has it"))]));
    fill(
      rows,
      list.map((each) =>
        h(
          "button",
          { type: "button", class: "candidate", "data-seat": each.seat, "aria-pressed": String(each === here), on: { click: sit(each.seat) } },
          lines(player, each),
        ),
      ),
    );
  });
  return { element, draw: () => draw({ seat: table.seat(player), list: table.hello?.candidates ?? [], matched: table.view.matched }) };
}

/** @param {number} player @param {Candidate} who */
function lines(player, { face, name, words }) {
  return [copyFigure(player, face), h("span", {}, h("b", {}, capital(name)), `: ${words}`)];
}
