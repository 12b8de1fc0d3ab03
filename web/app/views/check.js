// The diagnostics: by code or by game, with the text around them, the position and the repair.

import { html, record, save, text } from "../parts/dom.js";
import { decoded, isUtf8, utf16Of } from "../files.js";
import { quick } from "../client.js";
import { shownEdit, shownEdits } from "../changes.js";
import { isChanged, store } from "../store.js";
import { VirtualList } from "../parts/virtual.js";
import { button, choice, dialog, number } from "../ui.js";

const SEVERITIES = ["error", "warning", "note"];
/** Lines of a version that are shown where it differs from another. */
const MOST_LINES = 12;

/** Number of bytes of the file shown around a diagnostic. */
const AROUND = 400;

/** Returns a part of a file.
 * @type {(file: import("../store.js").OpenFile, from?: number, to?: number) => Promise<Uint8Array<ArrayBuffer>>} */
const bytesOf = async ({ blob }, from = 0, to = blob.size) => new Uint8Array(await blob.slice(from, to).arrayBuffer());

/** Shows why games, or places in them, are not repaired.
 * @param {string[]} refused */
const shownRefusals = (refused) => html("ul", { class: "muted" }, ...refused.slice(0, MOST_LINES).map((reason) => html("li", {}, record(reason))),
  refused.length > MOST_LINES ? html("li", {}, `… ${text("moreLines", refused.length - MOST_LINES)}`) : "");

/** Shows where the versions of a file differ that has changed on the disk too, and asks which one stays. Nothing is written until
 * then.
 * @type {(file: import("../store.js").OpenFile, announce: (text: string) => void) => Promise<void>} */
const settle = async (file, announce) => {
  const theirs = await store.onDisk(file);
  const known = store.encodingOf(file);
  const [own, other] = await Promise.all([file, theirs].map(async (version) => {
    const utf16 = await utf16Of(version.blob);
    return decoded(await bytesOf(version), utf16 ?? (known?.startsWith("utf-16") ? undefined : known)).split("\n");
  }));
  let from = 0;
  while (from < own.length && own[from] === other[from]) from += 1;
  let same = 0;
  while (same < Math.min(own.length, other.length) - from && own.at(-1 - same) === other.at(-1 - same)) same += 1;
  const version = (/** @type {string} */ name, /** @type {string[]} */ lines) => {
    const differing = lines.slice(from, lines.length - same);
    const rest = differing.length > MOST_LINES ? `\n… ${text("moreLines", differing.length - MOST_LINES)}` : "";
    return [html("h3", {}, text(name)), html("pre", { class: "version" }, record(differing.slice(0, MOST_LINES).join("\n")), rest)];
  };
  const done = () => announce(text("savedAs", file.name));
  dialog("saveConflict", [
    html("p", {}, record(file.name), ` · ${text("fromLine", from + 1)}`), ...version("ownVersion", own), ...version("diskVersion", other),
  ], [
    ["saveOwn", () => { store.saveOver(file, theirs.source.version).then(done); }],
    ["saveApart", () => { store.saveApart(file).then(done); }],
    ["takeDisk", () => { store.close(file); store.open([theirs]); }],
  ]);
};

/** Saves a file in its folder, if it is from one that can be written to; otherwise it returns false. The user is asked if the file on the
 * disk is another one or is not UTF-8; one that is gone is saved under another name.
 * @type {(file: import("../store.js").OpenFile, announce: (text: string) => void) => Promise<boolean>} */
export const saveInFolder = async (file, announce) => {
  const saved = await store.save(file).catch(/** @type {(error: any) => Promise<any>} */ async (error) => {
    if (error.status === 412) return settle(file, announce);
    if (error.status === 404) return store.saveApart(file);
    // An edit keeps the encoding; annotated games are UTF-8.
    if (error.status !== 409 || !globalThis.confirm(text(await isUtf8(file.blob) ? "saveUnsure" : "saveGuessed", file.name))) throw error;
    return store.save(file, true);
  });
  if (saved) announce(text("savedAs", file.name));
  return saved !== false;
};

/** @typedef {import("../store.js").Diagnostic} Diagnostic */

export class CheckView {
  group = "code";
  least = "note";
  /** @type {any} */ file = undefined;
  /** @type {Set<string>} */ closed = new Set();
  /** @type {Diagnostic | undefined} */ chosen = undefined;
  /** @type {Diagnostic | undefined} the one whose detail is drawn: that of the chosen one may still be on its way */ drawn = undefined;
  version = -1;

