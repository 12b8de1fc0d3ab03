// The list of games, and the selected game on the board.

import { html, record, save, text } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { POINTS, sidesOf } from "../parts/players.js";
import { VirtualList } from "../parts/virtual.js";
import { store } from "../store.js";
import { bulk } from "../client.js";
import { button, choice, field, iconButton, number } from "../ui.js";
import { setUpPosition } from "./setup.js";

/** @typedef {import("../store.js").GameEntry} GameEntry */

/** @type {[string, (entry: GameEntry) => any][]} */
const COLUMNS = [
  ["number", (entry) => entry.index],
  ["white", (entry) => plain(entry.head.white)],
  ["black", (entry) => plain(entry.head.black)],
  ["result", (entry) => entry.head.winner ?? "~"],
  ["event", (entry) => plain(entry.head.event)],
  ["date", (entry) => entry.head.date],
  ["plies", (entry) => entry.head.plies],
];

/** Returns a text without case and accents.
 * @param {string} value */
const plain = (value) => value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Returns choices with their texts.
 * @param {Record<string, string>} choices
 * @returns {[string, string][]} */
const named = (choices) => Object.entries(choices).map(([value, name]) => [value, text(name)]);

/** Milliseconds after the last key before the list is filtered. */
const PAUSE = 120;

const MARKED = { blunders: "blunders > 0", mistakes: "mistakes > 0", good: "good_moves > 0 or brilliant_moves > 0" };

export class GamesView {
  sort = "number";
  descending = false;
  words = "";
  result = "";
  state = "";
  /** @type {any} */ file = undefined;
  /** Games found by the search, by file and number.
   * @type {Set<string> | undefined} */
  found = undefined;
  /** The conditions of the search.
   * @type {Record<string, any>} */
  search = {};
  version = -1;

