// @ts-check
/** The form for a new game: names, handicap, who begins, and which game where there is a choice. */

import { fill, h, whenChanged } from "./dom.js";
import { tr } from "./language.js";
import { acting, choice, folder } from "./parts.js";
import { capital, sideName } from "./words.js";

/** @import { Table } from "./table.js" */

const NAME_LENGTH = 60;
const FEWER = /** @type {[string, string][]} */ ([
  ["0", tr("4, as usual")],
  ["1", tr("3, one fewer")],
  ["2", tr("2, two fewer")],
  ["3", tr("1, three fewer")],
  ["4", tr("0, four fewer")],
]);
const FIRST = /** @type {[string, string][]} */ ([
  ["white", sideName("white")],
  ["black", sideName("black")],
]);

/**
 * Make the card with the form; `begun` is called when a game was asked for.
 * @param {Table} table
 * @param {() => void} begun
 */
export function createNewGame(table, begun) {
  const players = ["white", "black"].map(playerFields);
  const first = choice(tr("Begins"), FIRST, touch);
  const modules = h("div", { class: "fields" });
  let modulesChoice = choice(tr("Game"), [["standard", tr("standard")]], touch);
  let isTouched = false;

  function touch() {
    isTouched = true;
  }

  const form = h(
    "form",
    { class: "new-game", on: { submit: start, input: touch } },
    acting(
      players.map(({ fieldset }) => fieldset),
      h("div", { class: "fields" }, first.element),
      modules,
      h(
        "p",
        { class: "faint" },
        tr("A handicap: the stronger player begins with fewer pieces in supply."),
      ),
      h("button", { type: "submit", class: "primary" }, tr("Start the game")),
    ),
  );
  const element = folder(tr("New game"), { id: "new-game" }, form);

  const drawModules = whenChanged((/** @type {string[]} */ games) => {
    const options = games.map((name) => /** @type {[string, string]} */ ([name, capital(table.hello?.called?.[name] ?? name)]));
    modulesChoice = choice(tr("Game"), options, touch);
    fill(modules, games.length > 1 ? modulesChoice.element : null);
  });

  const prefill = whenChanged((/** @type {any} */ start) => {
    if (isTouched && element.open) return;
    players.forEach(({ name, handicap, side }, player) => {
      name.value = start[side] ?? "";
      handicap.set(String(start.handicap?.[player] ?? 0));
    });
  });

  async function start(/** @type {Event} */ event) {
    event.preventDefault();
    const [white, black] = players.map(({ name }) => name.value.trim());
    const handicap = players.map(({ handicap: field }) => Number(field.select.value));
    const wanted = { white, black, handicap, modules: modulesChoice.select.value };
    const done = await table.act("new", { ...wanted, first: first.select.value });
    if (!done) return;
    isTouched = false;
    element.open = false;
    begun();
  }

  return {
    element,
    draw() {
      element.hidden = Boolean(table.hello?.far); // the room has its game
      drawModules(table.hello?.games?.length ? table.hello.games : ["standard"]);
      prefill(table.view.start ?? {});
    },
  };
}

/** @param {string} side */
function playerFields(side) {
  const id = `name-${side}`;
  const name = h("input", {
    id,
    type: "text",
    maxlength: NAME_LENGTH,
    autocomplete: "off",
    spellcheck: "false",
  });
  const handicap = choice(tr("Supply"), FEWER, () => {});
  const fieldset = h(
    "fieldset",
    { class: "player-fields" },
    h("legend", {}, sideName(side)),
    h("label", { class: "field", for: id }, h("span", {}, tr("Name")), name),
    handicap.element,
  );
  return { side, name, handicap, fieldset };
}
