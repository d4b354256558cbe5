// @ts-check
/** A worker that does what takes long; `site/workers.py` says how it is asked. */

import { beginPython } from "./python.js";

const canWait = "Suspending" in WebAssembly;
let stopped = 0;

const { python } = await beginPython(self.name);
const { serve } = python.pyimport("chronotable_host.site.workers");
const call = canWait ? serve.callPromising.bind(serve) : serve;
/** Have messages come in. */
const turn = canWait ? () => new Promise((resolve) => setTimeout(resolve)) : null;

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
    await call(python.toPy(asked), say, () => stopped === number, turn);
    postMessage({ number, isDone: true });
  } catch (error) {
    console.error(error);
    postMessage({ number, hasFailed: true });
  }
};
postMessage({ isReady: true, canWait });
