// @ts-check
/**
 * The page's server is a worker: requests and sockets of the page lead there, and so do links to
 * files. One tab at a time has the table, as all have the same games.
 */

import { createCable } from "./cable.js";
import { byId, fill, h } from "./dom.js";
import { language, languages, tr } from "./language.js";
import { button, folder } from "./parts.js";
import { inAMinute } from "./rules.js";
import { note } from "./speak.js";
import { hero } from "./start.js";

const BASE = new URL("../", import.meta.url);
const OURS = /^(api\/|site\/|board\.svg$|picture\.svg$)/;
const SILENT_MS = 15_000; // longer than anything that the program does at once
const MOST_RESTARTS = 3; // one after the other
const STARTING = tr("The table is being set up; the first time this takes a little longer.");

const chosen = /chronotable-language=(\w+)/.exec(document.cookie)?.[1] ?? navigator.languages.map((each) => each.slice(0, 2)).find((each) => languages.includes(each)) ?? "en";
if (chosen !== language && languages.includes(chosen)) location.replace(new URL(`${chosen === "en" ? "index" : `index.${chosen}`}.html${location.hash}`, BASE));

/** Why nobody answers yet, "" once somebody does. */
let why = STARTING;
/** @type {Worker | null} */
let worker = null;
let heardAt = 0;
let restarts = 0;
let last = 0;
/** @type {Map<number, (message: any) => void>} who waits for what comes of a request or a socket */
const waiting = new Map();

// ---- the worker

function begin() {
  // by its name, as one that a service worker had in its cache is told no query
  worker = new Worker(new URL("program.js", import.meta.url), { type: "module", name: language });
  heardAt = Infinity;
  worker.onmessage = ({ data }) => {
    heardAt = performance.now();
    if (data.kind === "ready") isReady(data.content);
    else if (data.kind === "failed") restart(data.content);
    else if (data.kind === "unkept") note(tr("This browser keeps nothing here ({why}): save your games before you close the page.", { why: data.content }));
    else if (data.kind === "far") note(data.content);
    else if (data.number) waiting.get(data.number)?.(data);
    else if (data.kind !== "alive") cable.hear(data);
  };
  worker.onerror = (event) => restart(event.message);
}

/** @param {boolean} isRestored whether the memory of an earlier start was there */
function isReady(isRestored) {
  own.dataset.start = isRestored ? "restored" : "whole";
  navigator.serviceWorker?.register(new URL("sw.js", BASE)).catch(() => {}); // then it needs a network
  setTimeout(() => (restarts = 0), SILENT_MS);
  why = "";
  show();
  cable.ready();
  window.dispatchEvent(new Event("online")); // the page looks for its server at once
}

/** @param {string} [reason] */
function restart(reason = "") {
  worker?.terminate();
  cable.lost();
  const last = reason.trim().split("\n").at(-1) ?? "";
  if (++restarts > MOST_RESTARTS) {
    heardAt = Infinity;
    why = tr("The table’s program does not run in this browser: {why}", { why: last });
    return;
  }
  why = `${tr("The table’s program has failed, and is started again; the game goes on where it was.")} ${last}`;
  for (const tell of [...waiting.values()]) tell({ kind: "closed", content: 1011 });
  waiting.clear();
  begin();
}

setInterval(() => {
  if (performance.now() - heardAt > SILENT_MS) restart();
}, 1000);

/** Say something to the worker. @param {any} message */
function tell(message) {
  worker?.postMessage(message);
}

const cable = createCable(tell, async (image) => {
  const answer = await ask("/site/table.uf2", "", null, image);
  if (answer.ok) save(await answer.blob(), "chronotable.uf2");
  else note((await answer.json()).why);
});

// ---- requests

const fetchOthers = window.fetch.bind(window);

/** @param {URL} url @returns {string | null} what is asked of the program there, if anything */
function ours(url) {
  if (url.origin !== BASE.origin) return null;
  const path = url.pathname.startsWith(BASE.pathname) ? url.pathname.slice(BASE.pathname.length) : url.pathname.slice(1);
  return OURS.test(path) ? `/${path}` : null;
}

window.fetch = async (what, options = {}) => {
  const url = new URL(what instanceof Request ? what.url : what, document.baseURI);
  const path = ours(url);
  if (why && url.pathname === location.pathname) return refused(); // asked by whoever lost the line
  if (!path) return fetchOthers(what, options);
  return ask(path, url.search.slice(1), options.signal, options.body);
};

function refused() {
  return Response.json({ why }, { status: 503 });
}

/** @param {string} path @param {string} query @param {AbortSignal | null} [signal] @param {any} [body] @returns {Promise<Response>} */
async function ask(path, query, signal, body = new Uint8Array()) {
  if (why) return refused();
  const number = ++last;
  return new Promise((resolve, reject) => {
    /** @type {ReadableStreamDefaultController} */
    let out;
    const leave = () => {
      waiting.delete(number);
      tell({ kind: "leave", number });
    };
    const stream = new ReadableStream({ start: (controller) => void (out = controller), cancel: leave });
    signal?.addEventListener("abort", () => {
      leave();
      reject(signal.reason);
      out.error(signal.reason);
    });
    waiting.set(number, ({ kind, content }) => {
      if (kind === "body") out.enqueue(content);
      else if (kind === "head") {
        const [status, headers] = JSON.parse(content);
        resolve(new Response(status === 304 ? null : stream, { status, headers }));
      } else {
        waiting.delete(number);
        if (kind === "end") out.close();
        else reject(new TypeError(why));
      }
    });
    tell({ kind: "get", number, path, query, body });
  });
}

