// @ts-check
/**
 * The three boards as a game looks: time runs across a wide screen and down a high one, each era
 * between the two eyes that may be opened there. What lies there comes from the position alone.
 */

import { fill, h, s } from "./dom.js";
import { copyFigure, eyeFigure, isMark, markFigure } from "./figures.js";
import { WAYS, placeTowards } from "./geometry.js";
import { tr, trC } from "./language.js";
import { pieceName, pieceNode } from "./pieces.js";
import { createPull } from "./pull.js";
import { sensorOf } from "./walk.js";
import { capital, eraName } from "./words.js";

/** @import { Looks } from "./pieces.js" */
/**
 * What the boards show. `leds` has a meaning's number by sensor, `active` the sensor of the chosen
 * copy, `last` the last turn, `put` says that a player's focus goes to an era, `south` the player who sits at the lower edge, `moods` by player.
 * @typedef {{pieces: {at: number, look: string}[], leds: number[], focus: string[],
 *   mover: number, active: number | null, choosing: boolean, south: number, whose: string[],
 *   put?: ((era: string) => string)[],
 *   moods: import("./figures.js").Mood[],
 *   last: {path: number[], died: {at: number, look: string}[], player: string} | null,
 *   way?: Way | null,
 *   steps: Step[]}} Picture
 * A turn that could be played: where its copy would go and who would die, and the era for the focus.
 * @typedef {{path: number[], died: {at: number, look: string}[], player: string, focus: string}} Way
 * What hands are to do: where its number stands, and on which of these places a piece is to be put.
 * @typedef {{at: number[], put: number[], look: string, is_done: boolean}} Step
 */

