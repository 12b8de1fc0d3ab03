// <pdn-viewer>: games on a board, in any page.
//
// <pdn-viewer src="games.pdn" game="3" ply="20" lang="nl"></pdn-viewer>, or PDN, or the data blocks of a report, as content.
// Attributes: `src`, `game` (from 1), `ply` (or the address of a move, as in reports), `lang`, `flipped`, `autoplay`, `package` (address
// of `pdn.js`, beside this file unless given). Events: `pdn-game`, `pdn-move` and `pdn-error`, with `detail`. A link `#ID/3/20` in the
// page leads to ply 20 of game 3 of the viewer with that ID. Colours are CSS variables: `pdn-viewer { --dark: #789; }`.

import { html, setTexts, shortcutOf, text } from "../app/parts/dom.js";
import { GameView, watchSwipes } from "../app/parts/gameview.js";
import { icon } from "../app/parts/icons.js";
import { fenOf, positionOf } from "../app/parts/model.js";
import { sidesOf } from "../app/parts/players.js";
import { TEXTS } from "../app/parts/texts.js";
import { gamesOf } from "./games.js";
import { partsStyle } from "./styles.js";

const LANGUAGES = ["en", "nl", "fr", "it", "pt", "ru"];
/** Milliseconds between two moves in autoplay. */
const PACE = 1400;

const STYLE = `
:host { display: block; color-scheme: inherit; container-type: inline-size; background: none; contain: content; }
:host([hidden]) { display: none; }
.viewer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; }
.frame { display: grid; grid-template-columns: 14px minmax(0, 1fr); gap: 8px; padding: 4px 4px 0 0; }
.frame:has(.unknown) { grid-template-columns: minmax(0, 1fr); }
.gauge { display: flex; flex-direction: column; justify-content: flex-end; background: #3b3632; border-radius: 4px; overflow: hidden; }
.gauge.unknown { display: none; }
.gauge div { background: #f7f1e5; height: var(--share, 50%); }
.flipped .gauge { justify-content: flex-start; }
.controls { display: flex; justify-content: center; margin-top: 6px; }
.status { margin: 2px 0; min-height: 1.5em; text-align: center; color: var(--muted); }
.side { display: flex; flex-direction: column; min-width: 0; background: var(--panel); border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; }
.moves { max-height: 20em; }
select { font: inherit; color: inherit; background: var(--panel); border: 1px solid light-dark(#8d8174, #7d7468); border-radius: 6px; padding: .3em; width: 100%; }
.problem { color: var(--blunder); }
@container (min-width: 640px) {
  .viewer { grid-template-columns: minmax(0, 1fr) minmax(240px, 40%); }
  .moves { flex: 1 1 0; max-height: none; }
}
`;

/** The sheet that all viewers share.
 * @type {Promise<CSSStyleSheet> | undefined} */
let sheet;

const sharedSheet = () => {
  sheet ??= partsStyle.then((style) => new CSSStyleSheet().replace(style.replaceAll(":root", ":host") + STYLE));
  return sheet;
};

export class PdnViewer extends HTMLElement {
  static observedAttributes = ["src", "game", "ply", "lang"];

  /** @type {import("./games.js").ViewerGame[]} */ games = [];
  /** @type {GameView | undefined} */ view = undefined;
  number = 0;
  /** @type {any} */ timer = undefined;
  /** Counts reads, so that a late answer is dropped. */
  reads = 0;

