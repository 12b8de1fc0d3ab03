// The open files, with their games and diagnostics, and the changes made.

import { bulk, quick } from "./client.js";
import { forget, keep } from "./db.js";
import { decoded, unpacked } from "./files.js";
import { folder } from "./place.js";

/**
 * @typedef {{ path: string, version: string, blob: Blob }} Source where a server has a file, and what it was then
 * @typedef {{ name: string, blob: Blob, changed?: boolean, failure?: string, source?: Source }} OpenFile
 * @typedef {{ file: OpenFile, game: number, offset: number, length: number, errors: number, warnings: number, head: any,
 *   index: number }} GameEntry
 * @typedef {{ file: string, game: number, offset: number, length: number, line: number, column: number, severity: string,
 *   code: string, message: string, help: string | null }} Diagnostic
 * @typedef {{ label: string, file: OpenFile, blob: Blob }} Change
 */

/** Files together larger than this are not kept for the next visit. */
const KEPT_BYTES = 300 << 20;

class Store extends EventTarget {
  /** @type {OpenFile[]} */ files = [];
  /** @type {GameEntry[]} */ games = [];
  /** @type {Diagnostic[]} */ diagnostics = [];
  /** @type {Change[]} */ changes = [];
  /** @type {AbortController | undefined} */ work = undefined;
  /** @type {Map<string, Promise<any>>} */ boards = new Map();
  /** Counts changes of the games, so that views know whether they are up to date. */
  version = 0;

  /** @type {(name: string, detail?: any) => void} */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Announces that games, diagnostics or files have changed. */
  changed() {
    this.version += 1;
    this.games.forEach((entry, index) => { entry.index = index; });
    this.emit("change");
  }

  /** Opens files in addition to the open ones.
   * @param {Iterable<any>} files */
  async open(files) {
    await this.busy(async (signal) => {
      const decompress = (/** @type {Blob} */ blob) => collect("search", [blob, { where: "file or not file", to: "pdn" }], { signal });
      for await (const file of unpacked(files, decompress)) {
        if (signal.aborted) return;
        const name = this.freeName(file.name);
        if ("error" in file) {
          this.files.push({ name, blob: new Blob([]), failure: file.error });
          continue;
        }
        const opened = { name, blob: file.blob, source: file.source && { ...file.source, blob: file.blob } };
        this.files.push(opened);
        await this.read(opened, signal);
      }
    });
    this.keepFiles();
  }

  /** @param {string} name */
  freeName(name) {
    const names = new Set(this.files.map((file) => file.name));
    let free = name;
    for (let n = 2; names.has(free); n += 1) free = name.replace(/(\.\w+)?$/, (end) => ` (${n})${end}`);
    return free;
  }

  /** Runs work that can be cancelled; its progress and its errors are shown.
   * @param {(signal: AbortSignal) => Promise<void>} work */
  async busy(work) {
    this.work?.abort();
    const controller = new AbortController();
    this.work = controller;
    this.emit("progress", { share: null });
    try {
      await work(controller.signal);
    } catch (error) {
      if (/** @type {any} */ (error)?.kind !== "aborted") this.emit("failure", String(/** @type {any} */ (error)?.message ?? error));
    } finally {
      if (this.work === controller) {
        this.work = undefined;
        this.emit("progress", undefined);
      }
      this.changed();
    }
  }

  /** Reads the games and diagnostics of a file again, replacing the previous ones.
   * @type {(file: OpenFile, signal: AbortSignal) => Promise<void>} */
  async read(file, signal) {
    const input = this.input(file);
    const step = (/** @type {number} */ from) => (/** @type {any} */ progress) =>
      this.emit("progress", { name: file.name, share: progress.total ? (from + progress.bytes / progress.total) / 2 : null });
    const at = this.games.findIndex((entry) => entry.file === file);
    /** @type {GameEntry[]} */
    const games = [];
    const items = (/** @type {any[]} */ rows) => {
      for (const row of rows) games.push({ ...row, file, index: 0 });
      this.emit("found", this.games.length + games.length);
    };
    await bulk.call("reportRows", [input, { heads: true }], { events: { items, onProgress: step(0) }, signal });
    /** @type {Diagnostic[]} */
    const diagnostics = [];
    const onDiagnostics = (/** @type {Diagnostic[]} */ found) => { for (const one of found) diagnostics.push(one); };
    const result = await bulk.call("check", [input, {}], { events: { onDiagnostics, onProgress: step(1) }, signal });
    file.failure = result.failures[0]?.message;
    const others = this.games.filter((entry) => entry.file !== file);
    this.games = at < 0 ? others.concat(games) : [...others.slice(0, at), ...games, ...others.slice(at)];
    this.diagnostics = this.diagnostics.filter((one) => one.file !== file.name).concat(diagnostics);
  }

