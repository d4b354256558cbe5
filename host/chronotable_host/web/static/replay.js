// @ts-check
/** One game of the archive, turn by turn, on the board of the live page. */

import { ask, askText, picturePath, recordPath } from "./answers.js";
import { createBoard } from "./board.js";
import { copy } from "./clipboard.js";
import { fill, h, s } from "./dom.js";
import { dateOf } from "./gamelist.js";
import { pieceIcon } from "./pieces.js";
import { timeBar } from "./timebar.js";
import { share, signOf } from "./understood.js";
import { capital, list, nameOf, spell } from "./words.js";

/** @typedef {import("./archive.js").Context} Context */
/** @typedef {import("./archive.js").Shown} Shown */
/** @typedef {import("./answers.js").Game} Game */
/** @typedef {import("./answers.js").Position} Position */
/** @typedef {import("./pieces.js").Looks} Looks */

const PLAY_MS = 1000;
const SIDES = /** @type {const} */ (["white", "black"]);
const STANDARD = "standard";
/** What the lights of a replay say: where the turn began and what came to lie where. */
const LEFT = 1;
const CAME = 2;
const LIGHTS = [
  { name: "off", colour: "#000000", rhythm: "steady", says: "" },
  { name: "lifted", colour: "#32c8c8", rhythm: "steady", says: "left in this turn" },
  { name: "move", colour: "#32e032", rhythm: "steady", says: "came in this turn" },
];

/**
 * Show a game in `root`; a turn of -1 is the end. Rejects with an Error that has a sentence.
 * @param {HTMLElement} root
 * @param {import("./archive.js").Route} route
 * @param {Context} context
 * @param {() => boolean} isWanted false once something else is to be shown
 * @returns {Promise<Shown>}
 */
export async function showGame(root, { id, turn }, context, isWanted) {
  const game = /** @type {Game} */ (await ask(`/api/games/${encodeURIComponent(id)}`));
  const { container, board } = await boardFor(game, context);
  if (!isWanted()) return { leave() {} };
  const parts = build(game, context, container);
  fill(root, parts.page);
  scrollTo(0, 0);
  parts.title.focus({ preventScroll: true });
  board.fit();
  return replay({ game, parts, board, context, id, turn });
}

/** @type {{container: HTMLElement, board: import("./board.js").Board, sensors: string[]} | null} */
let kept = null;

/**
 * The board for a game: one for all of them, until the server says hello anew.
 * @param {Game} game
 * @param {Context} context
 */
async function boardFor(game, { looks, sensors }) {
  const all = looksOf(game, looks);
  if (kept?.sensors !== sensors) {
    const container = h("div", { class: "archive-board" });
    kept = { container, board: await createBoard(container, { sensors, looks: all }), sensors };
  }
  kept.board.setLooks(all);
  return kept;
}

/**
 * @param {{game: Game, parts: Parts, board: import("./board.js").Board, context: Context,
 *   id: string, turn: number}} of
 * @returns {Shown}
 */
function replay({ game, parts, board, context, id, turn }) {
  const last = game.turns.length;
  let at = -1;
  let timer = 0;
  const left = new AbortController();

  const pause = () => {
    clearInterval(timer);
    timer = 0;
    drawPlay(parts.play, false);
  };
  const go = (/** @type {number} */ to) => {
    const next = Math.min(last, Math.max(0, to));
    if (next === last && timer) pause();
    if (next === at) return;
    at = next;
    board.show(pictureOf(game, at));
    drawTurn(parts, game, at);
    if (isHere(parts.page)) history.replaceState(null, "", `#games/${encodeURIComponent(id)}/${at}`);
  };
  const byHand = (/** @type {number} */ to) => {
    pause();
    go(to);
  };
  const play = () => {
    if (timer) {
      pause();
      return;
    }
    if (at === last) go(0);
    timer = setInterval(() => (isHere(parts.page) ? go(at + 1) : pause()), PLAY_MS);
    drawPlay(parts.play, true);
  };

  parts.play.addEventListener("click", play);
  for (const [button, to] of parts.steps) button.addEventListener("click", () => byHand(to(at, last)));
  parts.bar.input.addEventListener("input", () => byHand(Number(parts.bar.input.value)));
  parts.turns.addEventListener("click", (/** @type {Event} */ event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button) byHand(Number(button.dataset.turn));
  });
  document.addEventListener(
    "keydown",
    (event) => {
      const to = KEYS[event.key];
      if (!to || !isFree(event) || !isHere(parts.page)) return;
      event.preventDefault();
      byHand(to(at, last));
    },
    { signal: left.signal },
  );
  equipShare(parts, { game, id, turn: () => at, context: () => context });
  drawBranch(parts, context);
  drawPlay(parts.play, false);
  go(turn < 0 ? last : turn);

  return {
    leave() {
      pause();
      left.abort();
    },
    go(to, next) {
      context = next;
      drawBranch(parts, context);
      if (to >= 0) byHand(to);
    },
  };
}

