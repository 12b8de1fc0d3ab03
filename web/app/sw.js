// The service worker: the application works without a connection once it was open.

/** The files of this version. A release changes the name, so that all of them are fetched again. */
const CACHE = "pdn-1";
const SHELL = [
  "./", "index.html", "app.css", "parts/parts.css", "manifest.webmanifest", "icon.svg", "annotation.js", "app.js", "client.js",
  "db.js", "diff.js", "edit.js", "files.js", "parts/board.js", "parts/dom.js", "parts/gameview.js", "parts/graph.js",
  "parts/icons.js", "parts/model.js", "parts/moves.js", "parts/players.js", "parts/texts.js", "parts/virtual.js", "place.js",
  "store.js", "texts.js", "trust.js", "ui.js", "views/analyse.js", "views/check.js", "views/collection.js", "views/games.js",
  "views/open.js", "views/pane.js", "views/setup.js", "worker.js",
];
/** Files of the package and samples, as far as they are there. The engine and its data are kept when they are first used. */
const EXTRAS = ["pdn/pdn.js", "pdn/module.js", "pdn/inputs.js", "pdn/pdn-core.wasm", "samples/annotated.pdn", "samples/mistakes.pdn"];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await Promise.all([cache.addAll(SHELL), ...EXTRAS.map((name) => cache.add(name).catch(() => undefined))]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith("pdn-") && name !== CACHE).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

/** Answers from the network while there is one, so that a new version is seen at once; what was fetched is kept for the rest. */
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    try {
      const response = await fetch(request);
      if (response.ok) await cache.put(request, response.clone());
      return response;
    } catch (error) {
      const stored = await cache.match(request, { ignoreSearch: true });
      if (stored) return stored;
      throw error;
    }
  })());
});
