// The functions of the package, answered by `pdn serve` instead of the WebAssembly module: the same names, options and answers.

// @ts-ignore: the server has it beside this file.
import { PdnError, aborted, functions, rulesOf, words } from "./functions.js";

export { PdnError };

/** @type {(path: string, init?: RequestInit) => Promise<Response>} */
const asked = async (path, init = {}) => {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(new URL(`../api/${path}`, import.meta.url), { method: "POST", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw aborted();
    throw new PdnError("unavailable", "the server does not answer", { cause: error });
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new PdnError(error?.kind ?? "unavailable", error?.message ?? `the server answered ${response.status}`);
};

const failure = (/** @type {any} */ { kind, message }) => new PdnError(kind, message);

/** Gives the bytes of an answer as they come.
 * @type {(response: Response, signal?: AbortSignal | null) => AsyncGenerator<Uint8Array>} */
async function* received(response, signal) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw signal?.aborted ? aborted() : new PdnError("unavailable", "the server is gone", { cause: error });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Gives the pieces of an answer: each has a kind, its length in four bytes, and its content. What came together is given together.
 * @type {(response: Response, signal?: AbortSignal | null) => AsyncGenerator<any[]>} */
async function* framed(response, signal) {
  let rest = new Uint8Array();
  for await (const bytes of received(response, signal)) {
    const all = new Uint8Array(rest.length + bytes.length);
    all.set(rest);
    all.set(bytes, rest.length);
    const view = new DataView(all.buffer);
    const events = [];
    let at = 0;
    while (at + 5 <= all.length) {
      const end = at + 5 + view.getUint32(at + 1, true);
      if (end > all.length) break;
      const content = all.subarray(at + 5, end);
      events.push(all[at] === 0 ? { output: content.slice() } : JSON.parse(new TextDecoder().decode(content)));
      at = end;
    }
    rest = all.slice(at);
    yield events;
  }
}

/** Inputs with their names; one that the server has too is sent as its path.
 * @param {any} inputs
 * @returns {{ name: string, data: any, source?: { path: string, version: string } }[]} */
const inputsOf = (inputs) => (Array.isArray(inputs) ? inputs : [inputs]).map((input) => (input?.data === undefined ? { name: "-", data: input } : input));

/** @type {(name: string, inputs: any, read: any, options: any, onMessage?: (message: any) => void) => AsyncGenerator<any[]>} */
async function* steps(name, inputs, read, options, onMessage) {
  const blobs = inputsOf(inputs).map(({ name: label, data, source }) => ({ label, source, blob: data instanceof Blob ? data : new Blob([data]) }));
  const total = blobs.reduce((sum, { blob }) => sum + blob.size, 0);
  const request = {
    inputs: blobs.map(({ label, source, blob }) => (source ? { name: label, ...source } : { name: label, size: blob.size })),
    rules: rulesOf(read), encoding: read.encoding ?? null, maxGame: read.maxGame ?? null, options,
  };
  const body = new Blob([JSON.stringify(request), "\n", ...blobs.filter(({ source }) => !source).map(({ blob }) => blob)]);
  let isComplete = false;
  for await (const events of framed(await asked(`work?name=${name}`, { body, signal: read.signal }), read.signal)) {
    for (const event of events) {
      if (event.error) throw failure(event.error);
      if (event.read) read.onProgress?.({ ...event.read, total });
      if (event.progress) onMessage?.(event);
      isComplete ||= event.result !== undefined;
    }
    yield events;
  }
  if (!isComplete) throw new PdnError("crashed", "the server did not complete the work");
}

const backend = {
  call: async (/** @type {string} */ name, /** @type {any} */ options) => {
    const { result, error } = await (await asked(`answer?name=${name}`, { body: JSON.stringify(options) })).json();
    if (error) throw failure(error);
    return result;
  },
  steps,
  kept: inputsOf,
};

export const init = () => undefined;
export const load = async () => undefined;
export const loadEngine = load;
export const version = () => backend.call("version", {});

const { annotate, board, chart, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt } = functions(backend);
const { games, legalMoves, opening, openings, play, players, position, puzzles, report, reportRows, search, stats, variants } = functions(backend);

export { annotate, board, chart, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt, games, legalMoves, opening, openings, play, players, position, puzzles, report, reportRows, search, stats, variants };

/** An engine of the server, which keeps what it learned for the next position. */
export class Engine {
  /** @param {any} options */
  static async create(options = {}) {
    return new Engine(options);
  }

  /** @param {any} options */
  constructor({ variant = null, rules = null, hash = null, lines = 1 }) {
    Object.assign(this, { question: { rules: { variant, rules }, hash }, lines, variant });
  }

  /** @type {any} */ question;
  /** @type {number} */ lines = 1;

  /** @param {number} lines */
  setLines(lines) {
    this.lines = lines;
  }

  newGame() {}

  free() {}

  /** @type {(fen: string, options?: any) => Promise<any>} */
  async analyse(fen, { moves, onInfo, signal, depth, nodes, time } = {}) {
    const limits = { depth: depth ?? null, nodes: nodes ?? null, time: time ?? null };
    const body = JSON.stringify({ ...this.question, fen, moves: words(moves), lines: this.lines, ...limits });
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of received(await asked("analyse", { body, signal }), signal)) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
        const row = JSON.parse(data);
        if (name === "error") throw failure(row);
        if (name === "result") return row;
        onInfo?.(row);
      }
    }
    throw new PdnError("crashed", "the server did not complete the search");
  }
}