  /** @param {import("./open.js").Host} host */
  constructor(host) {
    this.host = host;
    this.pane = host.pane();
    const words = html("input", { type: "search", id: "filter", placeholder: text("search"), "aria-label": text("search"), autocomplete: "off", spellcheck: "false" });
    let timer = 0;
    words.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => { this.words = words.value; this.fill(); }, PAUSE);
    });
    this.count = html("p", { class: "summary", role: "status", id: "count" });
    this.problem = html("p", { class: "problem", role: "alert", hidden: "" });
    this.why = html("p", { class: "muted", id: "why", hidden: "" });
    this.sorts = html("div", { class: "heads" });
    this.frame = html("div", { class: "list", id: "game-list" });
    this.list = new VirtualList(this.frame, {
      label: text("games"), size: 52, row: (entry) => this.row(entry),
      choose: (entry) => this.open(entry),
      open: () => this.root.classList.add("detail-open"),
    });
    this.where = field("expression", (value) => this.find({ where: value }), { id: "where", placeholder: "year >= 1990 and player ~ \"anna\"" });
    this.pattern = html("p", { class: "tools pattern" });
    this.slot = html("div", { class: "detail", id: "game" }, iconButton("back", icon("back"), () => this.root.classList.remove("detail-open"), { class: "icon back" }));
    this.root = html("section", { class: "two" },
      html("div", { class: "side" },
        html("div", { class: "filters" }, words,
          choice("result", named({ "": "any", W: "whiteWon", draw: "draw", B: "blackWon", none: "unknown" }), (value) => { this.result = value; this.fill(); }),
          choice("state", named({ "": "any", clean: "clean", errors: "withErrors", blunders: "blunders", mistakes: "mistakes", good: "good" }),
            (value) => this.setState(value))),
        html("details", { class: "more" }, html("summary", {}, text("more")),
          this.where,
          field("sequence", (value) => this.find({ sequence: value }), { placeholder: "32-28 19-23" }),
          field("material", (value) => this.find({ material: value }), { placeholder: "all<=7 W>=1" }),
          html("p", { class: "tools" }, button("positionSearch", () => this.searchPosition(), { id: "position-search" }),
            button("clear", () => this.clear(), { id: "clear" })), this.pattern),
        this.problem, this.count, this.why, this.sorts, this.frame,
        html("p", { class: "tools" }, button("saveList", () => this.saveList(), { id: "save-list" }))),
      this.slot);
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || !this.pane.root.contains(/** @type {Node} */ (event.target)) || /** @type {HTMLElement} */ (event.target).matches("textarea, input, select")) return;
      event.preventDefault();
      this.list.select(this.list.chosen + step);
    });
    // The list has no use for them, and the game that was chosen there has.
    this.frame.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (["ArrowLeft", "ArrowRight"].includes(event.key) && this.pane.entry) this.pane.onKey(event);
    });
    store.addEventListener("change", () => !this.root.hidden && this.fill());
    // The next puzzle is on the board without having been chosen here.
    this.pane.root.addEventListener("move", () => {
      const { items, chosen } = this.list;
      if (this.root.hidden || items[chosen] === this.pane.entry) return;
      this.list.show(items, this.pane.entry ? items.indexOf(this.pane.entry) : -1);
    });
    this.makeSorts();
  }

  /** @param {any} request */
  shown(request) {
    this.slot.append(this.pane.root);
    if (request?.file) this.file = request.file;
    if (request?.entry) {
      this.file = undefined;
      this.words = "";
      this.found = undefined;
    }
    if (this.version !== store.version || request) this.fill();
    this.pane.engine.restart();
    if (request?.find) {
      this.clear();
      if (request.find.where) this.where.querySelector("input").value = request.find.where;
      this.find(request.find);
    }
    if (request?.entry) {
      const index = this.list.items.indexOf(request.entry);
      this.list.chosen = index;
      this.list.reveal(Math.max(0, index));
      this.list.draw();
      this.root.classList.add("detail-open");
      this.open(request.entry, request.address);
    }
  }

  hidden() {
    this.pane.engine.halt();
  }

  makeSorts() {
    this.sorts.replaceChildren(...COLUMNS.map(([name]) => {
      const node = html("button", { class: `head ${name}`, "aria-pressed": this.sort === name }, text(name), this.sort === name ? (this.descending ? " ▾" : " ▴") : "");
      node.addEventListener("click", () => {
        this.descending = this.sort === name && !this.descending;
        this.sort = name;
        this.makeSorts();
        this.fill();
        this.sorts.querySelector(`.${name}`).focus();
      });
      return node;
    }));
  }

  /** Lists the matching games. */
  fill() {
    this.version = store.version;
    if (this.file && !store.files.includes(this.file)) this.file = undefined;
    const words = plain(this.words).split(/\s+/).filter(Boolean);
    const isWanted = (/** @type {any} */ entry) => {
      const { head } = entry;
      if (this.file && entry.file !== this.file) return false;
      if (this.result && (this.result === "none" ? head.winner : head.winner !== this.result)) return false;
      if (this.state === "errors" && entry.errors === 0) return false;
      if (this.state === "clean" && entry.errors + entry.warnings > 0) return false;
      if (this.found && !this.found.has(`${entry.game}\n${entry.file.name}`)) return false;
      if (words.length === 0) return true;
      head.searched ??= plain([head.white, head.black, head.event, head.date].join(" "));
      return words.every((word) => head.searched.includes(word));
    };
    const games = store.games.filter(isWanted);
    const key = COLUMNS.find(([name]) => name === this.sort)?.[1];
    if (key && (this.sort !== "number" || this.descending)) {
      const keyed = games.map((entry) => ({ entry, key: key(entry) }));
      keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.index - b.entry.index));
      if (this.descending) keyed.reverse();
      keyed.forEach(({ entry }, n) => { games[n] = entry; });
    }
    this.count.replaceChildren(games.length === store.games.length ? text("gamesFound", number(games.length)) : text("gamesOf", number(games.length), number(store.games.length)),
      this.file ? " · " : "", this.file ? record(this.file.name) : "");
    this.explain(games.length === 0);
    this.list.show(games, this.pane.entry ? games.indexOf(this.pane.entry) : -1);
  }

  /** Says which conditions no game meets and offers to drop them, or that no file is open.
   * @param {boolean} isEmpty */
  explain(isEmpty) {
    this.why.hidden = !isEmpty;
    if (!isEmpty) return this.why.replaceChildren();
    if (store.games.length === 0) return this.why.replaceChildren(text("nothingOpen"), " ", button("open", () => this.host.show("open"), { class: "link" }));
    const fields = [...this.root.querySelectorAll(".filters :is(input, select), .more .field input")];
    const set = fields.filter((/** @type {any} */ one) => one.value).map((/** @type {any} */ one) =>
      `${one.labels?.[0]?.textContent ?? one.getAttribute("aria-label")}: ${one.selectedOptions?.[0]?.textContent ?? one.value}`);
    const all = [...set, this.file?.name, this.pattern.textContent].filter(Boolean);
    this.why.replaceChildren(text("noneMatch"), " ", record(all.join(" · ")), " ", button("clear", () => this.clear(), { class: "link" }));
    return this.why.scrollIntoView({ block: "nearest" });
  }

  /** @param {GameEntry} entry */
  row(entry) {
    const { head } = entry;
    const [left, right] = sidesOf(head).map(([name, place]) => record(head[name] || text(name), POINTS[head.winner]?.[place] === 1 ? "winner" : ""));
    const fact = (/** @type {string} */ value) => (/^[?.*()-]*$/.test(value) ? "" : value);
    return html("div", { class: "game" },
      html("span", { class: "number" }, number(entry.index + 1)),
      html("span", { class: "players" }, left, " – ", right),
      record(/^[?*\s]*$/.test(head.result) ? "" : head.result, "result"),
      html("span", { class: "event" }, record([fact(head.event), fact(head.date)].filter(Boolean).join(" · "))),
      html("span", { class: "state" },
        entry.errors ? html("span", { class: "error", title: text("errors") }, `✖ ${entry.errors}`) : "",
        entry.warnings ? html("span", { class: "warning", title: text("warnings") }, ` ▲ ${entry.warnings}`) : ""));
  }

  /** @type {(entry: GameEntry, address?: string) => Promise<void>} */
  async open(entry, address) {
    // A game that is on the board stays at its move.
    if (address !== undefined || this.pane.entry !== entry) await this.pane.show(entry, address);
  }

  /** @param {string} state */
  async setState(state) {
    this.state = state;
    await this.find({ marked: MARKED[/** @type {"mistakes"} */ (state)] });
  }

  /** Finds the games that match all fields.
   * @param {Record<string, any>} change */
  async find(change) {
    const search = { ...this.search, ...change };
    this.search = search;
    const { where, marked, ...others } = search;
    const place = others.fen ?? others.pattern;
    this.pattern.replaceChildren(place ? html("code", {}, place) : "");
    const expression = where && marked ? `(${where}) and (${marked})` : where || marked;
    const options = Object.fromEntries(Object.entries({ ...others, where: expression }).filter(([, value]) => value));
    this.problem.hidden = true;
    // An expression that cannot be read, and a search that is stopped, keep the last list.
    if (Object.keys(options).every((name) => name === "mirror")) {
      this.found = undefined;
    } else {
      await store.busy(async (signal) => {
        try {
          const onProgress = (/** @type {any} */ progress) => store.emit("progress", { share: progress.total ? progress.bytes / progress.total : null });
          const { found } = await bulk.call("search", [store.inputs(), { ...options, to: "none" }], { events: { onProgress }, signal });
          this.found = new Set(found.map((/** @type {any} */ game) => `${game.game}\n${game.file}`));
        } catch (error) {
          const { kind, message } = /** @type {any} */ (error);
          if (kind !== "usage" && kind !== "aborted") throw error;
          // Another search takes the place of this one.
          if (this.search !== search) return;
          this.problem.textContent = kind === "aborted" ? text("notSearched") : message;
          this.problem.hidden = false;
          this.problem.scrollIntoView({ block: "nearest" });
        }
      });
    }
    this.fill();
    this.host.announce(this.count.textContent);
  }

  async searchPosition() {
    const { game, node } = this.pane.view;
    const variant = game?.head.variant ?? store.games[0]?.head.variant ?? "international";
    await setUpPosition({ variant, game, node, actions: [
      ["findPosition", (made) => this.find({ fen: made.fen, pattern: undefined })],
      ["findPattern", (made) => this.find({ pattern: made.pattern, fen: undefined })],
    ] });
  }

  clear() {
    this.search = {};
    this.found = undefined;
    this.state = "";
    this.problem.hidden = true;
    this.pattern.replaceChildren();
    for (const input of this.root.querySelectorAll(".side input")) input.value = "";
    for (const select of this.root.querySelectorAll(".side select")) select.value = "";
    Object.assign(this, { words: "", result: "", file: undefined });
    this.fill();
  }

  /** Saves the games of the list in its order, as UTF-8 but otherwise unchanged. */
  async saveList() {
    await store.edits;
    await store.busy(async (signal) => save("games.pdn", await store.together(this.list.items, signal), "application/octet-stream"));
  }
}
