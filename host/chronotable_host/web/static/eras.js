// @ts-check
/**
 * The three boards as a game looks: time runs across a wide screen and down a high one, each era
 * between the two eyes that may be opened there. What lies there comes from the position alone.
 */

import { fill, h, s } from "./dom.js";
import { copyFigure, dayFigure, eyeFigure, isMark, markFigure } from "./figures.js";
import { WAYS, placeTowards } from "./geometry.js";
import { tr, trC } from "./language.js";
import { pieceName, pieceNode } from "./pieces.js";
import { createPull } from "./pull.js";
import { sensorOf } from "./walk.js";
import { ACTION_LETTERS, eraName, SIDES } from "./words.js";

/** @import { Looks } from "./pieces.js" */
/**
 * What the boards show. `leds` has a meaning's number by sensor, `choices` all meanings of what can be
 * chosen, `active` the sensor of the chosen copy, `last` the last turn, `put` says that a player's focus
 * goes to an era, `south` the player who sits at the lower edge, `moods` by player, `refused` where
 * something was tapped that is not possible; while it `isDark` no eye throws light.
 * @typedef {{pieces: {at: number, look: string}[], leds: number[], focus: string[],
 *   mover: number, active: number | null, choosing: boolean, south: number, whose: string[],
 *   put?: ((era: string) => string)[], isDark?: boolean, choices?: {at: number, meaning: number}[], refused?: number | null,
 *   moods: import("./figures.js").Mood[],
 *   last: {path: number[], died: {at: number, look: string}[], player: string, isCounted?: boolean} | null,
 *   way?: Way | null, hinted?: Way | null,
 *   steps: Step[]}} Picture
 * A turn that could be played: where its copy would go and who would die, and the era for the focus,
 * "" where that is not told yet; of its places so many are `done`.
 * @typedef {{path: number[], died: {at: number, look: string}[], player: string, focus: string, done?: number}} Way
 * What hands are to do: where its number stands, and on which of these places a piece is to be put.
 * @typedef {{at: number[], put: number[], look: string, is_done: boolean}} Step
 */

const ERAS = ["past", "present", "future"];
/** Names over boards; a long one says where it may be parted. */
const NAMES = /** @type {Record<string, string>} */ ({ past: trC("over a board", "Past"), present: trC("over a board", "Present"), future: trC("over a board", "Future") });
const SPACES = 48;
const SLIDE_MS = 260;
const JOURNEY_MS = 520;
const FLYERS = 2; // more that come at once were laid
const DIED = /** @type {Record<string, string>} */ ({ white: tr("white died here"), black: tr("black died here") });
const HURTS = new Set(["squish", "paradox", "own_death"]);
const JOURNEYS = new Set(["forward", "back"]);
const inside = (/** @type {number} */ line) => line >= 0 && line < 4;
const LETTERS = /** @type {Record<string, string>} */ ({ question: "a", question_b: "b", question_c: "c" });
/** Short words for the marks: at them, or in the strip. */
const WORDS = /** @type {Record<string, string>} */ ({
  move: trC("mark", "step"),
  push: trC("mark", "push"),
  squish: trC("mark", "squish"),
  paradox: trC("mark", "paradox"),
  own_death: trC("mark", "you die"),
  forward: trC("mark", "forward"),
  back: trC("mark", "back"),
  todo_put: trC("mark", "put"),
  todo_take: trC("mark", "take"),
  todo_put_white: trC("mark", "put white"),
  todo_put_black: trC("mark", "put black"),
});

/** The word for what happens at a place. @param {import("./pieces.js").MeaningLook | undefined} meaning */
export function wordOf(meaning) {
  return meaning ? (WORDS[meaning.name] ?? meaning.word ?? "") : "";
}

/**
 * The picture of a position without lights, of which nothing is asked.
 * @param {{pieces: Picture["pieces"], focus: string[], mover: string}} position
 * @param {Pick<Picture, "south" | "moods" | "last" | "way">} more
 * @returns {Picture}
 */
