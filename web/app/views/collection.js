// The open games as a collection: openings, statistics, players and tournaments, and the formats for saving them.

import { BoardView } from "../parts/board.js";
import { decimal, html, record, save, text } from "../parts/dom.js";
import { bulk, quick } from "../client.js";
import { collect, store } from "../store.js";
import { button, choice, longTable, number, table, variantName } from "../ui.js";

const PAGES = ["openings", "statistics", "tournament", "players", "saveAs"];

/** Shows a share of 1 with one decimal.
 * @type {(part: number, whole: number) => string} */
const percent = (part, whole) => (whole > 0 ? `${decimal(100 * part / whole, 1)} %` : "–");

export class CollectionView {
  page = "openings";
  version = -1;
  /** Calls of `fill`, of which only the last one shows its answer. */
  fills = 0;
  /** The moves that lead to the position of the explorer.
   * @type {{ notation: string, fen: string }[]} */
  line = [];
  /** @type {any} */ stats = undefined;
  /** The games of each variant as one file.
   * @type {Map<string, Promise<Blob>>} */
  parts = new Map();
  variant = "";
  event = "";

  /** @param {import("./open.js").Host} host */
  constructor(host) {
    this.host = host;
    // They are never replaced: a press that began on one would be lost.
    this.tabs = html("p", { class: "tools pages" }, ...PAGES.map((name) => button(name, () => {
      this.page = name;
      this.fill();
    }, { "data-page": name })));
    this.content = html("div", { class: "content", id: "collection" });
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("role", "img");
    this.picture = picture;
    this.board = new BoardView(picture);
    this.picture.addEventListener("click", (event) => this.press(event));
    this.root = html("section", {}, this.tabs, this.content);
    store.addEventListener("change", () => {
      this.stats = undefined;
      this.parts.clear();
      if (!this.root.hidden) this.fill();
    });
  }

  shown() {
    if (this.version !== store.version || !this.content.firstChild) this.fill();
  }

  async fill() {
    this.version = store.version;
    this.fills += 1;
    const { fills } = this;
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", String(tab.getAttribute("data-page") === this.page));
    if (store.games.length === 0) {
      this.content.replaceChildren(html("p", { class: "notice" }, text("nothingOpen")));
      return;
    }
    this.content.setAttribute("aria-busy", "true");
    const nodes = await this[/** @type {"openings"} */ (this.page)]();
    if (this.fills !== fills) return;
    this.content.removeAttribute("aria-busy");
    this.content.replaceChildren(...nodes);
  }

  /** Returns inputs with the games of a variant only.
   * @param {string} variant */
  async inputsOf(variant) {
    const games = store.games.filter(({ head }) => head.variant === variant);
    if (games.length === store.games.length) return store.inputs();
    const data = this.parts.get(variant) ?? store.together(games);
    this.parts.set(variant, data);
    data.catch(() => this.parts.delete(variant));
    return [{ name: "games.pdn", data: await data }];
  }

  /** Calls a function on all files, with progress.
   * @type {(name: string, options: any, inputs?: any[]) => Promise<any>} */
  async ask(name, options, inputs = store.inputs()) {
    const onProgress = (/** @type {any} */ progress) => store.emit("progress", { share: progress.total ? progress.bytes / progress.total : null });
    try {
      return await bulk.call(name, [inputs, options], { events: { onProgress } });
    } finally {
      store.emit("progress", undefined);
    }
  }