  connectedCallback() {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: "open" });
      root.addEventListener("pointerdown", () => this.speak(), true);
      root.addEventListener("keydown", (event) => this.onKey(/** @type {KeyboardEvent} */ (event)));
    }
    this.read();
  }

  disconnectedCallback() {
    this.play(false);
  }

  /** @type {(name: string, before: string | null, after: string | null) => void} */
  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || !this.shadowRoot || before === after) return;
    if (name === "src" || name === "lang") this.read();
    else if (name === "game") this.showGame(Number(after), this.getAttribute("ply") ?? "0");
    else if (this.view?.game) this.view.goTo(after ?? "0");
  }

  /** Sets the texts of the viewer's language; viewers of several languages may be on a page. */
  speak() {
    const wished = (this.getAttribute("lang") ?? this.closest("[lang]")?.getAttribute("lang") ?? "en").slice(0, 2);
    const index = Math.max(0, LANGUAGES.indexOf(wished));
    setTexts(Object.fromEntries(Object.entries(TEXTS).map(([name, texts]) => [name, texts[index]])), LANGUAGES[index]);
  }

  /** Reads the games, and shows the one named by the attributes. */
  async read() {
    this.reads += 1;
    const { reads } = this;
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    try {
      root.adoptedStyleSheets = [await sharedSheet()];
      const source = this.getAttribute("src");
      const address = new URL(this.getAttribute("package") ?? "pdn/pdn.js", this.hasAttribute("package") ? document.baseURI : import.meta.url).href;
      const content = source === null ? this.content() : await this.fetched(source);
      const games = await gamesOf(content, address);
      if (reads !== this.reads) return;
      this.speak();
      if (games.length === 0) throw new Error(text("noGames"));
      this.games = games;
      this.make(root);
      await this.showGame(Number(this.getAttribute("game") ?? 1), this.getAttribute("ply") ?? "0");
      if (this.hasAttribute("autoplay")) this.play(true);
    } catch (error) {
      if (reads !== this.reads) return;
      const message = String(/** @type {any} */ (error)?.message ?? error);
      root.replaceChildren(html("p", { class: "problem", role: "alert" }, message));
      this.dispatchEvent(new CustomEvent("pdn-error", { detail: { message }, bubbles: true }));
    }
  }

  /** Returns the content of the element: PDN as text, or data blocks. */
  content() {
    const blocks = [...this.querySelectorAll("script[type='application/json']")];
    if (blocks.length === 0) return this.textContent ?? "";
    return blocks.map((block) => `<script type="application/json" class="${block.className}">${block.textContent}</script>`).join("\n");
  }

  /** Returns the bytes of a file, whose encoding only the package knows.
   * @param {string} source */
  async fetched(source) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${source}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Makes the elements.
   * @param {ShadowRoot} root */
  make(root) {
    this.speak();
    const graphic = (/** @type {Record<string, string>} */ attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      return node;
    };
    const button = (/** @type {string} */ name, /** @type {() => void} */ action = () => {}) => {
      const node = html("button", { class: "icon", "aria-label": text(name), title: text(name) }, icon(name));
      node.addEventListener("click", action);
      return node;
    };
    const board = graphic({ role: "img", tabindex: "0" });
    const graph = graphic({ role: "slider", tabindex: "0" });
    const gauge = html("div", { class: "gauge", "aria-hidden": "true" }, html("div"));
    const [first, previous, next, last] = ["first", "previous", "next", "last"].map((name) => button(name));
    const parts = {
      board, graph, gauge, first, previous, next, last, boardFrame: html("div", { class: "frame" }, gauge, board),
      graphFrame: html("div", {}, graph), moves: html("div", { role: "group", tabindex: "-1", "aria-label": text("moves") }),
      topPlayer: html("div", { class: "player" }), bottomPlayer: html("div", { class: "player" }), status: html("p", { class: "status", role: "status" }),
    };
    this.list = html("select", { "aria-label": text("games") }, ...this.games.map(({ head }, n) =>
      html("option", { value: n + 1 }, [`${n + 1}. ${sidesOf(head).map(([name]) => head[name] || text(name)).join(" – ")}`, head.result, head.event].filter(Boolean).join(" · "))));
    this.list.hidden = this.games.length < 2;
    this.list.addEventListener("change", () => this.showGame(Number(this.list.value)));
    root.replaceChildren(html("div", { class: "viewer" },
      html("div", {}, parts.topPlayer, parts.boardFrame, parts.bottomPlayer,
        html("div", { class: "controls", role: "group", "aria-label": text("moves") }, first, previous, next, last, button("flip", () => this.flip())), parts.status),
      html("div", { class: "side" }, this.list, parts.graphFrame, parts.moves)));
    this.view = new GameView(parts, (node) => this.moved(node));
    this.view.board.flipped = this.hasAttribute("flipped");
    watchSwipes(board, (forward) => (forward ? this.next() : this.previous()));
  }

  /** Shows a game, by its number from 1.
   * @type {(number: number, ply?: string | number) => Promise<void>} */
  async showGame(number, ply = "0") {
    const at = Math.min(Math.max(Math.trunc(number) || 1, 1), this.games.length);
    const chosen = this.games[at - 1];
    if (!chosen || !this.view) return;
    this.number = at;
    const game = await chosen.load();
    if (this.number !== at || !this.view) return;
    this.speak();
    this.list.value = String(at);
    this.view.open(game, String(ply));
    this.dispatchEvent(new CustomEvent("pdn-game", { detail: { game: at, head: chosen.head }, bubbles: true }));
  }

  /** @param {import("../app/parts/model.js").MoveNode} node */
  moved(node) {
    const { game } = /** @type {GameView} */ (this.view);
    const fen = game.board ? fenOf(game.board, positionOf(node)) : null;
    const detail = { game: this.number, ply: node.ply, address: node.address, move: node.notation ?? null, fen };
    this.dispatchEvent(new CustomEvent("pdn-move", { detail, bubbles: true }));
  }

  next() {
    this.speak();
    this.view?.forward();
  }

  previous() {
    this.speak();
    this.view?.back();
  }

  flip() {
    this.speak();
    this.view?.flip();
  }

  /** Goes to a ply, or to the address of a move in a variation.
   * @param {string | number} ply */
  goTo(ply) {
    this.speak();
    this.view?.goTo(String(ply));
  }

  /** Starts or stops autoplay.
   * @param {boolean} on */
  play(on = true) {
    clearInterval(this.timer);
    if (!on) return;
    this.timer = setInterval(() => {
      if (this.view?.node?.next) this.next();
      else this.play(false);
    }, PACE);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /** @type {HTMLElement} */ (event.target).matches("select")) return;
    /** @type {Record<string, () => void>} */
    const actions = { ArrowLeft: () => this.previous(), ArrowRight: () => this.next(), Home: () => this.view?.first(), End: () => this.view?.end(), f: () => this.flip() };
    const action = actions[shortcutOf(event)];
    if (!action) return;
    event.preventDefault();
    this.speak();
    action();
  }
}

customElements.define("pdn-viewer", PdnViewer);

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='#']")?.getAttribute("href")?.slice(1).split("/") ?? [];
  const viewer = link.length > 1 ? document.getElementById(link[0]) : null;
  if (!(viewer instanceof PdnViewer)) return;
  event.preventDefault();
  viewer.showGame(Number(link[1]), link[2] ?? "0");
});