  /** @param {import("./open.js").Host} host */
  constructor(host) {
    this.host = host;
    this.summary = html("p", { class: "summary", role: "status" });
    this.frame = html("div", { class: "list", id: "diagnostics" });
    this.list = new VirtualList(this.frame, {
      label: text("check"),
      size: 46,
      row: (item) => this.row(item),
      choose: (item) => item.diagnostic && this.detail(item.diagnostic),
      open: (item) => (item.group ? this.toggle(item.group) : this.detailElement.focus()),
    });
    this.detailElement = html("div", { class: "detail", id: "diagnostic", tabindex: "-1" }, html("p", { class: "notice" }, text("chooseDiagnostic")));
    this.root = html("section", { class: "two" },
      html("div", { class: "side" },
        this.summary,
        html("p", { class: "tools" },
          choice("group", [["code", text("byCode")], ["game", text("byGame")]], (value) => { this.group = value; this.fill(); }),
          choice("severity", SEVERITIES.map((name) => [name, text(name)]), (value) => { this.least = value; this.fill(); }, "note")),
        this.frame,
        html("p", { class: "tools" }, button("repairAll", () => this.repairAll(), { class: "button strong", id: "repair-all" }),
          button("saveFiles", () => this.saveFiles(), { id: "save-files" }))),
      this.detailElement);
    store.addEventListener("change", () => !this.root.hidden && this.fill());
  }

  /** @param {any} request */
  shown(request) {
    if (request?.file) this.file = request.file;
    if (this.version !== store.version || request?.file) this.fill();
  }

  /** @param {string} group */
  toggle(group) {
    if (!this.closed.delete(group)) this.closed.add(group);
    this.fill();
  }