export function still({ pieces, focus, mover }, more) {
  const whose = [tr("White’s focus"), tr("Black’s focus")];
  return { steps: [], pieces, leds: [], focus, mover: SIDES.indexOf(mover), active: null, choosing: false, whose, ...more };
}

/**
 * Make the boards in an element. `choose` is told which place was pressed; without it they are to
 * be looked at, and nothing on them takes the focus. `players` stand in the future's edges.
 * @param {HTMLElement} root
 * @param {{places: () => string[], looks: () => Looks, choose?: (sensor: number) => void, players?: HTMLElement[]}} of
 */
export function createEras(root, { places: called, looks, choose, players = [] }) {
  const threads = s("svg", { class: "threads", "aria-hidden": "true" });
  const ribbon = h("div", { class: "ribbon" });
  const rose = h("span", { class: "rose notation", "aria-hidden": "true" }, [...ACTION_LETTERS].slice(0, 4).map((way) => h("b", {}, way)));
  /** @type {Map<number, HTMLElement>} */
  const places = new Map();
  for (let sensor = 0; sensor < SPACES + 6; sensor += 1) {
    const kind = sensor < SPACES ? "space" : "stop";
    const how = choose ? { type: "button", tabindex: -1 } : { role: "img" };
    places.set(sensor, h(choose ? "button" : "span", { class: kind, "data-sensor": sensor, ...how }));
  }
  let south = -1;
  /** @type {Picture | null} */
  let picture = null;
  let lying = new Map();
  /** @type {ReturnType<typeof dueSteps>} */
  let due = new Map();
  const isFlat = (/** @type {string} */ look) => Boolean(/** @type {any} */ (looks().pieces[look])?.flat);
  fill(root, ribbon);

  /** Lay the boards out for who sits at the lower edge. @param {number} player */
  function turn(player) {
    south = player;
    players.forEach((each, of) => {
      each.classList.toggle("far", of !== south);
      each.classList.toggle("near", of === south);
    });
    rose.classList.toggle("turned", !south);
    fill(ribbon, ...ERAS.map((era, number) => section(era, number)), threads);
  }

  /** @param {string} era @param {number} number */
  function section(era, number) {
    const spaces = Array.from({ length: 16 }, (_, at) => places.get(16 * number + (south ? at : 15 - at)));
    const stop = (/** @type {number} */ player, /** @type {string} */ where) => {
      const place = /** @type {HTMLElement} */ (places.get(SPACES + 3 * player + number));
      place.className = `stop ${where}`;
      return place;
    };
    return h(
      "section",
      { class: `era ${era}`, "aria-label": tr("The {era}", { era: eraName(era) }) },
      h("h2", {}, dayFigure(era), NAMES[era]),
      stop(1 - south, "far"),
      h("div", { class: "spaces" }, spaces.map((each) => each ?? null)),
      stop(south, "near"),
      number === 2 ? players : number ? null : rose,
    );
  }

  /** @param {Picture} next */
  function show(next) {
    const before = lying;
    if (next.south !== south) turn(next.south);
    picture = next;
    lying = byPlace(next.pieces, isFlat);
    const names = called();
    due = dueSteps(next.steps);
    for (const [sensor, place] of places) {
      const meaning = looks().meanings[next.leds[sensor] ?? 0];
      const name = names[sensor] ?? "";
      if (sensor < SPACES) showSpace(place, sensor, name, meaning, next);
      else showStop(place, sensor, meaning, next);
    }
    [...ribbon.querySelectorAll(".era")].forEach((element, number) => {
      const isLit = next.focus[next.mover] === ERAS[number] && !next.isDark;
      element.classList.toggle("lit", isLit);
      element.classList.toggle("from-far", isLit && next.mover !== south);
    });
    if (before.size) slide(before, lying);
    drawThreads();
  }

  /**
   * @param {HTMLElement} place
   * @param {number} sensor
   * @param {string} name
   * @param {import("./pieces.js").MeaningLook | undefined} meaning
   * @param {Picture} now
   */
  function showSpace(place, sensor, name, meaning, now) {
    const kind = meaning?.name ?? "off";
    const here = /** @type {string[]} */ (lying.get(sensor) ?? []);
    const path = now.last?.path ?? [];
    const way = now.way ?? now.hinted ?? null;
    const coming = way?.path ?? [];
    const from = Math.max(1, now.hinted?.done ?? 0); // the first place that is not done
    const hinted = now.hinted ? now.hinted.path.indexOf(sensor, from) : -1;
    const isActive = now.active === sensor;
    const isCan = kind === "copy" && !isActive;
    const isTarget = isMark(meaning) || kind in LETTERS;
    const several = isTarget ? [...new Set((now.choices ?? []).filter(({ at }) => at === sensor).map((each) => each.meaning))] : [];
    const step = due.get(sensor) ?? (hinted > 0 ? { no: hinted, isNow: false, look: "" } : null);
    const dead = now.last?.died.find(({ at }) => at === sensor) ?? null;
    const may = now.choosing && (isCan || isActive || (isTarget && kind !== "off"));
    const state = [
      "space",
      isCan && "can",
      isActive && "active",
      isTarget && `target ${several.length > 1 ? "several" : kind}`,
      here.length && path.length > 1 && path[path.length - 1] === sensor && "came",
      way === now.way && coming[0] === sensor && "came",
      (hinted > 0 || (now.hinted?.path[0] === sensor && !now.hinted.done)) && "hinted",
      due.has(sensor) && "todo",
      due.get(sensor)?.isNow && "now",
      now.refused === sensor && "refused",
    ];
    const mood = (kind !== "off" && HURTS.has(kind)) || way?.died.some(({ at }) => at === sensor) ? "wide" : "";
    const shade = here.length ? "" : (step?.look ?? "") || (coming.includes(sensor, from) ? (way?.player ?? "") : "");
    const ghost = !shade && !here.length && !dead && path.slice(0, -1).includes(sensor) ? (now.last?.player ?? "") : "";
    const key = JSON.stringify([state, here, kind, several, dead && flatOn(now, dead), ghost, shade, mood, now.moods, towards(now.active, sensor), now.mover, may, step, now.south]);
    if (place.dataset.drawn === key) return;
    place.dataset.drawn = key;
    place.className = state.filter(Boolean).join(" ");
    place.dataset.meaning = kind;
    if (choose) place.tabIndex = may ? 0 : -1;
    const meets = kind === "own_death" && several.length < 2 && here.includes(SIDES[now.mover]);
    const says = meets ? trC("mark", "both die") : several.length > 1 ? several.map((each) => wordOf(looks().meanings[each])).join(", ") : (meaning?.says ?? "");
    const lies = here.map((look) => pieceName(looks(), look)).reverse().join(` ${trC("stack", "on")} `);
    const told = [lies || tr("empty"), isActive ? tr("chosen") : says, dead ? DIED[dead.look] : ""];
    place.setAttribute("aria-label", `${name}, ${told.filter(Boolean).join(", ")}`);
    const word = isTarget && several.length < 2 && kind !== "move" ? (meets ? trC("mark", "both die") : wordOf(meaning)) : "";
    const isLow = isTarget && here.length > 0 && towards(now.active, sensor)[1] > 0;
    fill(
      place,
      dead && !shade ? chalk(dead, flatOn(now, dead)) : null,
      ...here.map((look) => keptPiece(place, look, mood, now)),
      ghost ? h("span", { class: `ghost ${ghost}` }, copyFigure(SIDES.indexOf(ghost))) : null,
      !here.length && JOURNEYS.has(kind) ? h("span", { class: "ghost come" }, copyFigure(now.mover)) : null,
      shade ? h("span", { class: "coming" }, piece(shade, "", now)) : null,
      several.length > 1
        ? h("span", { class: "mark" }, several.slice(0, 3).map((each) => markFigure(looks().meanings[each])))
        : isTarget && meaning
          ? mark(sensor, meaning, here.length > 0, now)
          : null,
      now.refused === sensor ? h("span", { class: "mark" }, markFigure({ name: "no" })) : null,
      word && !due.has(sensor) ? h("span", { class: isLow ? "word high" : "word", "aria-hidden": "true" }, word) : null,
      step ? h("b", { class: "number", "aria-hidden": "true" }, step.no) : null,
      h("i", { class: "at notation", "aria-hidden": "true" }, (sensor % 16) + 1),
    );
  }

  /** Who died: chalk on the floor, or flat on the wall. @param {{look: string}} dead @param {number[]} flat */
  function chalk({ look }, [x, y]) {
    const vars = { "--x": x, "--y": y };
    return h("span", { class: x || y ? "chalk flat" : "chalk", vars }, copyFigure(SIDES.indexOf(look), "dead"));
  }

  /** The way to the wall that somebody was squished on, on the screen. @param {Picture} now @param {{at: number}} dead */
  function flatOn({ last }, { at }) {
    const [path, died] = [last?.path ?? [], last?.died ?? []];
    const step = path.slice(1).findIndex((to, i) => to === at && to >> 4 === path[i] >> 4);
    if (step < 0) return [0, 0];
    const [x, y] = [(at & 3) - (path[step] & 3), (at >> 2 & 3) - (path[step] >> 2 & 3)];
    const isWall = !inside((at & 3) + x) || !inside((at >> 2 & 3) + y);
    return isWall && died.length ? (south ? [x, y] : [-x, -y]) : [0, 0];
  }

  /** What lies there already stays the same node: nothing blinks. @param {HTMLElement} place @param {string} look @param {import("./figures.js").Mood} mood @param {Picture} now */
  function keptPiece(place, look, mood, now) {
    const next = piece(look, mood, now);
    const old = place.querySelector(`:scope > [data-look="${look}"]`);
    return old?.getAttribute("class") === next.getAttribute("class") ? old : next;
  }

  /** @param {string} look @param {import("./figures.js").Mood} mood @param {Picture} now */
  function piece(look, mood, now) {
    const player = SIDES.indexOf(look);
    if (player >= 0) {
      const figure = copyFigure(player, mood || now.moods[player]);
      figure.dataset.look = look;
      return figure;
    }
    const view = { viewBox: "-15 -15 30 30", "aria-hidden": "true", focusable: "false" };
    const isTurned = !south && /-[nesw]$/.test(look); // what points somewhere turns with its board
    return s("svg", { class: `thing${isFlat(look) ? " flat" : ""}${isTurned ? " turned" : ""}`, ...view, "data-look": look }, pieceNode(looks(), look));
  }

  /**
   * @param {number} sensor
   * @param {import("./pieces.js").MeaningLook} meaning
   * @param {boolean} isTaken
   * @param {Picture} now
   */
  function mark(sensor, meaning, isTaken, now) {
    const letter = LETTERS[meaning.name];
    if (letter) return h("span", { class: "mark" }, h("b", { class: `letter ${letter}` }, letter.toUpperCase()));
    const [x, y] = isTaken ? towards(now.active, sensor) : [0, 0];
    const degrees = meaning.name === "push" ? (Math.atan2(y, x) * 180) / Math.PI : 0;
    const figure = h("span", { class: isTaken ? "mark edge" : "mark" }, markFigure(meaning, degrees));
    figure.style.setProperty("--x", String(x));
    figure.style.setProperty("--y", String(y));
    return figure;
  }

  /** The way from one space to its neighbour on the screen. @param {number | null} from @param {number} to */
  function towards(from, to) {
    if (from === null || from >> 4 !== to >> 4) return [0, 1];
    const sign = south ? 1 : -1; // who sits at the lower edge looks the other way
    return [sign * Math.sign((to & 3) - (from & 3)), sign * Math.sign((to >> 2 & 3) - (from >> 2 & 3))];
  }

  /**
   * @param {HTMLElement} place
   * @param {number} sensor
   * @param {import("./pieces.js").MeaningLook | undefined} meaning
   * @param {Picture} now
   */
  function showStop(place, sensor, meaning, now) {
    const player = sensor >= SPACES + 3 ? 1 : 0;
    const era = ERAS[(sensor - SPACES) % 3];
    const kind = meaning?.name ?? "off";
    const isHere = (lying.get(sensor) ?? []).includes(`${SIDES[player]}-focus`);
    const isPick = kind === "focus" && now.choosing;
    const isTodo = isMark(meaning);
    const way = now.way ?? now.hinted;
    const isNext = way?.player === SIDES[player] && way.focus === era && !isHere;
    const isWanted = isNext && Boolean(now.hinted);
    const step = due.get(sensor) ?? (isWanted ? { no: (now.hinted?.path.length ?? 1) || 1, isNow: false } : null);
    const isEmpty = !now.pieces.some(({ at, look }) => look === SIDES[player] && ERAS[at >> 4] === era);
    const key = JSON.stringify([isHere, kind, isPick, isEmpty, isNext, isWanted, now.whose[player], step]);
    if (place.dataset.drawn === key) return;
    place.dataset.drawn = key;
    place.dataset.meaning = kind;
    place.classList.toggle("pick", isPick);
    place.classList.toggle("here", isHere);
    place.classList.toggle("wanted", isWanted);
    place.classList.toggle("todo", due.has(sensor));
    place.classList.toggle("now", Boolean(step?.isNow));
    if (choose) place.tabIndex = isPick ? 0 : -1;
    const whose = now.whose[player];
    const named = { whose, era: eraName(era) };
    const at = isHere ? tr("{whose} is in the {era}", named) : tr("{whose} is not in the {era}", named);
    place.setAttribute("aria-label", isPick && now.put ? now.put[player](named.era) : at);
    const looksHere = isHere ? "open" : kind === "focus" || isNext ? "half" : "shut";
    const eye = eyeFigure(player, looksHere);
    if (isHere) eye.dataset.look = `${SIDES[player]}-focus`;
    fill(
      place,
      eye,
      h("span", {}, isPick ? (isEmpty ? tr("Nobody there") : tr("Focus here")) : isHere ? whose : ""),
      isTodo && meaning ? h("span", { class: "mark" }, markFigure(meaning)) : null,
      step ? h("b", { class: "number", "aria-hidden": "true" }, step.no) : null,
    );
  }

  /** Have what moved slide there. @param {Map<number, string[]>} before @param {Map<number, string[]>} after */
  function slide(before, after) {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const gone = changes(before, after);
    const come = changes(after, before);
    for (const { at, look } of come) {
      const from = gone.findIndex((each) => each.look === look && each.at >> 4 === at >> 4);
      const figure = /** @type {SVGElement | null | undefined} */ (places.get(at)?.querySelector(`:scope > [data-look="${look}"]`));
      if (!figure?.animate) continue;
      // who comes back from a journey may have left a copy there
      const left = [at - 16, at + 16].find((each) => SIDES.includes(look) && before.get(each)?.includes(look));
      if (from < 0 && left !== undefined && come.length <= FLYERS) {
        fly(figure, left, at);
        continue;
      }
      if (from < 0) {
        figure.animate([{ opacity: 0, scale: "0.6" }, { opacity: 1, scale: "1" }], SLIDE_MS);
        continue;
      }
      const [old] = gone.splice(from, 1);
      const start = places.get(old.at)?.getBoundingClientRect();
      const end = places.get(at)?.getBoundingClientRect();
      if (!start || !end) continue;
      const away = `${start.x - end.x}px ${start.y - end.y}px`;
      figure.animate([{ translate: away }, { translate: "0 0" }], { duration: SLIDE_MS, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" });
    }
  }

  /** Have a copy fly from era to era, above all edges. @param {SVGElement} figure @param {number} from @param {number} to */
  function fly(figure, from, to) {
    const { a, b, c } = bowed(from, to);
    const flight = /** @type {SVGElement} */ (figure.cloneNode(true));
    flight.removeAttribute("data-look");
    flight.classList.add("flight");
    flight.style.offsetPath = `path("M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}")`;
    ribbon.append(flight);
    const timing = { duration: JOURNEY_MS, easing: "cubic-bezier(0.45, 0, 0.35, 1)" };
    figure.animate([{ opacity: 0 }, { opacity: 0 }], timing);
    flight.animate([{ offsetDistance: "0%" }, { offsetDistance: "100%" }], timing).onfinish = () => flight.remove();
  }

  /** Seams where the chosen copy may travel; the ways of the last turn, and of one that could be played. */
  function drawThreads() {
    if (!picture || !root.clientWidth) return fill(threads);
    const { leds, active, last, way, hinted } = picture;
    for (const era of ["past", "future"]) ribbon.style.removeProperty(`--seam-${era}`);
    leds.forEach((number, at) => {
      const kind = looks().meanings[number]?.name ?? "";
      if (active === null || at >= SPACES || !JOURNEYS.has(kind)) return;
      ribbon.style.setProperty(`--seam-${Math.min(at, active) < 16 ? "past" : "future"}`, `var(--${kind})`);
    });
    const shown = hinted ?? way;
    fill(
      threads,
      ...(active === null && last ? ways(last.path, `last ${last.player}`, last.isCounted) : []),
      ...(shown ? ways(shown.path.slice(Math.max(0, (shown.done ?? 0) - 1)), "way") : []),
    );
  }

  /** @param {number[]} path @param {string} kind @param {boolean} [isCounted] whether each has its number */
  function ways(path, kind, isCounted) {
    return path.slice(1).map((to, at) => (to === path[at] ? null : thread(path[at], to, kind, isCounted ? at + 1 : 0)));
  }

  /** The middles of two places, and what a way between them bends to; a journey bows. @param {number} from @param {number} to */
  function bowed(from, to) {
    const base = threads.getBoundingClientRect();
    const [a, b] = [from, to].map((sensor) => {
      const box = /** @type {HTMLElement} */ (places.get(sensor)).getBoundingClientRect();
      return { x: box.x + box.width / 2 - base.x, y: box.y + box.height / 2 - base.y, size: box.width };
    });
    const isJourney = from >> 4 !== to >> 4;
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / far, (b.y - a.y) / far];
    const bow = isJourney ? Math.min(far * 0.16, a.size * 0.9) : 0;
    return { a, b, c: { x: (a.x + b.x) / 2 - uy * bow, y: (a.y + b.y) / 2 - Math.abs(ux) * bow }, isJourney, ux, uy };
  }

  /** An arrow from rim to rim. @param {number} from @param {number} to @param {string} kind @param {number} no that stands beside it, if any */
  function thread(from, to, kind, no) {
    const { a, b, c, isJourney, ux, uy } = bowed(from, to);
    const { size } = a;
    const rim = (/** @type {{x: number, y: number}} */ { x, y }) => {
      const part = (size * (isJourney ? 0.5 : 0.34)) / (Math.hypot(c.x - x, c.y - y) || 1);
      return { x: x + (c.x - x) * part, y: y + (c.y - y) * part };
    };
    const [start, end] = [rim(a), rim(b)];
    const angle = Math.atan2(end.y - c.y, end.x - c.x);
    const spot = (/** @type {{x: number, y: number}} */ { x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    const barb = (/** @type {number} */ turn) => spot({ x: end.x + Math.cos(angle + turn) * Math.max(6, size * 0.13), y: end.y + Math.sin(angle + turn) * Math.max(6, size * 0.13) });
    const d = `M${spot(start)}Q${spot(c)} ${spot(end)}M${barb(2.5)}L${spot(end)}L${barb(-2.5)}`;
    const beside = { transform: `translate(${c.x - uy * size * 0.3} ${c.y + ux * size * 0.3})` };
    const number = no ? s("g", beside, s("circle", { r: size * 0.13 + 3 }), s("text", { y: size * 0.05 + 1, "font-size": size * 0.16 + 4 }, no)) : null;
    return s("g", { class: `thread ${kind}`, vars: { "--thick": `${Math.max(2.5, size * 0.05).toFixed(1)}px` } }, s("path", { class: "case", d }), s("path", { d }), number);
  }

  /** @param {(sensor: number) => void} choose */
  function listen(choose) {
    root.addEventListener("click", (event) => {
      const sensor = sensorOf(event.target);
      if (sensor !== null) choose(sensor);
    });
    root.addEventListener("keydown", (event) => {
      const from = sensorOf(event.target);
      if (from === null || !(event.key in WAYS) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const boxes = new Map([...places].map(([sensor, place]) => [sensor, place.getBoundingClientRect()]));
      const to = placeTowards(boxes, from, WAYS[event.key]);
      if (to !== null && to !== undefined) places.get(to)?.focus();
    });
  }

  if (choose) createPull(root, (sensor) => places.get(sensor), choose);
  if (choose) listen(choose);
  new ResizeObserver(drawThreads).observe(ribbon);

  return {
    show,
    /** Offer what can be done at a place on the place itself; nothing for null. @param {{at: number, buttons: HTMLElement[], says: string} | null} asked */
    fan(asked) {
      ribbon.querySelector(".fan")?.remove();
      if (!asked) return;
      const fan = h("div", { class: "fan options", role: "group", "aria-label": asked.says }, asked.buttons);
      ribbon.append(fan);
      const base = ribbon.getBoundingClientRect();
      const box = /** @type {HTMLElement} */ (places.get(asked.at)).getBoundingClientRect();
      const { width, height } = fan.getBoundingClientRect();
      const x = Math.min(Math.max(8, box.x + box.width / 2 - base.x - width / 2), base.width - width - 8);
      const below = box.bottom - base.y + 6;
      const y = below + height < base.height ? below : Math.max(4, box.y - base.y - height - 6);
      Object.assign(fan.style, { left: `${x}px`, top: `${y}px` });
      asked.buttons[0]?.focus({ preventScroll: true });
    },
    /** Draw everything anew: names, colours or drawings have changed. */
    forget() {
      for (const place of places.values()) delete place.dataset.drawn;
      if (picture) show(picture);
    },
  };
}

/**
 * @param {{at: number, look: string}[]} pieces
 * @param {(look: string) => boolean} isFlat whether others stand on it
 * @returns {Map<number, string[]>} looks, from the lowest up
 */
function byPlace(pieces, isFlat) {
  /** @type {Map<number, string[]>} */
  const found = new Map();
  for (const { at, look } of pieces) {
    const here = found.get(at) ?? [];
    found.set(at, isFlat(look) ? [look, ...here] : [...here, look]);
  }
  return found;
}

/**
 * The steps for the hands that are not done yet, by place: of several the first.
 * @param {Step[]} steps
 * @returns {Map<number, {no: number, isNow: boolean, look: string}>}
 */
function dueSteps(steps) {
  const now = steps.findIndex((step) => !step.is_done);
  const found = new Map();
  steps.forEach(({ at, put, look, is_done: isDone }, index) => {
    for (const place of isDone ? [] : at) {
      if (found.has(place)) continue;
      found.set(place, { no: index + 1, isNow: index === now, look: put.includes(place) ? look : "" });
    }
  });
  return found;
}

/** What one map has and the other has not. @param {Map<number, string[]>} of @param {Map<number, string[]>} without */
function changes(of, without) {
  /** @type {{at: number, look: string}[]} */
  const found = [];
  for (const [at, here] of of) {
    if (at >= SPACES) continue;
    for (const look of here) if (!(without.get(at) ?? []).includes(look)) found.push({ at, look });
  }
  return found;
}
