// @ts-check
/** Hints, colours and brightness of the lights; and the log. */

import { linked } from "./cited.js";
import { fill, h, whenChanged } from "./dom.js";
import { acting, choice, folder } from "./parts.js";

/** @typedef {import("./table.js").Table} Table */

const HINTS = /** @type {[string, string][]} */ ([
  ["consequences", "moves and what they bring"],
  ["legal", "legal moves"],
  ["off", "no hints"],
]);
const CHOICES = /** @type {[string, string, [string, string][]][]} */ ([
  ["hints_white", "Hints for White", HINTS],
  ["hints_black", "Hints for Black", HINTS],
  [
    "palette",
    "Colours",
    [
      ["standard", "standard"],
      ["colour-blind", "for colour-blind eyes"],
    ],
  ],
  [
    "brightness",
    "Brightness",
    [
      ["full", "full"],
      ["half", "half"],
      ["night", "night"],
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
    ...choice(label, options, (value) => table.act("set", { name, value })),
  }));
  const element = folder(
    "Lights and hints",
    {},
    acting(
      h(
        "div",
        { class: "fields" },
        fields.map((field) => field.element),
      ),
    ),
  );
  return {
    element,
    draw() {
      for (const field of fields) field.set(String(table.view.settings?.[field.name] ?? ""));
    },
  };
}

/**
 * Make the card of the log.
 * @param {Table} table
 */
export function createLog(table) {
  const lines = h("ol", { class: "log", tabindex: "0", "aria-label": "Log" });
  const element = folder("Log", {}, lines);
  const drawLines = whenChanged((/** @type {any[]} */ log) => {
    const isAtEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 8;
    fill(lines, log.map(logLine), log.length ? null : h("li", { class: "faint" }, "Nothing yet."));
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
