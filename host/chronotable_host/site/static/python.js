// @ts-check
/** Python in a worker, with the program in it. */

import { loadPyodide } from "../pyodide/pyodide.mjs";

/** The folder of the games; each worker has its own. */
export const HOME = "/home/games";

/**
 * Begin it.
 * @param {string} language that it speaks
 * @returns {Promise<any>} what Pyodide is
 */
export async function beginPython(language) {
  const fetched = fetch(new URL("../program.tar.xz", import.meta.url)).then((packed) => packed.arrayBuffer());
  const python = await loadPyodide({
    indexURL: new URL("../pyodide/", import.meta.url).href,
    env: { HOME: "/home", CHRONOTABLE_HOME: HOME, LANGUAGE: language },
  });
  python.unpackArchive(await fetched, "xztar", { extractDir: "/program" });
  python.FS.mkdirTree(HOME);
  python.pyimport("sys").path.insert(0, "/program");
  python.pyimport("chronotable_host.site.begin").begin(fetchNow);
  return python;
}

/** @param {string} name @returns {Uint8Array} a file of the site, without a promise: imports cannot wait */
function fetchNow(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(name, import.meta.url), false);
  request.responseType = "arraybuffer";
  request.send();
  return new Uint8Array(request.response);
}
