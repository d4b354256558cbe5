// @ts-check
/** The graph of a game as a table: each turn, what it left of the chances, and what was better. */

import { h } from "./dom.js";
import { tr } from "./language.js";
import { folder } from "./parts.js";
import { addressOf } from "./turns.js";
import { betterChance, betterText, chanceAfter, verdictFigure, verdictLegend, verdictName } from "./verdicts.js";
import { bothCalled, capital, COLOURS } from "./words.js";

/** @import { Game, Told } from "./replay.js" */

/** Make the card with the table and with what the marks mean; null where no turn was analysed. @param {Game} game */
export function judgedTurns({ id, turns, headers }) {
  const called = bothCalled([headers.White, headers.Black]);
  const judged = turns.filter(({ said }) => said);
  if (!judged.length) return null;
  const heads = [tr("Turn"), tr("Afterwards"), tr("How it was")];
  const table = h(
    "table",
    { class: "judged-turns", "aria-label": tr("What each turn was worth") },
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, judged.map((turn) => row(turn, addressOf(id, turn.no), called))),
  );
  return folder(tr("What each turn was worth"), {}, verdictLegend(), table);
}

/** @param {Told} turn @param {string} address @param {string[]} called */
function row(turn, address, called) {
  const { no, player, said } = turn;
  if (!said) return null;
  const who = COLOURS[player === "white" ? 0 : 1];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: address }, `${no} ${who}`)),
    h("td", {}, chanceAfter(said, called)),
    h("td", {}, verdictFigure(said.mark), [`${capital(verdictName(said.mark))}.`, said.why, betterText(turn), betterChance(turn, called), said.best_why].filter(Boolean).join(" ")),
  );
}