class Line {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  readyState = Line.CONNECTING;
  /** @type {((event: any) => void) | null} */
  onopen = null;
  /** @type {((event: any) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onclose = null;
  number = ++last;

  /** @param {string} url */
  constructor(url) {
    waiting.set(this.number, (message) => this.hear(message));
    if (why) queueMicrotask(() => this.hear({ kind: "closed", content: 1013 }));
    else tell({ kind: "open", number: this.number, path: new URL(url).pathname });
  }

  /** @param {any} message */
  hear({ kind, content }) {
    if (kind === "open") {
      this.readyState = Line.OPEN;
      this.onopen?.({});
    } else if (kind === "text") this.onmessage?.({ data: content });
    else {
      this.readyState = Line.CLOSED;
      waiting.delete(this.number);
      this.onclose?.({ code: content });
    }
  }

  /** @param {string} text */
  send(text) {
    tell({ kind: "hear", number: this.number, text });
  }

  close() {
    tell({ kind: "leave", number: this.number });
    this.hear({ kind: "closed", content: 1000 });
  }
}
window.WebSocket = /** @type {any} */ (Line);

document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || event.defaultPrevented) return;
  const url = new URL(link.href);
  const path = ours(url);
  if (path) {
    event.preventDefault();
    const answer = await ask(path, url.search.slice(1));
    const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
    save(await answer.blob(), link.download || named || "chronotable");
  } else if (language !== "en" && url.href.startsWith(new URL("help/", BASE).href)) {
    link.href = url.href.replace("/help/", `/help.${language}/`);
  }
});

/** @param {Blob} file @param {string} name */
function save(file, name) {
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// ---- what there is to be done with a browser's games

const said = h("p", { role: "status" });

/** @param {string} text */
function say(text) {
  fill(said, text);
}

/** @param {string} path @param {any} [body] */
async function act(path, body) {
  const answer = await ask(path, "", null, body);
  const { says = "", why: refusal = "" } = answer.ok || answer.status === 400 ? await answer.json() : {};
  say(says || refusal);
  window.dispatchEvent(new Event("hashchange")); // what is shown is read anew
}

const files = h("input", {
  type: "file",
  accept: ".ttykm,.txt,.zip",
  hidden: true,
  on: { change: async () => files.files[0] && act("/site/games", new Uint8Array(await files.files[0].arrayBuffer())) },
});
const own = h(
  "section",
  { id: "site", class: "card card-body", "aria-label": tr("This browser’s table") },
  h("p", {}, tr("Games are kept in this browser alone, which may forget them: save them now and then. Guests, games nights, clubs and other programs that play need Chronotable on a PC.")),
  h(
    "p",
    { class: "ways" },
    button(tr("Save all games"), async () => save(await (await ask("/site/games.zip", "")).blob(), "chronotable-games.zip")),
    button(tr("Take games in"), () => files.click()),
  ),
  files,
  said,
);
const fields = [tr("Your name"), tr("Broker (wss://…)"), tr("Link of an invitation")].map((called) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": called, placeholder: called }));
/** Invite, join by a link or, with nothing, leave. @param {object} asked */
async function playFar(asked) {
  const answer = await ask("/site/far", "", null, new TextEncoder().encode(JSON.stringify(asked)));
  if (answer.ok) location.hash = "#live";
  else note((await answer.json()).why);
}
const [name, broker, link] = fields;
const far = folder(
  tr("Two tables far apart"),
  { id: "apart" },
  h("p", {}, tr("Who invites names an MQTT broker that both reach by WebSockets, and gives the link that the page then shows to the other one, who may have Chronotable on a PC. Come back by the same link, whenever you like.")),
  h("p", { class: "ways" }, fields),
  h(
    "p",
    { class: "ways" },
    button(tr("Invite"), () => playFar({ name: name.value, broker: broker.value })),
    button(tr("Join"), () => playFar({ name: name.value, broker: broker.value, link: link.value })),
    button(tr("Leave the game"), () => playFar({})),
  ),
);
byId("main").append(cable.element, far);
byId("games").before(own);
const show = () => {
  own.hidden = location.hash !== "#games";
  cable.element.hidden = far.hidden = Boolean(why) || !/^(#start)?$/.test(location.hash);
};
window.addEventListener("hashchange", show);
show();

// ---- one tab at a time

/** Have the table, for as long as this page is open. */
const hold = () => {
  const greeting = h("div", { class: "greet" }, h("h1", {}, tr("That Time You Killed Me")), h("progress", { "aria-label": STARTING }));
  fill(byId("start"), h("div", { class: "start" }, hero(), greeting, h("div", { class: "form" }, inAMinute({}))));
  begin();
  return new Promise(() => {});
};
const held = `chronotable ${BASE.pathname}`;
if (chosen === language || !languages.includes(chosen)) {
  navigator.locks?.request(held, { ifAvailable: true }, (lock) => {
    if (lock) return hold();
    why = tr("The table is open in another tab; close that, and it is here.");
    navigator.locks.request(held, () => location.reload());
    return undefined;
  }) ?? begin();
  navigator.storage?.persist?.();
}
