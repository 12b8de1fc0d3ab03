// The functions of the package; `pdn.d.ts` documents them.
//
// A module runs on the thread that calls it. Work on records is a generator of steps: each reads a piece of the inputs and
// leaves output and messages, which are delivered after it, so that nothing that a caller throws passes through the module.

import { Reader, inputsOf } from "./inputs.js";
import { Module, PdnError, configure, pause } from "./module.js";

export { PdnError };

const DATABASES = ["international", "italian", "brazilian", "russian", "english"];
const WEIGHTS = ["international", "brazilian", "italian", "russian", "english", "frisian"];

/** Time between two searches of a position without limits, in which other events are served. */
const SLICE = 100;

export function init(options) {
  configure(options);
}

export async function load() {
  await Module.core();
}

export async function loadEngine(variant) {
  const module = await Module.engine();
  await module.need(filesOf(variant ? [variant] : []));
}

export async function version() {
  return (await Module.core()).call("version", {});
}

/** Returns the files of data for variants: weights, and endgame databases. */
function filesOf(variants) {
  const weights = variants.filter((name) => WEIGHTS.includes(name)).map((name) => `${name}.pdnw`);
  return weights.concat(databases(variants));
}

const databases = (variants) => variants.filter((name) => DATABASES.includes(name)).map((name) => `${name}.egdb`);

// ------------------------------------------------------------------------------------------------------------- Steps

const rulesOf = ({ variant = null, rules = null }) => ({ variant, rules });

const aborted = () => new PdnError("aborted", "the call was aborted");

/**
 * Does work on inputs and yields what each step leaves: messages, and output as `{ output }`.
 */
async function* steps(module, name, inputs, read, options, onMessage) {
  await module.need(databases(DATABASES));
  const readers = inputsOf(inputs).map(({ name: label, data }) => new Reader(label, data));
  const total = readers.every((reader) => reader.size !== null) ? readers.reduce((sum, reader) => sum + reader.size, 0) : null;
  const wide = /^utf-?16/i.test(read.encoding ?? "");
  const work = module.open(name, readers, {
    rules: rulesOf(read),
    encoding: read.encoding ?? null,
    maxGame: read.maxGame ?? null,
    options,
  }, onMessage);
  let begun = 0;
  let served = performance.now();
  try {
    yield work.delivered();
    for (;;) {
      if (read.signal?.aborted) throw aborted();
      const state = work.step();
      const events = work.delivered();
      for (const event of events) {
        if (event.begin === undefined) continue;
        await readers[begun].prime(wide);
        begun += 1;
      }
      if (state === "needs") {
        for (const event of events) {
          if (event.needs !== undefined) await module.need([event.needs]);
        }
      }
      if (state === "pending") await readers[begun - 1].more();
      yield events;
      read.onProgress?.({ inputs: begun, bytes: readers.reduce((sum, reader) => sum + reader.taken, 0), total });
      if (state === "done") return;
      if (performance.now() - served > 15) {
        await pause();
        served = performance.now();
      }
    }
  } finally {
    work.close();
    for (const reader of readers) reader.cancel();
  }
}

/** Options of reading, apart from those of the work. */
const READ = ["variant", "rules", "encoding", "maxGame", "onProgress", "signal", "write"];

/** Separates the options of reading from those of the work. */
function split(options = {}, own = []) {
  const read = {};
  const work = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || own.includes(name)) continue;
    (READ.includes(name) ? read : work)[name] = value;
  }
  return [read, work];
}

/** Collects output as text, unless a function takes it. */
class Output {
  constructor(write) {
    this.write = write;
    this.parts = [];
    this.decoder = new TextDecoder();
  }

  add(bytes) {
    if (this.write) this.write(bytes);
    else this.parts.push(this.decoder.decode(bytes, { stream: true }));
  }

  text() {
    return this.parts.join("") + this.decoder.decode();
  }
}

/** Work that only the larger module does. */
const LARGER = ["annotate", "count", "event", "openings", "report", "search", "stats"];

/** Returns the module for a call; the larger one also reads rules files. */
const moduleFor = (name, { rules }) => (rules || LARGER.includes(name) ? Module.engine() : Module.core());

