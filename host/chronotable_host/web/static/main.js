// @ts-check
/** The page: which part of it is shown, and the line to the server that feeds it. */

import { byId, h } from "./dom.js";
import { icon } from "./figures.js";
import { hearAllKeys } from "./keys.js";
import { tr } from "./language.js";
import { createLive } from "./live.js";
import { openPages } from "./pages.js";
import { languageChoice } from "./segments.js";
import { openLine, showLine } from "./socket.js";
import { note } from "./speak.js";
import { leaveView, shownIn } from "./views.js";

const SOON_MS = 2000; // until the first board stands, also on a slow phone

/** What the archive needs of the rest; `looks` and `places` are the newest. */
const context = {
  /** @type {import("./pieces.js").Looks} */
  looks: { meanings: [], pieces: {} },
  /** @type {string[]} */
  places: [],
  canBranch: false,
  canAnalyse: false,
  canTeach: false,
  /** The table, and how a lesson of its is begun. */
  get table() {
    return live.table;
  },
  /** @param {number} number */
  lesson: (number) => live.lesson(number),
  /** @type {import("./socket.js").Ask} */
  request: (what, values) => line.request(what, values),
  /** Whether a game is the one that is being played. @param {string} id */
  isOn: (id) => live.table.view.game?.id === id && !live.table.view.game.over,
  /** How far an analysis is that somebody asked for. */
  judging: () => live.table.view.judging ?? null,
};

hearAllKeys();

const live = createLive((what, values) => line.request(what, values));
const hear = /** @type {Record<string, (message: any) => unknown>} */ ({
  hello: greet,
  view: see,
  control(message) {
    live.rule(message);
    shownIn(byId("start"))?.hear?.(null);
  },
});
/** @type {(nothing: void) => void} */
let greeted = () => {};
const greeting = new Promise((resolve) => {
  greeted = resolve;
});
const line = openLine("/ws", {
  message: (message) => hear[message.type]?.(message),
  state(now) {
    showLine(now);
    live.line(now.online);
  },
});

/** @param {any} hello */
function greet(hello) {
  Object.assign(context, {
    looks: hello.looks,
    places: hello.places,
    canBranch: Boolean(hello.hand),
    canAnalyse: Boolean(hello.analyses),
    canTeach: Boolean(hello.learn),
  });
  live.greet(hello);
  shownIn(byId("start"))?.hear?.(null);
}

/** @param {any} view */
function see(view) {
  live.show(view);
  greeted();
  for (const name of ["games", "learn"]) shownIn(byId(name))?.hear?.(view.judging ?? null);
  shownIn(byId("start"))?.hear?.(null);
}

byId("language").append(languageChoice());
for (const link of document.querySelectorAll("[data-icon]")) link.prepend(icon(/** @type {HTMLElement} */ (link).dataset.icon ?? ""));
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
/**
 * What can be looked at beside the game, by address. It is fetched when the first board stands.
 * @typedef {(root: HTMLElement, route: string[], lent: typeof context) => unknown} Show
 * @type {Record<string, () => Promise<Show>>}
 */
const VIEWS = {
  start: async () => (await import("./start.js")).showStart,
  lessons: async () => (await import("./primer.js")).showPrimer,
  games: async () => (await import("./archive.js")).showArchive,
  analyse: async () => (await import("./analyse.js")).showAnalysis,
  learn: async () => (await import("./learn.js")).showLearning,
  puzzles: async () => (await import("./puzzles.js")).showPuzzles,
  statistics: async () => (await import("./statistics.js")).showStatistics,
  rules: async () => (await import("./rules.js")).showRules,
};

const SHEETS = ["archive", "replay", "analyse", "rules"]; // a rule of the later ones wins
/** @type {Promise<unknown> | undefined} */
let sheets;

/** Fetch the sheets of the views, once. */
function fetchSheets() {
  const fetched = (/** @type {string} */ name) =>
    new Promise((resolve) => {
      const on = { load: resolve, error: resolve };
      document.head.append(h("link", { rel: "stylesheet", href: `static/${name}.css`, on }));
    });
  return (sheets ??= Promise.all(SHEETS.map(fetched)));
}

/** Fetch the views, so that each is there at once, and also when the server is gone. */
function fetchViews() {
  Promise.all([fetchSheets(), ...Object.values(VIEWS).map((view) => view())]).catch(() => {}); // said when one is opened
}

/** Take away what is shown beside the game, but for one that is to be shown. */
function leave(kept = "") {
  for (const name of Object.keys(VIEWS)) if (name !== kept) leaveView(byId(name));
}

/** @param {string} name */
function opener(name) {
  return async (/** @type {string[]} */ parts) => {
    leave(name);
    const fetched = VIEWS[name]();
    const dressed = name === "start" || fetchSheets();
    fetched.catch(() => {}); // said below
    await greeting;
    if (!location.hash && isElsewhere()) return location.replace("#live");
    try {
      const [show] = await Promise.all([fetched, dressed]);
      if ((location.hash || "#start").startsWith(`#${name}`)) await show(byId(name), parts, context);
    } catch {
      note(tr("The server does not answer. It may have been stopped."));
    }
  };
}

/** Whether who comes by the page's bare address comes to a game that others play, or that is led by the table. */
function isElsewhere() {
  const { hello, view, holder } = live.table;
  return hello.far || view.lesson || holder() || (!hello.hand && view.game?.turns.length && !view.game.over && !live.table.canBuild());
}

openPages({
  ...Object.fromEntries(Object.keys(VIEWS).map((name) => [name, opener(name)])),
  live() {
    leave();
  },
});
addEventListener("hashchange", live.seen);
greeting.then(() => setTimeout(fetchViews, SOON_MS));
