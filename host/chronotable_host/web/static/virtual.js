// @ts-check
/** Who plays; and what only a virtual table has: buttons, a clumsy hand, and reeds that fail. */

import { fill, h, whenChanged } from "./dom.js";
import { createCandidates } from "./candidates.js";
import { REEDS } from "./geometry.js";
import { buttonOf } from "./hand.js";
import { tr, trC } from "./language.js";
import { acting, button, choice, folder } from "./parts.js";

/** @import { Table } from "./table.js" */

const SIDES = ["white", "black"];
const CLOCKS = /** @type {[string, string][]} */ ([
  ["off", trC("clocks", "none")],
  ["3+2", tr("3 minutes, and 2 seconds a turn")],
  ["5+3", tr("5 minutes, and 3 seconds a turn")],
  ["10+5", tr("10 minutes, and 5 seconds a turn")],
  ["20+0", tr("20 minutes")],
]);
const REED_STATES = /** @type {[string, string][]} */ ([
  ["good", trC("reed", "good")],
  ["open", tr("never closes")],
  ["closed", tr("never opens")],
  ["flicker", tr("flickers")],
]);
const PLURAL = /** @type {Record<string, string>} */ ({
  white: tr("White's"),
  black: tr("Black's"),
  "": tr("Both players'"),
});

const BUTTONS_OF = /** @type {Record<string, string>} */ ({
  white: tr("White's buttons"),
  black: tr("Black's buttons"),
  "": tr("Both players' buttons"),
});

/**
 * Make the choice of how one plays at a virtual table.
 * @param {Table} table
 */
export function createMode(table) {
  const persons = () => SIDES.filter((_, player) => ["page", "hands"].includes(table.seat(player)));
  const sit = (/** @type {string} */ who) => async () => {
    for (const side of persons()) await table.act("sit", { side, who });
  };
  const modes = [
    ["page", tr("Just play")],
    ["hands", tr("Feel the table")],
  ].map(([who, text]) => ({ who, element: button(text, sit(who), { class: "toggle" }) }));
  const element = acting(h("div", { class: "modes", role: "group", "aria-label": tr("How you play") }, modes.map((mode) => mode.element)));
  return {
    element,
    draw() {
      element.hidden = !table.hello?.hand;
      const seats = SIDES.map((_, player) => table.seat(player));
      for (const { who, element: mode } of modes) {
        const isOn = who === "hands" ? seats.includes(who) : !seats.includes("hands");
        mode.setAttribute("aria-pressed", String(isOn));
      }
    },
  };
}

/**
 * Make the card of who plays the game that is on, and on which clock.
 * @param {Table} table
 */
export function createSeats(table) {
  const seats = SIDES.map((_, player) => createCandidates(table, player));
  const clocks = choice(tr("Clocks"), CLOCKS, (times) => table.act("clock", { times }));
  const problem = h("p", { class: "problem", role: "status" });
  const element = folder(
    tr("Players"),
    {},
    acting(
      seats.map((seat) => seat.element),
      h("div", { class: "fields" }, clocks.element),
      problem,
    ),
  );

  return {
    element,
    draw() {
      const { view, hello } = table;
      for (const seat of seats) {
        seat.draw();
        seat.element.hidden = Boolean(hello?.far); // there each end has its own side
      }
      element.hidden = Boolean(hello?.far);
      clocks.element.hidden = !hello?.clocks || hello.far;
      clocks.set(view.clocks?.times ?? "off");
      problem.textContent = view.problem ?? "";
      problem.hidden = !problem.textContent;
    },
  };
}

/** Make the line of what the player without hands thinks; it is shown to who wants to see it. */
function createThought() {
  const line = h("p", { class: "thought", hidden: true });
  const box = h("input", { type: "checkbox", on: { change: () => (line.hidden = !box.checked) } });
  const element = h("div", {}, h("label", { class: "check" }, box, ` ${tr("Show what it thinks")}`), line);
  return {
    element,
    /** @param {any} view */
    draw(view) {
      const seats = Object.values(view.players ?? {});
      element.hidden = seats.every((seat) => ["hands", "page", "guest", "far"].includes(seat));
      if (view.thought) line.textContent = view.thought;
    },
  };
}

/**
 * Make the card of a virtual table: its buttons, what can go wrong at it; and what programs think at any.
 * @param {Table} table
 */