/** Does work to its end. `take` receives the messages besides output, failures and the result. */
async function finished(name, inputs, [read, work], take = () => {}) {
  const output = new Output(read.write);
  const failures = [];
  let result = null;
  for await (const events of steps(await moduleFor(name, read), name, inputs, read, work)) {
    for (const event of events) {
      if (event.output) output.add(event.output);
      else if (event.failure) failures.push(event.failure);
      else if (event.result !== undefined) result = event.result;
      else take(event);
    }
  }
  return { text: output.text(), failures, result };
}

/** Returns the result of work that has no text; an input that cannot be read is an error. */
async function answer(name, inputs, options) {
  const { text, failures, result } = await finished(name, inputs, split(options));
  if (failures.length > 0) throw new PdnError("unavailable", `${failures[0].file}: ${failures[0].message}`);
  return { text, result };
}

// ------------------------------------------------------------------------------------------------------------ Records

export async function check(inputs, options = {}) {
  const [read, work] = split(options, ["onDiagnostics"]);
  const diagnostics = [];
  const take = (event) => {
    if (!event.diagnostics) return;
    if (options.onDiagnostics) options.onDiagnostics(event.diagnostics);
    else diagnostics.push(...event.diagnostics);
  };
  const done = await finished("check", inputs, [read, { ...work, lines: Boolean(read.write) }], take);
  return { diagnostics, summary: done.result.summary, failures: done.failures };
}

export async function explain(code) {
  return (await Module.core()).call("explain", { code });
}

export async function codes() {
  return (await Module.core()).call("codes", {});
}

async function canonical(inputs, options, fix) {
  const [read, work] = split(options);
  const edits = [];
  const done = await finished("fmt", inputs, [read, { ...work, fix }], (event) => edits.push(...(event.edits ?? [])));
  return { text: done.text, errors: done.result.errors, failures: done.failures, edits };
}

export const fmt = (inputs, options) => canonical(inputs, options, false);
export const fix = (inputs, options) => canonical(inputs, options, true);

async function text(name, inputs, options) {
  const done = await finished(name, inputs, split(options));
  return { text: done.text, errors: done.result.errors, failures: done.failures };
}

export const convert = (inputs, options) => text("convert", inputs, options);
export const report = (inputs, options) => text("report", inputs, options);

export async function search(inputs, options = {}) {
  const found = [];
  const done = await finished("search", inputs, split(options), (event) => found.push(...(event.found ?? [])));
  return { text: done.text, errors: 0, failures: done.failures, count: done.result.count, found };
}

async function* rows(name, inputs, options) {
  const [read, work] = split(options);
  for await (const events of steps(await moduleFor(name, read), name, inputs, read, work)) {
    for (const event of events) {
      if (event.rows) yield* event.rows;
      if (event.failure) throw new PdnError("unavailable", `${event.failure.file}: ${event.failure.message}`);
    }
  }
}

export const games = (inputs, options) => rows("games", inputs, options);
export const reportRows = (inputs, options) => rows("reportRows", inputs, options);

export const openings = async (inputs, options) => (await answer("openings", inputs, options)).result;
export const event = async (inputs, options) => (await answer("event", inputs, options)).result;
export const eventText = async (inputs, options) => (await answer("event", inputs, options)).text;
export const stats = async (inputs, options) => (await answer("stats", inputs, options)).result;

// -------------------------------------------------------------------------------------------------------------- Rules

export async function variants() {
  return (await Module.core()).call("variants", {});
}

export async function board(variant) {
  return (await Module.core()).call("board", { rules: rulesOf({ variant }) });
}

const words = (moves) => (typeof moves === "string" ? [moves] : moves ?? []);

async function at(name, fen, options = {}, moves = []) {
  return (await moduleFor(name, options)).call(name, { fen: fen ?? null, rules: rulesOf(options), moves: words(moves) });
}

export const legalMoves = (fen, options) => at("legalMoves", fen, options);
export const position = (fen, options) => at("position", fen, options);
export const play = (fen, moves, options) => at("play", fen, options, moves);

