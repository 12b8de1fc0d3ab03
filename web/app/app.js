// The application: its views, its language, and the state that all views share.

import { byId, html, setTexts, shortcutOf, text, translate } from "./parts/dom.js";
import { TEXTS } from "./parts/texts.js";
import { APP_TEXTS } from "./texts.js";
import { keptOf, setting } from "./db.js";
import { isChanged, store } from "./store.js";
import { altDigitOf } from "./ui.js";
import { droppedFiles, sharedFiles } from "./files.js";
import { serviceWorker } from "./place.js";
import { scriptAddress } from "./trust.js";
import { OpenView } from "./views/open.js";
import { CheckView } from "./views/check.js";
import { GamesView } from "./views/games.js";
import { AnalyseView } from "./views/analyse.js";
import { CollectionView } from "./views/collection.js";
import { linkedRecord } from "./parts/link.js";
import { GamePane } from "./views/pane.js";

const LANGUAGES = { en: "English", nl: "Nederlands", fr: "Français", it: "Italiano", pt: "Português", ru: "Русский" };
const CODES = Object.keys(LANGUAGES);

const VIEWS = { open: OpenView, check: CheckView, games: GamesView, analyse: AnalyseView, collection: CollectionView };

/** The views whose address has the game on the board. */
const WITH_GAME = ["games", "analyse"];

/** @type {Record<string, any>} */
const views = {};

const chooseLanguage = () => {
  const wished = [setting.get("language"), ...navigator.languages.map((name) => name.slice(0, 2))];
  return wished.find((code) => code && CODES.includes(code)) ?? "en";
};

/** @param {string} code */
const setLanguage = (code) => {
  const index = CODES.indexOf(code);
  const entries = Object.entries({ ...TEXTS, ...APP_TEXTS }).map(([name, texts]) => [name, texts[index]]);
  setTexts(Object.fromEntries(entries));
  document.documentElement.lang = code;
};

/** Announces a text to screen readers.
 * @param {string} words */
const announce = (words) => {
  byId("announcer").textContent = words;
};

/** The game on the board, which views share.
 * @type {GamePane | undefined} */
let shared;

/** Shows a view; views are created when they are first shown.
 * @type {(name: string, request?: any) => void} */
const show = (name, request) => {
  if (!(name in VIEWS)) name = "open";
  for (const other of Object.values(views)) {
    if (!other.root.hidden) other.hidden?.();
    other.root.hidden = true;
  }
  if (!views[name]) {
    const view = new VIEWS[/** @type {"open"} */ (name)](host);
    view.root.classList.add("view", name);
    view.root.setAttribute("aria-label", text(name));
    views[name] = view;
    byId("view").append(view.root);
  }
  views[name].root.hidden = false;
  for (const tab of byId("tabs").children) {
    if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  document.title = `${text(name)} – pdn`;
  if (location.hash.split("/")[0] !== `#${name}`) history.pushState(null, "", address(name));
  views[name].shown?.(request);
};

/** Returns the address of a view: that of a game has its file, its number and the move that is shown.
 * @param {string} name */
const address = (name) => {
  const entry = shared?.shownEntry;
  if (!entry || !WITH_GAME.includes(name)) return `#${name}`;
  return `#${name}/${[entry.file.name, entry.game, shared?.view.node?.address ?? "0"].map(encodeURIComponent).join("/")}`;
};

/** Shows a game that the address contains.
 * @type {(letters: string, move: string) => Promise<void>} */
const showLinked = async (letters, move) => {
  const blob = await linkedRecord(letters).catch(() => undefined);
  if (!blob) store.emit("failure", text("linkIncomplete"));
  const [entry] = blob ? await store.open([{ name: "shared.pdn", blob }]) : [];
  const name = entry ? "games" : "open";
  // The way back does not lead through the link, which would open its record again.
  history.replaceState(null, "", `#${name}`);
  show(name, entry && { entry, address: move });
};

/** Returns a part of an address as text; one that was cut off within a letter stays as it is.
 * @param {string} part */
const plain = (part) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Shows what the address of the page names; its file is opened again if it was open the last time. */
const goToAddress = async () => {
  const [name, file, game, move] = location.hash.slice(1).split("/").map(plain);
  if (name === "record") return showLinked(file ?? "", game);
  if (!file || !WITH_GAME.includes(name)) return show(name || "open");
  if (store.files.length === 0) {
    const tab = (await keptOf("open")).find(({ value }) => value.some((/** @type {any} */ one) => one.name === file));
    if (tab) await store.open(tab.value);
  }
  const entry = store.find(file, Number(game));
  if (!entry) return show("open");
  if (name === "games") return show(name, { entry, address: move });
  await host.pane().show(entry, move);
  return show(name);
};

const host = {
  show,
  announce,
  undo: (again = false) => host.pane().undo(again),
  pane: () => {
    if (!shared) {
      shared = new GamePane(host);
      shared.root.addEventListener("move", () => {
        const name = location.hash.slice(1).split("/")[0];
        if (WITH_GAME.includes(name)) history.replaceState(null, "", address(name));
      });
    }
    return shared;
  },
};

const makeTabs = () => {
  const tabs = Object.keys(VIEWS).map((name, n) => {
    const tab = html("button", { class: "tab", "data-view": name, "aria-keyshortcuts": `Alt+${n + 1}` }, text(name), " ", html("span", { class: "count" }));
    tab.addEventListener("click", () => show(name));
    return tab;
  });
  byId("tabs").replaceChildren(...tabs);
};

const showCounts = () => {
  const count = (/** @type {string} */ name, /** @type {number} */ value) => {
    const node = byId("tabs").querySelector(`[data-view="${name}"] .count`);
    node.textContent = value ? value.toLocaleString(document.documentElement.lang) : "";
  };
  count("check", store.diagnostics.length);
  count("games", store.games.length);
  for (const [name, last] of Object.entries({ undo: store.changes.at(-1), redo: store.undone.at(-1) })) {
    byId(name).hidden = !last;
    byId(name).title = last ? `${text(name)}: ${text(last.label)}` : "";
  }
};

/** @param {any} progress */
const showProgress = (progress) => {
  byId("progress").hidden = !progress;
  if (!progress) return;
  byId("cancel").hidden = !store.work;
  const bar = byId("bar-of-work");
  if (progress.share === null) bar.removeAttribute("value");
  else bar.value = progress.share;
  if (progress.name) byId("work").replaceChildren(html("bdi", {}, progress.name));
};

/** @param {string} message */
const showFailure = (message) => {
  byId("failure").firstChild.textContent = message;
  byId("failure").hidden = false;
};

const toggleTheme = () => {
  const root = document.documentElement;
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
  setting.set("theme", root.style.colorScheme);
};

const watchDrops = () => {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", async (event) => {
    document.body.classList.remove("dropping");
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    const files = await droppedFiles(event.dataTransfer);
    if (files.length === 0) store.emit("failure", text("noGames"));
    await openFiles(files);
  });
};

