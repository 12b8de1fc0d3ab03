// The modules: the locations of their files, their instances, and calls to them.

import { PdnError } from "./functions.js";

/** The files of data. Bundlers look for addresses that are written out like these, and put the files beside their output. */
const DATA = {
  "antidraughts.pdnw": () => new URL("./data/antidraughts.pdnw", import.meta.url),
  "brazilian.egdb": () => new URL("./data/brazilian.egdb", import.meta.url),
  "brazilian.pdnw": () => new URL("./data/brazilian.pdnw", import.meta.url),
  "breakthrough.pdnw": () => new URL("./data/breakthrough.pdnw", import.meta.url),
  "canadian.pdnw": () => new URL("./data/canadian.pdnw", import.meta.url),
  "czech.pdnw": () => new URL("./data/czech.pdnw", import.meta.url),
  "english.egdb": () => new URL("./data/english.egdb", import.meta.url),
  "english.pdnw": () => new URL("./data/english.pdnw", import.meta.url),
  "frisian.pdnw": () => new URL("./data/frisian.pdnw", import.meta.url),
  "frysk.pdnw": () => new URL("./data/frysk.pdnw", import.meta.url),
  "international.egdb": () => new URL("./data/international.egdb", import.meta.url),
  "international.pdnw": () => new URL("./data/international.pdnw", import.meta.url),
  "italian.egdb": () => new URL("./data/italian.egdb", import.meta.url),
  "italian.pdnw": () => new URL("./data/italian.pdnw", import.meta.url),
  "killer.pdnw": () => new URL("./data/killer.pdnw", import.meta.url),
  "pool.pdnw": () => new URL("./data/pool.pdnw", import.meta.url),
  "russian.egdb": () => new URL("./data/russian.egdb", import.meta.url),
  "russian.pdnw": () => new URL("./data/russian.pdnw", import.meta.url),
  "spanish.pdnw": () => new URL("./data/spanish.pdnw", import.meta.url),
  "spantsiretti.pdnw": () => new URL("./data/spantsiretti.pdnw", import.meta.url),
  "thai.pdnw": () => new URL("./data/thai.pdnw", import.meta.url),
  "turkish.pdnw": () => new URL("./data/turkish.pdnw", import.meta.url),
};

const files = {
  core: () => new URL("./pdn-core.wasm", import.meta.url),
  engine: () => new URL("./pdn-engine.wasm", import.meta.url),
  tables: () => new URL("./pdn-tables.wasm", import.meta.url),
  data: (name) => DATA[name](),
};

/** Returns the endgame databases that the package has for some variants, or for all. */
export const databases = (variants) =>
  Object.keys(DATA).filter((name) => name.endsWith(".egdb") && (!variants || variants.includes(name.slice(0, -".egdb".length))));

/** Compiled modules, by kind. */
const compiled = new Map();

/** Instances that calls share. */
const shared = new Map();

/** Data files already read, by name. */
const read = new Map();

export function configure({ data, ...modules }) {
  for (const kind of ["core", "engine", "tables"]) {
    if (modules[kind] !== undefined) files[kind] = () => modules[kind];
  }
  if (data !== undefined) files.data = data;
  compiled.clear();
  shared.clear();
  read.clear();
}

/** Lets other events be handled. */
export const pause =
  typeof setImmediate === "function"
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(null);
        });

/** Reads a file of the package. */
async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  try {
    if (typeof Response !== "undefined" && source instanceof Response) return await checked(source);
    const address = new URL(source, typeof location === "undefined" ? import.meta.url : location.href);
    // Node does not fetch files, and bundlers for pages do not know the name of its module.
    if (address.protocol === "file:" && typeof process !== "undefined" && process.versions?.node) {
      return await process.getBuiltinModule("node:fs").promises.readFile(address);
    }
    return await checked(await fetch(address));
  } catch (error) {
    if (error instanceof PdnError) throw error;
    throw new PdnError("unavailable", `cannot read ${source}: ${error.message}`, { cause: error });
  }
}

async function checked(response) {
  if (!response.ok) throw new PdnError("unavailable", `cannot read ${response.url}: ${response.status}`);
  return response.arrayBuffer();
}

function compile(kind) {
  if (!compiled.has(kind)) {
    const compiling = (async () => {
      const source = await files[kind]();
      return source instanceof WebAssembly.Module ? source : WebAssembly.compile(await bytesOf(source));
    })();
    compiled.set(kind, compiling);
    // A failed load is tried again.
    compiling.catch(() => compiled.delete(kind));
  }
  return compiled.get(kind);
}

/** Returns the instance that calls share, and a new one after a crash. */
async function instance(kind) {
  if (!shared.has(kind) || (await shared.get(kind)).crashed) {
    const made = compile(kind).then((module) => Module.of(module));
    shared.set(kind, made);
    made.catch(() => shared.delete(kind));
  }
  return shared.get(kind);
}

/** Milliseconds by which the limit on time of every search is over. */
const LATE = 1e12;

const OUTPUT = 0;
const MESSAGE = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of a module. */
export class Module {
  #exports;
  #given = new Map();
  #readers = new Map();
  #nextReader = 1;
  /** The receiver of the running call. */
  #receive = null;
  /** Returns true when the running call is to end. */
  #ends = null;
  #panic = "";
  crashed = false;

  static core() {
    return instance("core");
  }

  static engine() {
    return instance("engine");
  }

  static tables() {
    return instance("tables");
  }

