// @ts-check
/** Python in a worker, with the program in it: from the memory that an earlier start has left, if any. */

import createPyodideModule from "../pyodide/pyodide.asm.mjs";
import { loadPyodide } from "../pyodide/pyodide.mjs";

/** The folder of the games; each worker has its own. */
export const HOME = "/home/games";

const VERSION = ""; // `chronotable site` puts it here
const BASE = new URL("../", import.meta.url);
const KEPT = `chronotable ${BASE.href} ${VERSION}`; // the service worker's: what it forgets, this forgets, too
const BLOCK = 1 << 20; // of memory

/** What is known of the memory that this began with. @type {Response | null} */
let tried = null;
let hasBegun = () => {};
/** @type {Promise<void>} */
const begun = new Promise((resolve) => void (hasBegun = resolve));

Object.assign(self, { fetchNow });

/**
 * Begin it.
 * @param {string} language that it speaks
 * @param {boolean} [keeps] whether its memory is kept for later starts
 * @returns {Promise<{python: any, isRestored: boolean}>} what Pyodide is, and whether its memory was there
 */
export async function beginPython(language, keeps = false) {
  const options = { indexURL: new URL("pyodide/", BASE).href, env: { HOME: "/home", CHRONOTABLE_HOME: HOME, LANGUAGE: language } };
  try {
    const python = await restored(language, options, keeps);
    if (python) return { python, isRestored: true };
  } catch (error) {
    console.warn(error);
    await forgetStart(language).catch(console.warn);
  }
  const fetched = fetch(new URL("program.tar.xz", BASE)).then((packed) => packed.arrayBuffer());
  const isKept = keeps && "caches" in self;
  const python = await loadPyodide({ ...options, _makeSnapshot: isKept });
  python.FS.writeFile("/packed", new Uint8Array(await fetched));
  python.runPython("import lzma, shutil\nwith lzma.open('/packed') as packed, open('/files', 'wb') as files: shutil.copyfileobj(packed, files)");
  const files = python.FS.readFile("/files");
  for (const each of ["/packed", "/files"]) python.FS.unlink(each);
  unpack(python.FS, files);
  python.runPython(`import sys; sys.path.insert(0, "/program"); from chronotable_host.site import begin; begin.begin(${keeps ? "True" : "False"})`);
  if (keeps) {
    const others = othersOf(files, new Set(python.pyimport("chronotable_host.site.begin").forget_files().toJs()));
    unpack(python.FS, others);
    free(files);
    if (isKept) keepStart(language, python, others).catch(console.warn); // then each start is a whole one
  }
  return { python, isRestored: false };
}

/** Let go of the memory that was kept: what began with it has failed. @param {string} language */
export async function forgetStart(language) {
  if ("caches" in self) await (await caches.open(KEPT)).delete(placeOf("start", language));
}

/** Keep the memory that has begun well for later, now that nobody waits for the table. @param {string} language */
export async function keepBegun(language) {
  hasBegun();
  if (tried) await (await caches.open(KEPT)).put(placeOf("start", language), tried);
}

/** @param {"start" | "memory" | "files"} what @param {string} language what an environment names is in the memory, too */
function placeOf(what, language) {
  return new URL(`${what}.${language}`, BASE);
}

/** @param {string} language @param {any} python @param {Uint8Array} files */
async function keepStart(language, python, files) {
  const snapshot = python.makeMemorySnapshot();
  await begun;
  const begins = new Uint32Array(snapshot.buffer)[1]; // the memory, behind what Pyodide says of it
  const about = btoa(String.fromCharCode(...snapshot.subarray(0, begins)));
  const memory = snapshot.subarray(begins);
  const used = [];
  let size = 0;
  for (let at = 0; at < memory.length; at += BLOCK) {
    const block = memory.subarray(at, at + BLOCK);
    if (at + BLOCK < memory.length && !block.some(Boolean)) continue; // most of the stack, which takes no memory where nobody writes
    memory.set(block, size);
    used.push(at);
    size += block.length;
  }
  const kept = await caches.open(KEPT);
  await kept.put(placeOf("files", language), new Response(files));
  await kept.put(placeOf("memory", language), new Response(memory.subarray(0, size)));
  await kept.put(placeOf("start", language), new Response("", { headers: { about, blocks: `${[memory.length, size, ...used]}` } }));
  free(snapshot);
}

