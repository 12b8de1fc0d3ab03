// The functions of the package `pdn` that the application uses, by the native program: the server of the tests runs it.
// It takes the place of the WebAssembly module where that was not built.

const bytesOf = async (source) => new Uint8Array(await new Response(source instanceof ReadableStream ? source : new Blob([source])).arrayBuffer());

const list = (inputs) => (Array.isArray(inputs) ? inputs : [inputs]).map((input) =>
  (input?.data === undefined ? { name: "-", data: input } : input));

const native = async (args, input = "") => {
  const body = new Blob([`${JSON.stringify(args)}\n`, input]);
  const answer = await (await fetch("/native", { method: "POST", body })).json();
  if (answer.status === 2) throw Object.assign(new Error(answer.errors.trim()), { kind: "usage" });
  return answer;
};

const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const variantArgs = ({ variant } = {}) => (variant ? ["--variant", String(variant)] : []);

const each = async (inputs, options, work) => {
  const all = list(inputs);
  const sizes = await Promise.all(all.map(({ data }) => bytesOf(data)));
  const total = sizes.reduce((sum, bytes) => sum + bytes.length, 0);
  let read = 0;
  for (const [n, { name }] of all.entries()) {
    if (options?.signal?.aborted) throw Object.assign(new Error("aborted"), { kind: "aborted" });
    await work(name, sizes[n]);
    read += sizes[n].length;
    options?.onProgress?.({ inputs: n + 1, bytes: read, total });
  }
};

const output = async (inputs, options, args) => {
  let text = "";
  let errors = "";
  await each(inputs, options, async (name, bytes) => {
    const answer = await native([...args, ...variantArgs(options), "-"], new Blob([bytes]));
    text += answer.output;
    errors += answer.errors;
  });
  options?.write?.(new TextEncoder().encode(text));
  return { text: options?.write ? "" : text, notes: errors, errors: 0, failures: [] };
};

export const check = async (inputs, options = {}) => {
  const diagnostics = [];
  let summary;
  await each(inputs, options, async (name, bytes) => {
    const rows = lines((await native(["check", "--format", "json", ...variantArgs(options), "-"], new Blob([bytes]))).output);
    summary = rows.pop().summary;
    diagnostics.push(...rows.map((row) => ({ ...row, file: name })));
  });
  options.onDiagnostics?.(diagnostics);
  return { diagnostics: options.onDiagnostics ? [] : diagnostics, summary, failures: [] };
};

export const explain = async (code) => {
  const { output: text } = await native(["check", "--explain", code]);
  return { code, severity: "error", meaning: text.split("\n\n")[1] ?? text, example: null };
};

export const fmt = (inputs, options) => output(inputs, options, ["fmt"]);

export const fix = async (inputs, options) => {
  const result = await output(inputs, options, ["fmt", "--fix"]);
  const edits = [...result.notes.matchAll(/^.*?:(\d+):(\d+): (.*)$/gm)].map(([, line, column, message]) =>
    ({ file: list(inputs)[0].name, game: 1, offset: 0, length: 0, line: Number(line), column: Number(column), message }));
  return { ...result, edits };
};

export const convert = (inputs, options) =>
  output(inputs, options, ["convert", "--to", options.to, ...(options.table ? ["--table", options.table] : [])]);

export const report = (inputs, options) => output(inputs, options, ["report", "--lang", options.lang ?? "en"]);

export async function* games(inputs, options) {
  const { text } = await output(inputs, options && { variant: options.variant }, ["convert", "--to", "jsonl"]);
  yield* lines(text);
}

const blocks = (page, name) => page.split(`<script type="application/json" class="${name}">`).slice(1).map((block) =>
  block.slice(0, block.indexOf("</script>")).split("\n").map((line) => JSON.parse(line)));

export async function* reportRows(inputs, options = {}) {
  const rows = [];
  await each(inputs, options, async (name, bytes) => {
    const args = [...variantArgs(options), "-"];
    const pages = blocks((await native(["report", ...args], new Blob([bytes]))).output, "game");
    const records = lines((await native(["convert", "--to", "jsonl", ...args], new Blob([bytes]))).output);
    records.forEach((record, n) => {
      const [head, body, source] = pages[n];
      const count = (severity) => record.diagnostics.filter((one) => one.severity === severity).length;
      const length = (records[n + 1]?.offset ?? bytes.length) - record.offset;
      rows.push({ file: name, game: record.game, offset: record.offset, length, errors: count("error"), warnings: count("warning"), head,
        ...(options.heads ? {} : { body, record: source }) });
    });
  });
  yield* rows;
}

export const variants = async () => [{ name: "international", gametype: 20, fen: "", width: 10, height: 10, starts: "W" }];

