// The functions of the package; `pdn.d.ts` documents them.
//
// A module runs on the thread that calls it. Work on records is a generator of steps: each reads a piece of the inputs and
// leaves output and messages, which are delivered after it, so that nothing that a caller throws passes through the module.

import { Reader, inputsOf } from "./inputs.js";
import { Module, configure, databases, pause } from "./module.js";
import { PdnError, RULES, aborted, functions, refuseOthers, rulesOf, words } from "./functions.js";

export { PdnError };

/** Interval between two steps of a search, in which other events are handled. */
const SLICE = 100;

/** Time that no search takes: with a limit on time, the engine asks for the time, and so learns that it is stopped. */
const FOREVER = 1e9;

export function init(options) {
  refuseOthers(options, ["core", "engine", "tables", "data"]);
  configure(options);
}

export async function load() {
  await Module.core();
}

export async function loadEngine(variant) {
  const module = await Module.engine();
  if (variant) await module.need(filesOf(module, variant));
}

export async function version() {
  return (await Module.core()).call("version", {});
}

/** Returns the files of data for a variant: weights, and endgame databases. */
function filesOf(module, variant) {
  const weights = module.call("weightsFile", { variant });
  return (weights ? [weights] : []).concat(databases([variant]));
}

/** Work that only the larger module does. */
const LARGER = ["annotate", "chart", "count", "event", "openings", "players", "puzzles", "report", "search", "stats"];

/** Returns the module for a call; the larger one also reads rules files, and the largest writes Parquet. */
const moduleFor = (name, { rules = null }, to) => {
  if (to === "parquet") return Module.tables();
  return rules || LARGER.includes(name) ? Module.engine() : Module.core();
};

// ------------------------------------------------------------------------------------------------------------- Steps

/** Size of the pieces in which games are read whose rows are given one after the other, in bytes, unless a game is larger: the first row
 * comes after one piece. The rows of the smallest games have fifty times their size, so those of a larger piece would fill memory. */
const SMALL = 4 * 1024;

/** Waits for something, or for a signal that ends the call. */
function unlessAborted(signal, waiting) {
  if (!signal) return waiting;
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted(signal));
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Does work on inputs and yields what each step leaves: messages, and output as `{ output }`.
 */
async function* steps(name, inputs, read, options, onMessage) {
  const { signal } = read;
  const module = await unlessAborted(signal, moduleFor(name, read, options.to));
  await unlessAborted(signal, module.need(databases()));
  const readers = inputsOf(inputs).map(({ name: label, data }) => new Reader(label, data));
  const total = readers.every((reader) => reader.size !== null) ? readers.reduce((sum, reader) => sum + reader.size, 0) : null;
  const wide = /^utf-?16/i.test(read.encoding ?? "");
  const work = module.open(name, readers, {
    rules: rulesOf(read),
    encoding: read.encoding ?? null,
    maxGame: read.maxGame ?? null,
    chunkSize: ["games", "reportRows"].includes(name) ? SMALL : null,
    options,
  }, onMessage);
  const progress = () => read.onProgress?.({ inputs: begun, bytes: readers.reduce((sum, reader) => sum + reader.taken, 0), total });
  let begun = 0;
  let state = "more";
  let served = performance.now();
  try {
    yield work.delivered();
    while (state !== "done") {
      if (signal?.aborted) throw aborted(signal);
      const before = state;
      state = work.step();
      const events = work.delivered();
      for (const event of events) {
        if (event.begin === undefined) continue;
        await unlessAborted(signal, readers[begun].prime(wide));
        begun += 1;
      }
      if (state === "needs") {
        for (const event of events) {
          if (event.needs !== undefined) await module.need([event.needs]);
        }
      }
      if (state === "pending") await unlessAborted(signal, readers[begun - 1].more(before !== "pending"));
      // The failure of a source is that of the call; games before it were given.
      const failed = events.some((event) => event.failure) && readers.find((reader) => reader.thrown);
      yield failed ? events.filter((event) => !event.failure) : events;
      if (failed) throw failed.failure();
      if (performance.now() - served > 15) {
        progress();
        await pause();
        served = performance.now();
      }
    }
    progress();
  } finally {
    work.close();
    for (const reader of readers) reader.cancel();
  }
}

