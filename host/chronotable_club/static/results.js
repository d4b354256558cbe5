// @ts-check
/** The results of a club: each game that a table delivered, the latest first. */

import { ask } from "/static/answers.js";
import { byId, fill, h, whenChanged } from "/static/dom.js";
import { tr, trN } from "/static/language.js";
import { nameOf } from "/static/words.js";

const EVERY_MS = 10000;
const WINNERS = ["1-0", "0-1"];

/** @typedef {{id: string, date: string, table: string, white: string, black: string, result: string, turns: number}} Result */

/** @param {Result} each */
function row({ id, date, table, white, black, result, turns }) {
  const winner = WINNERS.indexOf(result);
  const name = (/** @type {number} */ player) => h("td", { class: winner === player ? "won" : "" }, nameOf([white, black][player], ["white", "black"][player]));
  const link = h("a", { href: `/replay/${encodeURIComponent(id)}`, "aria-label": tr("Replay of {white} against {black}", { white, black }) }, tr("Replay"));
  return h("tr", {}, h("td", {}, date), h("td", {}, table), name(0), name(1), h("td", {}, result === "*" ? tr("going on") : result), h("td", { class: "end" }, turns), h("td", {}, turns ? link : ""));
}

const draw = whenChanged((/** @type {Result[]} */ results) => {
  const heads = [tr("Date"), tr("Table"), tr("White"), tr("Black"), tr("Result"), tr("Turns"), tr("Replay")];
  fill(byId("results"), h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, results.map(row)));
});

async function show() {
  try {
    const { results } = await ask("/api/results");
    draw(results);
    byId("sum").textContent = trN("{n} game", "{n} games", results.length);
  } catch (error) {
    byId("sum").textContent = error instanceof Error ? error.message : String(error);
  }
}

show();
setInterval(() => document.hidden || show(), EVERY_MS);
