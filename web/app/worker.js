// A worker: runs the functions of the npm package for the page.
//
// A message is a call `{ id, name, args, events }`; `events` are the callbacks that the page wants. Answers are
// `{ id, event, value }`, `{ id, items }` from functions that give one game after the other, and at last `{ id, result }` or
// `{ id, error }`. `{ abort: id }` ends a call.

// @ts-ignore: the package is put beside the application when it is published.
import * as pdn from "./pdn/pdn.js";

/** Rows are sent together for this long: a message a game took a third of the time of reading 20,000 games. */
const BATCH_MS = 40;

/** @type {any} */
const library = pdn;
/** @type {Map<number, AbortController>} */
const running = new Map();
/** @type {{ key: string, engine: any } | undefined} */
let kept;

/** @param {any} message
 * @param {Transferable[]} [transferred] */
const send = (message, transferred = []) => /** @type {any} */ (self).postMessage(message, transferred);

/** Analyses with the engine that is kept for a variant. */
const analyse = async (/** @type {any} */ { fen, variant, hash, lines }, /** @type {any} */ options) => {
  const key = JSON.stringify([variant, hash]);
  if (kept?.key !== key) {
    kept?.engine.free();
    kept = undefined;
    kept = { key, engine: await library.Engine.create({ variant, hash, lines }) };
  }
  kept.engine.setLines(lines);
  return kept.engine.analyse(fen, options);
};

/** @param {number} id
 * @param {AsyncIterable<any>} rows */
const stream = async (id, rows) => {
  /** @type {any[]} */
  let items = [];
  let sent = performance.now();
  for await (const row of rows) {
    items.push(row);
    if (performance.now() - sent < BATCH_MS) continue;
    send({ id, items });
    items = [];
    sent = performance.now();
  }
  send({ id, items });
};

/** @param {any} call */
const run = async ({ id, name, args, events }) => {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const last = args.at(-1);
    const options = events && typeof last === "object" && last !== null ? { ...last } : {};
    if (events) {
      options.signal = controller.signal;
      for (const event of events) {
        options[event] = (/** @type {any[]} */ ...values) => {
          // `write` receives a view of the module's memory.
          const value = event === "write" ? values[0].slice() : values.length > 1 ? values : values[0];
          send({ id, event, value }, event === "write" ? [value.buffer] : []);
        };
      }
    }
    const given = events ? [...args.slice(0, -1), options] : args;
    const result = name === "analyse" ? analyse(given[0], given[1]) : library[name](...given);
    if (typeof result?.[Symbol.asyncIterator] === "function") {
      await stream(id, result);
      send({ id, result: null });
    } else {
      send({ id, result: await result });
    }
  } catch (/** @type {any} */ error) {
    send({ id, error: { kind: error?.kind ?? "crashed", message: String(error?.message ?? error) } });
  } finally {
    running.delete(id);
  }
};

/** Makes the package use files contained in the page.
 * @param {Record<string, Blob>} files */
const useFiles = async (files) => {
  const bytes = async (/** @type {string} */ name) => files[name]?.arrayBuffer();
  // The largest module includes the others.
  const all = await bytes("pdn-tables.wasm");
  library.init({ core: all, engine: all, tables: all, data: bytes });
};

/** Calls wait for the files, if the page sends them.
 * @type {Promise<void>} */
let ready = Promise.resolve();
let begin = () => {};
if (self.name === "files") ready = new Promise((done) => { begin = done; });

self.onmessage = async ({ data }) => {
  if (data.files) {
    await useFiles(data.files);
    begin();
  } else if (data.abort) {
    running.get(data.abort)?.abort();
  } else {
    await ready;
    run(data);
  }
};
