// @ts-check
/** An owner's box: what is printed there is entered card by card; each value is kept at once. */

import { byId, fill, h, whenChanged } from "/static/dom.js";
import { tr } from "/static/language.js";
import { openLine } from "/static/socket.js";
import { glyph } from "/night/static/drawing.js";
import { fetchGame, wear } from "/night/static/game.js";
import { button } from "/night/static/parts.js";

/**
 * What the server tells of a box. A mistake is a place and why; a place begins with its field's.
 * @typedef {string | number | null} Value
 * @typedef {{place: string, label: string, kind: string, choices: string, value: Value | Value[]}} Field
 * @typedef {{key: string, group: string, title: string, shows: string | number | null, fields: Field[]}} Item
 * @typedef {{game: string, title: string, items: Item[], choices: Record<string, [Value, string][]>,
 *   entered: string[], mistakes: [string, string][], printed: any}} Box
 */

const ELSE = "else"; // is no value of a list: those are told by their number
let game = new URLSearchParams(location.search).get("game") ?? "";
/** @type {Box | null} */
let box = null;
/** The key of the item that is entered now. */
let at = "";
let trouble = "";
let isOnline = false;
/** @type {any} */
let drawing = null;
/** What was typed and could not be kept yet, by place. @type {Map<string, Value | Value[]>} */
const unkept = new Map();

const sample = h("div", { class: "sample" });
const elsewhere = h("div", { class: "elsewhere" });
const fields = h("form", { class: "entering", on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), confirm()) } });
const picker = h("select", { "aria-label": tr("Card or tile"), on: { change: () => show(picker.value) } });
const progress = h("progress", { "aria-label": tr("Entered") });
const foot = h("div", { class: "steps" });
byId("mover").append(glyph("event"));
fill(byId("field"), h("div", { class: "which" }, picker, progress), h("div", { class: "item panel", tabindex: 0, role: "region", "aria-label": tr("What is printed on it") }, sample, h("div", {}, fields, elsewhere)), foot);

const [, , token] = location.pathname.split("/"); // of a seat, where it is one's page
const line = openLine(token ? `/night/socket/${token}` : "/night/socket", {
  message: ({ games = [] }) => {
    if (box || !isOnline) return;
    game ||= games.find((/** @type {import("./types.js").Offered} */ each) => each.box)?.name ?? "";
    ask("box");
  },
  state: ({ online, why }) => {
    isOnline = online;
    trouble = online ? "" : why || tr("The table is away. It comes back by itself.");
    if (online) for (const [place, value] of unkept) enter(place, value);
    update();
  },
});
window.addEventListener("beforeunload", (event) => unkept.size && event.preventDefault());

/** Ask for something about the box, and show what there is then. @param {string} what @param {Record<string, unknown>} [values] */
async function ask(what, values = {}) {
  const { ok, why = "", box: told } = await line.request(what, { game, ...values });
  trouble = ok ? "" : why;
  if (told) {
    const isFirst = !box;
    box = /** @type {Box} */ (told);
    drawing ??= await fetchGame(game, "sample");
    wear(game);
    if (isFirst) show(next() ?? box.items[0].key);
  }
  update();
  return ok;
}

/** Keep a value; where that fails it stays, and is sent again. @param {string} place @param {Value | Value[]} value */
async function enter(place, value) {
  unkept.set(place, value);
  const isKept = await ask("enter", { place, value });
  if (isKept && unkept.get(place) === value) unkept.delete(place);
  update();
}

/** The item is as it is in the box: on to the next that nobody has compared. */
async function confirm() {
  if (box?.entered.includes(at) || (await ask("mark", { item: at, on: true }))) show(next() ?? beside(1));
  else (fields.querySelector("input[aria-invalid=true]:not([hidden])") ?? fields.querySelector("[aria-invalid=true]"))?.focus();
}

/** The next item that is not entered yet, after this one, then from the beginning. */
function next() {
  const items = box?.items ?? [];
  const now = items.findIndex(({ key }) => key === at);
  return [...items.slice(now + 1), ...items.slice(0, now + 1)].find(({ key }) => !box?.entered.includes(key))?.key;
}

/** The item so many further on. @param {number} by */
function beside(by) {
  const items = box?.items ?? [];
  const now = items.findIndex(({ key }) => key === at);
  return items[(now + by + items.length) % items.length].key;
}

/** Show an item's fields. @param {string} key */
function show(key) {
  const item = box?.items.find((each) => each.key === key);
  if (!item) return;
  at = key;
  if (isOnline) trouble = "";
  fill(fields, ...item.fields.map(entry), h("button", { hidden: true })); // which has Enter submit
  fields.parentElement.parentElement.scrollTop = 0;
  update();
}

/** Draw what goes by what is known by now; the fields stay, somebody may be typing. */
function update() {
  byId("line").textContent = trouble || (box ? tr("{n} of {all} entered", { n: box.entered.length, all: box.items.length }) : tr("Looking for the table"));
  byId("line").classList.toggle("trouble", Boolean(trouble));
  const item = box?.items.find(({ key }) => key === at);
  if (!box || !item) return;
  byId("headline").textContent = tr("Our box: {game}", { game: box.title });
  progress.max = box.items.length;
  progress.value = box.entered.length;
  const { entered } = box;
  list(box.items.map(({ key, group, title }) => [key, group, `${entered.includes(key) ? "✓ " : ""}${title}`]));
  picker.value = at;
  fill(sample, item.shows === null ? null : drawing?.sample?.(box.printed, item.shows));
  const within = (/** @type {string} */ place, /** @type {string} */ other) => `${place}.`.startsWith(`${other}.`);
  for (const said of fields.querySelectorAll("[data-place]")) {
    const { place } = said.dataset;
    const why = box.mistakes.find(([wrong]) => within(wrong, place))?.[1] ?? "";
    said.textContent = unkept.has(place) && trouble ? trouble : why;
    for (const control of said.parentElement.querySelectorAll("input, select")) control.setAttribute("aria-invalid", String(Boolean(said.textContent)));
  }
  const others = box.mistakes.filter(([wrong]) => !item.fields.some(({ place }) => within(wrong, place)));
  fill(elsewhere, ...others.map(([wrong, why]) => mistake(wrong, why, within)));
  const isEntered = entered.includes(at);
  fill(
    foot,
    button("plain", "←", () => show(beside(-1)), "", null, tr("The one before")),
    isEntered ? button("plain", tr("Not sure"), () => ask("mark", { item: at, on: false })) : null,
    button("main", isEntered ? tr("Next") : tr("So it is in our box"), confirm, "main"),
    button("plain", "→", () => show(beside(1)), "", null, tr("The one after")),
  );
}

