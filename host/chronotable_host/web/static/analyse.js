// @ts-check
/**
 * The analysis board: any position, where turns are tried, branch and are compared. Addresses are
 * `#analyse/game/ID/TURN` and `#analyse/position/TEXT`, and behind each the turns that were tried.
 */

import { ask } from "./answers.js";
import { copy, POSITION } from "./clipboard.js";
import { fill, h, hearKeys, keepPresses, whenChanged } from "./dom.js";
import { tr } from "./language.js";
import { button, folder, wayBack } from "./parts.js";
import { readGame } from "./replay.js";
import { addressOf, analysisOf, focusTo, reveal, turnRow } from "./turns.js";
import { note, say } from "./speak.js";
import { remark } from "./replaystage.js";
import { tried } from "./trying.js";
import { createSide, knob, setDisabled } from "./stepping.js";
import { createTryStage } from "./trystage.js";
import { begun, cut, added, leaving, rowsFrom, wayTo } from "./variations.js";
import { showView } from "./views.js";
import { chanceText } from "./verdicts.js";
import { capital, doneBy, lineText, nameOf, sideName, SIDES, written } from "./words.js";
import { createWorth, percent, think, worthSays } from "./worth.js";

/** @import { Branch } from "./variations.js" */
/** @import { Context } from "./archive.js" */
/**
 * What the board begins with; `kept` are the variations of the record, from the game on.
 * @typedef {{root: Branch, options: string, names: string[], id: string, pieces?: any,
 *   kept: import("./answers.js").Variation[], isOver: boolean}} Begun
 */

const START = "w..............b/w..............b/w..............b 0 2 4 4 w";
const WINNERS = /** @type {Record<string, string>} */ ({ "1-0": "white", "0-1": "black" });
const PAUSE_MS = 200; // who only leafs through has nothing thought about
const REMEMBERED = 12; // turns: to come back to a position is a draw
const LINES = 3;

/**
 * Show the analysis board in `root`. The same game, or position, is not drawn anew.
 * @param {HTMLElement} root
 * @param {string[]} route the parts of the address, decoded
 * @param {Context} context
 */
export async function showAnalysis(root, [, kind = "", from = "", ...rest], context) {
  const isGame = kind === "game" && Boolean(from);
  const where = isGame ? from : from || START;
  const make = async (/** @type {() => boolean} */ isWanted) => {
    const start = await (isGame ? ofGame(where) : ofPosition(where));
    return isWanted() ? board(root, context, start, rest) : { leave() {} };
  };
  await showView(root, `${isGame ? "game" : "position"}/${where}`, make, rest);
}

/** @param {string} id @returns {Promise<Begun>} */
async function ofGame(id) {
  const { turns, positions, headers, looks, result, variations: kept, starting_comment: opening } = await readGame(id);
  const root = { ...begun(positions[0]), opening };
  turns.reduce((at, turn, number) => {
    const over = number === turns.length - 1 && headers.Termination === "normal" ? WINNERS[result] : null;
    return added(at, { turn: turn.turn, story: turn, position: positions[number + 1], over }, true);
  }, root);
  const names = SIDES.map((side) => nameOf(headers[capital(side)], side));
  return { root, options: headers.Options, names, id, pieces: looks, kept, isOver: result !== "*" };
}

/** @param {string} text @returns {Promise<Begun>} */
async function ofPosition(text) {
  const { position, over } = await ask(`/api/try?${new URLSearchParams({ position: text })}`);
  return { root: begun(position, over), options: "", names: SIDES.map(sideName), id: "", kept: [], isOver: false };
}

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Begun} start
 * @param {string[]} rest of the address: the turn of a game, and the turns that were tried
 */
