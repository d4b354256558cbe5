// @ts-check
/** Keys that mean the same everywhere, and the list of all of them. */

import { h, hearKeys } from "./dom.js";
import { tr, trC } from "./language.js";
import { button } from "./parts.js";
import { notation, turned } from "./switches.js";

const LIST = [
  ["F", tr("turns the boards round")],
  ["N", tr("shows coordinates and notation, or no more")],
  ["← →", tr("in a game that is over: one turn back, one turn on; on the boards: from space to space")],
  [tr("Space"), tr("in a game that is over: plays it, or the line that was chosen; at the table: skips what is shown step by step")],
  [trC("key", "Enter"), tr("chooses")],
  ["Esc", tr("takes a choice back, closes what is open")],
  ["?", tr("shows these keys, or no more")],
];

/** Hear those that mean the same on all pages. */
export function hearAllKeys() {
  const rows = LIST.map(([key, says]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, says)]);
  const close = () => list.close();
  const list = /** @type {any} */ (h("dialog", { class: "keys", "aria-label": tr("Keys") }, h("h2", {}, tr("Keys")), h("dl", {}, rows.flat()), button(tr("Close"), close)));
  hearKeys(undefined, {
    f: turned.turn,
    n: notation.turn,
    "?": () => {
      if (!list.isConnected) document.body.append(list);
      if (list.open) close();
      else list.showModal();
    },
  });
}
