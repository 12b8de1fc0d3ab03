// The records in the folder of a server.

import { html, record, text } from "../parts/dom.js";
import { mayClose, store } from "../store.js";
import { button, number } from "../ui.js";

/** Records that are shown; the field above them finds others. */
const MOST_SHOWN = 200;

/** @typedef {import("../native/place.js").FolderFile} FolderFile */

export class FolderList {
  /** @type {FolderFile[]} */ files = [];

  /** @param {any} folder
   * @param {(files: any[]) => Promise<void>} open */
  constructor(folder, open) {
    this.folder = folder;
    this.open = open;
    this.title = html("h2", {});
    this.filter = html("input", { type: "search", autocomplete: "off", spellcheck: "false", "aria-label": text("search"), placeholder: text("search"), id: "folder-filter" });
    this.filter.addEventListener("input", () => this.fill());
    this.note = html("p", { class: "muted", role: "status" });
    this.leftOut = html("p", { class: "muted", id: "left-out" });
    this.rows = html("ul", { class: "records", id: "folder" });
    this.root = html("div", { class: "folder" }, this.title,
      html("p", { class: "tools" }, this.filter, button("openAll", () => this.openAll(), { id: "open-folder" }), button("refresh", () => this.refresh(), { id: "refresh-folder" })),
      this.note, this.rows, this.leftOut);
    store.addEventListener("change", () => this.fill());
  }

  /** Lists the folder as it is now. */
  async refresh() {
    const { folder, writable, files, leftOut } = await this.folder.list();
    this.files = files;
    this.title.replaceChildren(record(folder), writable ? "" : html("span", { class: "muted" }, ` · ${text("readOnly")}`));
    this.leftOut.textContent = leftOut > 0 ? text("leftOut", leftOut) : "";
    this.fill();
  }

  found() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.files.filter(({ path }) => words.every((/** @type {string} */ word) => path.toLowerCase().includes(word)));
  }

  fill() {
    const found = this.found();
    this.note.textContent = found.length > MOST_SHOWN ? text("filesOf", number(MOST_SHOWN), number(found.length)) : "";
    this.rows.replaceChildren(...found.slice(0, MOST_SHOWN).map((file) => html("li", { "data-path": file.path },
      record(file.path, "name"),
      html("span", { class: "muted" }, `${number(Math.ceil(file.size / 1000))} kB · ${new Date(file.modified).toLocaleDateString(document.documentElement.lang)}`),
      html("span", { class: "space" }), this.action(file))));
  }

  /** What can be done with a record: open it, or open it again if it changed on the disk.
   * @param {FolderFile} file */
  action(file) {
    const open = store.files.find(({ source }) => source?.path === file.path);
    if (!open) return button("open", () => this.openFiles([file]), { class: "link" });
    if (open.source?.version === file.version) return html("span", { class: "muted" }, text("isOpen"));
    return button("openChanged", async () => {
      if (!mayClose(open)) return;
      store.close(open);
      await this.openFiles([file]);
    }, { class: "link" });
  }

  openAll() {
    const open = new Set(store.files.map(({ source }) => source?.path));
    return this.openFiles(this.found().filter(({ path }) => !open.has(path)));
  }

  /** @param {FolderFile[]} files */
  async openFiles(files) {
    /** @type {any[]} */
    const opened = [];
    await store.busy(async () => {
      for (const [n, { path }] of files.entries()) {
        store.emit("progress", { name: path, share: n / files.length });
        opened.push(await this.folder.open(path));
      }
    });
    await this.open(opened);
  }
}
