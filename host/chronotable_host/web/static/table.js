// @ts-check
/** What all parts of a page know of its table: what the server told, who plays, what one may do. */

import { tr, trC } from "./language.js";
import { note } from "./speak.js";
import { turned } from "./switches.js";
import { bothCalled, capital, COLOURS, isProgram, nameOf, sideName, SIDES, YOU as RECORDED } from "./words.js";

/** @import { Looks } from "./pieces.js" */
/**
 * `refused` is what was tapped last and is not possible, until something is chosen, `act` asks the server, tells why it refuses, and resolves to whether it did it; `seat` is who plays
 * a side, `holder` what who has control elsewhere is called, "" for nobody, `name` what the player is called, `called` the same from where one sits, `sides` what both are in sentences, `mine` the sides
 * that are played from here, `south` the player at the lower edge, `isFelt`
 * whether the pieces of a virtual table are moved by hand, `plays` whether nobody else has control.
 * @typedef {{hello: any, view: any, control: any, isOnline: boolean, looksVersion: number, refused: {sensor: number, why: string, text?: string} | null,
 *   board: import("./board.js").Board | null, looks: () => Looks, seat: (player: number) => string, holder: () => string,
 *   name: (player: number) => string, called: (player: number) => string, sides: () => string[], mine: () => string[], plays: () => boolean,
 *   south: () => number, canBuild: () => boolean, mayAct: () => boolean,
 *   isFelt: () => boolean,
 *   act: (what: string, values?: Record<string, unknown>) => Promise<boolean>,
 *   press: (button: {name: string, side: string}) => void}} Table
 */

const NIGHT = 24;
const YOU = trC("player", "You");
const NO_LOOKS = { meanings: [], pieces: {} };
/**
 * Make what a page knows.
 * @param {import("./socket.js").Ask} request
 * @param {any} control who has control, before the server tells
 * @returns {Table}
 */
export function createTable(request, control) {
  const isGuest = () => table.hello?.mode === "guest";
  /** Sides that somebody here plays, whoever that is. */
  const local = () => (isGuest() ? [table.hello.side] : SIDES.filter((_, player) => ["hands", "page"].includes(table.seat(player))));
  /** @type {Table} */
  const table = {
    hello: null,
    view: {},
    control,
    isOnline: false,
    board: null,
    looksVersion: 0,
    refused: null,
    looks: () => table.hello?.looks ?? NO_LOOKS,
    seat: (player) => table.view.players?.[SIDES[player]] ?? "",
    name: (player) => {
      const name = table.view.game?.[SIDES[player]];
      return nameOf([table.seat(player), RECORDED].includes(name) ? "" : name, SIDES[player]);
    },
    called: (player) => {
      const mine = table.mine();
      if (mine.length === 1 && mine[0] === SIDES[player]) return YOU;
      return isProgram(table.seat(player)) ? sideName(SIDES[player]) : table.name(player);
    },
    sides: () => bothCalled(SIDES.map((side) => table.view.game?.[side])),
    holder: () => {
      const [side, ...more] = local();
      const name = side && !more.length ? table.name(SIDES.indexOf(side)) : "";
      return table.control.yours || !table.control.holder ? "" : name && name !== sideName(side) ? name : capital(table.control.holder);
    },
    mine: () => ((isGuest() ? table.plays() : table.mayAct()) ? local() : []),
    plays: () => (isGuest() ? table.control.yours : !table.holder()),
    isFelt: () => Boolean(table.hello?.hand) && SIDES.some((_, player) => table.seat(player) === "hands"),
    south: () => {
      if (table.isFelt()) return 1 - (table.board?.northern ?? 0);
      const mine = local();
      const own = mine.length === 1 ? SIDES.indexOf(mine[0]) : 0;
      return turned.isOn() ? 1 - own : own;
    },
    canBuild: () => table.hello?.mode === "guest" || SIDES.some((_, player) => table.seat(player) === "page"),
    mayAct: () => table.isOnline && table.plays(),
    async act(what, values) {
      const { ok, why } = await request(what, values);
      if (!ok && table.isOnline) note(capital(why ?? tr("The table refuses that.")));
      return ok;
    },
    press: ({ name, side }) => {
      table.act("press", { button: name, side: side || table.view.game?.mover || "white" });
    },
  };
  return table;
}

/** Whether the table's lights are as dim as at night. @param {any} view @returns {boolean} */
export function isNight({ settings }) {
  const brightness = settings?.brightness ?? "full";
  return brightness === "night" || (brightness !== "" && Number(brightness) <= NIGHT);
}

/** What hands are to do next, if anything. @param {any} view */
export function dueStep(view) {
  return view.todo?.find((/** @type {any} */ step) => !step.is_done) ?? null;
}

/**
 * What the boards are to show of a table.
 * @param {Table} table
 * @param {import("./figures.js").Mood[]} moods
 */
export function pictureOf(table, moods) {
  const { view } = table;
  const game = view.game ?? {};
  const { builder } = view;
  const isMine = table.mine().includes(game.mover);
  const whose = SIDES.map((_, player) => {
    const name = table.called(player);
    return name === YOU ? tr("Your focus") : tr("{player}’s focus", { player: name });
  });
  return {
    pieces: view.pieces ?? [],
    leds: builder && !isMine ? [] : (view.leds ?? []), // who looks on sees what is chosen, not what may be
    focus: game.focus ?? [],
    mover: game.mover === "black" ? 1 : 0,
    active: builder?.active ?? null,
    choosing: Boolean(builder) && isMine,
    choices: builder?.choices,
    refused: table.refused && table.refused.text === builder?.text ? table.refused.sensor : null,
    isDark: Boolean(game.over || game.moving) || builder?.due === "focus",
    south: table.south(),
    whose,
    put: SIDES.map((_, player) => (/** @type {string} */ era) =>
      table.called(player) === YOU
        ? tr("Put your focus to the {era}", { era })
        : tr("Put {player}’s focus to the {era}", { player: COLOURS[player], era })),
    moods,
    last: builder?.text ? null : (game.last ?? null),
    steps: table.hello?.mode === "guest" ? [] : (view.todo ?? []),
  };
}
