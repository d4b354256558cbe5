// @ts-check
/** The director's page: what is wrong, the tables and their tokens. */

import { byId, fill, h, whenChanged } from "/static/dom.js";
import { language, tr, trN } from "/static/language.js";
import { button } from "/static/parts.js";
import { openLine, showLine, withoutDoubles } from "/static/socket.js";

const KINDS = /** @type {Record<string, (n: number) => string>} */ ({
  illegal: (n) => trN("{n} record broke the rules", "{n} records broke the rules", n),
  unopened: (n) => trN("{n} message was forged, or another table's", "{n} messages were forged, or another table's", n),
  replayed: (n) => trN("{n} message was an old one", "{n} messages were old ones", n),
  revoked: (n) => trN("{n} message had a token that was taken back", "{n} messages had a token that was taken back", n),
  delayed: (n) => trN("{n} message came too fast, or took long to be read: the table has to wait", "{n} messages came too fast, or took long to be read: the table has to wait", n),
  changed: (n) => trN("{n} game that was over was told otherwise", "{n} games that were over were told otherwise", n),
});
const TIME = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const line = openLine("/director/ws", {
  message(message) {
    if (message.type !== "parts") return;
    for (const [name, told] of Object.entries(message.parts)) shows[name]?.(told);
  },
  state: showLine,
});

/** What shows which part; other modules add theirs. @type {Record<string, (told: any) => void>} */
export const shows = {
  tables: whenChanged(drawTables),
  status: whenChanged(drawStatus),
};
const request = withoutDoubles(line.request);

/** @param {any[]} tables */
function drawTables(tables) {
  const heads = [tr("Table"), tr("State"), tr("What was refused"), tr("Token")];
  const rows = tables.map((each) => h("tr", {}, h("td", {}, each.name), h("td", {}, stateOf(each)), h("td", {}, refusedAt(each)), h("td", {}, each.revoked ? "" : tools(each))));
  fill(byId("tables"), h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows));
  byId("sum").textContent = trN("{n} table", "{n} tables", tables.filter(({ revoked }) => !revoked).length);
}

/** @param {any} table */
function stateOf({ revoked, here }) {
  return revoked ? tr("token taken back") : here ? tr("there") : tr("away");
}

/** @param {any} table */
function refusedAt({ counts, remarks }) {
  const said = Object.entries(counts).map(([kind, n]) => h("span", { class: "remark bad" }, KINDS[kind]?.(/** @type {number} */ (n)) ?? kind));
  const texts = remarks.filter(({ text }) => text).slice(0, 3).map(({ at_ms: at, text }) => h("span", { class: "remark faint" }, `${TIME.format(at)}: ${text}`));
  return [...said, ...texts];
}

/** @param {any} table */
function tools({ id, name }) {
  const revoke = button(tr("Take back"), () => {
    if (confirm(tr("Take back the token of {name}? What it tells is refused from then on.", { name }))) tell(request("revoke_table", { table: id }));
  }, { class: "danger", "aria-label": tr("Take back the token of {name}", { name }) });
  return [button(tr("Show"), () => tell(request("token", { table: id })), { "aria-label": tr("Show the token of {name}", { name }) }), revoke];
}

/** @param {any} status */
function drawStatus({ broker, database, files, behind, strangers }) {
  const texts = [
    broker,
    database && `${database} ${trN("{n} game waits for it; the wall goes on.", "{n} games wait for it; the wall goes on.", behind)}`,
    files,
    strangers ? trN("{n} message came from no table of this club.", "{n} messages came from no table of this club.", strangers) : "",
  ];
  fill(byId("problems"), texts.filter(Boolean).map((text) => h("li", {}, text)));
}

/** @param {Promise<any>} reply */
async function tell(reply) {
  const { ok, why, name, token } = await reply;
  if (!ok) fill(byId("token"), h("span", { class: "bad" }, why));
  else if (token) fill(byId("token"), tr("The token of {name}; it is this table's alone:", { name }), h("code", {}, token));
  else fill(byId("token"));
}

byId("add").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const name = byId("name").value.trim();
  if (!name) return;
  byId("name").value = "";
  tell(request("add_table", { name }));
});