/**
 * @param {string} language
 * @param {object} options
 * @param {boolean} isTrial whether the memory is out of use until `keepBegun`: whatever becomes of this page, the next begins
 * @returns {Promise<any>} Python with the memory that was kept, if any was
 */
async function restored(language, options, isTrial) {
  if (!("caches" in self)) return null;
  const kept = await caches.open(KEPT);
  const [start, memory, files] = await Promise.all(/** @type {const} */ (["start", "memory", "files"]).map((each) => kept.match(placeOf(each, language))));
  if (!start || !memory || !files) return null;
  if (isTrial) {
    await forgetStart(language);
    tried = start;
  }
  const python = await loadPyodide({
    ...options,
    _loadSnapshot: Uint8Array.from(atob(start.headers.get("about") ?? ""), (each) => each.charCodeAt(0)),
    createPyodideModule: async (/** @type {any} */ settings) => {
      const module = await createPyodideModule(settings);
      await fillMemory(module, memory, start.headers);
      return module;
    },
  });
  unpack(python.FS, new Uint8Array(await files.arrayBuffer()));
  python.pyimport("chronotable_host.site.begin").begin_again();
  return python;
}

/** Free the memory of an array at once: a worker that does little collects nothing for long. @param {Uint8Array} array */
function free({ buffer }) {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [buffer]); // moves it to nobody
  port1.close();
}

/** Piece by piece, so that it is never there twice. @param {any} module @param {Response} kept @param {Headers} about */
async function fillMemory(module, kept, about) {
  const [length, size, ...used] = (about.get("blocks") ?? "").split(",").map(Number);
  module._sbrk(length - module._sbrk(0)); // has the memory grow
  const pieces = kept.body?.getReader();
  let filled = 0;
  for (let piece = await pieces?.read(); piece?.value; piece = await pieces?.read()) {
    for (let from = 0; from < piece.value.length; ) {
      const part = piece.value.subarray(from, from + BLOCK - (filled % BLOCK));
      module.HEAPU8.set(part, used[Math.floor(filled / BLOCK)] + (filled % BLOCK));
      from += part.length;
      filled += part.length;
    }
    free(piece.value);
  }
  if (filled !== size) throw new RangeError("the memory that was kept is not whole");
}

/** The files of an archive: where they begin in it, and where the next one does. @param {Uint8Array} tar */
function* filesOf(tar) {
  const text = (/** @type {number} */ from, /** @type {number} */ size) => new TextDecoder().decode(tar.subarray(from, from + size)).split("\0", 1)[0];
  for (let at = 0, next = 0; tar[at]; at = next) {
    const ends = at + 512 + Number.parseInt(text(at + 124, 12), 8);
    next = Math.ceil(ends / 512) * 512;
    yield { name: ["/program", text(at + 345, 155), text(at, 100)].filter(Boolean).join("/"), at, ends, next };
  }
}

/** An archive of what is in another one, which is spoilt by that, and not known. @param {Uint8Array} tar @param {Set<string>} known */
function othersOf(tar, known) {
  let size = 0;
  for (const { name, at, next } of filesOf(tar)) {
    if (known.has(name)) continue;
    tar.copyWithin(size, at, next);
    size += next - at;
  }
  return tar.slice(0, size + 512).fill(0, size);
}

/** Put the files of an archive where the program looks for them. @param {any} FS @param {Uint8Array} tar */
function unpack(FS, tar) {
  for (const { name, at, ends } of filesOf(tar)) {
    FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    FS.writeFile(name, tar.subarray(at + 512, ends), { canOwn: true });
  }
  FS.mkdirTree(HOME);
}

/** @param {string} name @returns {Uint8Array} a file of the site, without a promise: imports cannot wait */
function fetchNow(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(name, BASE), false);
  request.responseType = "arraybuffer";
  request.send();
  return new Uint8Array(request.response);
}