  /** The variants of the games, the most common first. */
  variants() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { head } of store.games) if (head.variant) counts.set(head.variant, (counts.get(head.variant) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  }

  async openings() {
    const variants = this.variants();
    if (variants.length === 0) return [html("p", { class: "notice" }, text("noPosition"))];
    if (!variants.includes(this.variant)) {
      [this.variant] = variants;
      this.line = [];
    }
    const start = await quick.call("position", [null, { variant: this.variant }]);
    const fen = this.line.at(-1)?.fen ?? start.fen;
    const [tree, position, board] = await Promise.all([this.ask("openings", { fen, plies: 1, variant: this.variant }, await this.inputsOf(this.variant)),
      quick.call("position", [fen, { variant: this.variant }]), store.board(this.variant)]);
    this.position = position;
    this.board.begin(board);
    this.board.show([...position.letters]);
    const ends = (/** @type {string} */ notation) => position.moves.find((/** @type {any} */ move) => move.notation === notation)?.places;
    const arrows = tree.moves.slice(0, 3).flatMap((/** @type {any} */ move, /** @type {number} */ n) => {
      const places = ends(move.notation);
      return places ? [[places[0], places.at(-1), n ? "B" : "G", n ? "reply" : "best"]] : [];
    });
    this.board.draw({ arrows });
    this.picture.setAttribute("aria-label", `${text("board")}: ${fen}`);
    const moves = tree.moves.map((/** @type {any} */ move) => [
      this.moveButton(move), move.games, this.score(move), move.last_year ? String(move.last_year) : "", move.average_rating ? Math.round(move.average_rating) : ""]);
    return [html("div", { class: "explorer" },
      html("div", { class: "explorer-board" }, this.picture),
      html("div", {},
        html("p", { class: "tools" },
          choice("variant", variants.map((name) => [name, variantName(name)]), (value) => { this.variant = value; this.line = []; this.fill(); }, this.variant),
          button("start", () => this.goBack(0)), button("previous", () => this.goBack(this.line.length - 1), { id: "explorer-back" }),
          button("showGames", () => this.showGames(fen), { id: "explorer-games" })),
        html("p", { class: "line" }, ...this.line.flatMap((move, n) => {
          const node = html("button", { class: "link" }, move.notation);
          node.addEventListener("click", () => this.goBack(n + 1));
          return [n % 2 ? " " : ` ${n / 2 + 1}. `, node];
        })),
        html("p", { role: "status" }, tree.name ? html("strong", {}, record(tree.name), " · ") : "", text("gamesFound", number(tree.games))),
        table([text("move"), text("games"), text("scores"), text("lastYear"), text("rating")], moves, { id: "moves-of-openings" })))];
  }

  /** @param {any} move */
  moveButton(move) {
    const node = html("button", { class: "link", "data-move": move.notation }, html("bdi", { class: "whole" }, move.notation), move.name ? html("span", { class: "muted" }, " ", record(move.name)) : "");
    node.addEventListener("click", () => this.follow(move));
    return node;
  }

  /** Shows the numbers of White wins, draws and Black wins.
   * @param {any} results */
  score({ white_wins: white, draws, black_wins: black }) {
    const known = white + draws + black;
    const words = `${text("white")} ${percent(white, known)}, ${text("draw")} ${percent(draws, known)}, ${text("black")} ${percent(black, known)}`;
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const attributes = { viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": words, class: "score" };
    for (const [name, value] of Object.entries(attributes)) bar.setAttribute(name, value);
    let x = 0;
    for (const [name, part] of /** @type {[string, number][]} */ ([["white", white], ["draws", draws], ["black", black]])) {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const width = known ? 100 * part / known : 0;
      for (const [attribute, value] of Object.entries({ class: name, x, width, height: 10 })) rect.setAttribute(attribute, `${value}`);
      x += width;
      bar.append(rect);
    }
    return html("span", { title: words }, bar, html("span", { class: "muted" }, ` ${percent(white + draws / 2, known)}`));
  }

  /** @param {{ notation: string, fen: string }} move */
  follow(move) {
    this.line.push({ notation: move.notation, fen: move.fen });
    return this.fill();
  }

  /** @param {number} length */
  goBack(length) {
    this.line = this.line.slice(0, Math.max(0, length));
    return this.fill();
  }

  /** Plays the move to the clicked square.
   * @param {MouseEvent} event */
  press(event) {
    const place = this.board.placeAt(event.clientX, event.clientY);
    const moves = this.position?.moves ?? [];
    const from = moves.filter((/** @type {any} */ move) => move.places[0] === place);
    const to = moves.filter((/** @type {any} */ move) => move.places.at(-1) === place && (this.from === undefined || move.places[0] === this.from));
    if (from.length === 1) this.follow(from[0]);
    else if (from.length > 1) {
      this.from = place;
      this.board.draw({ last: [/** @type {number} */ (place)], squares: from.map((/** @type {any} */ move) => [move.places.at(-1), "B"]) });
    } else if (to.length > 0) {
      this.from = undefined;
      this.follow(to[0]);
    }
  }

  /** @type {number | undefined} */ from = undefined;
  /** @type {any} */ position = undefined;

  /** @param {string} fen */
  async showGames(fen) {
    this.host.show("games", { find: { fen } });
  }

  async statistics() {
    this.stats ??= await this.ask("stats", {});
    const { stats } = this;
    const results = stats.results;
    const list = (/** @type {string} */ name, /** @type {any[]} */ rows, /** @type {(value: string) => any} */ shown = record) =>
      html("div", {}, html("h2", {}, text(name)), longTable([text(name), text("games")], rows.map((row) => [shown(row.name ?? "–"), row.games])));
    const facts = [["games", stats.games], ["replayed", stats.replayed_games], ["plies", stats.plies], ["captures", stats.captures],
      ["whiteWon", results.white_wins], ["draw", results.draws], ["blackWon", results.black_wins], ["unknown", results.unknown], ["median", stats.length.median]];
    return [html("div", { class: "columns" },
      html("div", {}, html("h2", {}, text("statistics")), table([text("statistics"), text("number")], facts.map(([name, value]) => [text(String(name)), value]), { id: "facts-of-all" })),
      list("events", stats.events), list("years", stats.years), list("variants", stats.variants, variantName),
      html("div", {}, html("h2", {}, text("openings")), longTable([text("openings"), text("games"), text("scores")],
        stats.openings.map((/** @type {any} */ row) => [record(row.moves), row.games, this.score(row)]))))];
  }

  async players() {
    this.stats ??= await this.ask("stats", {});
    const rows = this.stats.players.map((/** @type {any} */ row) => {
      const node = html("button", { class: "link" }, record(row.name || "?"));
      node.addEventListener("click", () => this.host.show("games", { find: { where: `player = "${row.name.replace(/(["\\])/g, "\\$1")}"` } }));
      return [node, row.games, row.wins, row.draws, row.losses, percent(row.wins + row.draws / 2, row.wins + row.draws + row.losses)];
    });
    return [longTable([text("players"), text("games"), text("wins"), text("draws"), text("losses"), text("scores")], rows, { id: "players" })];
  }

  async tournament() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { head } of store.games) counts.set(head.event, (counts.get(head.event) ?? 0) + 1);
    const events = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
    if (!events.includes(this.event)) [this.event] = events;
    const input = [{ name: "event.pdn", data: await store.together(store.games.filter(({ head }) => head.event === this.event)) }];
    const [row] = await bulk.call("event", [input, { lang: document.documentElement.lang }]);
    const players = row.players.map((/** @type {any} */ one) =>
      [one.rank, record(one.name), one.games, one.wins, one.draws, one.losses, one.points, one.solkoff, one.sonneborn_berger]);
    const saved = async (/** @type {string} */ to) => save(`event.${to}`, await bulk.call(to === "xlsx" ? "eventFile" : "eventText", [input, { to, lang: document.documentElement.lang }]));
    return [
      html("p", { class: "tools" }, choice("event", events.map((name) => [name, name || "?"]), (value) => { this.event = value; this.fill(); }, this.event),
        button("csv", () => saved("csv")), button("xlsx", () => saved("xlsx"), { "data-output": "event.xlsx" }), button("htmlPage", () => saved("html"))),
      table(["#", ...["players", "games", "wins", "draws", "losses", "points"].map((name) => text(name)), "Solkoff", "Sonneborn-Berger"],
        players, { id: "standings" }),
      html("ul", {}, ...row.diagnostics.map((/** @type {any} */ one) => html("li", { class: one.severity }, record(one.message))))];
  }

  async saveAs() {
    /** @type {[string, string, string, any][]} name, file, function, options */
    const outputs = [
      ["asPdn", "games.pdn", "fmt", {}], ["csvGames", "games.csv", "convert", { to: "csv", table: "games", escapeFormulas: true }],
      ["csvMoves", "moves.csv", "convert", { to: "csv", table: "moves", escapeFormulas: true }], ["json", "games.json", "convert", { to: "json" }],
      ["jsonLines", "games.jsonl", "convert", { to: "jsonl" }],
      ["parquetGames", "games.parquet", "convert", { to: "parquet", table: "games" }],
      ["parquetMoves", "moves.parquet", "convert", { to: "parquet", table: "moves" }],
      ["htmlPage", "games.html", "report", { lang: document.documentElement.lang }],
    ];
    return [html("ul", { class: "outputs" }, ...outputs.map(([name, file, call, options]) => html("li", {}, button(name, () => store.busy(async (signal) => {
      const onProgress = (/** @type {any} */ progress) => store.emit("progress", { name: file, share: progress.total ? progress.bytes / progress.total : null });
      save(file, await collect(call, [store.inputs(), options], { signal, events: { onProgress } }), "application/octet-stream");
    }), { "data-output": file }), " ", html("code", {}, file))))];
  }
}
