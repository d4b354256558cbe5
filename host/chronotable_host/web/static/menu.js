// @ts-check
/** The menu: what else there is to playing, to learning, to how it looks, and for who builds tables. */

import { wanted } from "./beats.js";
import { byId, fill, h } from "./dom.js";
import { createHealth } from "./health.js";
import { tr } from "./language.js";
import { toggle } from "./parts.js";
import { languageChoice, segments } from "./segments.js";
import { createLog, createSettings } from "./settings.js";
import { createSounds } from "./sound.js";
import { createControl, setMenu } from "./stage.js";
import { notation, tips, turned } from "./switches.js";
import { createMode, createSeats, createTroubles } from "./virtual.js";

/** @import { Table } from "./table.js" */

/**
 * Make the menu; returns what draws its parts.
 * @param {Table} table
 * @returns {(() => void)[]}
 */
export function createMenu(table) {
  const link = (/** @type {string} */ text, href = "") => h("a", { class: "item", href, on: { click: () => setMenu(false) } }, text);
  const plain = (/** @type {any} */ element) => ({ element, draw() {} });
  const fresh = { element: link(tr("New game"), "#start"), draw: () => (fresh.element.hidden = table.hello?.far) };
  const invite = { element: link(tr("Invite a friend"), "#start/friend"), draw: () => (invite.element.hidden = !table.hello || table.hello.far) };
  const share = {
    element: link(tr("Share this game")),
    draw() {
      const { id } = table.view.game ?? {};
      share.element.hidden = !id;
      share.element.href = `#games/${encodeURIComponent(id)}`;
    },
  };
  const chosen = () => document.documentElement.dataset.chosen ?? "";
  const themes = segments(tr("Theme"), [["light", tr("light")], ["dark", tr("dark")], ["", tr("as the device")]], chosen(), (theme) => document.dispatchEvent(new CustomEvent("theme", { detail: theme })));
  const parts = /** @type {[string, string, {element: any, draw: () => void}[]][]} */ ([
    ["play", tr("Play"), [fresh, invite, share, createSeats(table), createControl(table)]],
    ["learn", tr("Learn"), [toggle(tr("Tips while I play"), tips), ...[link(tr("Lessons and marks"), "#lessons"), link(tr("Rules"), "#rules"), h("a", { class: "item", href: "help/" }, tr("Help"))].map(plain)]],
    ["look", tr("Look"), [toggle(tr("Turn the boards round"), turned), toggle(tr("Coordinates and notation"), notation), toggle(tr("Turns of others step by step"), wanted), createSounds(table), ...[themes, languageChoice()].map(plain)]],
    ["builders", tr("Builders"), [createMode(table), createTroubles(table), createSettings(table), createLog(table), createHealth(table, () => (setMenu(true), show("builders")))]],
  ]);
  const tabs = segments(tr("Parts of the menu"), parts.map(([name, text]) => [name, text]), "play", show, "tabs");
  const panels = new Map(parts.map(([name, , items]) => [name, h("div", { class: "items", hidden: name !== "play" }, items.map(({ element }) => element))]));

  /** @param {string} name */
  function show(name) {
    for (const [each, panel] of panels) panel.hidden = each !== name;
    /** @type {HTMLInputElement} */ (tabs.querySelector(`[value="${name}"]`)).checked = true;
  }
  const close = h("button", { type: "button", class: "close", on: { click: () => setMenu(false) } }, tr("Back to the game"));
  byId("so-far").before(close);
  fill(byId("menu"), tabs, [...panels.values()]);
  return parts.flatMap(([, , items]) => items.map(({ draw }) => draw));
}
