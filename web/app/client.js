// The page's side of a worker.

import { packageFiles, workerAddress } from "./place.js";
import { scriptAddress } from "./trust.js";

/** An error of a call, as in the package, or `stopped` after the worker was terminated. */
export class WorkError extends Error {
  /** @param {{ kind: string, message: string }} error */
  constructor({ kind, message }) {
    super(message);
    this.kind = kind;
  }
}

/**
 * @typedef {Record<string, (value: any) => void>} Events callbacks by their names; `items` receives the rows of a function that
 *   gives one after the other
 */

export class Client {
  /** @type {Worker | undefined} */ worker = undefined;
  /** @type {Map<number, any>} */ calls = new Map();
  count = 0;

  start() {
    const files = packageFiles();
    const worker = new Worker(scriptAddress(workerAddress()), { type: files ? "classic" : "module", name: files ? "files" : "" });
    files?.then((found) => worker.postMessage({ files: found }));
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop({ kind: "crashed", message: event.message ?? "the worker could not be started" });
    };
    this.worker = worker;
  }

  /** @param {any} message */
  receive({ id, event, value, items, result, error }) {
    const call = this.calls.get(id);
    if (!call) return;
    if (event) return call.events[event](value);
    if (items) return call.events.items?.(items);
    this.calls.delete(id);
    call.finish();
    if (error) call.fail(new WorkError(error));
    else call.done(result);
    return undefined;
  }

  /** Calls a function of the package. With events its last argument is its options.
   * @param {string} name
   * @param {any[]} args
   * @param {{ events?: Events, signal?: AbortSignal }} [how]
   * @returns {Promise<any>} */
  call(name, args, { events = {}, signal } = {}) {
    if (signal?.aborted) return Promise.reject(new WorkError({ kind: "aborted", message: "aborted" }));
    if (!this.worker) this.start();
    this.count += 1;
    const id = this.count;
    return new Promise((done, fail) => {
      const abort = () => this.worker?.postMessage({ abort: id });
      signal?.addEventListener("abort", abort);
      this.calls.set(id, { done, fail, events, finish: () => signal?.removeEventListener("abort", abort) });
      const names = Object.keys(events).filter((event) => event !== "items");
      this.worker?.postMessage({ id, name, args, events: names.length > 0 || signal ? names : undefined });
    });
  }

  /** Terminates the worker; the next call starts a new one. */
  stop(error = { kind: "stopped", message: "stopped" }) {
    this.worker?.terminate();
    this.worker = undefined;
    const calls = [...this.calls.values()];
    this.calls.clear();
    for (const call of calls) {
      call.finish();
      call.fail(new WorkError(error));
    }
  }
}

/** Answers about one game and one position, without delay even while a collection is being read. */
export const quick = new Client();
/** Works on collections. */
export const bulk = new Client();
/** Searches. */
export const thinker = new Client();
/** Plays, also while the other one analyses. */
export const player = new Client();

/** Centi-men of a win, which is more than any estimate. */
const WIN = 100_000;

/** Returns an evaluation as the advantage of a side in centi-men.
 * @type {(evaluation: any, side: string) => number} */
export const lead = (evaluation, side) => {
  const white = "cm" in evaluation ? evaluation.cm : evaluation.winner === "W" ? WIN : -WIN;
  return side === "W" ? white : -white;
};
