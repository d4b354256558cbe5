// @ts-check
/** Hints, colours and brightness of the lights; and the log. */

import { linked } from "./cited.js";
import { fill, h, whenChanged } from "./dom.js";
import { tr, trC } from "./language.js";
import { acting, choice, folder } from "./parts.js";
import { sideName, SIDES } from "./words.js";

/** @import { Table } from "./table.js" */

const HINTS = /** @type {[string, string][]} */ ([
  ["consequences", tr("moves and what they bring")],
  ["legal", tr("legal moves")],
  ["off", tr("nothing")],
]);
const MAY_ASK = /** @type {[string, string][]} */ ([
  ["on", tr("may ask for hints")],
  ["off", tr("asks for none")],
]);
const CHOICES = /** @type {[string, string, [string, string][]][]} */ ([
  ["hints_white", tr("Lights for White"), HINTS],
  ["hints_black", tr("Lights for Black"), HINTS],
  [
    "palette",
    tr("Colours"),
    [
      ["standard", trC("colours", "standard")],
      ["colour-blind", tr("for colour-blind eyes")],
    ],
  ],
  [
    "brightness",
    tr("Brightness"),
    [
      ["full", trC("brightness", "full")],
      ["half", trC("brightness", "half")],
      ["night", trC("brightness", "night")],
    ],
  ],
]);

/**
 * Make the card of the table's settings, with what the lights mean just now.
 * @param {Table} table
 */
export function createSettings(table) {
  const fields = CHOICES.map(([name, label, options]) => ({
    name,
    ...choice(label, options, (value) => table.act("set", { settings: `${name}=${value}` })),
  }));
  const askers = (/** @type {string} */ side, /** @type {string} */ may) => {
    const all = SIDES.filter((each) => (each === side ? may === "on" : table.view.hints?.[each]));
    return all.length === SIDES.length ? "both" : (all[0] ?? "none");
  };
  const asking = SIDES.map((side) => choice(sideName(side), MAY_ASK, (may) => table.act("hints", { sides: askers(side, may) })));
  const element = folder(
    tr("Lights and hints"),
    {},
    acting(
      h(
        "div",
        { class: "fields" },
        [...fields, ...asking].map((field) => field.element),
      ),
    ),
  );
  return {
    element,
    draw() {
      for (const field of fields) field.set(String(table.view.settings?.[field.name] ?? ""));
      const { hints } = table.view;
      asking.forEach((field, player) => {
        field.element.hidden = !hints;
        field.set(hints?.[SIDES[player]] ? "on" : "off");
      });
    },
  };
}

/**
 * Make the card of the log.
 * @param {Table} table
 */
export function createLog(table) {
  const lines = h("ol", { class: "log", tabindex: "0", "aria-label": tr("Log") });
  const element = folder(tr("Log"), {}, lines);
  const drawLines = whenChanged((/** @type {any[]} */ log) => {
    const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
    fill(lines, log.map(logLine), log.length ? null : h("li", { class: "faint" }, tr("Nothing yet.")));
    if (isAtEnd) lines.scrollTop = lines.scrollHeight;
  });
  element.addEventListener("toggle", () => {
    lines.scrollTop = lines.scrollHeight;
  });
  return { element, draw: () => drawLines(table.view.log ?? []) };
}

/** @param {any} entry */
function logLine({ kind, text, t_ms: time }) {
  return h("li", { class: `log-${kind}` }, h("time", {}, clock(time)), h("span", {}, ...linked(text)));
}

/** @param {number} ms @returns {string} minutes and seconds of the table's time */
function clock(ms) {
  const seconds = Math.floor((ms || 0) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
