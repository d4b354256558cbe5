// @ts-check
/** Python in a worker, with the program in it: from the memory that an earlier start has left, if any. */

import createPyodideModule from "../pyodide/pyodide.asm.mjs";
import { loadPyodide } from "../pyodide/pyodide.mjs";

/** The folder of the games; each worker has its own. */
export const HOME = "/home/games";

const VERSION = ""; // `chronotable site` puts it here
const BASE = new URL("../", import.meta.url);
const KEPT = `chronotable ${BASE.href} ${VERSION}`; // the service worker's: what it forgets, this forgets, too
const FILES = new URL("start.tar", BASE);

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
  if (isKept) keepStart(language, python, files).catch(console.warn); // then each start is a whole one
  return { python, isRestored: false };
}

/** Let go of the memory that was kept: what began with it has failed. @param {string} language */
export async function forgetStart(language) {
  if ("caches" in self) await (await caches.open(KEPT)).delete(startOf(language));
}

/** Keep the memory that has begun well for later, now that nobody waits for the table. @param {string} language */
export async function keepBegun(language) {
  hasBegun();
  if (tried) await (await caches.open(KEPT)).put(startOf(language), tried);
}

/** @param {string} language what an environment names is in the memory, too */
function startOf(language) {
  return new URL(`start.${language}`, BASE);
}

/** @param {string} language */
function memoryOf(language) {
  return new URL(`memory.${language}`, BASE);
}

/** @param {string} language @param {any} python @param {Uint8Array} files */
async function keepStart(language, python, files) {
  const snapshot = python.makeMemorySnapshot();
  await begun;
  const begins = new Uint32Array(snapshot.buffer)[1]; // the memory, behind what Pyodide says of it
  const about = btoa(String.fromCharCode(...snapshot.subarray(0, begins)));
  const kept = await caches.open(KEPT);
  await kept.put(FILES, new Response(files));
  await kept.put(memoryOf(language), new Response(snapshot.subarray(begins)));
  await kept.put(startOf(language), new Response("", { headers: { about, size: `${snapshot.length - begins}` } }));
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
  const [start, memory, files] = await Promise.all([startOf(language), memoryOf(language), FILES].map((each) => kept.match(each)));
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
      await fillMemory(module, memory, Number(start.headers.get("size")));
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

/** Piece by piece, so that it is never there twice. @param {any} module @param {Response} kept @param {number} size */
async function fillMemory(module, kept, size) {
  module._sbrk(size - module._sbrk(0)); // has the memory grow
  const pieces = kept.body?.getReader();
  let filled = 0;
  for (let piece = await pieces?.read(); piece?.value; piece = await pieces?.read()) {
    module.HEAPU8.set(piece.value, filled);
    filled += piece.value.length;
    free(piece.value);
  }
  if (filled !== size) throw new RangeError("the memory that was kept is not whole");
}

/** Put the files of an archive where the program looks for them. @param {any} FS @param {Uint8Array} tar */
function unpack(FS, tar) {
  const text = (/** @type {number} */ from, /** @type {number} */ size) => new TextDecoder().decode(tar.subarray(from, from + size)).split("\0", 1)[0];
  for (let at = 0; tar[at]; ) {
    const name = ["/program", text(at + 345, 155), text(at, 100)].filter(Boolean).join("/");
    const begins = at + 512;
    const ends = begins + Number.parseInt(text(at + 124, 12), 8);
    FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    FS.writeFile(name, tar.subarray(begins, ends), { canOwn: true });
    at = begins + Math.ceil((ends - begins) / 512) * 512;
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
