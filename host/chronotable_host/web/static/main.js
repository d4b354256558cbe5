// @ts-check
/** The page: which part of it is shown, and the line to the server that feeds it. */

import { showAnalysis } from "./analyse.js";
import { hearAnalysis, showArchive } from "./archive.js";
import { byId, fill, h } from "./dom.js";
import { tr } from "./language.js";
import { showLearning } from "./learn.js";
import { createLive } from "./live.js";
import { openPages } from "./pages.js";
import { showPuzzles } from "./puzzles.js";
import { createRules } from "./rules.js";
import { openLine } from "./socket.js";
import { showStatistics } from "./statistics.js";
import { leaveView } from "./views.js";

const LOST = tr("The connection is lost. Trying again …");

/** What the archive needs of the rest; `looks` and `places` are the newest. */
const context = {
  /** @type {import("./pieces.js").Looks} */
  looks: { meanings: [], pieces: {} },
  /** @type {string[]} */
  places: [],
  canBranch: false,
  canTeach: false,
  /** @type {import("./socket.js").Ask} */
  request: (what, values) => line.request(what, values),
  /** Whether a game is the one that is being played. @param {string} id */
  isOn: (id) => live.table.view.game?.id === id && !live.table.view.game.over,
  /** How far an analysis is that somebody asked for. */
  analysis: () => live.table.view.analysis ?? null,
};

const showRules = createRules(byId("rules"));

const live = createLive((what, values) => line.request(what, values));
const hear = /** @type {Record<string, (message: any) => unknown>} */ ({
  hello: greet,
  view: see,
  control: (message) => live.rule(message),
});
/** @type {(nothing: void) => void} */
let greeted = () => {};
const greeting = new Promise((resolve) => {
  greeted = resolve;
});
const line = openLine("/ws", {
  message: (message) => hear[message.type]?.(message),
  state: showLine,
});

/** @param {any} hello */
function greet(hello) {
  Object.assign(context, {
    looks: hello.looks,
    places: hello.places,
    canBranch: Boolean(hello.hand),
    canTeach: Boolean(hello.learn),
  });
  greeted();
  live.greet(hello);
}

/** @param {any} view */
function see(view) {
  live.show(view);
  hearAnalysis(byId("games"), view.analysis ?? null);
}

/** @param {import("./socket.js").LineState} state */
function showLine({ online, why }) {
  const bar = byId("lost");
  bar.hidden = online;
  fill(bar, online ? null : h("p", {}, why || LOST));
  live.line(online);
}

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
/** Pages that are asked for anew whenever they are shown, by their address. */
const VIEWS = { games: showArchive, analyse: showAnalysis, learn: showLearning, puzzles: showPuzzles, statistics: showStatistics };
const leave = (kept = "") => Object.keys(VIEWS).filter((id) => id !== kept).forEach((id) => leaveView(byId(id)));
const shown = Object.entries(VIEWS).map(([id, show]) => [
  id,
  async (/** @type {string[]} */ parts) => {
    leave(id);
    await greeting;
    if (location.hash.startsWith(`#${id}`)) await show(byId(id), parts, context);
  },
]);
openPages({
  live() {
    leave();
    live.fit();
  },
  ...Object.fromEntries(shown),
  rules(parts) {
    leave();
    showRules(parts[1] ?? "");
  },
});
