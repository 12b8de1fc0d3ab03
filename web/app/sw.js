// The service worker: the application works offline once it has been opened.

/** The files of this version. A release changes the name, so that all of them are fetched again. */
const CACHE = "pdn-3";
const SHELL = [
  "./", "index.html", "app.css", "parts/parts.css", "manifest.webmanifest", "icon.svg", "annotation.js", "app.js", "client.js",
  "changes.js", "db.js", "files.js", "parts/board.js", "parts/dom.js", "parts/gameview.js", "parts/graph.js",
  "parts/icons.js", "parts/model.js", "parts/moves.js", "parts/players.js", "parts/texts.js", "parts/virtual.js", "place.js",
  "store.js", "texts.js", "tried.js", "trust.js", "ui.js", "views/analyse.js", "views/check.js", "views/collection.js", "views/engine.js", "views/folder.js", "views/games.js", "views/hand.js", "views/learn.js",
  "views/open.js", "views/pane.js", "views/play.js", "views/setup.js", "worker.js",
];
/** Files of the package and samples, if they exist. The engine and its data are cached when they are first used. */
const EXTRAS = ["pdn/pdn.js", "pdn/module.js", "pdn/functions.js", "pdn/inputs.js", "pdn/pdn-core.wasm", "samples/annotated.pdn", "samples/mistakes.pdn"];

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

/** Answers from the network if there is one, so that a new version is used at once; fetched files are kept for offline use. */
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