export const board = async (variant) => blocks((await native(["report", "--variant", variant, "-"], "1. x *")).output, "board")[0]?.[0]
  ?? blocks((await native(["report", "-"], `[GameType "${variant === "russian" ? 25 : 20}"]\n\n*\n`)).output, "board")[0][0];

export const position = async (fen, options = {}) => {
  const variant = options.variant ?? "international";
  const start = fen ?? lines((await native(["convert", "--to", "jsonl", ...variantArgs({ variant }), "-"], "[Event \"?\"]\n\n*\n")).output)[0].start_fen;
  const { output: text, errors } = await native(["moves", "--format", "json", "--fen", start, ...variantArgs({ variant })]);
  const answer = lines(text)[0];
  if (!answer?.moves) throw Object.assign(new Error(errors || "bad FEN"), { kind: "usage" });
  const setUp = `[SetUp "1"]\n[FEN "${start}"]\n\n`;
  const records = answer.moves.map((move) => `${setUp}1${start[0] === "B" ? "..." : "."} ${move.notation} *\n\n`);
  const source = new Blob([`${setUp}*\n\n`, ...records]);
  const page = (await native(["report", "--variant", variant, "-"], source)).output;
  const rows = lines((await native(["convert", "--to", "jsonl", "--variant", variant, "-"], source)).output);
  const [first, ...others] = blocks(page, "game").map(([, body]) => body);
  const moves = answer.moves.map((move, n) => {
    const change = others[n].moves[0][2];
    return { ...move, change, fen: rows[n + 1].final_fen, taken: [], places: [change.slice(1, 3), change.slice(4, 6)].map((digits) => parseInt(digits, 36)) };
  });
  return { variant, fen: start, turn: start[0], letters: first.start, winner: null, moves };
};

export const play = async (fen, moves, options) => {
  let now = await position(fen, options);
  const played = [];
  for (const word of String(moves).split(/\s+/).filter((one) => !/^\d+\.+$/.test(one))) {
    const move = now.moves.find(({ notation }) => notation === word);
    if (!move) return { ...now, played, error: `\`${word}\` is not legal` };
    played.push(move);
    now = await position(move.fen, options);
  }
  return { ...now, played, error: null };
};

export const search = async (inputs, options) => {
  const found = [];
  let text = "";
  const args = ["where", "fen", "pattern", "material", "sequence"].flatMap((name) => (options[name] ? [`--${name}`, options[name]] : []));
  await each(inputs, options, async (name, bytes) => {
    if (options.to === "none") {
      const rows = lines((await native(["search", ...args, "--to", "jsonl", "-"], new Blob([bytes]))).output);
      found.push(...rows.map(({ game }) => ({ file: name, game })));
    } else {
      text += (await native(["search", ...args, "-"], new Blob([bytes]))).output;
    }
  });
  options.write?.(new TextEncoder().encode(text));
  return { text, count: found.length, found, errors: 0, failures: [] };
};

const joined = async (inputs) => new Blob((await Promise.all(list(inputs).map(({ data }) => bytesOf(data)))).flatMap((bytes) => [bytes, "\n\n"]));

export const openings = async (inputs, { fen, plies = 2, variant } = {}) =>
  lines((await native(["openings", "--format", "json", "--plies", String(plies), ...(fen ? ["--fen", fen] : []), ...variantArgs({ variant }), "-"], await joined(inputs))).output)[0];
export const stats = async (inputs) => lines((await native(["stats", "--format", "json", "-"], await joined(inputs))).output)[0];
export const event = async (inputs) => lines((await native(["event", "--format", "json", "-"], await joined(inputs))).output)[0];
export const eventText = async (inputs, { to }) => (await native(["event", "--to", to, "-"], await joined(inputs))).output;

export const annotate = async (inputs, options) => {
  const result = await output(inputs, { variant: options.variant }, ["annotate", "--nodes", String(options.nodes ?? 1000), "--quiet"]);
  options.onProgress?.({ games: 1, moves: 1, allGames: 1, allMoves: 1, left: 0 });
  return { ...result, games: 1 };
};

/** Canned thoughts: the first legal moves. */
export class Engine {
  static async create(options) {
    return Object.assign(new Engine(), { options, lines: options.lines ?? 1 });
  }
  setLines(lines) {
    this.lines = lines;
  }
  free() {}
  async analyse(fen, { onInfo, signal, time }) {
    const { moves } = await position(fen, this.options);
    let depth = 0;
    for (;;) {
      depth += 1;
      const shown = moves.slice(0, this.lines).map((move, n) => ({ eval: { cm: 30 - 10 * n }, moves: [move.notation], places: [[move.places[0], move.places.at(-1)]] }));
      const info = { fen, depth, nodes: depth * 100000, time: depth * 20, lines: shown, value: null, plies: null };
      if (signal?.aborted || (time && depth > 3)) return info;
      onInfo?.(info);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