const ERAS = ["past", "present", "future"];
const SIDES = ["white", "black"];
const SPACES = 48;
const SLIDE_MS = 260;
const DIED = /** @type {Record<string, string>} */ ({ white: tr("white died here"), black: tr("black died here") });
const HURTS = new Set(["squish", "paradox", "own_death"]);
const LETTERS = /** @type {Record<string, string>} */ ({ question: "a", question_b: "b", question_c: "c" });
/** Short words under the marks; what has none is said by its name for screen readers alone. */
const WORDS = /** @type {Record<string, string>} */ ({
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
 * be looked at, and nothing on them takes the focus.
 * @param {HTMLElement} root
 * @param {{places: () => string[], looks: () => Looks, choose?: (sensor: number) => void}} of
 */
export function createEras(root, { places: called, looks, choose }) {
  const threads = s("svg", { class: "threads", "aria-hidden": "true" });
  const ribbon = h("div", { class: "ribbon" });
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
      h("h2", {}, capital(eraName(era))),
      stop(1 - south, "far"),
      h("div", { class: "spaces" }, spaces.map((each) => each ?? null)),
      stop(south, "near"),
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
      const isLit = next.focus[next.mover] === ERAS[number];
      element.classList.toggle("lit", isLit);
      element.classList.toggle("from-far", isLit && next.mover !== south);
    });
    if (before.size) slide(before, lying);
    drawThreads();
    pull?.settle();
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
    const way = now.way?.path ?? [];
    const willDie = Boolean(now.way?.died.some(({ at }) => at === sensor));
    const isActive = now.active === sensor;
    const step = due.get(sensor);
    const dead = here.length ? null : now.last?.died.find(({ at }) => at === sensor);
    const isCan = kind === "copy" && !isActive;
    const isTarget = isMark(meaning) || kind in LETTERS;
    const may = now.choosing && (isCan || isActive || (isTarget && kind !== "off"));
    const state = [
      "space",
      isCan && "can",
      isActive && "active",
      isTarget && `target ${kind}`,
      here.length && path.length > 1 && path[path.length - 1] === sensor && "came",
      way[0] === sensor && "came",
      step && "todo",
      step?.isNow && "now",
    ];
    const drawn = [here.join(), kind, isActive, dead?.look ?? "", path.includes(sensor), now.last?.player, now.moods.join(), now.active, now.south, may, step, way.indexOf(sensor), willDie];
    const key = JSON.stringify(drawn);
    if (place.dataset.drawn === key) return;
    place.dataset.drawn = key;
    place.className = state.filter(Boolean).join(" ");
    place.dataset.meaning = kind;
    if (choose) place.tabIndex = may ? 0 : -1;
    const says = meaning?.says ?? "";
    const lies = here.map((look) => pieceName(looks(), look)).reverse().join(` ${trC("stack", "on")} `);
    const told = [lies || tr("empty"), isActive ? tr("chosen") : says, dead ? DIED[dead.look] : ""];
    place.setAttribute("aria-label", `${name}, ${told.filter(Boolean).join(", ")}`);
    const mood = HURTS.has(kind) || willDie ? "wide" : "";
    const word = isTarget ? (WORDS[kind] ?? meaning?.word) : "";
    const isLow = isTarget && here.length > 0 && towards(now.active, sensor)[1] > 0;
    const coming = way.includes(sensor, 1) ? now.way?.player : "";
    const shade = here.length ? "" : (step?.look ?? "") || (coming ?? "");
    const ghost = !shade && !here.length && !dead && path.slice(0, -1).includes(sensor) ? now.last?.player : null;
    fill(
      place,
      ...here.map((look) => piece(look, mood, now)),
      ghost ? h("span", { class: `ghost ${ghost}` }, copyFigure(SIDES.indexOf(ghost))) : null,
      shade ? h("span", { class: "shade" }, piece(shade, "", now)) : null,
      dead && !shade ? h("span", { class: "chalk" }, copyFigure(SIDES.indexOf(dead.look), "dead")) : null,
      isTarget && meaning ? mark(sensor, meaning, here.length > 0, now) : null,
      word && !step ? h("span", { class: isLow ? "word high" : "word", "aria-hidden": "true" }, word) : null,
      step ? number(step) : null,
    );
  }

  /** @param {{no: number}} step */
  function number({ no }) {
    return h("b", { class: "number", "aria-hidden": "true" }, no);
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
    return s("svg", { class: isFlat(look) ? "thing flat" : "thing", ...view, "data-look": look }, pieceNode(looks(), look));
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
    const sign = south ? 1 : -1;
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
    const isNext = now.way?.player === SIDES[player] && now.way.focus === era && !isHere;
    const step = due.get(sensor);
    const key = JSON.stringify([isHere, kind, isPick, isNext, now.whose[player], step]);
    if (place.dataset.drawn === key) return;
    place.dataset.drawn = key;
    place.dataset.meaning = kind;
    place.classList.toggle("pick", isPick);
    place.classList.toggle("here", isHere);
    place.classList.toggle("todo", Boolean(step));
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
      h("span", {}, isPick ? tr("Look here") : isHere ? whose : ""),
      isTodo && meaning ? h("span", { class: "mark" }, markFigure(meaning)) : null,
      step ? number(step) : null,
    );
  }

  /** Have what moved slide there. @param {Map<number, string[]>} before @param {Map<number, string[]>} after */
  function slide(before, after) {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const gone = changes(before, after);
    for (const { at, look } of changes(after, before)) {
      const from = gone.findIndex((each) => each.look === look && each.at >> 4 === at >> 4);
      const figure = places.get(at)?.querySelector(".copy, .thing");
      if (!figure?.animate) continue;
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

  /** Threads of time: to where the chosen copy may travel; and the way of the last turn. */
  function drawThreads() {
    if (!picture || !root.clientWidth) return fill(threads);
    const { leds, active, last, way } = picture;
    const lines = [];
    if (active !== null) {
      leds.forEach((number, at) => {
        const kind = looks().meanings[number]?.name ?? "";
        if (at < SPACES && (kind === "forward" || kind === "back")) lines.push(thread(active, at, kind, true));
      });
    }
    const path = active === null && last ? last.path : [];
    for (let at = 1; at < path.length; at += 1) {
      if (path[at] !== path[at - 1]) lines.push(thread(path[at - 1], path[at], `last ${last?.player}`, false));
    }
    if (way) lines.push(arrowTip(), ...wayThreads(way));
    fill(threads, ...lines);
  }

  /** @param {Way} way */
  function wayThreads({ path, player, focus }) {
    const of = SIDES.indexOf(player);
    const eye = SPACES + 3 * of;
    const from = ERAS.indexOf(picture?.focus[of] ?? "");
    const ways = path.slice(1).map((to, at) => [path[at], to]);
    ways.push([eye + from, eye + ERAS.indexOf(focus)]);
    return ways.filter(([a, b]) => a !== b).map(([a, b]) => thread(a, b, "way", false));
  }

  /** What a thread of `way` ends with. */
  function arrowTip() {
    const how = { id: "way-tip", viewBox: "0 0 10 10", refX: 5, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" };
    return s("marker", how, s("path", { d: "M0 0L10 5 0 10z" }));
  }

  /** @param {number} from @param {number} to @param {string} kind @param {boolean} isBetween */
  function thread(from, to, kind, isBetween) {
    const base = threads.getBoundingClientRect();
    const [a, b] = [from, to].map((sensor) => {
      const box = /** @type {HTMLElement} */ (places.get(sensor)).getBoundingClientRect();
      return { x: box.x + box.width / 2 - base.x, y: box.y + box.height / 2 - base.y, size: box.width };
    });
    const isAcross = Math.abs(b.x - a.x) > Math.abs(b.y - a.y);
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const bow = from >> 4 === to >> 4 ? 0 : far * 0.2;
    const c = { x: (a.x + b.x) / 2 + (isAcross ? 0 : bow), y: (a.y + b.y) / 2 + (isAcross ? bow : 0) };
    const skip = isBetween ? 0.36 : Math.min(0.4, (0.42 * a.size) / far);
    const points = Array.from({ length: 15 }, (_, step) => {
      const t = skip + (step / 14) * (1 - 2 * skip);
      const [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      return `${(u * a.x + v * c.x + w * b.x).toFixed(1)} ${(u * a.y + v * c.y + w * b.y).toFixed(1)}`;
    });
    return s("path", { class: `thread ${kind}`, d: `M${points.join("L")}` });
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

  const pull = choose && createPull(root, (sensor) => places.get(sensor), choose);
  if (choose) listen(choose);
  new ResizeObserver(drawThreads).observe(ribbon);

  return {
    show,
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
