// The functions of the package, over what does the work: the modules (`pdn.js`), or a server.
//
// A backend answers calls, `call(name, options)`, and does work in steps, `steps(name, inputs, read, options, onMessage)`: each step
// leaves messages and output, `{ output }`. Messages of progress are for `onMessage`. `kept(inputs)` returns inputs that can be read twice.

/** An error of a call. */
export class PdnError extends Error {
  constructor(kind, message, options) {
    super(message, options);
    this.name = "PdnError";
    this.kind = kind;
  }
}

/** The error of a call that a signal ended. */
export const aborted = (signal) => new PdnError("aborted", "the call was aborted", { cause: signal?.reason });

/** Refuses options that a call does not have. */
export function refuseOthers(options, names) {
  const other = Object.entries(options ?? {}).find(([name, value]) => value !== undefined && !names.includes(name));
  if (other) throw new PdnError("usage", `unknown option \`${other[0]}\``);
}

export const rulesOf = ({ variant = null, rules = null }) => ({ variant, rules });

/** Returns moves as a list of texts. */
export const words = (moves) => (typeof moves === "string" ? [moves] : moves ?? []);

/** Options of positions. */
export const RULES = ["variant", "rules"];

/** Options of reading, apart from those of the work. */
const READ = [...RULES, "encoding", "maxGame", "onProgress", "signal"];

/** The option of calls that can give their output in pieces. */
const WRITE = ["write"];

/** Returns the separator of CSV that spreadsheets expect here: a semicolon where decimals have a comma. */
const separator = () => ((0.5).toLocaleString().includes(",") ? "semicolon" : "comma");

/** Separates the options of reading, and those that the call itself uses, from those of the work, which refuses others. What the call
 * adds to these, `internal`, is not for callers. */
function split(options = {}, own = [], internal = []) {
  const read = {};
  const work = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (READ.includes(name) || own.includes(name)) read[name] = value;
    else if (typeof value === "function" || internal.includes(name)) refuseOthers({ [name]: value }, []);
    else work[name] = name === "excel" && value === "auto" ? separator() : value;
  }
  return [read, work];
}

/** Returns true if a format is not text. */
const isFile = (to) => to === "parquet" || to === "xlsx";

/** Collects output as text or, if it is not text, as bytes, unless a function takes it. */
class Output {
  constructor(write, isFile) {
    this.write = write;
    this.isFile = isFile;
    this.parts = [];
    this.decoder = new TextDecoder();
  }

  add(bytes) {
    if (this.write) this.write(bytes);
    else this.parts.push(this.isFile ? bytes : this.decoder.decode(bytes, { stream: true }));
  }

  /** Returns the output under its name in a result. */
  collected() {
    if (!this.isFile) return { text: this.text() };
    const bytes = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { bytes };
  }

  text() {
    return this.parts.join("") + this.decoder.decode();
  }
}