/** @type {Record<string, (at: number, last: number) => number>} */
const KEYS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Tell whether nothing else wants a key: a field, the board, a shortcut. @param {KeyboardEvent} event */
function isFree(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
    return false;
  }
  const at = event.target;
  return !(at instanceof Element && at.closest("input, textarea, select, [role=grid], [contenteditable]"));
}

/** @param {HTMLElement} page */
function isHere(page) {
  return page.isConnected && page.getClientRects().length > 0;
}

// ---- what it looks like

/** @param {Game} game @param {Looks} looks of the live page @returns {Looks} */
function looksOf(game, looks) {
  const colours = new Map(looks.meanings.map(({ name, colour }) => [name, colour]));
  return {
    meanings: LIGHTS.map((light) => ({ ...light, colour: colours.get(light.name) ?? light.colour })),
    pieces: { ...looks.pieces, ...game.looks },
  };
}

/** @param {Game} game @param {number} at @returns {import("./board.js").Picture} */
function pictureOf(game, at) {
  const { pieces } = game.positions[at];
  return { pieces, leds: at ? changes(game.positions[at - 1], game.positions[at]) : [] };
}

/** @param {Position} before @param {Position} after @returns {number[]} a light for every reed */
function changes(before, after) {
  const leds = new Array(54).fill(0);
  const was = lying(before);
  const is = lying(after);
  for (const at of was.keys()) if (!is.has(at)) leds[at] = LEFT;
  for (const [at, looks] of is) if (was.get(at) !== looks) leds[at] = CAME;
  return leds;
}

/** @param {Position} position @returns {Map<number, string>} */
function lying({ pieces }) {
  const found = new Map();
  for (const { at, look } of pieces) found.set(at, `${found.get(at) ?? ""} ${look}`);
  return found;
}

