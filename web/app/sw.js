// The service worker: the application works offline once it has been opened.

/** The files of this version. A release changes the name, so that all of them are fetched again. */
const CACHE = "pdn-6";
const SHELL = [
  "./", "index.html", "app.css", "parts/parts.css", "manifest.webmanifest", "icon.svg", "annotation.js", "app.js", "client.js",
  "changes.js", "db.js", "files.js", "gif.js", "parts/board.js", "parts/dom.js", "parts/gameview.js", "parts/graph.js",
  "parts/icons.js", "parts/input.js", "parts/link.js", "parts/model.js", "parts/moves.js", "parts/players.js", "parts/solving.js", "parts/texts.js", "parts/virtual.js", "place.js",
  "sound.js", "store.js", "texts.js", "tried.js", "trust.js", "ui.js", "views/analyse.js", "views/check.js", "views/clock.js", "views/collection.js", "views/engine.js", "views/folder.js", "views/games.js", "views/hand.js", "views/learn.js",
  "views/open.js", "views/pane.js", "views/play.js", "views/setup.js", "views/share.js", "worker.js",
];
/** Files of the package and samples, if they exist. */
const EXTRAS = ["pdn/pdn.js", "pdn/module.js", "pdn/functions.js", "pdn/inputs.js", "pdn/pdn-core.wasm", "samples/annotated.pdn", "samples/mistakes.pdn"];
/** The engine with its weights and endgame databases, which offline analysis needs. */
const ENGINE = ["../pdn-engine.wasm", "../pdn-tables.wasm",
  "antidraughts.pdnw", "brazilian.egdb", "brazilian.pdnw", "breakthrough.pdnw", "canadian.pdnw", "czech.pdnw", "english.egdb",
  "english.pdnw", "frisian.pdnw", "frysk.pdnw", "international.egdb", "international.pdnw", "italian.egdb", "italian.pdnw",
  "killer.pdnw", "pool.pdnw", "russian.egdb", "russian.pdnw", "spanish.pdnw", "spantsiretti.pdnw", "thai.pdnw", "turkish.pdnw",
].map((name) => new URL(name, new URL("pdn/data/", location)).href);
/** Records that another application shared, until a page has opened them. */
const SHARED = "shared-records";

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await Promise.all([cache.addAll(SHELL), ...[...EXTRAS, ...ENGINE].map((name) => cache.add(name).catch(() => undefined))]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith("pdn-") && name !== CACHE).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

/** Keeps shared files and texts, and shows the page that opens them. */
const share = async (request) => {
  const cache = await caches.open(SHARED);
  const parts = [...await request.formData()].filter(([, part]) => part instanceof File || part.trim());
  await Promise.all(parts.map(([field, part], n) => {
    const name = part instanceof File ? part.name : `${field}.pdn`;
    return cache.put(`./share/${n}/${encodeURIComponent(name)}`, new Response(part));
  }));
  return Response.redirect("./index.html#open", 303);
};

/** Answers from the network if there is one, so that a new version is used at once; fetched files are kept for offline use. */
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "POST" && new URL(request.url).pathname.endsWith("/share")) return event.respondWith(share(request));
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    try {
      const response = await fetch(request);
      // The page does not wait until it is kept, nor fail where storage is full.
      if (response.ok) event.waitUntil(cache.put(request, response.clone()).catch(() => undefined));
      return response;
    } catch (error) {
      const stored = await cache.match(request, { ignoreSearch: true });
      if (stored) return stored;
      throw error;
    }
  })());
});