export function createTroubles(table) {
  const clumsy = clumsyField(table);
  const reeds = reedFields(table);
  const buttons = h("div", { class: "table-buttons" });
  const thought = createThought();
  const drawButtons = whenChanged((/** @type {string[]} */ names) => fill(buttons, ...buttonGroups(table, names)));
  const card = folder(tr("Virtual table"), {}, acting(buttons, clumsy.element, reeds.element));
  const element = h("div", {}, thought.element, card);
  return {
    element,
    draw() {
      const { view, hello } = table;
      thought.draw(view);
      card.hidden = !hello?.hand;
      if (!hello?.hand || !view.hand) return;
      buttons.hidden = !SIDES.some((_, player) => table.seat(player) === "hands");
      drawButtons(hello.buttons);
      clumsy.set(view.hand.clumsy ?? 0);
      reeds.draw({ places: hello.places.slice(0, REEDS), broken: view.hand.broken ?? {} });
    },
  };
}

/** @param {Table} table @param {string[]} sensors */
function buttonGroups(table, sensors) {
  return Object.entries(PLURAL).map(([side, title]) => {
    const own = sensors.map(buttonOf).filter((each) => each.side === side);
    const press = (/** @type {{name: string, side: string}} */ which) => () => table.press(which);
    return h(
      "div",
      { class: "button-group", role: "group", "aria-label": BUTTONS_OF[side] },
      h("span", { class: "faint" }, title),
      own.map((each) => button(each.name, press(each), { class: "round" })),
    );
  });
}

/** @param {Table} table */
function clumsyField(table) {
  const shown = h("output", { for: "clumsy" });
  const say = () => {
    shown.textContent = slider.value === "0" ? trC("hand", "steady") : `${slider.value} %`;
  };
  const send = () => table.act("clumsy", { percent: Number(slider.value) });
  const kind = { id: "clumsy", type: "range", min: 0, max: 100, step: 5, value: 0 };
  const slider = h("input", { ...kind, on: { input: say, change: send } });
  const element = h(
    "label",
    { class: "field", for: "clumsy" },
    h("span", {}, `${tr("How clumsy the hand is")} `, shown),
    slider,
  );
  say();
  return {
    element,
    /** @param {number} percent */
    set(percent) {
      if (document.activeElement === slider && slider.matches(":active")) return;
      slider.value = String(percent);
      say();
    },
  };
}

/** @param {Table} table */
function reedFields(table) {
  const space = h("select", {});
  const broken = h("ul", { class: "broken" });
  const set = (/** @type {number} */ at, /** @type {string} */ how) =>
    table.act("reed", { at, how });
  const states = REED_STATES.map(([how, text]) =>
    button(text, () => set(Number(space.value), how)),
  );
  const drawSpaces = whenChanged((/** @type {string[]} */ places) => {
    fill(
      space,
      places.map((name, at) => h("option", { value: at }, name)),
    );
  });
  const drawBroken = whenChanged((/** @type {any} */ { list, places }) => {
    fill(
      broken,
      list.map((/** @type {any} */ [at, how]) =>
        brokenRow(places[at], how, () => set(Number(at), "good")),
      ),
    );
  });
  document.addEventListener("focusin", ({ target }) => {
    const place = target instanceof Element ? target.closest("#board [data-sensor]") : null;
    if (place) space.value = String(/** @type {SVGElement} */ (place).dataset.sensor);
  });
  return {
    element: h(
      "div",
      { class: "reeds", role: "group", "aria-label": tr("Break or mend a reed") },
      h("label", { class: "field" }, h("span", {}, tr("Reed under")), space),
      h("div", { class: "states" }, states),
      broken,
    ),
    /** @param {{places: string[], broken: Record<string, string>}} now */
    draw({ places, broken: now }) {
      drawSpaces(places);
      drawBroken({ list: Object.entries(now), places });
    },
  };
}

/** @param {string} name @param {string} how @param {() => void} mend */
function brokenRow(name, how, mend) {
  const text = REED_STATES.find(([state]) => state === how)?.[1] ?? how;
  return h(
    "li",
    {},
    h("span", {}, h("b", {}, name), ` ${text}`),
    button(tr("Mend"), mend, { class: "quiet" }),
  );
}
