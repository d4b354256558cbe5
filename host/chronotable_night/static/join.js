// @ts-check
/** The page that asks for the code and a name, and leads to a seat. */

import { byId } from "/static/dom.js";
import { tr } from "/static/language.js";
import { openLine } from "/static/socket.js";
import { recall } from "/static/switches.js";
import { glyph } from "/night/static/drawing.js";
import { button } from "/night/static/parts.js";

const code = byId("code");
const name = byId("name");
byId("mover").append(glyph("event"));
const query = new URLSearchParams(location.search);
code.value = query.get("code") ?? "";
if (query.has("ended")) {
  byId("headline").textContent = tr("This link has ended");
  byId("line").textContent = tr("The seat has another link by now. Who sits at the table can give you one; or take a seat here.");
} else {
  const seat = recall("chronotable-seat"); // of this phone, as `phone.js` has it
  if (seat) byId("watch").before(button("plain", tr("Back to my seat"), () => location.assign(seat)));
}
(code.value ? name : code).focus();

byId("watch").addEventListener("click", () => go("watch", { code: code.value.trim() }));

const line = openLine("/night/socket", {
  message: () => {},
  state: ({ online }) => (byId("trouble").textContent = online ? "" : tr("The table is away. It comes back by itself.")),
});

byId("form").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  go("join", { code: code.value.trim(), name: name.value.trim() });
});

/** Ask for a page, and open it. @param {string} what @param {Record<string, string>} values */
async function go(what, values) {
  const { ok, why, link } = await line.request(what, values);
  if (ok && link) location.assign(new URL(link, location.href));
  else byId("trouble").textContent = why ?? tr("The table did not answer. Try again.");
}