// ------------------------------------------------------------------------------------------------------------- Engine

export class Engine {
  #module;
  #id;
  #rules;
  #waiting = Promise.resolve();
  #stopped = false;

  constructor(module, made, rules) {
    this.#module = module;
    this.#id = made.engine;
    this.#rules = rules;
    this.variant = made.variant;
  }

  static async create(options = {}) {
    const module = await Module.ownEngine();
    const rules = rulesOf(options);
    const { variant } = module.call("position", { fen: null, rules, moves: [] });
    await module.need(filesOf([variant]));
    const made = module.call("engine", { rules, hash: options.hash ?? null, lines: options.lines ?? null });
    return new Engine(module, made, rules);
  }

  analyse(fen, options = {}) {
    const next = this.#waiting.then(() => this.#analyse(fen, options));
    this.#waiting = next.catch(() => {});
    return next;
  }

  async #analyse(fen, { moves, onInfo, signal, depth, nodes, time }) {
    this.#stopped = false;
    const ask = (limits, take) =>
      this.#module.call(
        "analyse",
        { engine: this.#id, fen, rules: this.#rules, moves: words(moves), info: Boolean(take), ...limits },
        take && ((message) => message.info && take(message.info)),
      );
    if (signal?.aborted) throw aborted();
    if (time === undefined && (depth !== undefined || nodes !== undefined)) {
      return ask({ depth: depth ?? null, nodes: nodes ?? null, time: null }, onInfo);
    }
    // What one search learned is in the table for the next, which soon gets to where the last one ended.
    const begun = performance.now();
    let best = null;
    let before = 0;
    const better = (found) => {
      if (best && found.depth < best.depth) return;
      best = { ...found, nodes: before + found.nodes, time: performance.now() - begun };
      onInfo?.(best);
    };
    for (;;) {
      const left = time === undefined ? SLICE : Math.min(SLICE, time - (performance.now() - begun));
      const limits = { depth: depth ?? null, nodes: nodes === undefined ? null : nodes - before, time: Math.max(1, left) };
      const asked = performance.now();
      const found = ask(limits, better);
      const early = performance.now() - asked < 0.8 * limits.time;
      if (!best || found.depth >= best.depth) better(found);
      before += found.nodes;
      const spent = performance.now() - begun;
      await pause();
      const over = (time !== undefined && spent >= time) || (nodes !== undefined && before >= nodes) || found.depth >= depth;
      // A search that ends before its time has nothing more to find.
      if (over || early || this.#stopped || signal?.aborted) return best;
    }
  }

  stop() {
    this.#stopped = true;
  }

  setLines(lines) {
    this.#module.call("setLines", { engine: this.#id, lines });
  }

  newGame() {
    this.#module.call("newGame", { engine: this.#id });
  }

  free() {
    this.#stopped = true;
    this.#module.free();
  }
}

export async function annotate(inputs, options = {}) {
  const [read, work] = split(options, ["onGame"]);
  const { onProgress, ...quiet } = read;
  // The games are counted first, so each input is read twice.
  const kept = await Promise.all(inputsOf(inputs).map(async (input) => ({ name: input.name, data: await Reader.collected(input) })));
  const module = await Module.engine();
  const { result: all } = await finished("count", kept, [{ ...quiet, write: undefined }, {}]);
  const output = new Output(read.write);
  const failures = [];
  let result = null;
  const own = { ...work, all: [all.games, all.moves] };
  const onMessage = (message) => message.progress && onProgress?.(message.progress);
  for await (const events of steps(module, "annotate", kept, quiet, own, onMessage)) {
    const text = [];
    for (const event of events) {
      if (event.output) {
        output.add(event.output);
        text.push(event.output);
      } else if (event.failure) failures.push(event.failure);
      else if (event.result !== undefined) result = event.result;
      else if (event.game !== undefined && options.onGame) {
        const decoder = new TextDecoder();
        options.onGame(event.game, text.map((part) => decoder.decode(part, { stream: true })).join(""));
      }
    }
  }
  return { text: output.text(), errors: result.errors, games: result.games, failures };
}
