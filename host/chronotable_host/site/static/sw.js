// @ts-check
/// <reference lib="webworker" />
/** The files of one version of the site, kept: what was opened once opens without a network, too. */

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** What `chronotable site` has put here: the version, and the files of it. */
const { version, files } = { version: "", files: [""] };
const KEPT = `chronotable ${scope.registration.scope} `;

scope.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT + version).then((kept) => kept.addAll(files.map((file) => new Request(file, { cache: "no-cache" })))));
});
scope.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => scope.clients.claim()));
});
scope.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(KEPT) && name !== KEPT + version).map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.open(KEPT + version);
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
}