  /** Returns an instance that no other call shares. */
  static async ownEngine() {
    return Module.of(await compile("engine"));
  }

  /** Returns an instance; browsers make large ones only asynchronously. */
  static async of(module) {
    const made = new Module();
    made.#exports = (await WebAssembly.instantiate(module, { pdn: made.#imports() })).exports;
    return made;
  }

  #imports() {
    const memory = () => this.#exports.memory.buffer;
    return {
      read: (id, at, length) => this.#readers.get(id)?.read(new Uint8Array(memory(), at, length)) ?? 0,
      emit: (kind, at, length) => {
        const bytes = new Uint8Array(memory(), at, length);
        if (kind === OUTPUT) this.#receive?.({ output: bytes.slice() });
        else if (kind === MESSAGE) this.#receive?.(JSON.parse(decoder.decode(bytes)));
        else this.#panic = decoder.decode(bytes);
      },
      // A search that is stopped has no time left.
      now: () => performance.now() + (this.#ends?.() ? LATE : 0),
    };
  }

  /** Number of bytes of memory. */
  get memory() {
    return this.#exports ? this.#exports.memory.buffer.byteLength : 0;
  }

  /** Ends the instance; what it holds is freed once nothing refers to it. */
  free() {
    this.crashed = true;
    this.#exports = null;
    this.#readers.clear();
  }

  #copied(bytes) {
    const at = this.#exports.pdn_alloc(bytes.length);
    if (at === 0) throw new PdnError("unavailable", "there is not enough memory");
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    return [at, bytes.length];
  }

  /** Runs a function of the module while messages are received. */
  #run(receive, run) {
    if (this.crashed) throw this.#exports ? new PdnError("crashed", "the module ended") : new PdnError("usage", "the engine was freed");
    const outer = this.#receive;
    this.#receive = receive;
    try {
      return run();
    } catch (error) {
      if (error instanceof PdnError) throw error;
      // A trap leaves the memory as it was at that moment, so the instance is of no more use.
      this.crashed = true;
      const reason = this.#panic || error.message;
      throw new PdnError("crashed", `the module failed: ${reason}`, { cause: error });
    } finally {
      this.#receive = outer;
    }
  }

  /** Calls a function with a name and options, which answers at once; a search ends early when `ends` returns true. */
  call(name, options, take, ends = null) {
    let answer;
    let thrown = null;
    const receive = (message) => {
      if (message.result !== undefined) answer = message.result;
      else if (message.error) answer = new PdnError(message.error.kind, message.error.message);
      else {
        // Exceptions of the caller must not pass through the module.
        try {
          take?.(message);
        } catch (error) {
          thrown ??= error;
        }
      }
    };
    this.#ends = ends;
    try {
      this.#run(receive, () => {
        const given = [...this.#copied(encoder.encode(name)), ...this.#copied(encoder.encode(JSON.stringify(options)))];
        this.#exports.pdn_call(...given);
      });
    } finally {
      this.#ends = null;
    }
    if (thrown) throw thrown;
    if (answer instanceof PdnError) throw answer;
    return answer;
  }

  /** Gives the instance the data files that it does not have yet. */
  async need(names) {
    await Promise.all(names.map((name) => {
      if (!this.#given.has(name)) {
        if (!read.has(name)) read.set(name, (async () => bytesOf(await files.data(name)))());
        const giving = read.get(name).then((source) => this.#give(name, source));
        this.#given.set(name, giving);
        giving.catch(() => {
          this.#given.delete(name);
          read.delete(name);
        });
      }
      return this.#given.get(name);
    }));
  }

  #give(name, source) {
    const bytes = ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source);
    let failure = null;
    const receive = (message) => {
      failure = new PdnError(message.error.kind, message.error.message);
    };
    this.#run(receive, () => this.#exports.pdn_data(...this.#copied(encoder.encode(name)), ...this.#copied(bytes)));
    if (failure) throw failure;
  }

  /** Begins work in steps. Messages that `onMessage` is given are delivered at once, the others after the step. */
  open(name, readers, options, onMessage) {
    const ids = readers.map((reader) => {
      const id = this.#nextReader;
      this.#nextReader += 1;
      this.#readers.set(id, reader);
      return id;
    });
    let events = [];
    let failure = null;
    let thrown = null;
    const receive = (message) => {
      if (message.error) failure = new PdnError(message.error.kind, message.error.message);
      else if (message.progress) {
        try {
          onMessage?.(message);
        } catch (error) {
          thrown ??= error;
        }
      } else events.push(message);
    };
    const close = () => ids.forEach((id) => this.#readers.delete(id));
    const inputs = readers.map((reader, n) => ({ id: ids[n], name: reader.name }));
    let handle;
    try {
      handle = this.#run(receive, () => {
        const given = [encoder.encode(name), encoder.encode(JSON.stringify({ ...options, inputs }))];
        return this.#exports.pdn_open(...this.#copied(given[0]), ...this.#copied(given[1]));
      });
      if (failure) throw failure;
    } catch (error) {
      close();
      throw error;
    }
    return {
      step: () => {
        const state = this.#run(receive, () => this.#exports.pdn_step(handle));
        if (thrown) throw thrown;
        if (failure) throw failure;
        return ["done", "more", "pending", "failed", "needs"][state];
      },
      delivered: () => {
        const taken = events;
        events = [];
        return taken;
      },
      close: () => {
        close();
        if (!this.crashed) this.#run(null, () => this.#exports.pdn_close(handle));
      },
    };
  }
}