/** @param {Game} game @param {Context} context @param {HTMLElement} board */
function build(game, context, board) {
  const looks = looksOf(game, context.looks);
  const { headers } = game;
  const bar = timeBar(game.turns);
  const play = h("button", { type: "button", class: "archive-play" });
  const steps = [
    step("Start", "M7 5V19M18 5 9 12 18 19Z", KEYS.Home),
    step("One turn back", "M16 5 7 12 16 19Z", KEYS.ArrowLeft),
    step("One turn on", "M8 5 17 12 8 19Z", KEYS.ArrowRight),
    step("End", "M17 5V19M6 5 15 12 6 19Z", KEYS.End),
  ];
  const parts = {
    title: h("h1", { tabindex: "-1" }, ...title(headers)),
    bar,
    play,
    steps,
    board,
    now: h("p", { class: "archive-now", role: "status" }),
    sides: SIDES.map(() => h("span", { class: "archive-held" })),
    extra: h("span", { class: "archive-extra" }),
    turns: turnList(game),
    branch: h("button", { type: "button", class: "primary" }, "Play on from here"),
    copyPosition: h("button", { type: "button" }, "Copy position"),
    copyRecord: h("button", { type: "button" }, "Copy record"),
    picture: h("a", { class: "button", download: true }, "Save picture"),
    said: h("p", { class: "archive-said", role: "status" }),
    copied: h("div", { class: "archive-copied" }),
  };
  const record = h("a", { class: "button", href: recordPath(game.id), download: true }, "Save record");
  const page = h(
    "article",
    { class: "archive archive-replay" },
    h(
      "header",
      { class: "archive-head" },
      h("a", { class: "archive-back", href: "#games" }, "All games"),
      parts.title,
      h("p", { class: "archive-facts" }, factsOf(game)),
      game.note ? h("p", { class: "archive-note" }, `${capital(game.note)}.`) : null,
    ),
    h(
      "div",
      { class: "archive-stage" },
      parts.now,
      parts.board,
      h(
        "div",
        { class: "archive-controls" },
        h(
          "div",
          { class: "archive-steer", role: "group", "aria-label": "Steps" },
          steps[0][0],
          steps[1][0],
          play,
          steps[2][0],
          steps[3][0],
        ),
        bar.element,
      ),
      h(
        "p",
        { class: "archive-supplies" },
        SIDES.map((side, number) => supply(side, looks, parts.sides[number])),
        parts.extra,
      ),
    ),
    h(
      "div",
      { class: "archive-side-column" },
      h("h2", {}, "Turns"),
      parts.turns,
      share(game.understood),
      h(
        "div",
        { class: "archive-actions" },
        parts.branch,
        parts.copyPosition,
        parts.copyRecord,
        record,
        parts.picture,
      ),
      parts.said,
      parts.copied,
    ),
  );
  return { ...parts, page };
}

/** @typedef {ReturnType<typeof build>} Parts */

/**
 * @param {string} says
 * @param {string} path
 * @param {(at: number, last: number) => number} to
 * @returns {[HTMLButtonElement, (at: number, last: number) => number]}
 */
function step(says, path, to) {
  return [h("button", { type: "button", class: "archive-step", "aria-label": says, title: says }, icon(path)), to];
}

