// The open files, with their games and diagnostics, and the changes made.

import { bulk, quick } from "./client.js";
import { keepOwn } from "./db.js";
import { unpacked, utf16Of } from "./files.js";
import { text } from "./parts/dom.js";
import { folder } from "./place.js";

/**
 * @typedef {{ path: string, version: string, blob?: Blob }} Source where a server has a file, and what it was then, if the server still
 *   has that version
 * @typedef {{ name: string, blob: Blob, saved?: Blob, failure?: string, source?: Source }} OpenFile a file, and its content as it was
 *   opened or last saved
 * @typedef {{ file: OpenFile, game: number, offset: number, length: number, errors: number, warnings: number, head: any,
 *   index: number, encoding?: string, pdn?: boolean }} GameEntry
 * @typedef {{ file: string, game: number, offset: number, length: number, line: number, column: number, severity: string,
 *   code: string, message: string, help: string | null }} Diagnostic
 * @typedef {{ file: string, game: number, line: number, message: string, before?: string, after?: string }} Edit
 * @typedef {{ label: string, file: OpenFile, before: Blob, after: Blob, edits: Edit[], game?: number, address?: string }} Change
 *   a change of a file, with its lines before and after it
 */

/** Returns true if a file has changes that are not saved.
 * @param {OpenFile} file */
export const isChanged = ({ blob, saved }) => blob !== saved;

/** Returns true if a file may be closed: the user is asked about changes that are not saved.
 * @param {OpenFile} file */
export const mayClose = (file) => !isChanged(file) || globalThis.confirm(text("closeUnsaved", file.name));

/** Returns true if a file is one of a folder to which annotated games were saved.
 * @param {OpenFile} file */
export const isAnnotated = ({ source }) => /\.annotated(-\d+)?\.pdn$/i.test(source?.path ?? "");

/** Files together larger than this are not kept for the next visit. */
const KEPT_BYTES = 300 << 20;

class Store extends EventTarget {
  /** @type {OpenFile[]} */ files = [];
  /** @type {GameEntry[]} */ games = [];
  /** @type {Diagnostic[]} */ diagnostics = [];
  /** @type {Change[]} */ changes = [];
  /** Changes that were undone, the last one first to come back.
   * @type {Change[]} */ undone = [];
  /** Edits wait for each other: each moves the games after its own.
   * @type {Promise<any>} */ edits = Promise.resolve();
  /** Work waits for earlier work: none finds files that are half read.
   * @type {Promise<any>} */ works = Promise.resolve();
  /** What stops the work that runs, if it can be stopped.
   * @type {AbortController | undefined} */ work = undefined;
  /** What stops the work that later work replaces.
   * @type {AbortController | undefined} */ replaced = undefined;
  /** @type {Map<string, Promise<any>>} */ boards = new Map();
  /** The games of files of other formats as PDN, by the contents of the files.
   * @type {WeakMap<Blob, Promise<GameEntry[]>>} */ conversions = new WeakMap();
  /** True after it was said that the browser keeps nothing. */
  isWarned = false;
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

  /** Opens files in addition to the open ones, and returns their games. Only the user stops that.
   * @param {Iterable<any>} files */
  async open(files) {
    /** @type {Set<OpenFile>} */
    const all = new Set();
    await this.busy(async (signal) => {
      // What a folder had at the last visit may have changed since: a server does not read another version.
      const isKept = [...files].some(({ source, changed }) => source && changed !== undefined);
      const versions = new Map(isKept && folder ? (await folder.list()).files.map(({ path, version }) => [path, version]) : []);
      const decompress = (/** @type {Blob} */ blob) => collect("search", [blob, { where: "file or not file", to: "pdn" }], { signal });
      for await (const file of unpacked(files, decompress)) {
        if (signal.aborted) return;
        const name = this.freeName(file.name);
        if ("error" in file) {
          const blob = new Blob([]);
          this.files.push({ name, blob, saved: blob, failure: file.error });
          continue;
        }
        const { blob, changed } = file;
        const source = changed === undefined || versions.has(file.source?.path ?? "") ? file.source : undefined;
        const isThere = changed === undefined || (!changed && versions.get(source?.path ?? "") === source?.version);
        /** @type {OpenFile} */
        const opened = { name, blob, saved: changed ? undefined : blob, source: source && { ...source, blob: isThere ? blob : undefined } };
        this.files.push(opened);
        all.add(opened);
        try {
          await this.read(opened, signal);
        } catch (error) {
          opened.failure = signal.aborted ? text("notRead") : String(/** @type {any} */ (error)?.message ?? error);
          throw error;
        }
      }
    }, "user");
    this.keepFiles();
    return this.games.filter(({ file }) => all.has(file));
  }

