// @ts-check
/** The page: which part of it is shown, and the line to the server that feeds it. */

import { showAnalysis } from "./analyse.js";
import { hearJudging, showArchive } from "./archive.js";
import { byId, fill, h } from "./dom.js";
import { tr } from "./language.js";
import { showLearning } from "./learn.js";
import { createLive } from "./live.js";
import { openPages } from "./pages.js";
import { createRules } from "./rules.js";
import { openLine } from "./socket.js";
import { leaveView } from "./views.js";

const LOST = tr("The connection is lost. Trying again …");

/** What the archive needs of the rest; `looks` and `places` are the newest. */
const context = {
  /** @type {import("./pieces.js").Looks} */
  looks: { meanings: [], pieces: {} },
  /** @type {string[]} */
  places: [],
  canBranch: false,
  /** @type {import("./socket.js").Ask} */
  request: (what, values) => line.request(what, values),
  /** Whether a game is the one that is being played. @param {string} id */
  isOn: (id) => live.table.view.game?.id === id && !live.table.view.game.over,
  /** How far an analysis is that somebody asked for. */
  judging: () => live.table.view.judging ?? null,
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
  });
  greeted();
  live.greet(hello);
}

/** @param {any} view */
function see(view) {
  live.show(view);
  hearJudging(byId("games"), view.judging ?? null);
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
const leave = (kept = "") => ["games", "analyse", "learn"].filter((id) => id !== kept).forEach((id) => leaveView(byId(id)));
openPages({
  live() {
    leave();
    live.fit();
  },
  async games(parts) {
    leave("games");
    await greeting;
    if (location.hash.startsWith("#games")) await showArchive(byId("games"), parts, context);
  },
  async analyse(parts) {
    leave("analyse");
    await greeting;
    if (location.hash.startsWith("#analyse")) await showAnalysis(byId("analyse"), parts, context);
  },
  async learn(parts) {
    leave("learn");
    await greeting;
    if (location.hash.startsWith("#learn")) await showLearning(byId("learn"), parts, context);
  },
  rules(parts) {
    leave();
    showRules(parts[1] ?? "");
  },
});