/** @param {string} path */
function icon(path) {
  const view = { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" };
  return s("svg", { class: "archive-icon", ...view }, s("path", { d: path }));
}

/** @param {Record<string, string>} headers */
function title(headers) {
  return SIDES.flatMap((side, number) => [
    number ? " – " : "",
    h("span", { class: `archive-chip ${side}`, "aria-hidden": "true" }),
    " ",
    h("span", { class: "archive-name" }, nameOf(headers[capital(side)], side)),
    h("span", { class: "unseen" }, ` (${side})`),
  ]);
}

/** @param {Game} game @returns {string} */
function factsOf({ headers, says, turns, id }) {
  const facts = [
    says.replace(/\.$/, ""),
    headers.Date.startsWith("?") ? "no date" : dateOf(headers.Date),
    `${turns.length} ${turns.length === 1 ? "turn" : "turns"}`,
    `${headers.Modules} game`,
    headers.Options,
    `id ${id}`,
  ];
  return facts.filter(Boolean).join(" · ");
}

/** @param {"white" | "black"} side @param {Looks} looks @param {HTMLElement} held */
function supply(side, looks, held) {
  return h("span", { class: "archive-supply" }, pieceIcon(looks, side), `${capital(side)}: `, held);
}

/** @param {Game} game */
function turnList({ turns }) {
  const row = (/** @type {number} */ number, /** @type {any[]} */ ...inside) =>
    h("li", {}, h("button", { type: "button", class: "archive-turn", "data-turn": number }, ...inside));
  return h(
    "ol",
    { class: "archive-turns", tabindex: "-1" },
    row(0, h("span", { class: "archive-no" }, "0"), h("span", { class: "archive-text" }, "The start")),
    turns.map((turn) =>
      row(
        turn.no,
        h("span", { class: "archive-no" }, String(turn.no)),
        h("span", { class: `archive-chip ${turn.player}`, "aria-hidden": "true" }),
        h("span", { class: "unseen" }, `${turn.player}: `),
        h("span", { class: "archive-text turn" }, turn.turn),
        h("span", { class: "archive-after" }, lengthOf(turn.seconds)),
        signOf(turn.understood),
      ),
    ),
  );
}

/** @param {number | null} seconds since the turn before @returns {string} */
function lengthOf(seconds) {
  if (seconds === null) return "";
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

// ---- what changes with the turn

/** @param {Parts} parts @param {Game} game @param {number} at */
function drawTurn(parts, game, at) {
  const turn = game.turns[at - 1];
  const position = game.positions[at];
  const isEnd = at === game.turns.length;
  const next = isEnd ? game.says : `${capital(position.mover)} to move.`;
  fill(
    parts.now,
    h("span", { class: "archive-now-no" }, at ? `Turn ${at} of ${game.turns.length}` : "The start"),
    turn ? h("span", { class: "archive-now-turn" }, `${capital(turn.player)}: `, h("span", { class: "turn" }, turn.turn)) : null,
    turn ? h("span", { class: "archive-now-words" }, capital(spell(turn.turn)), ".") : null,
    turn ? signOf(turn.understood) : null,
    h("span", { class: "archive-now-next" }, next),
  );
  parts.sides.forEach((side, number) => {
    const gone = position.captured[number];
    fill(side, list([`${position.supply[number]} in the supply`, ...(gone ? [`${gone} lost`] : [])]));
  });
  fill(parts.extra, position.extra);
  parts.bar.show(at, turn ? `turn ${at}, ${turn.player}: ${turn.turn}` : "the start");
  const steps = parts.steps.map(([button]) => button);
  [steps[0], steps[1]].forEach((button) => setDisabled(button, at === 0));
  [steps[2], steps[3]].forEach((button) => setDisabled(button, isEnd));
  markTurn(parts.turns, at);
  parts.picture.setAttribute("href", picturePath(position.position));
  parts.picture.setAttribute("download", `${game.id}-turn-${at}.svg`);
  fill(parts.copied);
  fill(parts.said);
}

/** A button that cannot be used keeps the focus: it is only said. @param {Element} button @param {boolean} is */
function setDisabled(button, is) {
  button.setAttribute("aria-disabled", String(is));
}

/** @param {HTMLElement} turns @param {number} at */
function markTurn(turns, at) {
  turns.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const row = /** @type {HTMLElement | null} */ (turns.querySelector(`[data-turn="${at}"]`));
  if (!row) return;
  row.setAttribute("aria-current", "step");
  const { top, bottom } = row.getBoundingClientRect();
  const box = turns.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) {
    turns.scrollTop += (top + bottom - box.top - box.bottom) / 2;
  }
}

/** @param {HTMLElement} button @param {boolean} isPlaying */
function drawPlay(button, isPlaying) {
  const says = isPlaying ? "Pause" : "Play";
  fill(button, icon(isPlaying ? "M8 5V19M16 5V19" : "M8 4 20 12 8 20Z"), h("span", {}, says));
}

// ---- what can be taken along

function goLive() {
  scrollTo(0, 0);
  location.hash = "#live";
}

/** @param {Parts} parts @param {Context} context */
function drawBranch({ branch }, { canBranch }) {
  branch.hidden = !canBranch;
}

/**
 * @param {Parts} parts
 * @param {{game: Game, id: string, turn: () => number, context: () => Context}} of
 */
function equipShare(parts, { game, id, turn, context }) {
  const say = (/** @type {string} */ text) => fill(parts.said, text);
  const tell = (/** @type {unknown} */ error) => say(error instanceof Error ? error.message : String(error));
  parts.copyPosition.addEventListener("click", () => {
    copy(game.positions[turn()].position, "position", parts.copied).then(say, tell);
  });
  parts.copyRecord.addEventListener("click", () => {
    askText(recordPath(id))
      .then((text) => copy(text, "record", parts.copied))
      .then(say, tell);
  });
  parts.branch.addEventListener("click", async () => {
    try {
      const reply = await context().request("branch", { game: id, turn: turn() });
      if (reply?.ok === false) say(reply.why ?? "This cannot be played on from here.");
      else goLive();
    } catch (error) {
      tell(error);
    }
  });
}
