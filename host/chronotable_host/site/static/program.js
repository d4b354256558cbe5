// @ts-check
/** The worker that stands in the place of a server: it runs `site/program.py`, and keeps its files. */

import { beginPython, forgetStart, HOME, keepBegun } from "./python.js";
import { mixBlocks } from "./scrypt.js";

const language = self.name;

// ---- what is sent, once what it says is kept

const { transaction } = IDBDatabase.prototype;
/** A transaction is over once all of it is on the disk, which browsers else leave for later. @param {string | string[]} stores @param {IDBTransactionMode} [mode] */
IDBDatabase.prototype.transaction = function (stores, mode) {
  return transaction.call(this, stores, mode, { durability: "strict" });
};

/** @type {any[]} */
const held = [];
let isChanged = false;
let isSending = false;
let keeps = true;
const NO_FILE = 44; // Emscripten's ENOENT

/** @param {string} kind @param {number} number @param {any} [content] */
function send(kind, number, content) {
  const copied = content?.toJs ? content.toJs() : content;
  content?.destroy?.();
  held.push({ kind, number, content: copied });
  sendSoon();
}

/** Take note that files have changed, which are kept also where nothing is said of it. */
function change() {
  isChanged = true;
  sendSoon();
}

/** Send what is held once Python has done what it does. */
function sendSoon() {
  if (isSending) return;
  isSending = true;
  queueMicrotask(sendHeld);
}

async function sendHeld() {
  while (held.length || (isChanged && keeps)) {
    const due = held.splice(0);
    while (isChanged && keeps) {
      isChanged = false;
      await synchronise(false);
    }
    for (const each of due) {
      if (each.kind === "wire") wire(each);
      else postMessage(each);
    }
  }
  isSending = false;
}

/** The line to a broker. @type {WebSocket | null} */
let line = null;

/** Open a line to an address, send bytes there, or close it. @param {{number: number, content: any}} asked */
function wire({ number, content }) {
  if (typeof content !== "string") return content ? line?.send(content) : line?.close();
  try {
    line = new WebSocket(content, "mqtt");
  } catch {
    return program.wired(number); // this address is none that it may go to
  }
  line.binaryType = "arraybuffer";
  line.onopen = () => program.wired(number, true);
  line.onmessage = ({ data }) => program.wired(number, python.toPy(new Uint8Array(data)));
  line.onclose = () => program.wired(number);
}

/** Have the files in the browser's storage, or from there. @param {boolean} reads @returns {Promise<void>} */
function synchronise(reads) {
  return new Promise((resolve) =>
    python.FS.syncfs(reads, (/** @type {any} */ error) => {
      if (error?.errno === NO_FILE) isChanged = true; // Python has removed one meanwhile: once more
      else if (error) {
        keeps = false;
        postMessage({ kind: "unkept", content: String(error) });
      }
      resolve();
    }),
  );
}

// ---- where things are done elsewhere

const IDLE_MS = 60_000; // after which a worker ends, as it takes as much memory as all the rest

class Lane {
  /** @type {{number: number, asked: Uint8Array}[]} */
  waiting = [];
  /** @type {{number: number, asked: Uint8Array} | null} */
  now = null;
  canWait = false;
  isReady = false;
  idle = 0;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.begin();
  }

  begin() {
    this.isReady = false;
    this.worker = new Worker(new URL("elsewhere.js", import.meta.url), { type: "module", name: language });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = () => this.lose(workers.died);
  }

  /** @param {any} data */
  hear({ number, said, isDone, hasFailed, isReady, canWait }) {
    if (isReady) Object.assign(this, { isReady, canWait });
    else if (hasFailed) return this.lose(workers.died);
    else if (isDone) this.now = null;
    else return workers.heard(number, python.toPy(said));
    this.next();
  }

  /** Have it do what is next, or end where there is nothing for long. */
  next() {
    clearTimeout(this.idle);
    if (!this.isReady || this.now) return;
    this.now = this.waiting.shift() ?? null;
    if (this.now) this.worker?.postMessage(this.now);
    else this.idle = setTimeout(() => this.end(), IDLE_MS);
  }

  end() {
    this.worker?.terminate();
    delete lanes[this.name];
  }

  /** @param {number} number */
  stop(number) {
    if (this.now?.number === number && this.canWait) return this.worker?.postMessage({ number });
    if (this.now?.number === number) return this.lose(workers.heard);
    this.waiting = this.waiting.filter((each) => each.number !== number);
    workers.heard(number, null);
  }

  /** The worker is gone, or has to go. @param {(number: number, said: null) => void} tell */
  lose(tell) {
    this.worker?.terminate();
    const { number = 0 } = this.now ?? {};
    this.now = null;
    this.begin();
    tell(number, null);
  }
}

/** @type {Record<string, Lane>} */
const lanes = {};

/** @param {string} lane @param {number} number @param {any} asked nothing to stop it */
function post(lane, number, asked) {
  if (!asked) return lanes[lane]?.stop(number);
  laneOf(lane).waiting.push({ number, asked: asked.toJs() });
  asked.destroy();
  lanes[lane].next();
}

/** @param {string} name */
function laneOf(name) {
  return (lanes[name] ??= new Lane(name));
}

// ---- the program

/** What Python waits for in `site/work.py`. @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
Object.assign(self, { pause, mixBlocks });

/** @param {unknown} error */
async function fail(error) {
  console.error(error);
  await forgetStart(language).catch(console.error); // that may be why
  postMessage({ kind: "failed", content: String(error).trim().split("\n").at(-1) });
}
self.addEventListener("unhandledrejection", (event) => fail(event.reason)); // also what fails below

const { python, isRestored } = await beginPython(language, true);
try {
  python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
  await synchronise(true);
} catch (error) {
  keeps = false;
  postMessage({ kind: "unkept", content: String(error) });
}
const workers = python.pyimport("chronotable_host.site.workers").use(post);
const program = python.pyimport("chronotable_host.site.program").Program(send, change);

const does = /** @type {Record<string, (message: any) => void>} */ ({
  get: ({ number, path, query, body }) => program.get(number, path, query, language, python.toPy(body)),
  open: ({ number, path }) => program.open(number, path, language),
  hear: ({ number, text }) => {
    program.hear(number, text);
    laneOf("game").next(); // somebody plays: when it is needed it has begun, and until then it takes no memory
  },
  leave: ({ number }) => program.leave(number),
  plug: ({ isThere }) => program.plug(isThere),
  cable: ({ bytes }) => program.came(python.toPy(bytes)),
  free: () => program.let_go(),
  work: ({ what, board }) => program.work(what, board),
  press: ({ word }) => program.press(word),
});
self.onmessage = ({ data }) => does[data.kind](data);
const ends = program.run();
postMessage({ kind: "ready", content: isRestored });
keepBegun(language).catch(console.warn);
setInterval(() => postMessage({ kind: "alive" }), 2000);
ends.catch(fail);