  /** @param {string} name */
  freeName(name) {
    const names = new Set(this.files.map((file) => file.name));
    let free = name;
    for (let n = 2; names.has(free); n += 1) free = name.replace(/(\.\w+)?$/, (end) => ` (${n})${end}`);
    return free;
  }

  /** Runs work after all earlier work; its progress and its errors are shown. Later work stops it, or only the user, or nothing.
   * @type {(work: (signal: AbortSignal) => Promise<void>, stoppedBy?: "work" | "user" | "nothing") => Promise<void>} */
  busy(work, stoppedBy = "work") {
    const controller = new AbortController();
    this.replaced?.abort();
    this.replaced = stoppedBy === "work" ? controller : undefined;
    const done = this.works.then(() => this.run(work, controller, stoppedBy !== "nothing"));
    this.works = done;
    return done;
  }

  /** @type {(work: (signal: AbortSignal) => Promise<void>, controller: AbortController, canStop: boolean) => Promise<void>} */
  async run(work, controller, canStop) {
    this.work = canStop ? controller : undefined;
    this.emit("progress", { share: null });
    try {
      await work(controller.signal);
    } catch (error) {
      if (/** @type {any} */ (error)?.kind !== "aborted") this.emit("failure", String(/** @type {any} */ (error)?.message ?? error));
    } finally {
      this.work = undefined;
      this.emit("progress", undefined);
      this.changed();
    }
  }

  /** Reads a file whose bytes have changed. Nothing stops that: its games would be listed where they were before.
   * @param {OpenFile} file */
  reread(file) {
    return this.busy(() => this.read(file), "nothing");
  }

  /** Reads the games and diagnostics of a file, replacing the previous ones.
   * @type {(file: OpenFile, signal?: AbortSignal) => Promise<void>} */
  async read(file, signal) {
    const input = this.input(file);
    const step = (/** @type {number} */ from) => (/** @type {any} */ progress) =>
      this.emit("progress", { name: file.name, share: progress.total ? (from + progress.bytes / progress.total) / 2 : null });
    const at = this.games.findIndex((entry) => entry.file === file);
    /** @type {GameEntry[]} */
    const games = [];
    const utf16 = await utf16Of(file.blob);
    const items = (/** @type {any[]} */ rows) => {
      for (const row of rows) games.push({ ...row, file, index: 0, encoding: row.encoding ?? utf16 });
      this.emit("found", this.games.length + games.length);
    };
    await bulk.call("reportRows", [input, { heads: true }], { events: { items, onProgress: step(0) }, signal });
    /** @type {Diagnostic[]} */
    const diagnostics = [];
    const onDiagnostics = (/** @type {Diagnostic[]} */ found) => { for (const one of found) diagnostics.push(one); };
    const result = await bulk.call("check", [input, { lang: document.documentElement.lang }], { events: { onDiagnostics, onProgress: step(1) }, signal });
    // It may have been closed meanwhile.
    if (!this.files.includes(file)) return;
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
    this.forget(file);
    this.keepFiles();
    this.changed();
  }

  /** Forgets the changes of a file.
   * @param {OpenFile} file */
  forget(file) {
    this.changes = this.changes.filter((change) => change.file !== file);
    this.undone = this.undone.filter((change) => change.file !== file);
  }

  /** Keeps the files for the next visit, if the browser has the room. */
  async keepFiles() {
    const size = this.files.reduce((sum, file) => sum + file.blob.size, 0);
    const files = size <= KEPT_BYTES ? this.files.map((file) => {
      const { name, blob, source } = file;
      return { name, blob, changed: isChanged(file), source: source && { path: source.path, version: source.version } };
    }) : [];
    const isKept = await keepOwn("open", files.length > 0 ? files : undefined);
    if (!isKept && !this.isWarned && location.protocol !== "file:") this.emit("failure", text("notKept"));
    this.isWarned ||= !isKept;
  }

  /** Returns the bytes of a game.
   * @param {GameEntry} entry */
  slice({ file, offset, length }) {
    return file.blob.slice(offset, offset + length);
  }