  /** @param {OpenFile} file */
  close(file) {
    this.files = this.files.filter((other) => other !== file);
    this.games = this.games.filter((entry) => entry.file !== file);
    this.diagnostics = this.diagnostics.filter((one) => one.file !== file.name);
    this.changes = this.changes.filter((change) => change.file !== file);
    this.keepFiles();
    this.changed();
  }

  keepFiles() {
    const size = this.files.reduce((sum, file) => sum + file.blob.size, 0);
    const files = this.files.map(({ name, blob }) => ({ name, blob }));
    if (files.length > 0 && size <= KEPT_BYTES) keep("open", files);
    else forget("open");
  }

  /** Returns the bytes of a game.
   * @param {GameEntry} entry */
  slice({ file, offset, length }) {
    return file.blob.slice(offset, offset + length);
  }

  /** @param {GameEntry} entry */
  async text(entry) {
    return decoded(await this.slice(entry).arrayBuffer());
  }

  /** Options for reading a game alone as in its file, where other games may have decided its variant.
   * @type {(entry: GameEntry, text: string) => any} */
  options(entry, text) {
    return entry.head.variant && !/\[\s*GameType/i.test(text) ? { variant: entry.head.variant } : {};
  }

  /** Returns the input of calls on a file; a server reads what it has itself.
   * @param {OpenFile} file */
  input({ name, blob, source }) {
    return { name, data: blob, source: source?.blob === blob ? { path: source.path, version: source.version } : undefined };
  }

  /** Returns the inputs of calls on all games.
   * @param {OpenFile[]} files */
  inputs(files = this.files) {
    return files.filter((file) => file.blob.size > 0).map((file) => this.input(file));
  }

  /** @param {string} file
   * @param {number} game */
  find(file, game) {
    return this.games.find((entry) => entry.game === game && entry.file.name === file);
  }

  /** Returns the board of a variant.
   * @param {string | undefined} variant */
  board(variant) {
    if (!variant) return Promise.resolve(undefined);
    let board = this.boards.get(variant);
    if (!board) {
      board = quick.call("board", [variant]);
      this.boards.set(variant, board);
    }
    return board;
  }

  /** Replaces the text of a game.
   * @type {(entry: GameEntry, text: string, label: string) => Promise<void>} */
  async replace(entry, text, label) {
    const { file } = entry;
    const old = await this.text(entry);
    const gap = /\s*$/.exec(old)?.[0] ?? "";
    const bytes = new TextEncoder().encode(text.trim() + gap);
    const options = this.options(entry, text);
    /** @type {any[]} */
    const rows = [];
    await quick.call("reportRows", [{ name: file.name, data: bytes }, { heads: true, ...options }], { events: { items: (found) => rows.push(...found) } });
    const before = file.blob;
    this.changes.push({ label, file, blob: before });
    file.changed = true;
    file.blob = new Blob([before.slice(0, entry.offset), bytes, before.slice(entry.offset + entry.length)]);
    if (rows.length === 1) await this.update(entry, rows[0], old, bytes, options);
    else await this.busy((signal) => this.read(file, signal));
    this.keepFiles();
    this.changed();
  }

  /** Updates the list after one game of a file was replaced by another one, without reading the file again.
   * @type {(entry: GameEntry, row: any, old: string, bytes: Uint8Array<ArrayBuffer>, options: any) => Promise<void>} */
  async update(entry, row, old, bytes, options) {
    const { file, game, offset } = entry;
    const { diagnostics } = await quick.call("check", [{ name: file.name, data: bytes }, options]);
    const lines = (/** @type {string} */ text) => text.split(/\r\n|\r|\n/).length;
    const [longer, more] = [bytes.length - entry.length, lines(decoded(bytes)) - lines(old)];
    const line = lines(decoded(await file.blob.slice(0, offset).arrayBuffer())) - 1;
    for (const other of this.games) if (other.file === file && other.offset > offset) other.offset += longer;
    const [before, after] = [[], []].map(() => /** @type {Diagnostic[]} */ ([]));
    for (const one of this.diagnostics) {
      if (one.file !== file.name || one.offset < offset) before.push(one);
      else if (one.offset >= offset + entry.length) after.push({ ...one, offset: one.offset + longer, line: one.line + more });
    }
    const own = diagnostics.map((/** @type {Diagnostic} */ one) => ({ ...one, game, offset: one.offset + offset, line: one.line + line }));
    this.diagnostics = before.filter((one) => one.file !== file.name || one.game !== game).concat(own, after);
    Object.assign(entry, { length: bytes.length, head: row.head, errors: row.errors, warnings: row.warnings });
  }

  /** Repairs all games of all files. Returns the repairs; `apply` writes them. */
  async repairs() {
    /** @type {{ file: OpenFile, blob: Blob, edits: any[] }[]} */
    const repaired = [];
    await this.busy(async (signal) => {
      for (const file of this.files.filter(({ blob }) => blob.size > 0)) {
        /** @type {BlobPart[]} */
        const parts = [];
        const events = {
          write: (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => parts.push(bytes),
          onProgress: (/** @type {any} */ progress) => this.emit("progress", { name: file.name, share: progress.total ? progress.bytes / progress.total : null }),
        };
        const { edits } = await bulk.call("fix", [this.input(file), {}], { events, signal });
        if (edits.length > 0) repaired.push({ file, blob: new Blob(parts), edits });
      }
    });
    return repaired;
  }

  /** Replaces the content of files.
   * @type {(files: { file: OpenFile, blob: Blob }[], label: string) => Promise<void>} */
  async apply(files, label) {
    await this.busy(async (signal) => {
      for (const { file, blob } of files) {
        this.changes.push({ label, file, blob: file.blob });
        Object.assign(file, { blob, changed: true });
        await this.read(file, signal);
      }
    });
    this.keepFiles();
  }

  /** Saves a file in its folder, if it is from one that can be written to. Returns false if it is not. A file that is not UTF-8 is only
   * replaced if that is certain.
   * @type {(file: OpenFile, certain?: boolean) => Promise<boolean>} */
  async save(file, certain = false) {
    const { source, blob } = file;
    if (!folder || !source || !/\.pdn$/i.test(source.path) || !(await folder.list()).writable) return false;
    const version = await folder.save(source.path, blob, source.version, certain);
    Object.assign(file, { source: { ...source, version, blob }, changed: false });
    return true;
  }

  /** Saves annotated games beside the file that they are from, as `X.annotated.pdn`, which the file is from then on. Returns false
   * if it is not from a folder that can be written to.
   * @type {(file: OpenFile, blob: Blob) => Promise<boolean>} */
  async saveBeside(file, blob) {
    if (!folder || !file.source) return false;
    const { files, writable } = await folder.list();
    if (!writable) return false;
    const path = file.source.path.replace(/(\.annotated)?\.pdn$/i, ".annotated.pdn");
    const version = await folder.save(path, blob, files.find((other) => other.path === path)?.version, true);
    this.diagnostics = this.diagnostics.filter((one) => one.file !== file.name);
    Object.assign(file, { name: path, blob, source: { path, version, blob }, changed: false });
    this.changes = this.changes.filter((change) => change.file !== file);
    await this.busy((signal) => this.read(file, signal));
    return true;
  }

  /** Undoes the last change. */
  async undo() {
    const change = this.changes.pop();
    if (!change) return;
    change.file.blob = change.blob;
    change.file.changed = this.changes.some(({ file }) => file === change.file);
    await this.busy((signal) => this.read(change.file, signal));
    this.keepFiles();
  }
}

/** Calls a function that writes text, and returns what it writes.
 * @type {(name: string, args: any[], how?: { signal?: AbortSignal, events?: any }) => Promise<Blob>} */
export const collect = async (name, args, { signal, events = {} } = {}) => {
  /** @type {BlobPart[]} */
  const parts = [];
  await bulk.call(name, args, { signal, events: { ...events, write: (/** @type {any} */ bytes) => parts.push(bytes) } });
  return new Blob(parts);
};

export const store = new Store();
