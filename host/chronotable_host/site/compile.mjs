// Compiles Python's files for the browser with the Python of the browser. Arguments: Pyodide's folder,
// the archive to read, the archive to write.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [core, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(core, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: core });
python.FS.writeFile("/from.zip", readFileSync(from));
python.FS.writeFile("/compiling.py", readFileSync(new URL("compiling.py", import.meta.url)));
python.runPython("import sys; sys.path.insert(0, '/'); import compiling; compiling.compile_all('/from.zip', '/to.zip')");
writeFileSync(to, python.FS.readFile("/to.zip"));
