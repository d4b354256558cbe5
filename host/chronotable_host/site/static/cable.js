// @ts-check
/**
 * A real table at this computer's USB: the browser asks which port it is, and has it to itself. What
 * comes there goes to the worker, and what that says goes there.
 */

import { fill, h } from "./dom.js";
import { tr } from "./language.js";
import { button, folder } from "./parts.js";
import { note } from "./speak.js";
import { recall, remember } from "./switches.js";
import { capital } from "./words.js";

const RASPBERRY_PI = 0x2e8a;
const BAUD = 115200; // USB does not care, but 1200 would restart some boards
const MOST_UNSENT = 4096; // bytes: what a table that reads nothing leaves over is dropped: the link repeats it
const BUFFER = 4096;
const BOARDS = [""]; // `chronotable site` puts here which there are
const OTHER = "other";
const HAD = "chronotable-cable"; // whether a table was there, and is to be when the page is opened again
/** @type {any} */
const serial = /** @type {any} */ (navigator).serial;

/**
 * Make the card. `tell` says something to the worker, once that is `ready`; `hear` takes what it says.
 * @param {(message: any) => void} tell
 * @param {(image: Uint8Array) => void} complete saves an image of MicroPython with the firmware in it
 */
export function createCable(tell, complete) {
  let isWanted = false; // from the first choice on until the table is let go
  let isReady = false;
  let unsent = 0;
  /** The port that is open. @type {any} */
  let port = null;
  /** @type {ReadableStreamDefaultReader<Uint8Array> | null} */
  let reader = null;
  let isWorking = false; // a firmware is installed there, or it is examined
  let choice = ""; // what is said of the browser's window in which a port is chosen
  const says = h("p", { role: "status" });
  const connects = button(tr("Connect my table"), connect, { class: "primary" });
  const leaves = button(tr("Let the table go"), () => (isReady ? tell({ kind: "free" }) : letGo("")));
  const installs = button(tr("Install the firmware"), () => work("flash"));
  const examines = button(tr("Examine the table"), () => work("doctor"));
  const log = h("div", { role: "log", tabindex: 0, class: "said" });
  const sent = h("progress", { hidden: true, "aria-label": tr("sending") });
  const keys = h("p", { class: "ways" });
  let board = ""; // its name, or what its file says
  const boardFile = h("input", { type: "file", accept: ".json", hidden: true, on: { change: async () => (board = (await boardFile.files[0]?.text()) ?? board) } });
  const boards = h("select", { "aria-label": tr("Board"), on: { change: () => (boards.value === OTHER ? boardFile.click() : (board = boards.value)) } },
    h("option", { value: "" }, tr("the board that the Pico knows")), BOARDS.map((each) => h("option", { value: each }, each)), h("option", { value: OTHER }, tr("a board file (.json)")));
  const image = h("input", { type: "file", accept: ".uf2", hidden: true, on: { change: async () => image.files[0] && complete(new Uint8Array(await image.files[0].arrayBuffer())) } });
  const element = folder(tr("Your own table"), { id: "cable", open: true }, says, serial ? [h("p", { class: "ways" }, connects, leaves, examines, installs, boards), boardFile, log, sent, keys] : null,
    h("p", {}, tr("A new Pico: name MicroPython for it, downloaded from micropython.org, and save it with the firmware of a table with reed switches in it. Hold BOOTSEL while you plug the Pico in, and copy that file to the drive that appears. What the Pico kept before is lost.")),
    h("p", { class: "ways" }, button(tr("Choose MicroPython (.uf2)"), () => image.click())), image);

  function draw() {
    connects.hidden = isWanted;
    leaves.hidden = !isWanted || isWorking;
    installs.hidden = boards.hidden = examines.hidden = !isReady || isWorking;
    log.hidden = !log.firstChild;
    fill(says, choice || (!serial ? tr("Chrome, Edge and Firefox on a computer, and Chrome on an Android phone, in versions of 2026, can play with a real table on its USB cable; this browser cannot.")
      : !isWanted ? tr("A real table on its USB cable is played, and kept, by this page; no other program may have it open meanwhile.")
      : port ? tr("Your table is on the cable.") : tr("The cable is out: plug it in, and the game goes on.")));
  }

  async function connect() {
    if (await choose()) location.hash = "#live";
  }

  /** Have a port open that a person names; tell whether it is. */
  async function choose() {
    choice = tr("Choose your table in the browser’s window. If it is not listed there, plug it in.");
    draw();
    try {
      await open(await serial.requestPort({ filters: [{ usbVendorId: RASPBERRY_PI }] }));
      return true;
    } catch (error) {
      const isClosed = /** @type {any} */ (error).name === "NotFoundError";
      choice = isClosed ? tr("No table was chosen: the one in your browser goes on.") : "";
      draw();
      if (!isClosed) letGo(tr("The port cannot be opened ({why}). Close the other program that has it, or pull the cable and plug it in again.", { why: String(/** @type {any} */ (error).message) }));
      return false;
    }
  }

  /** Have the worker do what takes long at the table. @param {string} what */
  async function work(what) {
    if (!port && !(await choose())) return;
    isWorking = true;
    fill(log);
    tell({ kind: "work", what, board });
    draw();
  }

  /** @param {any} told see `Tell` in site/work.py */
  function show({ line, progress, keys: known, over }) {
    if (line) log.append(h("p", {}, line));
    log.scrollTop = log.scrollHeight;
    if (progress) [sent.value, sent.max] = progress;
    sent.hidden = !progress || progress[0] === progress[1];
    if (known || over) fill(keys, (known ?? []).map((/** @type {string[]} */ [word, text]) => button(text, () => tell({ kind: "press", word }))));
    if (over) isWorking = false;
    draw();
  }

  /** @param {any} chosen */
  async function open(chosen) {
    if (port) return;
    port = chosen;
    choice = "";
    try {
      await chosen.open({ baudRate: BAUD, bufferSize: BUFFER });
      await chosen.setSignals({ dataTerminalReady: true }); // a table is silent until somebody listens
    } catch (error) {
      port = null;
      throw error;
    }
    isWanted = true;
    unsent = 0;
    remember(HAD, "yes");
    if (isReady) tell({ kind: "plug", isThere: true });
    draw();
    read(chosen);
  }

  /** Hand on what comes, until the port is gone or closed. @param {any} from */
  async function read(from) {
    while (from.readable && port === from) {
      reader = from.readable.getReader();
      try {
        for (let came = await reader.read(); !came.done; came = await reader.read()) {
          if (isReady) tell({ kind: "cable", bytes: came.value });
        }
      } catch {
        // bytes were lost, and there is more to read; or the table was
      } finally {
        reader.releaseLock();
      }
    }
    await from.close().catch(() => {}); // one that is gone cannot be
    if (port === from) port = null;
    if (isReady && isWanted) tell({ kind: "plug", isThere: false });
    draw();
  }

  /** @param {Uint8Array} bytes */
  async function send(bytes) {
    if (!port?.writable || unsent > MOST_UNSENT) return;
    const writer = port.writable.getWriter();
    unsent += bytes.length;
    const written = writer.write(bytes);
    writer.releaseLock(); // what was written is sent all the same
    await written.catch(() => {}); // who reads hears that it is gone
    unsent -= bytes.length;
  }

  /** @param {string} why */
  async function letGo(why) {
    isWanted = false;
    remember(HAD, "no");
    const open = port;
    port = null;
    if (open?.readable) await reader?.cancel().catch(() => {});
    draw();
    if (why) note(capital(why));
  }

  /** Have a table back that was there before. @param {any} found */
  const again = (found) => open(found).catch(() => {}); // it is tried when it is plugged in anew

  serial?.addEventListener("connect", (/** @type {any} */ { target }) => isWanted && again(target));
  draw();

  return {
    element,
    /** The worker has begun, perhaps anew. */
    async ready() {
      isReady = true;
      draw();
      if (port) return tell({ kind: "plug", isThere: true });
      if (!serial || recall(HAD) !== "yes") return;
      isWanted = true;
      draw();
      const known = await serial.getPorts();
      if (known.length === 1) again(known[0]); // nothing is sent to what may be something else
    },
    /** The worker is gone. */
    lost() {
      isReady = false;
      show({ over: true });
    },
    /** @param {any} message */
    hear({ kind, content }) {
      if (kind === "cable") send(content);
      else if (kind === "work") show(JSON.parse(content));
      else letGo(content);
    },
  };
}