/** @param {File[]} files */
const openFiles = async (files) => {
  if (files.length === 0) return;
  show("open");
  await views.open.open(files);
};

/** Opens the files with which the installed application was started, or which were shared with it. */
const watchLaunches = () => {
  /** @type {any} */ (globalThis).launchQueue?.setConsumer(async (/** @type {{ files: any[] }} */ { files }) =>
    openFiles(await Promise.all((files ?? []).map((handle) => handle.getFile()))));
  return serviceWorker() ? sharedFiles().then(openFiles) : undefined;
};

const listen = () => {
  byId("theme").addEventListener("click", toggleTheme);
  byId("undo").addEventListener("click", () => host.undo());
  byId("redo").addEventListener("click", () => host.undo(true));
  byId("cancel").addEventListener("click", () => store.work?.abort());
  byId("failure").lastElementChild.addEventListener("click", () => { byId("failure").hidden = true; });
  byId("language").addEventListener("change", (/** @type {any} */ event) => {
    setting.set("language", event.target.value);
    location.reload();
  });
  store.addEventListener("change", showCounts);
  store.addEventListener("progress", (/** @type {any} */ event) => showProgress(event.detail));
  store.addEventListener("failure", (/** @type {any} */ event) => showFailure(event.detail));
  document.addEventListener("keydown", (event) => {
    const key = shortcutOf(event);
    const isText = /** @type {HTMLElement} */ (event.target).matches("textarea, input:not([readonly])");
    if ((event.ctrlKey || event.metaKey) && !isText && !document.querySelector("dialog") && (key === "z" || key === "y")) {
      event.preventDefault();
      host.undo(key === "y" || event.shiftKey);
      return;
    }
    const name = Object.keys(VIEWS)[Number(altDigitOf(event, isText)) - 1];
    if (!name) return;
    event.preventDefault();
    show(name);
    byId("view").focus();
  });
  window.addEventListener("popstate", goToAddress);
  window.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    showFailure(String(event.reason?.message ?? event.reason));
  });
  window.addEventListener("beforeunload", (event) => {
    if (shared?.draft || shared?.refused.size || store.files.some(isChanged)) event.preventDefault();
  });
};

const begin = () => {
  setLanguage(chooseLanguage());
  const theme = setting.get("theme");
  if (theme) document.documentElement.style.colorScheme = theme;
  translate(document);
  byId("language").replaceChildren(...Object.entries(LANGUAGES).map(([code, name]) => html("option", { value: code, lang: code }, name)));
  byId("language").value = document.documentElement.lang;
  makeTabs();
  listen();
  watchDrops();
  goToAddress().then(watchLaunches);
  const service = serviceWorker();
  if (service) navigator.serviceWorker.register(scriptAddress(service)).catch(() => undefined);
};

begin();
