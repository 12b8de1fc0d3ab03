// The page: which game and which move are shown, and what buttons, keys and gestures do.

import { byId, html, save, shortcutOf, svg, text, translate } from "../../../web/app/parts/dom.js";
import { GameView, watchSwipes } from "../../../web/app/parts/gameview.js";
import { linkTo } from "../../../web/app/parts/link.js";
import { sidesOf } from "../../../web/app/parts/players.js";
import { games, load, page } from "./data.js";
import { GameList } from "./list.js";

let list;
let view;

/** Shows a game at an address, or at its start. */
const open = (index, address = "0") => {
  const head = games[index];
  if (!head) return;
  if (view.game?.head === head) {
    view.goTo(address);
  } else {
    // The list of moves scrolls to the move only when it is shown.
    byId("game").hidden = false;
    view.open(load(head), address);
    list?.show(head);
    document.title = sidesOf(head).map(([name]) => head[name]).filter(Boolean).join(" – ") || text("game", numberOfGame(head));
    updateNeighbours(head);
  }
  closeList();
};

const numberOfGame = (head) => head.index + 1;

/** Keeps the address of the page that of the move. */
const noteAddress = (node) => {
  const address = `#game=${numberOfGame(view.game.head)}&ply=${node.address}`;
  if (location.hash !== address) history.replaceState(null, "", address);
};

const toggle = (id, change) => {
  const pressed = byId(id).getAttribute("aria-pressed") !== "true";
  byId(id).setAttribute("aria-pressed", pressed);
  change(pressed);
};

const toggleArrows = () => toggle("arrows", (pressed) => view.showArrows(pressed));

const toggleCoordinates = () => toggle("coordinates", (pressed) => byId("board").classList.toggle("bare", !pressed));

/** Returns the address of the page of the next or the previous game of a report in a folder. */
const neighbour = (step) => page.links[step > 0 ? "next" : "previous"];

const updateNeighbours = (head) => {
  const exists = (step) => Boolean(page.links.index ? neighbour(step) : games[head.index + step]);
  byId("previous-game").disabled = !exists(-1);
  byId("next-game").disabled = !exists(1);
};

const openNeighbour = (step) => {
  if (!page.links.index) open((view.game?.head.index ?? -1) + step);
  else if (neighbour(step)) location.assign(neighbour(step));
};

const toggleTheme = () => {
  const root = document.documentElement;
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
};

const copyFen = async () => {
  const fen = byId("fen");
  fen.select();
  const copied = await navigator.clipboard?.writeText(fen.value).then(() => true, () => false);
  if (!copied) document.execCommand("copy");
  byId("copy").textContent = text("copied");
  setTimeout(() => { byId("copy").textContent = text("copy"); }, 1500);
};

const setListOpen = (isOpen) => {
  byId("page").classList.toggle("list-open", isOpen);
  byId("open-list").setAttribute("aria-expanded", isOpen);
};

const closeList = () => setListOpen(false);

const downloadGame = () => save(`game-${numberOfGame(view.game.head)}.pdn`, `${view.game.source().trim()}\n`);

/** Opens the game in the application of the site, where it can be analysed. */
const openInApp = async (event) => {
  event.preventDefault();
  const app = new URL(page.links.app, location.href).href;
  location.assign(await linkTo(app, `${view.game.source().trim()}\n`, view.node?.address ?? "0"));
};

const downloadAll = () => save("games.pdn", games.map((head) => `${load(head).source().trim()}\n`).join("\n"));

const flip = () => view.flip();

const KEYS = {
  ArrowLeft: () => view.back(),
  ArrowRight: () => view.forward(),
  Home: () => view.first(),
  End: () => view.end(),
  ArrowUp: () => openNeighbour(-1),
  ArrowDown: () => openNeighbour(1),
  f: flip,
  c: toggleCoordinates,
  a: toggleArrows,
};

const onKey = (event) => {
  if (event.key === "Escape") closeList();
  const typing = event.target.matches("input:not([readonly])");
  if (!view.game || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[shortcutOf(event)];
  if (!action) return;
  event.preventDefault();
  action();
};

/** Shows what the address of the page names: `#game=3&ply=20`. */
const followAddress = () => {
  const named = new URLSearchParams(location.hash.slice(1));
  const number = page.links.index ? 1 : Number(named.get("game") ?? 1);
  open(games[number - 1] ? number - 1 : 0, named.get("ply") ?? "0");
};

const listen = () => {
  const actions = {
    "to-app": openInApp, flip, arrows: toggleArrows, coordinates: toggleCoordinates, theme: toggleTheme, copy: copyFen, download: downloadGame,
    "download-all": downloadAll, "previous-game": KEYS.ArrowUp, "next-game": KEYS.ArrowDown,
    "open-list": () => setListOpen(!byId("page").classList.contains("list-open")),
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  watchSwipes(byId("board"), (forward) => (forward ? view.forward() : view.back()));
};

/** Shows signs that are not in the page itself. */
const showIcons = () => {
  for (const [id, d] of Object.entries(page.icons ?? {})) {
    byId(id).append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d })));
  }
};

const begin = () => {
  translate(document);
  showIcons();
  byId("plain")?.remove();
  document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  byId("title").textContent = page.title ?? document.title;
  const isIndex = Boolean(page.links.games);
  document.body.classList.add(isIndex ? "index" : games.length > 1 ? "many" : "single");
  view = new GameView({
    board: byId("board"), boardFrame: byId("board-frame"), gauge: byId("gauge"), graph: byId("graph"), graphFrame: byId("graph-frame"),
    moves: byId("moves"), sides: byId("sides"), facts: byId("facts"), topPlayer: byId("top-player"),
    bottomPlayer: byId("bottom-player"), status: byId("status"), fen: byId("fen"), first: byId("first"), previous: byId("previous"),
    next: byId("next"), last: byId("last"),
  }, noteAddress);
  if (isIndex || games.length > 1) list = new GameList();
  if (page.links.index) {
    byId("to-index").href = page.links.index;
    byId("to-index").hidden = false;
  }
  if (page.links.app) {
    byId("to-app").href = page.links.app;
    byId("to-app").hidden = false;
  }
  listen();
  if (isIndex) return;
  window.addEventListener("hashchange", followAddress);
  followAddress();
};

begin();