  /** Returns a game in PDN: itself, or the same game of its file as PDN. A part of another format may be no record alone, and is none
   * among games of PDN.
   * @param {GameEntry} entry
   * @returns {Promise<GameEntry>} */
  async inPdn(entry) {
    return entry.pdn === false ? this.converted(entry) : entry;
  }

  /** Returns a game of a file as PDN. The whole file is converted, but only once.
   * @param {GameEntry} entry
   * @returns {Promise<GameEntry>} */
  async converted({ file, game, head }) {
    const { blob } = file;
    const games = this.conversions.get(blob) ?? gamesInPdn(this.input(file));
    this.conversions.set(blob, games);
    games.catch(() => this.conversions.delete(blob));
    const found = (await games)[game - 1];
    if (!found) throw new Error(text("noGames"));
    return { ...found, head };
  }

  /** Returns a game with its moves and its text.
   * @param {GameEntry} entry */
  async row(entry) {
    const game = await this.inPdn(entry);
    const options = await this.options(game);
    /** @type {any[]} */
    const rows = [];
    await quick.call("reportRows", [{ name: game.file.name, data: this.slice(game) }, options], { events: { items: (found) => rows.push(...found) } });
    return rows[0];
  }

  /** @param {GameEntry} entry
   * @returns {Promise<string>} */
  async text(entry) {
    return (await this.row(entry))?.record ?? "";
  }

  /** Returns a game as a file of PDN. One that is not UTF-8 is converted: alone, it might be read in another encoding.
   * @param {GameEntry} entry
   * @returns {Promise<Blob>} */
  async alone(entry) {
    const game = await this.inPdn(entry);
    const [blob] = await withVariants(quick, [game], [game.encoding ? new Blob([await this.text(game)]) : this.slice(game)]);
    return blob;
  }

  /** Returns games as one file of PDN, in which those that are not UTF-8 are converted.
   * @type {(entries: GameEntry[], signal?: AbortSignal) => Promise<Blob>} */
  async together(entries, signal) {
    const games = await Promise.all(entries.map((entry) => this.inPdn(entry)));
    /** @type {Map<OpenFile, Map<number, any>>} */
    const converted = new Map();
    for (const { file, encoding } of games) {
      if (encoding && !converted.has(file)) converted.set(file, await convertedGames(this.input(file), signal));
    }
    const blobs = games.map((game) => {
      const record = converted.get(game.file)?.get(game.offset)?.record;
      return record === undefined ? this.slice(game) : new Blob([record]);
    });
    return joined(await withVariants(bulk, games, blobs, signal));
  }

  /** Returns the encoding of the games of a file that are not UTF-8.
   * @param {OpenFile} file */
  encodingOf(file) {
    return this.games.find((entry) => entry.file === file && entry.encoding)?.encoding;
  }

