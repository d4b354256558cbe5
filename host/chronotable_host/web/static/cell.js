// @ts-check
/** One reed's place on the drawn board: its light, its mark, what lies there, and its name. */

import { s } from "./dom.js";
import { boxOf, middle } from "./geometry.js";
import { tr, trC } from "./language.js";
import { markNode, wantsDarkInk } from "./marks.js";
import { pieceName, pieceNode } from "./pieces.js";

/** @import { Looks } from "./pieces.js" */
/** @import { Place } from "./geometry.js" */
/**
 * What a place shows: looks from the lowest piece up, the number of the LED's meaning, and what is
 * wrong with its reed (mostly empty).
 * @typedef {{looks: string[], meaning: number, fault: string}} Shown
 */

const PITCH = 40;
const TILE_PART = 0.92;
const SPOT = 28;

/**
 * Make a drawn place show things. The returned function draws what differs from before.
 * @param {Place} place
 * @param {{name: string, looks: () => Looks}} about name: of the sensor, as `present 7`
 * @returns {{show: (shown: Shown) => void, forget: () => void}}
 */
export function createCell(place, about) {
  const layers = prepare(place);
  let pieces = "";
  let light = "";
  let label = "";
  return {
    show(shown) {
      const looks = about.looks();
      const meaning = looks.meanings[shown.meaning];
      const words = labelOf(about.name, shown, looks);
      if (words !== label) place.element.setAttribute("aria-label", words);
      if (shown.looks.join() !== pieces) lay(layers.pieces, shown.looks, looks);
      const nextLight = shown.meaning && meaning ? `${meaning.name} ${meaning.colour}` : "";
      if (nextLight !== light) shine(place.element, layers, nextLight ? meaning : null);
      place.element.classList.toggle("faulty", shown.fault !== "");
      place.element.classList.toggle("occupied", shown.looks.length > 0);
      [label, pieces, light] = [words, shown.looks.join(), nextLight];
    },
    forget() {
      [pieces, light, label] = ["-", "-", ""];
    },
  };
}

/**
 * Say what a place shows, as `present 7, black copy, may move here`.
 * @param {string} name
 * @param {Shown} shown
 * @param {Looks} looks
 * @returns {string}
 */
export function labelOf(name, shown, looks) {
  const lying = shown.looks
    .map((look) => pieceName(looks, look))
    .reverse()
    .join(` ${trC("stack", "on")} `);
  const says = shown.meaning ? looks.meanings[shown.meaning]?.says : "";
  return [name, lying || tr("empty"), says, shown.fault].filter(Boolean).join(", ");
}

/**
 * @typedef {{glow: SVGElement, badge: SVGElement, pieces: SVGElement}} Layers
 * @param {Place} place
 * @returns {Layers}
 */
function prepare({ element, shape, box, kind }) {
  element.querySelector(":scope > title")?.remove();
  const at = middle(box);
  const glow = s("g", { class: "glow" }, copyOf(shape, "surround"), copyOf(shape, "edge"));
  const scale = kind === "space" ? box.height / (PITCH * TILE_PART) : box.height / SPOT;
  const pieces = s("g", {
    class: "pieces",
    transform: `translate(${at.x} ${at.y}) scale(${scale})`,
  });
  const led = element.querySelector(".led rect, .led circle");
  const lens = led ? middle(boxOf(/** @type {SVGElement} */ (led))) : at;
  const badge = s("g", {
    class: "badge",
    transform: `translate(${lens.x} ${lens.y}) scale(${scale})`,
  });
  const inset = 6 * scale;
  const corner = `translate(${box.x + inset} ${box.y + box.height - inset}) scale(${scale})`;
  const warning = s("path", { class: "warning", d: "M0-4 4.4 3.4H-4.4Z", transform: corner });
  shape.after(glow);
  element.append(pieces, badge, warning, copyOf(shape, "ring"));
  return { glow, badge, pieces };
}

/** @param {SVGElement} shape @param {string} name @returns {SVGElement} */
function copyOf(shape, name) {
  const copy = /** @type {SVGElement} */ (shape.cloneNode());
  for (const attribute of ["fill", "stroke", "stroke-opacity"]) copy.removeAttribute(attribute);
  copy.setAttribute("class", name);
  return copy;
}

/** @param {SVGElement} layer @param {string[]} names @param {Looks} looks */
function lay(layer, names, looks) {
  layer.replaceChildren(...names.map((look) => pieceNode(looks, look)));
}

/**
 * @param {SVGElement} element
 * @param {Layers} layers
 * @param {{name: string, colour: string, rhythm: string} | null} meaning
 */
function shine(element, { glow, badge }, meaning) {
  element.classList.toggle("lit", meaning !== null);
  badge.replaceChildren();
  if (!meaning) {
    element.removeAttribute("data-meaning");
    glow.removeAttribute("data-rhythm");
    return;
  }
  element.dataset.meaning = meaning.name;
  element.style.setProperty("--led", meaning.colour);
  badge.append(s("circle", { class: "lens", r: 5.6 }), markNode(meaning.name));
  badge.classList.toggle("dark-ink", wantsDarkInk(meaning.colour));
  glow.dataset.rhythm = meaning.rhythm;
  keepTime(glow);
}

/** @type {Set<SVGElement>} glows whose rhythm has just begun */
const fresh = new Set();

/**
 * Have an LED's rhythm start at the page's zero, so that all LEDs blink together. Asked of all at
 * once and later, as the browser works out its styles for that.
 * @param {SVGElement} glow
 */
function keepTime(glow) {
  if (!fresh.size) requestAnimationFrame(synchronise);
  fresh.add(glow);
}

function synchronise() {
  for (const glow of fresh) {
    for (const animation of glow.getAnimations?.() ?? []) animation.startTime = 0;
  }
  fresh.clear();
}
