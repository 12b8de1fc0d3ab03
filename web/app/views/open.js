// The view in which files are opened.

import { html, record, text } from "../parts/dom.js";
import { keptOf } from "../db.js";
import { folder as served, sample } from "../place.js";
import { mayClose, store } from "../store.js";
import { button, dialog, iconButton, number } from "../ui.js";
import { FolderList } from "./folder.js";

const SAMPLES = ["annotated", "mistakes"];

/** @typedef {{ show: (view: string, request?: any) => void, announce: (words: string) => void,
 *   undo: (again?: boolean) => Promise<void>,
 *   pane: () => import("./pane.js").GamePane }} Host */

export class OpenView {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.files = html("ul", { class: "files" });
    this.last = html("p", { class: "last-time" });
    const chooser = html("input", { type: "file", multiple: "", id: "chooser", class: "quiet", tabindex: "-1", "aria-label": text("chooseFiles") });
    const folder = html("input", { type: "file", webkitdirectory: "", class: "quiet", tabindex: "-1", "aria-label": text("chooseFolder") });
    for (const input of [chooser, folder]) {
      input.addEventListener("change", async () => {
        const files = [...input.files];
        await this.open(files);
        input.value = "";
      });
    }
    this.root = html("section", {},
      html("div", { class: "drop" },
        html("h2", {}, text("dropHere")),
        served ? "" : html("p", { class: "muted" }, text("stays")),
        html("p", { class: "actions" },
          button("chooseFiles", () => chooser.click(), { class: "button strong" }), button("chooseFolder", () => folder.click()),
          button("paste", () => this.paste()), button("newGame", () => this.newGame(), { id: "new-game" }),
          button("playEngine", () => host.show("analyse", { play: true }), { id: "play-engine" })),
        chooser, folder,
        html("p", { class: "samples" }, `${text("samples")}: `, ...SAMPLES.map((name) =>
          button(`sample-${name}`, () => this.sample(name), { class: "link", "data-sample": name }))),
        // It appears late, so it must not move anything that the user may be about to click.
        this.last),
      this.files);
    if (served) {
      this.folder = new FolderList(served, (files) => this.open(files));
      // What comes late is below what somebody may be about to press.
      this.root.append(this.folder.root, this.last);
    }
    store.addEventListener("change", () => this.list());
    store.addEventListener("found", (/** @type {any} */ event) => host.announce(text("gamesFound", number(event.detail))));
    this.list();
    this.offerLast();
  }

  shown() {
    this.folder?.refresh();
  }

  async offerLast() {
    const files = (await keptOf("open"))[0]?.value;
    if (!files?.length || store.files.length > 0) return;
    const size = files.reduce((/** @type {number} */ sum, /** @type {any} */ file) => sum + file.blob.size, 0);
    this.last.replaceChildren(button("openLast", () => this.open(files), { id: "open-last" }), " ",
      record(files.map((/** @type {any} */ file) => file.name).slice(0, 3).join(", ")), ` (${number(Math.ceil(size / 1000))} kB)`);
  }

  /** @param {Iterable<any>} files */
  async open(files) {
    this.last.replaceChildren();
    const games = await store.open(files);
    this.host.announce(text("gamesFound", number(games.length)));
    // The first game is on the board, unless somebody is elsewhere by now.
    if (games.length > 0 && !this.root.hidden) this.host.show("games", { entry: games[0] });
  }

  /** @param {string} name */
  async sample(name) {
    await this.open([{ name: `${name}.pdn`, blob: await sample(name) }]);
  }

  async newGame() {
    await this.open([{ name: "new.pdn", blob: new Blob(["[Event \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[GameType \"20\"]\n\n*\n"]) }]);
    this.host.pane().record(true);
  }

  paste() {
    const area = html("textarea", { rows: "12", "aria-label": text("paste"), spellcheck: "false" });
    dialog("paste", [area], [["open", () => area.value.trim() && this.open([{ name: "pasted.pdn", blob: new Blob([area.value]) }])]]);
    area.focus();
    navigator.clipboard?.readText?.().then((words) => { area.value ||= words; }, () => undefined);
  }

  list() {
    const counts = new Map(store.files.map((file) => [file, { games: 0, errors: 0, warnings: 0 }]));
    for (const { file, errors, warnings } of store.games) {
      const count = counts.get(file);
      if (!count) continue;
      count.games += 1;
      count.errors += errors;
      count.warnings += warnings;
    }
    this.files.replaceChildren(...[...counts].map(([file, count]) => html("li", {},
      record(file.name, "name"),
      html("span", { class: "muted" }, file.failure ?? (count.games === 0 && file.blob.size > 0 ? text("noRecords") : undefined)
        ?? `${text("gamesFound", number(count.games))} · ${text("errorCount", number(count.errors))} · ${text("warningCount", number(count.warnings))}`),
      html("span", { class: "space" }),
      button("check", () => this.host.show("check", { file }), { class: "link" }),
      button("games", () => this.host.show("games", { file }), { class: "link" }),
      iconButton("closeFile", "×", () => mayClose(file) && store.close(file)))));
  }
}
