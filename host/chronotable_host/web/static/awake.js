// @ts-check
/**
 * Keeping a phone's screen on while a game goes on, for who asks for it. Pages of plain HTTP have no
 * wake lock: there a film that shows and sounds nothing is played, which browsers stay awake for.
 *
 * Each engine asks more of a film: Blink that it fills a fifth of the window, Gecko that it has a
 * sound track, WebKit that it is not muted (nobody hears it, but other music stops) nor `loop`.
 */

import { h } from "./dom.js";
import { tr } from "./language.js";
import { toggle } from "./parts.js";
import { createSwitch } from "./switches.js";

const wanted = createSwitch("awake");
const REFUSED = tr("This browser does not let the page do so. Have the phone itself wait longer before it turns its screen off.");
const AGAIN_S = 2; // the film begins anew before its end, which would let the phone sleep
/** Four seconds of black and of silence, H.264 and AAC. */
const FILM = [
  "data:video/mp4;base64,",
  "AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAWhbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAfQAAAfQAAAQAAAQAAAAAAAAAAAA",
  "AAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAot0cmFrAAAAXHRraGQA",
  "AAADAAAAAAAAAAAAAAABAAAAAAAAfQAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAABAAAAAQAA",
  "AAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAH0AAAAAAAABAAAAAAIDbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAABAAAABAABVxAAAAAAALWhk",
  "bHIAAAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABrm1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZW",
  "YAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAW5zdGJsAAAAunN0c2QAAAAAAAAAAQAAAKphdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABI",
  "AAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAAMGF2Y0MBQsAK/+EAF2dCwAqmEXsBEAAAAwAQAAADAE",
  "DxImEYAQAGaMhCDyyAAAAAEHBhc3AAAAABAAAAAQAAABRidHJ0AAAAAAAAALAAAAAAAAAAGHN0dHMAAAAAAAAAAQAAAAgAACAAAAAAFHN0c3MA",
  "AAAAAAAAAQAAAAEAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAEAAAABAAAANHN0c3oAAAAAAAAAAAAAAAgAAAASAAAACgAAAAoAAAAKAAAACgAAAA",
  "oAAAAKAAAACgAAADBzdGNvAAAAAAAAAAgAAAXVAAAF9wAABhEAAAYrAAAGRQAABl8AAAZ5AAAGkwAAAmV0cmFrAAAAXHRraGQAAAADAAAAAAAA",
  "AAAAAAACAAAAAAAAfQAAAAAAAAAAAAAAAAEBAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAkZWR0cw",
  "AAABxlbHN0AAAAAAAAAAEAAH0AAAAEAAABAAAAAAHdbWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAAAfQAAAgQBVxAAAAAAALWhkbHIAAAAAAAAA",
  "AHNvdW4AAAAAAAAAAAAAAABTb3VuZEhhbmRsZXIAAAABiG1pbmYAAAAQc21oZAAAAAAAAAAAAAAAJGRpbmYAAAAcZHJlZgAAAAAAAAABAAAADH",
  "VybCAAAAABAAABTHN0YmwAAAB+c3RzZAAAAAAAAAABAAAAbm1wNGEAAAAAAAAAAQAAAAAAAAAAAAEAEAAAAAAfQAAAAAAANmVzZHMAAAAAA4CA",
  "gCUAAgAEgICAF0AVAAAAAAAfQAAAAP8FgICABRWIVuUABoCAgAECAAAAFGJ0cnQAAAAAAAAfQAAAAP8AAAAgc3R0cwAAAAAAAAACAAAAIAAABA",
  "AAAAABAAABAAAAAChzdHNjAAAAAAAAAAIAAAABAAAAAQAAAAEAAAACAAAABAAAAAEAAAAUc3RzegAAAAAAAAAEAAAAIQAAADRzdGNvAAAAAAAA",
  "AAkAAAXRAAAF5wAABgEAAAYbAAAGNQAABk8AAAZpAAAGgwAABp0AAAAac2dwZAEAAAByb2xsAAAAAgAAAAH//wAAABxzYmdwAAAAAHJvbGwAAA",
  "ABAAAAIQAAAAEAAAA9dWR0YQAAADVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABtZGlyYXBwbAAAAAAAAAAAAAAAAAhpbHN0AAAACGZyZWUAAADk",
  "bWRhdAEYIAcAAAAOZYiCAr///4eigAChb8ABGCAHARggBwEYIAcBGCAHAAAABkGaHAV9QAEYIAcBGCAHARggBwEYIAcAAAAGQZoqAV9QARggBw",
  "EYIAcBGCAHARggBwAAAAZBmjsBX1ABGCAHARggBwEYIAcBGCAHAAAABkGaSQBT1AEYIAcBGCAHARggBwEYIAcAAAAGQZpZQFPUARggBwEYIAcB",
  "GCAHARggBwAAAAZBmmmAU9QBGCAHARggBwEYIAcBGCAHAAAABkGaecBL1AEYIAcBGCAHARggBwEYIAc=",
].join("");

/**
 * Make the switch. `draw` is told whether a game goes on: only then is the screen kept on, and while
 * the page is looked at. What is refused is tried again at the next touch, as some browsers want one.
 */
export function createAwake() {
  let isOn = false;
  /** @type {{release: () => unknown} | null} */
  let held = null;
  let isAsking = false;
  /** @type {any} */
  let film = null;
  const says = h("p", { role: "status", hidden: true }, REFUSED);
  const { element } = toggle(tr("Keep the screen on"), wanted, settle);

  async function settle() {
    says.hidden = says.hidden || !wanted.isOn();
    const isDue = () => isOn && wanted.isOn() && !document.hidden;
    if (held && !isDue()) {
      held.release();
      held = null;
    }
    if (held || isAsking || !isDue()) return;
    isAsking = true;
    const lock = await locked().catch(played).catch(() => null);
    isAsking = false;
    says.hidden = Boolean(lock) || !isDue();
    held = lock;
    if (lock && !isDue()) settle();
  }

  async function locked() {
    const lock = await navigator.wakeLock.request("screen"); // there is none on plain HTTP
    lock.addEventListener("release", () => {
      if (held === lock) held = null; // the browser lets go of it where the page is hidden
    });
    return lock;
  }

  async function played() {
    film ??= newFilm();
    document.body.append(film);
    await film.play();
    const lock = { release: () => film.remove() }; // which ends it, too
    film.onpause = () => {
      if (held === lock) held = null; // a call came in, or other music
    };
    return lock;
  }

  for (const event of ["pointerup", "keyup"]) document.addEventListener(event, settle, { passive: true });
  document.addEventListener("visibilitychange", settle);
  settle();

  return {
    elements: [element, says],
    draw(/** @type {boolean} */ isNowOn) {
      if (isOn === isNowOn) return;
      isOn = isNowOn;
      settle();
    },
  };
}

function newFilm() {
  const film = h("video", { src: FILM, playsinline: true, "aria-hidden": "true", tabindex: "-1" });
  film.muted = !("GestureEvent" in window); // which WebKit alone has
  film.addEventListener("timeupdate", () => {
    if (film.currentTime > AGAIN_S) film.currentTime = 0;
  });
  Object.assign(film.style, { position: "fixed", inset: 0, width: "100%", height: "100%", opacity: 0.01, zIndex: -1, pointerEvents: "none", objectFit: "fill" });
  return film;
}
