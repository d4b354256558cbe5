// @ts-check
/** A worker that does what takes long; `site/workers.py` says how it is asked. */

import { beginPython } from "./python.js";

const canWait = "Suspending" in WebAssembly;
let stopped = 0;

const python = await beginPython(new URL(location.href).searchParams.get("language") ?? "en");
python.globals.set("turn", () => new Promise((resolve) => setTimeout(resolve)));
python.globals.set("can_wait", canWait);
const serve = python.runPython(`
from pyodide.ffi import run_sync
from chronotable_host.site import workers
def serve(asked, say, is_stopped):
    look = (lambda: run_sync(turn())) if can_wait else (lambda: None)
    workers.serve(asked.to_bytes(), lambda said: say(said), is_stopped, look)
serve`);
const call = canWait ? serve.callPromising.bind(serve) : serve;

self.onmessage = async ({ data: { number, asked } }) => {
  if (!asked) {
    stopped = number;
    return;
  }
  const say = (/** @type {any} */ said) => {
    postMessage({ number, said: said.toJs() });
    said.destroy?.();
  };
  try {
    await call(asked, say, () => stopped === number);
    postMessage({ number, isDone: true });
  } catch (error) {
    console.error(error);
    postMessage({ number, hasFailed: true });
  }
};
postMessage({ isReady: true, canWait });