const backend = {
  call: async (name, options) => (await moduleFor(name, options.rules ?? {})).call(name, options),
  steps,
  kept: async (inputs, signal) => {
    const readers = inputsOf(inputs).map(({ name, data }) => new Reader(name, data));
    try {
      const all = readers.map(async (reader) => ({ name: reader.name, data: await reader.all() }));
      return await unlessAborted(signal, Promise.all(all));
    } finally {
      for (const reader of readers) reader.cancel();
    }
  },
};

const { annotate, board, chart, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt } = functions(backend);
const { games, legalMoves, opening, openings, play, players, position, puzzles, report, reportRows, search, stats, variants } = functions(backend);

export { annotate, board, chart, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt, games, legalMoves, opening, openings, play, players, position, puzzles, report, reportRows, search, stats, variants };

// ------------------------------------------------------------------------------------------------------------- Engine

export class Engine {
  #module;
  #id;
  #rules;
  #waiting = Promise.resolve();
  /** Ends the searches that were asked for. */
  #stop = new AbortController();

  constructor(module, made, rules) {
    this.#module = module;
    this.#id = made.engine;
    this.#rules = rules;
    this.variant = made.variant;
  }

  static async create(options = {}) {
    refuseOthers(options, [...RULES, "hash", "lines"]);
    const module = await Module.ownEngine();
    const rules = rulesOf(options);
    const { variant } = module.call("position", { fen: null, rules, moves: [] });
    await module.need(filesOf(module, variant));
    const made = module.call("engine", { rules, hash: options.hash ?? null, lines: options.lines ?? null });
    return new Engine(module, made, rules);
  }

  async analyse(fen, options = {}) {
    refuseOthers(options, ["moves", "onInfo", "signal", "depth", "nodes", "time"]);
    // A search with a limit that is no number would never end.
    for (const name of ["depth", "nodes", "time"]) {
      if (options[name] === undefined || options[name] > 0) continue;
      const expected = name === "time" ? "a number of milliseconds greater than 0" : "a number of at least 1";
      throw new PdnError("usage", `option \`${name}\`: expected ${expected}`);
    }
    const stop = this.#stop.signal;
    const next = this.#waiting.then(() => this.#analyse(fen, options, stop));
    this.#waiting = next.catch(() => {});
    return unlessAborted(options.signal, next);
  }

  async #analyse(fen, { moves, onInfo, signal, depth, nodes, time }, stop) {
    const ends = () => stop.aborted || signal?.aborted;
    if (signal?.aborted) throw aborted(signal);
    const isOneStep = time === undefined && (depth !== undefined || nodes !== undefined);
    const begun = performance.now();
    let best = null;
    let before = 0;
    const keep = (found) => {
      if (best && found.depth < best.depth) return;
      best = { ...found, nodes: before + found.nodes, time: performance.now() - begun };
      if (!ends()) onInfo?.(best);
    };
    // The table keeps the results of one step for the next, which soon catches up with it.
    for (;;) {
      const left = isOneStep ? FOREVER : time === undefined ? SLICE : Math.min(SLICE, time - (performance.now() - begun));
      const limits = {
        // What was stopped before it began has a result too.
        depth: stop.aborted ? 1 : depth ?? null,
        nodes: nodes === undefined ? null : nodes - before,
        time: Math.max(1, left),
      };
      const asked = performance.now();
      const question = { engine: this.#id, fen, rules: this.#rules, moves: words(moves), info: true, ...limits };
      const found = this.#module.call("analyse", question, ({ info }) => info && keep(info), ends);
      const early = performance.now() - asked < 0.8 * limits.time;
      if (!best || !isOneStep && found.depth >= best.depth) keep(found);
      before += found.nodes;
      const spent = performance.now() - begun;
      if (!isOneStep) await pause();
      const over = (time !== undefined && spent >= time) || (nodes !== undefined && before >= nodes) || found.depth >= depth;
      // A search that ends before its time is complete.
      if (over || early || ends()) return isOneStep ? { ...found, time: spent } : best;
    }
  }

  stop() {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  setLines(lines) {
    this.#module.call("setLines", { engine: this.#id, lines });
  }

  newGame() {
    this.#module.call("newGame", { engine: this.#id });
  }

  free() {
    this.stop();
    this.#module.free();
  }
}
