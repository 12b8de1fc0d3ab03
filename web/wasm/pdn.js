// The functions of the package; `pdn.d.ts` documents them.
//
// A module runs on the thread that calls it. Work on records is a generator of steps: each reads a piece of the inputs and
// leaves output and messages, which are delivered after it, so that nothing that a caller throws passes through the module.

import { Reader, inputsOf } from "./inputs.js";
import { Module, configure, databases, pause } from "./module.js";
import { PdnError, aborted, functions, rulesOf, words } from "./functions.js";

export { PdnError };

/** Interval between two steps of a search, in which other events are handled. */
const SLICE = 100;

export function init(options) {
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
const LARGER = ["annotate", "count", "event", "openings", "report", "search", "stats"];

/** Returns the module for a call; the larger one also reads rules files, and the largest writes Parquet. */
const moduleFor = (name, { rules = null }, to) => {
  if (to === "parquet") return Module.tables();
  return rules || LARGER.includes(name) ? Module.engine() : Module.core();
};

// ------------------------------------------------------------------------------------------------------------- Steps

/**
 * Does work on inputs and yields what each step leaves: messages, and output as `{ output }`.
 */
async function* steps(name, inputs, read, options, onMessage) {
  const module = await moduleFor(name, read, options.to);
  await module.need(databases());
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

const backend = {
  call: async (name, options) => (await moduleFor(name, options.rules ?? {})).call(name, options),
  steps,
  kept: (inputs) => Promise.all(inputsOf(inputs).map(async (input) => ({ name: input.name, data: await Reader.collected(input) }))),
};

const { annotate, board, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt } = functions(backend);
const { games, legalMoves, openings, play, position, report, reportRows, search, stats, variants } = functions(backend);

export { annotate, board, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt, games, legalMoves, openings, play, position, report, reportRows, search, stats, variants };

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
    await module.need(filesOf(module, variant));
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
    // The table keeps the results of one step for the next, which soon catches up with it.
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
      // A search that ends before its time is complete.
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
