// Annotation of many games by several workers. Finished work is kept, so that it can continue after the page has been closed.

import { Client } from "./client.js";
import { forgetOf, keepOwn, keptOf } from "./db.js";
import { convertedGames, readOptions, store } from "./store.js";

/**
 * @typedef {import("./store.js").GameEntry} GameEntry
 * @typedef {{ name: string, offset: number, length: number, variant?: string, encoding?: string }} Task a game: where it is, and its
 *   variant and its encoding if its own text does not decide them
 * @typedef {{ name: string, blob: Blob, isConverted?: boolean }} TaskFile a file, and whether it has games that are not UTF-8
 * @typedef {{ tasks: Task[], options: any, files: TaskFile[], done: [number, string][], all: number }} Job
 */

const KEY = "annotation";
/** Interval at which work is saved, in milliseconds: writing a thousand games takes about 10 ms. */
const KEEP_AFTER = 2000;

/** Returns bytes as text: as UTF-8, or else in an encoding. Returns nothing if browsers do not have that.
 * @type {(bytes: ArrayBuffer, encoding?: string) => string | undefined} */
const wordsOf = (bytes, encoding = "utf-8") => {
  for (const label of encoding.startsWith("utf-16") ? [encoding] : ["utf-8", encoding]) {
    try {
      return new TextDecoder(label, { fatal: label === "utf-8" }).decode(bytes);
    } catch {
      // It is not UTF-8, or an encoding of DOS.
    }
  }
  return undefined;
};

/** Returns the unfinished work, and the tab that kept it.
 * @returns {Promise<Job & { tab: string } | undefined>} */
export const unfinished = async () => {
  const [found] = await keptOf(KEY);
  return found && { ...found.value, tab: found.tab };
};

export class Annotation {
  /** @type {Task[]} */ tasks = [];
  /** Texts of the annotated games, by their places in the tasks.
   * @type {Map<number, string>} */
  done = new Map();
  /** @type {Client[]} */ clients = [];
  stopped = false;
  keptAt = 0;

  /** @param {GameEntry[]} entries
   * @param {any} options */
  constructor(entries, options) {
    this.options = options;
    const converted = new Set(store.games.filter(({ encoding }) => encoding).map(({ file }) => file));
    /** @type {TaskFile[]} */
    this.files = [...new Set(entries.map((entry) => entry.file))].map((file) => ({ name: file.name, blob: file.blob, isConverted: converted.has(file) }));
    this.tasks = entries.map(({ file, offset, length, head, encoding }) => ({ name: file.name, offset, length, variant: head.variant, encoding }));
  }

  /** Goes on with work of this tab or of another one.
   * @param {Job & { tab: string }} job */
  static resumed(job) {
    const annotation = new Annotation([], job.options);
    Object.assign(annotation, { tasks: job.tasks, files: job.files, done: new Map(job.done) });
    annotation.keep(true).then((isKept) => isKept && forgetOf(KEY, job.tab));
    return annotation;
  }

  get all() {
    return this.tasks.length;
  }

  /** Annotates the games. Returns the new contents of files, with those that they were made from, or nothing if it was stopped.
   * @type {(workers: number, onProgress: (progress: any) => void) => Promise<{ file: any, from: Blob, blob: Blob }[] | undefined>} */
  async run(workers, onProgress) {
    const began = performance.now();
    const before = this.done.size;
    const shares = new Array(workers).fill(0);
    const report = () => {
      const games = this.done.size + shares.reduce((sum, share) => sum + share, 0);
      const seconds = (performance.now() - began) / 1000;
      const left = games > before ? seconds / (games - before) * (this.all - games) : null;
      onProgress({ share: this.all ? games / this.all : 1, games: this.done.size, all: this.all, left });
    };
    report();
    const pending = this.tasks.keys();
    const work = async (/** @type {Client} */ client, /** @type {number} */ number) => {
      for (const index of pending) {
        if (this.stopped) return;
        if (this.done.has(index)) continue;
        const text = await this.one(client, this.tasks[index], (share) => {
          shares[number] = share;
          report();
        });
        shares[number] = 0;
        this.done.set(index, text);
        report();
        await this.keep();
      }
    };
    this.clients = Array.from({ length: Math.min(workers, this.all) }, () => new Client());
    try {
      await Promise.all(this.clients.map(work));
    } catch (error) {
      if (!this.stopped) throw error;
    } finally {
      for (const client of this.clients) client.stop();
    }
    // The results are not anywhere else yet.
    await this.keep(true);
    return this.stopped ? undefined : this.results();
  }

  /** Forgets the work, when its results are kept. */
  forget() {
    return keepOwn(KEY, undefined);
  }

  /** Stops at once: workers in the middle of a search do not receive messages. */
  stop() {
    this.stopped = true;
    for (const client of this.clients) client.stop();
  }

  /** Annotates a game and returns its text.
   * @type {(client: Client, task: Task, onShare: (share: number) => void) => Promise<string>} */
  async one(client, task, onShare) {
    const bytes = this.blob(task).slice(task.offset, task.offset + task.length);
    const options = { ...this.options, ...await readOptions(bytes, task), encoding: task.encoding ?? undefined };
    const onProgress = (/** @type {any} */ { moves, allMoves }) => onShare(allMoves ? moves / allMoves : 0);
    const { text } = await client.call("annotate", [{ name: task.name, data: bytes }, options], { events: { onProgress } });
    return text;
  }

  /** @param {Task} task */
  blob(task) {
    return this.files.find(({ name }) => name === task.name)?.blob ?? new Blob([]);
  }

  /** Saves the finished work. Returns true if that was possible. */
  async keep(now = false) {
    if (!now && performance.now() - this.keptAt < KEEP_AFTER) return false;
    this.keptAt = performance.now();
    const { tasks, options, files, done, all } = this;
    return keepOwn(KEY, { tasks, options, files, done: [...done], all });
  }

  /** Replaces the games with the annotated ones, which are UTF-8, and with them the others of their files: where some have changed, the
   * rest might be read in another encoding. */
  results() {
    return Promise.all(this.files.map(async ({ name, blob, isConverted }) => {
      const games = isConverted ? await convertedGames({ name, data: blob }) : new Map();
      const encoding = [...games.values()][0]?.encoding;
      for (const [index, task] of this.tasks.entries()) if (task.name === name) games.set(task.offset, { ...task, record: this.done.get(index) ?? "" });
      /** @type {BlobPart[]} */
      const parts = [];
      let end = 0;
      // Text between games is in their encoding. It is kept unless it is only whitespace; `pdn annotate` writes a blank line between games.
      const between = async (/** @type {Blob} */ gap, /** @type {string} */ space) => {
        const words = wordsOf(await gap.arrayBuffer(), encoding);
        parts.push(words?.trim() === "" ? space : words ?? gap);
      };
      for (const { offset, length, record } of [...games.values()].sort((a, b) => a.offset - b.offset)) {
        await between(blob.slice(end, offset), end > 0 ? "\n\n" : "");
        parts.push(record.trim());
        end = offset + length;
      }
      await between(blob.slice(end), "\n");
      return { file: store.files.find((file) => file.name === name) ?? { name }, from: blob, blob: new Blob(parts) };
    }));
  }
}