  /** Lists the diagnostics in groups. */
  fill() {
    this.version = store.version;
    if (this.file && !store.files.includes(this.file)) this.file = undefined;
    const least = SEVERITIES.indexOf(this.least);
    const wanted = store.diagnostics.filter((one) => SEVERITIES.indexOf(one.severity) <= least && (!this.file || one.file === this.file.name));
    const count = (/** @type {string} */ severity) => wanted.reduce((sum, one) => sum + (one.severity === severity ? 1 : 0), 0);
    this.summary.replaceChildren(
      ...SEVERITIES.map((severity) => html("span", { class: `severity ${severity}` }, text(`${severity}Count`, number(count(severity))))),
      this.file ? html("span", {}, record(this.file.name), " ", button("allFiles", () => { this.file = undefined; this.fill(); }, { class: "link" })) : "");
    /** @type {Map<string, Diagnostic[]>} */
    const groups = new Map();
    for (const one of wanted) {
      const key = this.group === "code" ? one.code : `${one.file}\n${one.game}`;
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
    const sorted = [...groups];
    if (this.group === "code") sorted.sort(([, a], [, b]) => SEVERITIES.indexOf(a[0].severity) - SEVERITIES.indexOf(b[0].severity) || b.length - a.length);
    const items = sorted.flatMap(([group, members]) => {
      const head = { group, count: members.length, first: members[0] };
      return this.closed.has(group) ? [head] : [head, ...members.map((diagnostic) => ({ diagnostic }))];
    });
    const old = this.chosen;
    const isSame = (/** @type {any} */ { diagnostic: one }) => one?.code === old?.code && one?.offset === old?.offset && one?.file === old?.file;
    const same = old ? items.findIndex(isSame) : -1;
    this.list.show(items, same);
    if (wanted.length === 0) this.notice(text(store.games.length ? "allClean" : "nothingOpen"));
    else if (old && same < 0) this.notice(text("chooseDiagnostic"));
  }

  /** Shows a notice in the place of the chosen diagnostic.
   * @param {any[]} content */
  notice(...content) {
    this.chosen = undefined;
    this.drawn = undefined;
    this.detailElement.replaceChildren(html("p", { class: "notice" }, ...content));
  }

  /** @param {any} item */
  row(item) {
    if (item.group) {
      const { first } = item;
      const name = this.group === "code" ? first.code : `${first.file}, ${text("game", first.game)}`;
      return html("div", { class: `group ${first.severity}` }, `${this.closed.has(item.group) ? "▸" : "▾"} `, record(name), html("span", { class: "count" }, number(item.count)));
    }
    const one = item.diagnostic;
    return html("div", { class: `diagnostic ${one.severity}` },
      html("span", { class: "sign", role: "img", "aria-label": text(one.severity) }, one.severity === "error" ? "✖" : one.severity === "warning" ? "▲" : "●"),
      record(one.message, "message"),
      html("span", { class: "place" }, record(`${one.file}:${one.line}:${one.column}`)));
  }

  /** Shows a diagnostic with the text around it. One that is shown stays as it is: a button replaced while it is pressed, or while
   * its answer is on its way, would seem to do nothing.
   * @param {Diagnostic} one */
  async detail(one) {
    this.chosen = one;
    if (this.drawn === one) return;
    const file = store.files.find(({ name }) => name === one.file);
    if (!file) return;
    const entry = one.game > 0 ? store.find(one.file, one.game) : undefined;
    const explanation = quick.call("explain", [one.code, document.documentElement.lang]).catch(() => undefined);
    const excerpt = await this.excerpt(file, one);
    const meaning = (await explanation)?.meaning;
    if (this.chosen !== one || this.drawn === one) return;
    this.drawn = one;
    const repair = html("div", { class: "repair", "aria-live": "polite" });
    this.detailElement.replaceChildren(
      html("h2", { class: one.severity }, record(one.message)),
      html("p", { class: "muted" }, html("code", {}, one.code), " · ", record(`${one.file}:${one.line}:${one.column}`), one.game ? ` · ${text("game", one.game)}` : ""),
      excerpt,
      one.help ? html("p", { class: "help" }, record(one.help)) : "",
      meaning && meaning !== one.help ? html("p", { class: "muted" }, meaning) : "",
      entry ? html("p", { class: "actions" },
        button("toBoard", async () => this.host.show("games", { entry, address: await this.addressOf(entry, one) }), { id: "to-board" }),
        button("repairGame", () => this.repair(entry, repair), { class: "button strong", id: "repair" }),
        button("editText", () => this.editText(entry, one), { id: "edit-text" })) : "",
      repair);
  }

  /** Returns the lines around a diagnostic, with its place marked.
   * @type {(file: any, one: Diagnostic) => Promise<HTMLElement>} */
  async excerpt(file, one) {
    // The start is even, as letters in UTF-16 need it.
    const from = Math.max(0, one.offset - one.offset % 2 - AROUND);
    const length = Math.min(one.length, AROUND);
    const around = await bytesOf(file, from, one.offset + length + AROUND);
    const encoding = store.encodingOf(file);
    const at = one.offset - from;
    const [before, marked, after] = [around.subarray(0, at), around.subarray(at, at + length), around.subarray(at + length)].map((part) =>
      decoded(part, encoding, around));
    const start = before.split(/\r\n|\r|\n/).slice(-4);
    const rest = after.split(/\r\n|\r|\n/).slice(0, 4).join("\n");
    const lines = `${start.join("\n")}${marked}${rest}`.split("\n").length;
    const first = one.line - start.length + 1;
    const numbers = Array.from({ length: lines }, (_, n) => first + n).join("\n");
    return html("div", { class: "excerpt", tabindex: "0", role: "region", "aria-label": text("around") },
      html("pre", { class: "numbers", "aria-hidden": "true" }, numbers),
      html("pre", { class: "source", dir: "auto" }, start.join("\n"), html("mark", { class: one.severity }, marked || " "), rest));
  }

  /** Returns the address of the last move before a diagnostic.
   * @type {(entry: import("../store.js").GameEntry, one: Diagnostic) => Promise<string>} */
  async addressOf(entry, one) {
    // A part of another format is no record.
    if (entry.pdn === false) return "0";
    const source = decoded(await bytesOf(entry.file, entry.offset, one.offset), entry.encoding);
    /** @type {any[]} */
    const rows = [];
    const options = { ...await store.options(entry), encoding: undefined };
    await quick.call("reportRows", [`${source} *`, options], { events: { items: (found) => rows.push(...found) } }).catch(() => undefined);
    // Comments may contain parentheses; the remaining ones are variations open at the diagnostic.
    const open = source.replace(/\{[^}]*\}|"[^"\n]*"/g, "");
    let depth = Math.max(0, (open.match(/\(/g) ?? []).length - (open.match(/\)/g) ?? []).length);
    let line = rows[0]?.body?.moves ?? [];
    let address = `${line.length}`;
    for (; depth > 0 && line.length > 0; depth -= 1) {
      const lines = line.at(-1)[4]?.variations ?? [];
      if (lines.length === 0) break;
      line = lines.at(-1);
      address = `${address}.${lines.length}.${line.length}`;
    }
    return address;
  }

