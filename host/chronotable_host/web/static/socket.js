// @ts-check
/**
 * The line to the server: messages in, requests out, and back again after every loss. The server
 * tells everything anew to whoever connects, so nothing is kept here.
 *
 * A line that dies while a phone sleeps says nothing, and its socket stays open. So the server says
 * how often it speaks; where it is silent for longer it is asked whether it is there, and where it
 * does not answer the line is lost. It is asked, too, when somebody looks at the page again. Silence
 * alone loses no line: timers of a page that sleeps or lies behind others are late.
 */

import { byId, fill, h } from "./dom.js";
import { tr } from "./language.js";
import { capital } from "./words.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
const PATIENCE_MS = 6000;
const LOST = tr("The connection is lost. It comes back by itself.");

/**
 * What came of a request: `why` is a sentence where it was refused.
 * @typedef {{ok: boolean, why?: string, link?: string, qr?: string, box?: unknown}} Reply
 * @typedef {(what: string, values?: Record<string, unknown>) => Promise<Reply>} Ask
 * @typedef {{message: (message: any) => void, state: (state: LineState) => void,
 *   ended?: (why: string) => void}} Listener `ended`: for a page whose server may refuse it for good
 * @typedef {{online: boolean, why: string}} LineState
 */

/**
 * Open the line. `request` waits while that is being opened, and always answers, also when the line
 * is lost meanwhile.
 * @param {string} path of the socket, on this page's server
 * @param {Listener} listener
 * @returns {{request: Ask}}
 */
export function openLine(path, listener) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Map<number, (reply: Reply) => void>} */
  const waiting = new Map();
  /** @type {string[]} */
  let unsent = [];
  let pause = FIRST_PAUSE_MS;
  let timer = 0;
  let lastId = 0;
  let hasEnded = false;
  let watch = 0;
  /** How often the server speaks at least; 0 until it has said so. */
  let everyMs = 0;

  const connect = () => {
    clearTimeout(timer);
    clearTimeout(watch);
    watch = setTimeout(drop, 2 * everyMs || PATIENCE_MS);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const opening = new WebSocket(`${scheme}//${location.host}${path}`);
    let wasOpen = false;
    socket = opening;
    opening.onopen = () => {
      wasOpen = true;
      listen();
      pause = FIRST_PAUSE_MS;
      for (const text of unsent) opening.send(text);
      unsent = [];
      listener.state({ online: true, why: "" });
    };
    opening.onmessage = (event) => hear(event.data);
    opening.onclose = () => socket === opening && lose(wasOpen);
  };

  const lose = (/** @type {boolean} */ wasOpen) => {
    socket = null;
    clearTimeout(watch);
    unsent = [];
    for (const settle of waiting.values()) settle({ ok: false, why: LOST });
    waiting.clear();
    clearTimeout(timer);
    timer = setTimeout(connect, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    if (wasOpen) listener.state({ online: false, why: "" });
    else tellRefusal(listener, end);
  };

  const hear = (/** @type {unknown} */ data) => {
    const message = parse(data);
    if (message?.type === "beat") everyMs = Number(message.every_ms);
    listen();
    if (!message || message.type === "beat") return;
    const reply = replyIn(message);
    if (!reply) {
      listener.message(message);
      return;
    }
    waiting.get(message.id)?.(reply);
    waiting.delete(message.id);
  };

  const end = (/** @type {string} */ why) => {
    hasEnded = true;
    clearTimeout(timer);
    listener.ended?.(why);
  };

  /** Something was heard: the next word has its time anew. */
  const listen = () => {
    clearTimeout(watch);
    if (everyMs) watch = setTimeout(check, 2 * everyMs);
  };

  /** Find out whether the line is there, and open it if not. */
  const check = () => {
    if (socket) {
      if (everyMs) ask("beat", {}, everyMs);
    } else if (!hasEnded) {
      pause = FIRST_PAUSE_MS;
      connect();
    }
  };

  /** Give up a line that does not answer: the network may be gone without a word. */
  const drop = () => {
    const silent = socket;
    if (!silent) return;
    silent.onclose = null;
    silent.close();
    lose(true);
  };

  /** @param {string} what @param {Record<string, unknown>} values @param {number} patienceMs @returns {Promise<Reply>} */
  const ask = (what, values = {}, patienceMs = PATIENCE_MS) => {
    if (!socket || socket.readyState > WebSocket.OPEN) return Promise.resolve({ ok: false, why: LOST });
    const id = ++lastId;
    const text = JSON.stringify({ ...values, id, do: what });
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else unsent.push(text);
    return new Promise((resolve) => {
      const patience = setTimeout(drop, patienceMs);
      waiting.set(id, (reply) => {
        clearTimeout(patience);
        resolve(reply);
      });
    });
  };

  for (const looked of ["online", "focus", "pageshow"]) window.addEventListener(looked, check);
  window.addEventListener("offline", drop);
  document.addEventListener("visibilitychange", () => document.hidden || check());
  connect();

  return { request: (what, values) => ask(what, values) };
}

/**
 * Ask in this way, but nothing again that still waits for its answer: who presses twice means it
 * once. Both presses get that answer.
 * @param {Ask} ask
 * @returns {Ask}
 */
export function withoutDoubles(ask) {
  /** @type {Map<string, Promise<Reply>>} */
  const waiting = new Map();
  return (what, values = {}) => {
    const key = JSON.stringify([what, values]);
    const reply = waiting.get(key) ?? ask(what, values).finally(() => waiting.delete(key));
    waiting.set(key, reply);
    return reply;
  };
}

/** @param {unknown} data @returns {any} a message, or null for what is none */
function parse(data) {
  try {
    const message = JSON.parse(String(data));
    return typeof message?.type === "string" ? message : null;
  } catch {
    return null;
  }
}

/**
 * Read what a message answers to a request; in a games night only what went wrong is said.
 * @param {any} message
 * @returns {Reply | null}
 */
function replyIn(message) {
  if (message.type === "reply") return { ok: Boolean(message.ok), why: message.why };
  if (message.type === "answer") return { ...message, ok: !message.error, why: message.error };
  return null;
}

/**
 * Ask in plain HTTP why the socket is refused: the server says it in words there.
 * @param {Listener} listener
 * @param {(why: string) => void} end where it is refused for good
 */
async function tellRefusal(listener, end) {
  try {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    if (answer.ok) return;
    const { why } = await answer.json();
    if (why && listener.ended) end(String(why));
    else if (why) listener.state({ online: false, why: String(why) });
  } catch {
    // the server does not answer at all, which the page says already
  }
}

/** Say on the page that the line is lost, and why, until it is back. @param {LineState} state */
export function showLine({ online, why }) {
  const bar = byId("lost");
  bar.hidden = online;
  fill(bar, online ? null : h("p", {}, why ? capital(why) : LOST));
}