  /** Options for reading a game alone as in its file, where other games may have decided its variant and its encoding.
   * @param {GameEntry} entry */
  async options(entry) {
    return { ...await readOptions(this.slice(entry), entry.head), encoding: entry.encoding ?? undefined };
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

  /** Changes a game in its bytes, and returns the address of the move to be shown.
   * @type {(entry: GameEntry, changes: any[], label: string, address?: string) => Promise<{ entry: GameEntry, address?: string }>} */
  edit(entry, changes, label, address) {
    // The file may be read again before it is the turn of this edit.
    return this.inTurn(() => this.change(this.games.includes(entry) ? entry : this.find(entry.file.name, entry.game) ?? entry, changes, label, address));
  }

  /** Does what changes the bytes of files after all earlier changes.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>} */
  inTurn(work) {
    const done = this.edits.then(work);
    this.edits = done.catch(() => undefined);
    return done;
  }

  /** Returns what changes of a game would do, and the part of its file that was read: the game and those beside it, where an edit
   * might be read otherwise, or all of the file, whose dates decide how a date is repaired.
   * @type {(entry: GameEntry, changes: any[]) => Promise<any>} */
  async edited(entry, changes) {
    const { file, offset } = entry;
    const games = this.games.filter((other) => other.file === file).sort((a, b) => a.offset - b.offset);
    const at = games.indexOf(entry);
    const isAll = changes.some((change) => change.repair);
    const from = isAll ? 0 : games[at - 1]?.offset ?? 0;
    const next = isAll ? undefined : games[at + 1];
    const to = next ? next.offset + next.length : file.blob.size;
    const options = { ...await this.options(entry), game: { offset: offset - from }, changes };
    return { from, to, ...await quick.call("edit", [{ name: file.name, data: file.blob.slice(from, to) }, options]) };
  }

  /** @type {(entry: GameEntry, changes: any[], label: string, address?: string) => Promise<{ entry: GameEntry, address?: string }>} */
  async change(entry, changes, label, address) {
    const { file, game } = entry;
    const { from, to, bytes, edits, refused, address: shown } = await this.edited(entry, changes);
    if (refused[0]?.includes("not PDN")) return this.change(await this.asPdn(entry), changes, label, address);
    // Of several repairs, some may be left out.
    if (refused[0] && edits.length === 0) throw new Error(refused[0]);
    const before = file.blob;
    if (edits.length === 0) return { entry, address: shown ?? address };
    file.blob = new Blob([before.slice(0, from), bytes, before.slice(to)]);
    this.kept({ label, file, before, after: file.blob, edits, game, address });
    await this.update(entry, file.blob.size - before.size);
    this.keepFiles();
    this.changed();
    return { entry: this.games.includes(entry) ? entry : this.find(file.name, game) ?? entry, address: shown ?? address };
  }

  /** Keeps a change to be undone.
   * @param {Change} change */
  kept(change) {
    this.changes.push(change);
    this.undone = [];
  }

  /** Makes PDN of a file that cannot be written as it is, and returns the same game there. It has another name, and is not saved in the
   * place of its file on the disk, but annotated games are saved beside that one.
   * @param {GameEntry} entry */
  async asPdn(entry) {
    const { file, game } = entry;
    const { blob } = (await this.converted(entry)).file;
    const source = file.source && !/\.pdn$/i.test(file.source.path) ? { ...file.source, blob: undefined } : undefined;
    this.diagnostics = this.diagnostics.filter((one) => one.file !== file.name);
    Object.assign(file, { name: this.freeName(`${file.name.replace(/\.\w+$/, "")}.pdn`), blob, saved: undefined, source });
    this.forget(file);
    this.emit("failure", text("savedAs", file.name));
    await this.reread(file);
    this.keepFiles();
    const found = this.find(file.name, game);
    if (!found) throw new Error(text("noGames"));
    return found;
  }

  /** Makes PDN of the files of games that are of other formats.
   * @param {GameEntry[]} entries */
  toPdn(entries) {
    const others = new Map(entries.filter(({ pdn }) => pdn === false).map((entry) => [entry.file, entry]));
    return this.inTurn(async () => {
      for (const entry of others.values()) if (this.games.includes(entry)) await this.asPdn(entry);
    });
  }

  /** Updates the list after a game became longer by some bytes, without reading its file again, unless something is said about the file
   * at this game, or another one may have to give the file its encoding.
   * @type {(entry: GameEntry, longer: number) => Promise<void>} */
  async update(entry, longer) {
    const { file, game, offset } = entry;
    const end = offset + entry.length;
    const data = file.blob.slice(offset, end + longer);
    const options = await this.options({ ...entry, length: entry.length + longer });
    /** @type {any[]} */
    const rows = [];
    await quick.call("reportRows", [{ name: file.name, data }, { heads: true, ...options }], { events: { items: (found) => rows.push(...found) } });
    if (rows.length !== 1 || rows[0].offset !== 0) return this.reread(file);
    const { diagnostics } = await quick.call("check", [{ name: file.name, data }, { ...options, lang: document.documentElement.lang }]);
    const letters = async (/** @type {Blob} */ blob) => new TextDecoder("windows-1252").decode(await blob.arrayBuffer());
    const known = this.diagnostics.filter((one) => one.file === file.name && one.game === game);
    const isOfFile = (/** @type {Diagnostic} */ { code }) => code === "replay/inferred-variant" || code === "tag/encoding";
    const isPlain = entry.encoding && /^[\0-\x7f]*$/.test(await letters(data));
    if (isPlain || known.some(isOfFile) || diagnostics.some(isOfFile)) {
      await this.reread(file);
      // The game is still the same one to all who hold it.
      const at = this.games.findIndex((one) => one.file === file && one.game === game);
      if (at >= 0) this.games[at] = Object.assign(entry, this.games[at]);
      return undefined;
    }
    const lines = async (/** @type {Blob} */ blob) => (await letters(blob)).split(/\r\n|\r|\n/).length - 1;
    const line = await lines(file.blob.slice(0, offset));
    const more = await lines(data) - await lines(this.changes.at(-1)?.before.slice(offset, end) ?? data);
    for (const other of this.games) if (other.file === file && other.offset > offset) other.offset += longer;
    const [before, after] = [[], []].map(() => /** @type {Diagnostic[]} */ ([]));
    for (const one of this.diagnostics) {
      if (one.file !== file.name || one.offset < offset) before.push(one);
      else if (one.offset >= end) after.push({ ...one, offset: one.offset + longer, line: one.line + more });
    }
    const own = diagnostics.map((/** @type {Diagnostic} */ one) => ({ ...one, game, offset: one.offset + offset, line: one.line + line }));
    this.diagnostics = before.filter((one) => one.file !== file.name || one.game !== game).concat(own, after);
    Object.assign(entry, { length: entry.length + longer, head: rows[0].head, errors: rows[0].errors, warnings: rows[0].warnings, encoding: rows[0].encoding });
    return undefined;
  }

  /** Repairs all games of all files. Returns the repairs, which `apply` writes, and why others are not made, or nothing if that was
   * stopped. */
  async repairs() {
    /** @type {{ file: OpenFile, from: Blob, blob: Blob, edits: any[] }[]} */
    const repaired = [];
    /** @type {string[]} */
    const refused = [];
    let isDone = false;
    await this.edits;
    await this.busy(async (signal) => {
      for (const file of this.files.filter(({ blob }) => blob.size > 0)) {
        /** @type {BlobPart[]} */
        const parts = [];
        const events = {
          write: (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => parts.push(bytes),
          onProgress: (/** @type {any} */ progress) => this.emit("progress", { name: file.name, share: progress.total ? progress.bytes / progress.total : null }),
        };
        const from = file.blob;
        const result = await bulk.call("edit", [this.input(file), {}], { events, signal });
        refused.push(...result.refused.map((/** @type {string} */ reason) => `${file.name}: ${reason}`));
        if (result.edits.length > 0) repaired.push({ file, from, blob: new Blob(parts), edits: result.edits });
      }
      isDone = !signal.aborted;
    });
    return isDone ? { repaired, refused } : undefined;
  }

  /** Replaces the content of files with what was made `from` it; a file with a new source is from there on that one. Returns the
   * files that have changed since, which stay as they are.
   * @template {{ file: OpenFile, from: Blob, blob: Blob, edits?: Edit[], source?: Source }} Made
   * @param {Made[]} files
   * @param {string} label
   * @returns {Promise<Made[]>} */
  apply(files, label) {
    return this.inTurn(async () => {
      /** @type {Made[]} */
      const late = [];
      for (const made of files) {
        const { file, from, blob, edits = [], source } = made;
        if (!await isSame(file.blob, from)) {
          late.push(made);
          continue;
        }
        if (source) {
          this.diagnostics = this.diagnostics.filter((one) => one.file !== file.name);
          Object.assign(file, { name: source.path, source, saved: blob });
          this.forget(file);
        } else {
          this.kept({ label, file, before: file.blob, after: blob, edits });
        }
        file.blob = blob;
        await this.reread(file);
      }
      this.keepFiles();
      return late;
    });
  }

  /** Saves a file in its folder, if it is from one that can be written to. Returns false if it is not. A file that is not UTF-8 is only
   * replaced if that is certain.
   * @type {(file: OpenFile, certain?: boolean) => Promise<boolean>} */
  async save(file, certain = false) {
    const { source, blob } = file;
    if (!folder || !source || !/\.pdn$/i.test(source.path) || !(await folder.list()).writable) return false;
    const version = await folder.save(source.path, blob, source.version, certain);
    Object.assign(file, { source: { ...source, version, blob }, saved: blob });
    this.keepFiles();
    return true;
  }

  /** Returns the version of a file that the folder has now.
   * @param {OpenFile} file
   * @returns {Promise<any>} */
  async onDisk(file) {
    return folder?.open(file.source?.path ?? file.name);
  }

  /** Saves a file in place of the version of the folder that was shown.
   * @type {(file: OpenFile, version: string) => Promise<boolean>} */
  saveOver(file, version) {
    file.source = { path: file.name, blob: file.blob, ...file.source, version };
    return this.save(file, true);
  }

  /** Saves content as a new file beside another one: `X.KIND.pdn`, or the next free name.
   * @type {(server: any, path: string, kind: string, blob: Blob) => Promise<Source>} */
  async saveNew(server, path, kind, blob) {
    const taken = new Set((await server.list()).files.map((/** @type {any} */ file) => file.path));
    const stem = path.replace(/\.pdn$/i, "");
    for (let n = 1; ; n += 1) {
      const free = `${stem}.${kind}${n > 1 ? `-${n}` : ""}.pdn`;
      if (taken.has(free)) continue;
      try {
        return { path: free, version: await server.save(free, blob), blob };
      } catch (error) {
        // Somebody else has made the file since, or the folder does not list it.
        if (/** @type {any} */ (error).status !== 412) throw error;
      }
    }
  }

  /** Saves a file under another name, which it has from then on. Returns false if it is not from a folder.
   * @param {OpenFile} file */
  async saveApart(file) {
    if (!folder || !file.source) return false;
    const source = await this.saveNew(folder, file.source.path, "own", file.blob);
    for (const one of this.diagnostics) if (one.file === file.name) one.file = source.path;
    Object.assign(file, { name: source.path, source, saved: file.blob });
    this.keepFiles();
    this.changed();
    return true;
  }

  /** Saves annotated games beside the file that they are from, as `X.annotated.pdn`, and returns where. Returns nothing if the file is
   * not from a folder that can be written to, or is such a file itself.
   * @type {(file: OpenFile, blob: Blob) => Promise<Source | undefined>} */
  async saveBeside(file, blob) {
    if (!folder || !file.source || isAnnotated(file) || !(await folder.list()).writable) return undefined;
    return this.saveNew(folder, file.source.path, "annotated", blob);
  }

  /** Undoes the last change, or makes the last one that was undone again. Returns it.
   * @param {boolean} [again]
   * @returns {Promise<Change | undefined>} */
  undo(again = false) {
    return this.inTurn(async () => {
      const [from, to] = again ? [this.undone, this.changes] : [this.changes, this.undone];
      const change = from.pop();
      if (!change) return undefined;
      const { file } = change;
      to.push(change);
      file.blob = again ? change.after : change.before;
      await this.reread(file);
      this.keepFiles();
      return change;
    });
  }
}

/** Returns true if files have the same bytes; those of an earlier visit are other objects.
 * @type {(one: Blob, other: Blob) => Promise<boolean>} */
const isSame = async (one, other) => {
  if (one === other || one.size !== other.size) return one === other;
  const [bytes, others] = await Promise.all([one, other].map(async (blob) => new Uint8Array(await blob.arrayBuffer())));
  return bytes.every((byte, n) => byte === others[n]);
};

/** Returns the games of a file that are not UTF-8 by their offsets, with their texts, as the whole file decides their encoding.
 * @type {(input: any, signal?: AbortSignal) => Promise<Map<number, { offset: number, length: number, encoding: string, record: string }>>} */
export const convertedGames = async (input, signal) => {
  const games = new Map();
  const utf16 = await utf16Of(input.data);
  const items = (/** @type {any[]} */ rows) => {
    for (const { offset, length, encoding: own, record } of rows) {
      const encoding = own ?? utf16;
      if (encoding) games.set(offset, { offset, length, encoding, record });
    }
  };
  await bulk.call("reportRows", [input, {}], { events: { items }, signal });
  return games;
};

/** Returns the games of a file as PDN in UTF-8.
 * @type {(input: any) => Promise<GameEntry[]>} */
const gamesInPdn = async (input) => {
  const { name } = input;
  const blob = await collect("convert", [input, { to: "pdn" }]);
  /** @type {GameEntry[]} */
  const games = [];
  const items = (/** @type {any[]} */ rows) => { for (const row of rows) games.push({ ...row, file: { name, blob }, index: 0, encoding: undefined }); };
  await bulk.call("reportRows", [{ name, data: blob }, { heads: true }], { events: { items } });
  return games;
};

/** Returns games as one file.
 * @param {Blob[]} blobs */
const joined = (blobs) => new Blob(blobs.flatMap((blob) => [blob, "\n\n"]));

/** Returns the contents of games that leave their files. A game whose variant the other games of its file decided gets the tag of its
 * variant if it would be read as of another one. That may change what decides the variants of the others, so all are read again.
 * @type {(client: import("./client.js").Client, games: GameEntry[], blobs: Blob[], signal?: AbortSignal) => Promise<Blob[]>} */
const withVariants = async (client, games, blobs, signal) => {
  const isNamed = await areNamed(games, blobs);
  if (isNamed && !signal?.aborted) return blobs;
  const all = [...blobs];
  /** @type {Set<number>} */
  const tagged = new Set();
  for (;;) {
    /** @type {Map<number, string | undefined>} */
    const read = new Map();
    let [at, start] = [0, 0];
    const items = (/** @type {any[]} */ rows) => {
      for (const { offset, head } of rows) {
        while (at < all.length - 1 && offset >= start + all[at].size + 2) {
          start += all[at].size + 2;
          at += 1;
        }
        if (!read.has(at)) read.set(at, head.variant);
      }
    };
    await client.call("reportRows", [{ name: "games.pdn", data: joined(all) }, { heads: true }], { events: { items }, signal });
    const others = [...read].filter(([n, variant]) => (games[n].head.variant ?? variant) !== variant && !tagged.has(n));
    if (others.length === 0) return all;
    for (const [n] of others) {
      const [name, value] = (await aboutVariant(games[n].head.variant)).tag;
      const { bytes } = await quick.call("edit", [{ name: "game.pdn", data: all[n] }, { game: { number: 1 }, changes: [{ setTag: { name, value } }] }]);
      all[n] = new Blob([bytes]);
      tagged.add(n);
    }
  }
};

/** Number of games whose tags are compared at once. */
const GAMES_AT_ONCE = 1000;

/** Returns true if games of a known variant have a tag that names it, so that each is read as of that variant in any file.
 * @type {(games: GameEntry[], blobs: Blob[]) => Promise<boolean>} */
const areNamed = async (games, blobs) => {
  /** @type {Map<string, string[]>} */
  const tags = new Map();
  for (const { head: { variant } } of games) if (variant && !tags.has(variant)) tags.set(variant, (await aboutVariant(variant)).tag);
  for (let from = 0; from < games.length; from += GAMES_AT_ONCE) {
    const some = blobs.slice(from, from + GAMES_AT_ONCE);
    const words = new TextDecoder("windows-1252").decode(await new Blob(some).arrayBuffer());
    let start = 0;
    const isNamed = some.every(({ size }, n) => {
      const record = words.slice(start, start + size);
      start += size;
      const [name, value] = tags.get(games[from + n].head.variant) ?? [];
      const found = name && new RegExp(`^\\s*\\[\\s*${name}\\s*"([^"]*)"`, "im").exec(record)?.[1];
      return !name || `${found},`.toLowerCase().startsWith(`${value},`.toLowerCase());
    });
    if (!isNamed) return false;
  }
  return true;
};

/** Values of the tag GameType for variants that share their number with another one.
 * @type {Record<string, string>} */
const SHARED = { "pool-unified": "23,W,8,8,A0,0", jamaican: "23,B,8,8,A1,1" };

/** Returns what the program knows about a variant, and the tag by which its records name it: a variant whose games have no number has a
 * tag of its own.
 * @param {string} variant */
export const aboutVariant = async (variant) => {
  const found = (await quick.call("variants", [])).find((/** @type {any} */ one) => one.name === variant);
  const type = SHARED[variant] ?? found?.gametype;
  return { ...found, tag: type ? ["GameType", `${type}`] : ["Variant", variant] };
};

/** Returns the options for reading a game that gives no variant itself.
 * @type {(game: Blob, known: { variant?: string }) => Promise<{ variant?: string }>} */
export const readOptions = async (game, { variant }) => {
  const words = new TextDecoder("windows-1252").decode(await game.arrayBuffer());
  return variant && !/\[\s*GameType\s*"\s*\d/i.test(words) ? { variant } : {};
};

/** Calls a function that writes text, and returns what it writes.
 * @type {(name: string, args: any[], how?: { signal?: AbortSignal, events?: any }) => Promise<Blob>} */
export const collect = async (name, args, { signal, events = {} } = {}) => {
  /** @type {BlobPart[]} */
  const parts = [];
  await bulk.call(name, args, { signal, events: { ...events, write: (/** @type {any} */ bytes) => parts.push(bytes) } });
  return new Blob(parts);
};

export const store = new Store();