/** Returns the functions over a backend. */
export function functions(backend) {
  /** Does work to its end. `take` receives the messages besides output, failures and the result. */
  async function finished(name, inputs, [read, work], take = () => {}) {
    // Edits keep the encoding of a record.
    const output = new Output(read.write, isFile(work.to) || name === "edit");
    const failures = [];
    let result = null;
    for await (const events of backend.steps(name, inputs, read, work)) {
      for (const event of events) {
        if (event.output) output.add(event.output);
        else if (event.failure) failures.push(event.failure);
        else if (event.result !== undefined) result = event.result;
        else take(event);
      }
    }
    return { ...output.collected(), failures, result };
  }

  /** Does work of which an input that cannot be read is an error. */
  async function answer(name, inputs, options) {
    const done = await finished(name, inputs, split(options));
    const [failure] = done.failures;
    if (failure) throw new PdnError("unavailable", `${failure.file}: ${failure.message}`);
    return done;
  }

  async function check(inputs, options = {}) {
    const [read, work] = split(options, [...WRITE, "onDiagnostics"], ["lines"]);
    const diagnostics = [];
    const take = (event) => {
      if (!event.diagnostics) return;
      if (read.onDiagnostics) read.onDiagnostics(event.diagnostics);
      else diagnostics.push(...event.diagnostics);
    };
    const done = await finished("check", inputs, [read, { ...work, lines: Boolean(read.write) }], take);
    return { diagnostics, summary: done.result.summary, failures: done.failures };
  }

  async function explain(code, lang) {
    return backend.call("explain", { code, lang });
  }

  async function codes() {
    return backend.call("codes", {});
  }

  async function canonical(inputs, options, fix) {
    const [read, work] = split(options, WRITE, ["fix"]);
    const edits = [];
    const done = await finished("fmt", inputs, [read, { ...work, fix }], (event) => edits.push(...(event.edits ?? [])));
    return { text: done.text, errors: done.result.errors, failures: done.failures, edits };
  }

  const fmt = (inputs, options) => canonical(inputs, options, false);
  const fix = (inputs, options) => canonical(inputs, options, true);

  async function edit(inputs, options = {}) {
    const edits = [];
    const done = await finished("edit", inputs, split(options, WRITE), (event) => edits.push(...(event.edits ?? [])));
    return { bytes: done.bytes, edits, ...done.result, failures: done.failures };
  }

  async function converted(name, inputs, options) {
    const { result, ...done } = await finished(name, inputs, split(options, WRITE));
    return { ...done, errors: result.errors };
  }

  const convert = (inputs, options) => converted("convert", inputs, options);
  const report = (inputs, options) => converted("report", inputs, options);

  async function search(inputs, options = {}) {
    const found = [];
    const done = await finished("search", inputs, split(options, WRITE), (event) => found.push(...(event.found ?? [])));
    return { text: done.text, errors: 0, failures: done.failures, count: done.result.count, found };
  }

  async function puzzles(inputs, options = {}) {
    const done = await finished("puzzles", inputs, split(options, WRITE));
    return { text: done.text, count: done.result.count, failures: done.failures };
  }

  async function* rows(name, inputs, options) {
    const [read, work] = split(options);
    for await (const events of backend.steps(name, inputs, read, work)) {
      for (const event of events) {
        if (event.rows) yield* event.rows;
        if (event.failure) throw new PdnError("unavailable", `${event.failure.file}: ${event.failure.message}`);
      }
    }
  }

  const games = (inputs, options) => rows("games", inputs, options);
  const reportRows = (inputs, options) => rows("reportRows", inputs, options);

  const openings = async (inputs, options) => (await answer("openings", inputs, options)).result;
  const event = async (inputs, options) => (await answer("event", inputs, options)).result;
  const eventText = async (inputs, options) => (await answer("event", inputs, options)).text;
  const eventFile = async (inputs, options) => (await answer("event", inputs, options)).bytes;
  const stats = async (inputs, options) => (await answer("stats", inputs, options)).result;
  const players = async (inputs, options) => (await answer("players", inputs, options)).result;
  const chart = async (inputs, options) => (await answer("chart", inputs, options)).text;

  async function variants() {
    return backend.call("variants", {});
  }

  async function board(variant) {
    return backend.call("board", { rules: rulesOf({ variant }) });
  }

  async function at(name, fen, options = {}, moves = []) {
    refuseOthers(options, RULES);
    return backend.call(name, { fen: fen ?? null, rules: rulesOf(options), moves: words(moves) });
  }

  const legalMoves = (fen, options) => at("legalMoves", fen, options);
  const position = (fen, options) => at("position", fen, options);
  const play = (fen, moves, options) => at("play", fen, options, moves);
  const opening = (fen, moves, options) => at("opening", fen, options, moves);

  async function annotate(inputs, options = {}) {
    const [read, work] = split(options, [...WRITE, "onGame"], ["all"]);
    const { onProgress, ...quiet } = read;
    // The games are counted first, so each input is read twice.
    const kept = await backend.kept(inputs, read.signal);
    const { result: all } = await finished("count", kept, [{ ...quiet, write: undefined }, {}]);
    const output = new Output(read.write, false);
    const failures = [];
    let result = null;
    const own = { ...work, all: [all.games, all.moves] };
    const onMessage = (message) => message.progress && onProgress?.(message.progress);
    for await (const events of backend.steps("annotate", kept, quiet, own, onMessage)) {
      const text = [];
      for (const event of events) {
        if (event.output) {
          output.add(event.output);
          text.push(event.output);
        } else if (event.failure) failures.push(event.failure);
        else if (event.result !== undefined) result = event.result;
        else if (event.game !== undefined && read.onGame) {
          const decoder = new TextDecoder();
          read.onGame(event.game, text.map((part) => decoder.decode(part, { stream: true })).join(""));
        }
      }
    }
    return { text: output.text(), errors: result.errors, games: result.games, failures };
  }

  return {
    annotate, board, chart, check, codes, convert, edit, event, eventFile, eventText, explain, fix, fmt, games, legalMoves,
    opening, openings, play, players, position, puzzles, report, reportRows, search, stats, variants,
  };
}
