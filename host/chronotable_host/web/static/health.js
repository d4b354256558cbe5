// @ts-check
/** How table, reeds and line are: a small sign at the top, and the whole of it in a card. */

import { FAULTS } from "./board.js";
import { byId, fill, h, whenChanged } from "./dom.js";
import { tr } from "./language.js";
import { folder } from "./parts.js";

/** @import { Table } from "./table.js" */

/**
 * Make the sign and the card; `opened` is called when somebody wants to see it.
 * @param {Table} table
 * @param {() => void} opened
 */
export function createHealth(table, opened) {
  const body = h("div", {});
  const element = folder(tr("Health"), { id: "health" }, body);
  const sign = h("button", { type: "button", class: "sign-button", on: { click: open } });
  fill(byId("sign"), sign);

  function open() {
    opened();
    element.open = true;
    element.scrollIntoView({ block: "nearest" });
    element.querySelector("summary")?.focus();
  }

  const draw = whenChanged((/** @type {any} */ { connection, health, isOnline }) => {
    const { good, text } = verdict(connection, health, isOnline);
    sign.className = `sign-button ${good ? "good" : "amber"}`;
    fill(
      sign,
      h("span", { class: "sign-mark", "aria-hidden": "true" }),
      h("span", { class: "sign-text" }, text),
    );
    fill(body, ...lines(table, connection, health));
  });

  return {
    element,
    draw() {
      const { view, isOnline } = table;
      draw({ connection: view.connection ?? null, health: view.health ?? null, isOnline });
    },
  };
}

/** @param {any} connection @param {any} health @param {boolean} isOnline */
function verdict(connection, health, isOnline) {
  if (!isOnline) return { good: false, text: tr("No connection") };
  if (!connection && !health) return { good: false, text: tr("Waiting") };
  if (connection?.state === "waiting") return { good: false, text: tr("Waiting for the table") };
  if (connection?.state === "refused") return { good: false, text: tr("Table refused") };
  if (health?.reeds?.length) return { good: false, text: tr("A reed fails") };
  if (health && !health.good) return { good: false, text: tr("Look at the line") };
  return { good: true, text: tr("Connected") };
}

/** @param {Table} table @param {any} connection @param {any} health */
function lines({ hello }, connection, health) {
  const reeds = (health?.reeds ?? []).map((/** @type {any} */ { at, kind }) =>
    h("li", { class: "bad" }, h("b", {}, hello?.places[at]), ` ${FAULTS[kind] ?? kind}`),
  );
  const said = (health?.lines ?? [])
    .filter((/** @type {string} */ line) => line !== connection?.text)
    .map((/** @type {string} */ line) => h("li", {}, line));
  return [
    connection?.text ? h("p", { class: "faint" }, connection.text) : null,
    reeds.length || said.length ? h("ul", { class: "health" }, reeds, said) : null,
  ];
}
