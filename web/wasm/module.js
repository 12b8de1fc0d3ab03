// The modules: the locations of their files, their instances, and calls to them.

import { PdnError } from "./functions.js";

const beside = (name) => new URL(name, import.meta.url);

const files = {
  core: () => beside("pdn-core.wasm"),
  engine: () => beside("pdn-engine.wasm"),
  tables: () => beside("pdn-tables.wasm"),
  data: (name) => beside(`data/${name}`),
};

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
    if (address.protocol === "file:" && typeof process !== "undefined" && process.versions?.node) {
      const { readFile } = await import("node:fs/promises");
      return await readFile(address);
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
      now: () => performance.now(),
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
    if (this.crashed) throw new PdnError("crashed", "the module ended");
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

  /** Calls a function with a name and options, which answers at once. */
  call(name, options, take) {
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
    this.#run(receive, () => {
      const given = [...this.#copied(encoder.encode(name)), ...this.#copied(encoder.encode(JSON.stringify(options)))];
      this.#exports.pdn_call(...given);
    });
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
