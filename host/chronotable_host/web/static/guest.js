// @ts-check
/** A guest's page: one side of the table, played from elsewhere. */

import { createAwake } from "./awake.js";
import { createBeats } from "./beats.js";
import { byId, fill, h } from "./dom.js";
import { createEras } from "./eras.js";
import { hearAllKeys } from "./keys.js";
import { tr } from "./language.js";
import { openPages } from "./pages.js";
import { acting } from "./parts.js";
import { showRules } from "./rules.js";
import { openLine, showLine } from "./socket.js";
import { createSoFar } from "./sofar.js";
import { createSounds } from "./sound.js";
import { languageChoice } from "./segments.js";
import { createPlayers, moodsOf, openTurns, setMenu } from "./stage.js";
import { LOOK, recall, remember } from "./switches.js";
import { createTable, pictureOf } from "./table.js";
import { createVoice } from "./voice.js";
import { learn, sideName } from "./words.js";

const table = createTable((what, values) => line.request(what, values), { holder: null, yours: true, viewers: 1, you: "" });
const beats = createBeats(table, () => draw());
const voice = createVoice(table, { beats, changed: () => draw(), menu: () => setMenu(!document.body.classList.contains("menu")), turns: openTurns, eras: () => eras });
const players = createPlayers(table);
const eras = createEras(byId("eras"), {
  places: () => table.hello?.places ?? [],
  looks: table.looks,
  choose: voice.touch,
  players: players.elements,
});
const soFar = createSoFar(table);
const name = h("input", {
  type: "text",
  maxlength: 60,
  placeholder: tr("A guest"),
  autocomplete: "nickname",
  on: { change: () => table.act("name", { name: name.value }) },
});
const close = h("button", { type: "button", class: "close", on: { click: () => setMenu(false) } }, tr("Back to the game"));
const sounds = createSounds(table);
const awake = createAwake();
fill(byId("so-far"), soFar.element);
const link = (/** @type {string} */ text, /** @type {string} */ href) => h("a", { class: "item", href, on: { click: () => setMenu(false) } }, text);
const called = acting(h("label", { class: "field" }, h("span", {}, tr("Your name")), name));
byId("so-far").before(close);
fill(byId("menu"), h("div", { class: "items" }, called, link(tr("Rules"), "#rules"), link(tr("Help"), "help/"), sounds.element, awake.elements, languageChoice()));
const panels = [players.draw, soFar.draw, voice.draw, sounds.draw];

hearAllKeys();
const DEVICE = "chronotable-device";
document.addEventListener(LOOK, draw);
openPages({ live: () => {}, rules: (parts) => showRules(byId("rules"), parts) });
/** By this a browser has its place again. */
const device = recall(DEVICE) ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
remember(DEVICE, device);
const line = openLine(`${location.pathname}ws?device=${device}`, {
  message: hear,
  state: (now) => {
    table.isOnline = now.online;
    showLine(now);
    draw();
  },
  ended: () => {
    table.view = { says: tr("This invitation has ended"), note: tr("Ask for a new link.") };
    byId("lost").hidden = true;
    draw();
  },
});

/** @param {any} message */
function hear(message) {
  if (message.type === "hello") greet(message);
  else if (message.type === "control") table.control = message;
  else if (message.type === "view") {
    table.view = message;
    beats.see(message);
  }
  draw();
}

/** @param {any} hello */
function greet(hello) {
  table.hello = hello;
  table.looksVersion += 1;
  learn(hello);
  eras.forget();
}

function draw() {
  if (table.view.game) eras.show(beats.picture({ ...pictureOf(table, moodsOf(table)), hinted: voice.hinted() }));
  for (const panel of panels) panel();
  if (table.hello) byId("you").textContent = table.plays() ? tr("You play {player}.", { player: sideName(table.hello.side) }) : tr("You look on.");
  awake.draw(Boolean(table.view.game && !table.view.game.over));
  for (const part of document.querySelectorAll("fieldset.acting")) {
    /** @type {HTMLFieldSetElement} */ (part).disabled = !table.mayAct();
  }
}