  /** Shows the repairs of a game, each with its lines before and after it, and makes those that are chosen.
   * @type {(entry: import("../store.js").GameEntry, place: any) => Promise<void>} */
  async repair(entry, place) {
    const { edits, refused } = await store.edited(entry, [{ repair: {} }]);
    if (edits.length === 0) {
      place.replaceChildren(html("p", { class: "notice" }, refused[0] ?? text("noRepair")));
      return;
    }
    const boxes = edits.map(() => html("input", { type: "checkbox", checked: "" }));
    const shown = edits.map(shownEdit);
    const chosen = () => boxes.flatMap((/** @type {any} */ box, /** @type {number} */ n) => (box.checked ? [n] : []));
    const apply = button("apply", async () => {
      const only = chosen();
      await store.edit(entry, [{ repair: { only } }], "repairGame");
      this.host.announce(text("repaired", only.length));
      this.notice(text("repaired", only.length), " ", button("undo", () => this.host.undo(), { class: "link" }));
    }, { class: "button strong", id: "apply-repair" });
    boxes.forEach((/** @type {any} */ box, /** @type {number} */ n) => box.addEventListener("change", () => {
      shown[n].hidden = !box.checked;
      apply.disabled = chosen().length === 0;
    }));
    place.replaceChildren(
      html("h3", {}, text("repairs", edits.length)),
      html("ul", { class: "choices-of-repairs" }, ...edits.map((/** @type {any} */ edit, /** @type {number} */ n) =>
        html("li", {}, html("label", {}, boxes[n], " ", record(edit.message)), shown[n]))),
      refused[0] ? shownRefusals(refused) : "",
      html("p", { class: "actions" }, apply));
    place.querySelector("#apply-repair").scrollIntoView({ block: "nearest" });
  }

  /** Lets the user edit a game as text.
   * @type {(entry: import("../store.js").GameEntry, one: Diagnostic) => Promise<void>} */
  async editText(entry, one) {
    const source = (await store.text(entry)).trimEnd();
    const area = html("textarea", { rows: "18", spellcheck: "false", class: "source", "aria-label": text("editText") });
    area.value = source;
    dialog("editText", [area], [["apply", () => store.edit(entry, [{ text: { text: area.value } }], "editText")]]);
    // The places of another format are not in its text as PDN.
    const place = async (/** @type {number} */ end) => (entry.pdn === false ? 0
      : decoded(await bytesOf(entry.file, entry.offset, end), entry.encoding).replace(/\r\n?/g, "\n").length);
    const [start, end] = await Promise.all([place(one.offset), place(one.offset + one.length)]);
    area.focus();
    area.setSelectionRange(start, end);
  }

  /** Shows the repairs of all games, and makes them on request. */
  async repairAll() {
    const found = await store.repairs();
    if (!found) return;
    const { repaired, refused } = found;
    const edits = repaired.flatMap((file) => file.edits);
    const others = refused[0] ? [shownRefusals(refused)] : [];
    if (edits.length === 0) {
      dialog("repairAll", refused[0] ? others : [html("p", {}, text("noRepair"))], []);
      return;
    }
    dialog("repairAll", [html("p", {}, text("repairs", edits.length)), shownEdits(edits), ...others], [["apply", async () => {
      const late = await store.apply(repaired, "repairAll");
      this.host.announce(text("repaired", edits.length));
      // The repairs of a file that has changed meanwhile are others.
      if (late.length > 0) await this.repairAll();
    }]]);
  }

  /** Saves the changed files after their changes were shown, or copies of all files if none is changed. */
  async saveFiles() {
    await store.edits;
    // What was undone after it was saved is changed too.
    const changed = store.files.filter(isChanged);
    if (changed.length === 0) return this.write(store.files);
    const unsaved = (/** @type {any} */ file) => {
      const own = store.changes.filter((change) => change.file === file);
      return own.slice(own.findLastIndex((change) => change.after === file.saved) + 1);
    };
    const changes = changed.flatMap((file) => [html("p", { class: "muted" }, record(file.name)),
      ...unsaved(file).map(({ label, edits }) => html("div", {}, html("h3", {}, text(label)), shownEdits(edits)))]);
    dialog("saveFiles", changes, [["saveFiles", () => this.write(changed)]]);
    return undefined;
  }

  /** @param {import("../store.js").OpenFile[]} files */
  async write(files) {
    for (const file of files) {
      if (await saveInFolder(file, this.host.announce)) continue;
      const name = (file.name.split("/").at(-1) ?? "games").replace(/\.(gz|bz2|xz|zst)$/i, "");
      const { blob } = file;
      // What cannot be read is not saved.
      save(/\.pdn$/i.test(name) ? name : `${name}.pdn`, await blob.arrayBuffer(), "application/octet-stream");
      file.saved = blob;
    }
    store.keepFiles();
  }
}