/** A mistake in another item, which it leads to. @param {string} wrong @param {string} why @param {(place: string, other: string) => boolean} within */
function mistake(wrong, why, within) {
  const item = box?.items.find(({ key, fields: all }) => [key, ...all.map(({ place }) => place)].some((place) => within(wrong, place)));
  return item ? button("plain trouble", `${item.title}: ${why}`, () => show(item.key)) : h("p", { class: "trouble" }, why);
}

/** Draw the items to choose from; who types the name of one is not disturbed. */
const list = whenChanged((/** @type {[string, string, string][]} */ items) => {
  const groups = [...new Set(items.map(([, group]) => group))];
  const option = (/** @type {string[]} */ [value, , title]) => h("option", { value }, title);
  fill(picker, ...groups.map((label) => h("optgroup", { label }, ...items.filter(([, group]) => group === label).map(option))));
});

/** A field with its label, and below it what would be right. @param {Field} field */
function entry(field) {
  const { place, label, kind } = field;
  const value = unkept.has(place) ? /** @type {Value} */ (unkept.get(place)) : field.value;
  const control = (CONTROLS[kind] ?? typed)(field, value, (it) => enter(place, it));
  const group = kind === "several" || kind === "phrase" ? { role: "group", "aria-label": label } : {};
  return h("div", { class: `entry ${kind}`, ...group }, h("span", { "aria-hidden": "true" }, label), control, h("p", { class: "trouble", role: "status", "data-place": place }));
}

/** @typedef {(field: Field, value: Value | Value[], keep: (value: Value | Value[]) => void) => Element} Control */

/** A number where it is one, nothing where nothing is typed, else what was typed. @param {string} text @returns {Value} */
function read(text) {
  return /^\d{1,9}$/.test(text) ? Number(text) : text || null;
}

/** @type {Control} */
function typed({ label, kind }, value, keep) {
  const isText = kind === "text" || kind === "phrase";
  const words = (/** @type {string} */ text) => text.split(/[\s,;]+/).filter(Boolean);
  const send = () => {
    const text = input.value.trim();
    keep(kind === "numbers" ? words(text).map(read) : isText ? text || null : read(text));
  };
  const shown = Array.isArray(value) ? value.join(" ") : (value ?? "");
  const input = h("input", { value: shown, maxlength: 100, "aria-label": label, inputmode: isText ? null : "numeric", autocomplete: "off", spellcheck: "false", on: { change: send } });
  return input;
}

/** @param {Field} field @param {Value} value @param {(value: string) => void} choose is given its number in the list @param {[string, string][]} [more] */
function select({ label, choices }, value, choose, more = []) {
  const all = box?.choices[choices] ?? [];
  const known = all.map(([each, words], number) => h("option", { value: number, selected: each === value }, words));
  const others = more.map(([each, words]) => h("option", { value: each, selected: !all.some(([it]) => it === value) }, words));
  return h("select", { "aria-label": label, on: { change: (/** @type {any} */ event) => choose(event.target.value) } }, ...known, ...others);
}

/** @type {Record<string, Control>} */
const CONTROLS = {
  choice(field, value, keep) {
    const all = box?.choices[field.choices] ?? [];
    const isKnown = all.some(([each]) => each === value);
    return select(field, /** @type {Value} */ (value), (number) => keep(all[Number(number)][0]), isKnown ? [] : [[ELSE, String(value)]]);
  },
  phrase(field, value, keep) {
    const all = box?.choices[field.choices] ?? [];
    const input = /** @type {HTMLInputElement} */ (typed({ ...field, label: tr("{label}, typed", { label: field.label }) }, value, keep));
    const choose = (/** @type {string} */ number) => {
      input.hidden = number !== ELSE;
      if (input.hidden) keep(all[Number(number)][0]);
      else input.focus();
    };
    input.hidden = all.some(([each]) => each === value);
    return h("div", {}, select(field, /** @type {Value} */ (value), choose, [[ELSE, tr("something else, typed")]]), input);
  },
  several(field, value, keep) {
    const all = box?.choices[field.choices] ?? [];
    const room = h("div", {});
    const selects = () => /** @type {HTMLSelectElement[]} */ ([...room.children]);
    const add = (/** @type {Value} */ each, /** @type {string} */ without) => {
      const label = tr("{label}, {n}", { label: field.label, n: room.children.length + 1 });
      room.append(select({ ...field, label }, each, choose, [[ELSE, without]]));
    };
    const choose = () => {
      const chosen = selects().map((each) => each.value);
      if (chosen.at(-1) !== ELSE) add(null, tr("one more"));
      keep(chosen.filter((each) => each !== ELSE).map((each) => all[Number(each)][0]));
    };
    for (const each of Array.isArray(value) ? value : []) add(each, tr("none"));
    add(null, tr("one more"));
    return room;
  },
};