function board(root, context, { root: first, options, names, id, pieces, kept, isOver }, rest) {
  let at = first;
  let wantsBest = false;
  let chosen = 0; // of the lines
  /** Which turn one comes from, where several lead on. @type {WeakMap<Branch, Branch>} */
  const visited = new WeakMap();
  let thinking = new AbortController();
  let moves = 0; // how often one went somewhere, or set out: an address that comes late is let go
  const left = new AbortController();

  const worth = createWorth();
  const before = knob("before", tr("One turn back"), () => (stage.trying.canBack() ? stage.trying.back() : at.parent && go(at.parent)));
  const after = knob("after", tr("One turn on"), () => onward() && go(/** @type {Branch} */ (onward())));
  const best = knob("best", tr("Show the best turn"), () => showBest(!wantsBest));
  const turns = h("ol", { class: "turns", tabindex: "0", "aria-label": tr("Turns and variations") });
  const lines = h("ol", { class: "lines", tabindex: "0", "aria-label": tr("The best lines") });
  const back = id ? wayBack(tr("Back to the game")) : wayBack(tr("All games"), "#games");
  const keep = button(tr("Keep it in the record"), () => keepIt());
  const remove = button(tr("Remove this variation"), () => forget());
  const field = h("input", { type: "text", spellcheck: "false" });
  const said = h("div", { role: "status" });
  const side = createSide(
    root,
    tr("Turns and variations"),
    () => showNow(),
    h("h2", {}, id ? tr("{white} against {black}", { white: names[0], black: names[1] }) : tr("Analysis board")),
    turns,
    keep,
    remove,
    folder(tr("Position"), {}, positionForm(field, said)),
  );
  const controls = [h("div", { class: "knobs", role: "group", "aria-label": tr("Steps") }, before, after, best, side.list), worth.element];
  const stage = createTryStage(context, { names, pieces, controls, back, changed, played, below: lines });
  stage.count(first.position);

  /** @returns {Branch | undefined} */
  function onward() {
    return visited.get(at) ?? at.children[0];
  }

  /** @param {Branch} to */
  function go(to) {
    moves += 1;
    if (at !== to) chosen = 0;
    at = to;
    for (let each = to; each.parent; each = each.parent) visited.set(each.parent, each);
    history.replaceState(null, "", addressTo(to));
    if (id) back.href = addressOf(id, leaving(to).no);
    drawTurns();
    field.value = to.position.position;
    ponder(to);
    return stage.trying.begin(to.position.position, options, to.told);
  }

  /** @param {Branch} to @returns {string} */
  function addressTo(to) {
    const played = leaving(to);
    const tried = wayTo(to).slice(played.no).map(({ turn }) => turn);
    if (id) return analysisOf(id, played.no, tried);
    return ["#analyse/position", ...[first.position.position, ...wayTo(to).map(({ turn }) => turn)].map(encodeURIComponent)].join("/");
  }

  /** @param {import("./trying.js").Tried} now */
  function changed(now) {
    const told = at.told ? doneBy(at.told) : "";
    stage.tell({ says: now.says, note: stage.trying.canBack() ? now.note : told, position: now.position, over: at.over ?? now.over });
    setDisabled(before, !at.parent && !stage.trying.canBack());
    setDisabled(after, !onward());
  }

  /** @param {import("./trying.js").Tried} whole */
  function played(whole) {
    go(added(at, /** @type {any} */ (whole)));
  }

  async function forget() {
    const gone = at;
    const { parent } = gone;
    if (!parent || gone.isPlayed || (gone.isKept && !(await asks("drop_variation", gone)))) return;
    cut(gone);
    visited.delete(parent);
    go(parent);
    turns.focus();
  }

  // ---- the record

  async function keepIt() {
    const last = at;
    if (!(await asks("keep_variation", last))) return;
    for (const each of wayTo(last)) each.isKept = !each.isPlayed;
    note(tr("It is kept in the record."), "news");
    drawTurns();
    turns.focus();
  }

  /** Have the record changed; resolves to whether it was. @param {string} what @param {Branch} branch */
  async function asks(what, branch) {
    const { no } = leaving(branch);
    const line = wayTo(branch).slice(no).map(({ turn }) => turn).join(";");
    const { ok, why } = await context.request(what, { game: id, turn: no + 1, line });
    if (!ok) note(capital(why ?? tr("The record could not be changed.")));
    return ok;
  }

  /** Whether there is a turn of the game that it stands for. @param {Branch} branch */
  function hasPlace(branch) {
    return isOver && !branch.isPlayed && Boolean(leaving(branch).children[0]?.isPlayed);
  }

  /** Show the variations that the record has. */
  async function showKept() {
    for (const { no, turns: way, own, starting_comment } of kept) {
      const last = await walk(no - 1, way).catch(() => null);
      const line = last ? wayTo(last) : [];
      for (const each of line) each.isKept = !each.isPlayed;
      if (last) line[line.length - own].opening = starting_comment;
    }
    if (kept.length && !left.signal.aborted) drawTurns();
  }

  // ---- what it is worth

  /** @param {Branch} branch */
  function ponder(branch) {
    thinking.abort();
    const mine = (thinking = new AbortController());
    drawWorth();
    if (branch.over || branch.worth?.isDone) return;
    const from = wayTo(branch).at(-REMEMBERED - 1) ?? first;
    const asked = { position: from.position.position, options, turns: wayTo(branch).slice(from.no).map(({ turn }) => turn), lines: LINES };
    const heard = (/** @type {any} */ found) => {
      if (branch.worth && branch.worth.depth > found.depth) return;
      branch.worth = found;
      drawWorth();
    };
    setTimeout(async () => {
      if (mine.signal.aborted) return;
      try {
        await think(asked, heard, mine.signal);
        if (mine.signal.aborted || !branch.worth) return;
        branch.worth.isDone = true;
        say(worthSays(branch.worth));
      } catch (error) {
        if (!mine.signal.aborted) worth.show(null, error instanceof Error ? error.message : String(error));
      }
    }, PAUSE_MS);
  }

  function drawWorth() {
    const reviewed = at.isPlayed ? /** @type {import("./replay.js").Told | null} */ (at.told)?.said : null;
    worth.show(at.worth, at.over ? tr("The game is over.") : undefined, reviewed);
    drawTag(at);
    const found = at.worth?.lines ?? [];
    stage.trying.point(wantsBest ? (found[chosen]?.line[0] ?? null) : null);
    drawLines({ found, shown: wantsBest ? chosen : -1 });
    setDisabled(best, !found.length);
  }

  const drawLines = whenChanged((/** @type {{found: import("./worth.js").Line[], shown: number}} */ { found, shown }) => {
    const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset.line;
    fill(
      lines,
      found.map(({ value, chance, line }, number) => {
        const show = () => ((chosen = number), showBest(shown !== number));
        const one = (/** @type {import("./worth.js").LineTurn} */ turn, /** @type {number} */ no) => {
          // what tells lines from each other comes first: the rest is cut where there is no room
          const told = [h("b", { class: "plain" }, turn.where, " "), h("b", { class: "notation" }, written(turn.turn), " "), focusTo(turn.player, turn.focus), h("span", { class: "plain" }, ` ${capital(turn.plan)}`)];
          return button("", () => take(line.slice(0, no + 1)), { class: turn.player, title: capital(lineText(turn)), "data-line": `${number} ${no}` }, told);
        };
        return h("li", {}, button(tr("{percent} %", { percent: percent(chance) }), show, { class: "chance", "data-line": number, "aria-pressed": String(shown === number), title: chanceText(value, chance) }), line.map(one));
      }),
      found.length ? null : h("li", { class: "faint" }, at.over ? "" : tr("Nothing is known yet.")),
    );
    /** @type {HTMLElement | null} */ (lines.querySelector(`[data-line="${focused}"]`))?.focus();
  });

  /** Go along turns of a line. @param {import("./worth.js").LineTurn[]} way */
  async function take(way) {
    const mine = ++moves;
    try {
      const to = await along(at, way.map(({ turn }) => turn));
      if (mine === moves && !left.signal.aborted) await go(to);
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {boolean} is */
  function showBest(is) {
    wantsBest = is;
    best.setAttribute("aria-pressed", String(is));
    drawWorth();
    const told = at.worth?.lines[chosen]?.line[0];
    if (is && told) say(lineText(told));
  }

  // ---- the turns

  function drawTurns() {
    fill(turns, remark(first.opening, "li"), rowsFrom(first).flatMap(row));
    if (!turns.childElementCount) fill(turns, h("li", { class: "none" }, tr("Nothing was tried yet.")));
    remove.hidden = at.isPlayed;
    keep.hidden = at.isKept || !hasPlace(at);
    showNow();
  }

  function showNow() {
    reveal(turns, turns.querySelector('[aria-current="step"]'));
  }

  /** @param {import("./variations.js").Row} row @returns {any[]} */
  function row({ branch, instead }) {
    const { told, no, turn } = branch;
    const element = turnRow({ no, player: told?.player, turn, says: told?.says, focus: told?.focus }, addressTo(branch));
    const isNow = branch === at;
    element.classList.toggle("now", isNow);
    element.classList.toggle("tried", !branch.isPlayed);
    if (isNow) element.setAttribute("aria-current", "step");
    element.dataset.no = String(no);
    const place = element.querySelector(".entry > span:last-child");
    tags.set(branch, place);
    if (branch.isKept) place?.append(" ", h("span", { class: "tag" }, tr("kept")));
    drawTag(branch);
    const label = tr("In the place of turn {no}", { no });
    const others = instead.map((rows) => {
      const list = [remark(rows[0].branch.opening, "li"), ...rows.flatMap(row)];
      return h("li", { class: "variation" }, h("ol", { "aria-label": label }, list));
    });
    return [element, ...others];
  }

  /** Say how White's chance is behind a turn. @param {Branch} branch */
  function drawTag(branch) {
    const place = tags.get(branch);
    place?.querySelector(".worth-tag")?.remove();
    if (!branch.worth) return;
    const says = worthSays(branch.worth);
    place?.append(h("span", { class: "tag worth-tag", title: says }, tr("{percent} %", { percent: percent(branch.worth.chance) })));
  }

  // ---- coming and going

  /** Go where an address leads, trying what is not there yet. @param {string[]} parts */
  async function follow(parts) {
    const mine = ++moves;
    try {
      const to = await walk(id ? Number(parts[0] ?? 0) : 0, parts.slice(id ? 1 : 0));
      if (left.signal.aborted) return;
      if (mine === moves) await go(to);
      else drawTurns(); // one has gone elsewhere meanwhile: it is listed, and no more
    } catch (error) {
      if (mine !== moves || left.signal.aborted) return;
      note(error instanceof Error ? error.message : String(error));
      await go(first);
    }
  }

  /** @param {number} no of a turn of the game @param {string[]} way the turns behind it @returns {Promise<Branch>} */
  async function walk(no, way) {
    let to = first;
    while (to.no < no && to.children[0]?.isPlayed) to = to.children[0];
    return along(to, way);
  }

  /** @param {Branch} to @param {string[]} way the turns behind it @returns {Promise<Branch>} */
  async function along(to, way) {
    for (const turn of way) {
      const known = to.children.find((each) => each.turn === turn);
      to = known ?? added(to, await tried(to.position.position, options, turn));
    }
    return to;
  }

  keepPresses(lines, left.signal);
  hearKeys(left.signal, {
    ArrowLeft: () => before.click(),
    ArrowRight: () => after.click(),
    " ": () => take((at.worth?.lines[chosen]?.line ?? []).slice(0, 1)),
    Escape: () => side.close(),
  });

  root.classList.add("playing");
  fill(root, stage.element, side.element);
  stage.title.focus({ preventScroll: true });
  follow(rest).then(showKept);
  return {
    leave() {
      thinking.abort();
      left.abort();
    },
    go: follow,
  };
}

/** The rows' places for what a turn is worth. @type {WeakMap<Branch, Element | null>} */
const tags = new WeakMap();

/** @param {HTMLInputElement} field @param {HTMLElement} said */
function positionForm(field, said) {
  const look = () => (location.hash = `#analyse/position/${encodeURIComponent(field.value.trim())}`);
  const take = () => copy(field.value, POSITION, said).then((text) => fill(said, text));
  return h(
    "form",
    { on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), look()) } },
    h("label", { class: "field" }, h("span", {}, tr("As it is written")), field),
    h("div", { class: "tools" }, h("button", {}, tr("Look at it")), button(tr("Copy position"), take)),
    said,
  );
}
