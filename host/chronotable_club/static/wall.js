// @ts-check
/**
 * The wall: all tables of a club. As many as can be read from a few metres stand on one page; where
 * there are more, the pages turn by themselves, unless somebody holds them.
 */

import { byId, fill, h } from "/static/dom.js";
import { tr, trN } from "/static/language.js";
import { button } from "/static/parts.js";
import { openLine, showLine } from "/static/socket.js";
import { createLarge } from "./large.js";
import { createTile } from "./tile.js";

/** @import { Told } from "./tile.js" */

const TURN_MS = 15000;
const TICK_MS = 250;
/** A tile's least width and height, in parts of the screen's height: below that nobody reads it. */
const LEAST_WIDTH = 0.27;
const LEAST_HEIGHT = 0.17;
/** Width of a tile by its height: three boards side by side, with names. */
const SHAPE = 1.55;

/** @type {Map<string, Told>} */
const tables = new Map();
/** @type {Map<string, ReturnType<typeof createTile>>} */
const tiles = new Map();
let order = /** @type {string[]} */ ([]);
let places = /** @type {string[]} */ ([]);
let looks = /** @type {any} */ ({ meanings: [], pieces: {} });
let late = 0;
let leaf = 0;
let isHeld = false;
let opened = "";

const root = byId("tiles");
const of = { places: () => places, looks: () => looks, late: () => late };
const large = createLarge(byId("large"), { ...of, close: () => (location.hash = "") });

/** Whether all tables stand below each other, as on a phone. */
function isList() {
  return window.matchMedia("(max-width: 700px)").matches;
}

/**
 * How many columns and rows fill the room with the largest tiles.
 * @param {number} count @param {number} width @param {number} height
 */
export function gridFor(count, width, height) {
  let best = { columns: 1, rows: count, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns, (height / rows) * SHAPE);
    if (size > best.size) best = { columns, rows, size };
  }
  return best;
}

/** How many tables a page has: as few pages as can be read, and about as many on each. */
function perLeaf() {
  const { clientWidth: width, clientHeight: height } = root.parentElement ?? root;
  if (isList() || !height) return Math.max(1, order.length);
  const most = Math.max(1, Math.floor(width / (LEAST_WIDTH * height)) * Math.floor(1 / LEAST_HEIGHT));
  return Math.ceil(order.length / Math.ceil(order.length / most)) || 1;
}

/** Show the tables of the present page, and those alone. */
function arrange() {
  const each = perLeaf();
  const leaves = Math.max(1, Math.ceil(order.length / each));
  leaf %= leaves;
  const shown = order.slice(leaf * each, (leaf + 1) * each).filter((id) => tables.has(id));
  for (const id of [...tiles.keys()]) if (!tables.has(id)) tiles.delete(id);
  const elements = shown.map((id) => {
    const tile = tiles.get(id) ?? createTile(of);
    tiles.set(id, tile);
    return tile;
  });
  const isSame = elements.length === root.children.length && elements.every(({ element }, at) => root.children[at] === element);
  const { clientWidth: width, clientHeight: height } = root.parentElement ?? root;
  const { columns, rows } = gridFor(Math.max(1, Math.min(each, order.length)), width, height || 1);
  root.style.setProperty("--columns", String(columns));
  root.style.setProperty("--rows", String(rows));
  if (!isSame || !elements.length) {
    fill(root, elements.length ? elements.map(({ element }) => element) : h("li", { class: "nobody" }, tr("No table is in the club yet. The director's page adds them.")));
  }
  for (const id of shown) tiles.get(id)?.show(/** @type {Told} */ (tables.get(id)));
  drawLeaves(leaves);
}

/** The pages to choose from, and whether they turn. @param {number} leaves */
function drawLeaves(leaves) {
  const nav = byId("leaves");
  const isHidden = leaves < 2 || Boolean(opened);
  const key = `${leaves} ${leaf} ${isHeld} ${isHidden}`;
  if (nav.dataset.drawn === key) return;
  nav.dataset.drawn = key;
  nav.hidden = isHidden;
  const numbers = Array.from({ length: leaves }, (_, at) =>
    button(String(at + 1), () => go(at), { "aria-current": at === leaf ? "page" : null, "aria-label": tr("Page {n}", { n: at + 1 }) }),
  );
  const hold = button(tr("Hold"), () => ((isHeld = !isHeld), arrange()), { class: "hold", "aria-pressed": String(isHeld) });
  fill(nav, numbers, hold);
}

/** @param {number} at */
function go(at) {
  leaf = at;
  isHeld = true;
  arrange();
}

function drawSum() {
  const states = [...tables.values()].map(({ state }) => state);
  const playing = states.filter((state) => state === "playing" || state === "locked").length;
  const over = states.filter((state) => state === "over").length;
  const parts = [trN("{n} table", "{n} tables", order.length), trN("{n} game going on", "{n} games going on", playing)];
  if (over) parts.push(trN("{n} is over", "{n} are over", over));
  const text = parts.join(" · ");
  if (byId("sum").textContent !== text) byId("sum").textContent = text;
}

/** Show the table that the address names, or all of them. */
function follow() {
  const match = /^#table\/([a-z0-9]+)$/.exec(location.hash);
  const next = match && tables.has(match[1]) ? match[1] : "";
  const isNew = next !== opened;
  const former = opened;
  opened = next;
  byId("large").hidden = !opened;
  root.hidden = Boolean(opened);
  if (opened) large.show(/** @type {Told} */ (tables.get(opened)));
  else arrange();
  drawLeaves(Math.max(1, Math.ceil(order.length / perLeaf())));
  if (isNew && opened) large.focus();
  else if (isNew && former) tiles.get(former)?.link.focus({ preventScroll: true });
}

/** @param {any} message */
function hear(message) {
  if (message.type === "hello") {
    ({ places, looks } = message);
    document.title = `${message.club} · Chronotable`;
    fill(byId("club"), message.club);
    tables.clear();
    for (const tile of tiles.values()) tile.forget();
  } else if (message.type === "tables") {
    late = message.now_ms - Date.now();
    for (const told of message.tables) tables.set(told.id, told);
    if (message.order) {
      order = message.order;
      for (const id of [...tables.keys()]) if (!order.includes(id)) tables.delete(id);
    }
    drawSum();
    if (location.hash && !opened) follow();
    if (opened && tables.has(opened)) large.show(/** @type {Told} */ (tables.get(opened)));
    else if (opened) follow();
    else arrange();
  }
}

openLine("/ws", { message: hear, state: showLine });
addEventListener("hashchange", follow);
addEventListener("resize", () => opened || arrange());
addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && opened) location.hash = "";
});
setInterval(() => {
  if (opened) large.tick();
  else for (const tile of tiles.values()) if (tile.element.isConnected) tile.tick();
}, TICK_MS);
setInterval(() => {
  if (isHeld || opened || document.hidden || root.contains(document.activeElement)) return;
  leaf += 1;
  arrange();
}, TURN_MS);
