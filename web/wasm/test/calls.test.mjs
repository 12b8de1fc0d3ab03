// What all calls have in common: streams that fail, signals, options, and the first results of long work.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as pdn from "../pdn.js";
import { read } from "./support.mjs";

const text = read("samples/games/international.pdn");
const GAME = '[GameType "20"]\n1. 32-28 19-23 *\n\n';

/** Collects what an iterator gives. */
const collected = async (rows) => {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
};

/** Functions of one kind of options, on an input. */
const OF_RECORDS = {
  check: pdn.check, fmt: pdn.fmt, fix: pdn.fix, edit: pdn.edit, report: pdn.report, openings: pdn.openings, event: pdn.event, stats: pdn.stats,
  players: pdn.players, chart: (input, options) => pdn.chart(input, { kind: "openings", ...options }),
  annotate: pdn.annotate, puzzles: pdn.puzzles,
  convert: (input, options) => pdn.convert(input, { to: "jsonl", ...options }),
  search: (input, options) => pdn.search(input, { where: "plies > 0", ...options }),
  eventText: (input, options) => pdn.eventText(input, { to: "csv", ...options }),
  eventFile: (input, options) => pdn.eventFile(input, { to: "xlsx", ...options }),
  games: (input, options) => collected(pdn.games(input, options)),
  reportRows: (input, options) => collected(pdn.reportRows(input, options)),
};
const WRITERS = ["check", "edit", "fmt", "fix", "convert", "search", "report", "annotate", "puzzles"];

const refused = (name) => (error) => error instanceof pdn.PdnError && error.kind === "usage" && error.message.includes(`\`${name}\``);

test("unknown options are refused with their names", async () => {
  for (const [name, call] of Object.entries(OF_RECORDS)) {
    await assert.rejects(call(GAME, { potato: 1 }), refused("potato"), name);
    await assert.rejects(call(GAME, { onPotato: () => {} }), refused("onPotato"), name);
    if (!WRITERS.includes(name)) await assert.rejects(call(GAME, { write: () => {} }), refused("write"), name);
    await call(GAME, { potato: undefined });
  }
  for (const limit of [{ nodes: 0 }, { depth: 0 }, { lines: 0 }, { lines: 1000 }, { scale: 0 }, { fromPly: 0 }, { toPly: 0 }]) {
    await assert.rejects(pdn.annotate(GAME, limit), refused(Object.keys(limit)[0]));
  }
  await assert.rejects(pdn.annotate(GAME, { fromPly: 5, toPly: 2 }), { kind: "usage", message: /no move is annotated/ });
  await assert.rejects(pdn.openings(GAME, { plies: 0 }), refused("plies"));
  // What calls give the work is not for callers.
  await assert.rejects(pdn.check(GAME, { lines: true }), refused("lines"));
  await assert.rejects(pdn.fmt(GAME, { fix: true }), refused("fix"));
  await assert.rejects(pdn.annotate(GAME, { all: [1, 1] }), refused("all"));
  for (const call of [pdn.legalMoves, pdn.position, (fen, options) => pdn.play(fen, "32-28", options), (fen, options) => pdn.opening(fen, "32-28", options)]) {
    await assert.rejects(call(null, { depth: 1 }), refused("depth"));
  }
  await assert.rejects(pdn.Engine.create({ potato: 1 }), refused("potato"));
  assert.throws(() => pdn.init({ potato: 1 }), refused("potato"));
  const engine = await pdn.Engine.create();
  await assert.rejects(engine.analyse("W:W28:B19", { multipv: 2 }), refused("multipv"));
  for (const lines of [0, 101]) assert.throws(() => engine.setLines(lines), { kind: "usage" });
  engine.free();
  await assert.rejects(engine.analyse("W:W28:B19", { nodes: 100 }), { kind: "usage", message: "the engine was freed" });
  await assert.rejects(pdn.check(GAME, { maxGame: 0 }), refused("maxGame"));
  await assert.rejects(pdn.convert(GAME), refused("to"));
});

test("a line has the name of the opening that it reaches last", async () => {
  const english = { variant: "english" };
  assert.deepEqual(await pdn.opening(null, "1. 11-15 23-19 2. 8-11 22-17 9-13 24-20", english), { name: "Laird and Lady", ply: 5 });
  // Another order of the same moves leads there too, and what cannot be played ends the line.
  assert.deepEqual(await pdn.opening(null, ["11-15", "22-17", "8-11", "23-19", "9-13", "1-32"], english), { name: "Laird and Lady", ply: 5 });
  assert.equal(await pdn.opening(null, "", english), null);
  assert.equal(await pdn.opening("W:W28:B19", "28-23", english), null);
});

test("a stream that fails ends the call with its cause", async () => {
  const cause = new Error("of the source");
  const failing = function* () {
    yield GAME;
    throw cause;
  };
  const later = async function* () {
    yield* failing();
  };
  const stream = () => new ReadableStream({
    pull(controller) {
      controller.error(cause);
    },
  });
  const isCause = (error) => error.kind === "unavailable" && error.cause === cause && error.message === "f: of the source";
  for (const [name, call] of Object.entries(OF_RECORDS)) {
    for (const source of [failing, later, stream]) await assert.rejects(call({ name: "f", data: source() }), isCause, name);
  }
  // The games before the failure are given first.
  const rows = [];
  const reading = async () => {
    for await (const row of pdn.games({ name: "f", data: later() })) rows.push(row.plies);
  };
  await assert.rejects(reading(), isCause);
  assert.deepEqual(rows, [2]);
});

test("a call is aborted while it waits for a stream, and before it begins", async () => {
  const reason = new Error("enough");
  const isAborted = (error) => error.kind === "aborted" && error.cause === reason;
  for (const [name, call] of Object.entries(OF_RECORDS)) {
    const controller = new AbortController();
    let isCancelled = false;
    const stalled = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(GAME)),
      cancel: () => { isCancelled = true; },
    });
    const running = call(stalled, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(running, isAborted, name);
    await assert.rejects(call(GAME, { signal: controller.signal }), isAborted, name);
    await new Promise((resolve) => setTimeout(resolve));
    assert.ok(isCancelled, `${name} ends the stream`);
  }
});

test("searches are stopped and aborted at once", async () => {
  const engine = await pdn.Engine.create();
  const { fen } = await pdn.position();
  // Before the search begins.
  const early = engine.analyse(fen);
  const next = engine.analyse(fen, { depth: 30 });
  engine.stop();
  assert.equal((await early).depth, 1);
  assert.equal((await next).depth, 1);
  const known = await engine.analyse(fen, { depth: 6 });
  assert.equal(known.depth, 6);
  // In the middle of a search that has one step.
  const begun = performance.now();
  const stopped = await engine.analyse(fen, { depth: 60, onInfo: ({ depth }) => depth === 6 && engine.stop() });
  assert.ok(stopped.depth >= 6 && stopped.depth < 60 && stopped.time < 60_000, JSON.stringify(stopped));
  const controller = new AbortController();
  const calls = [];
  const onInfo = ({ depth }) => {
    calls.push(depth);
    if (depth === 6) controller.abort();
  };
  await assert.rejects(engine.analyse(fen, { depth: 60, signal: controller.signal, onInfo }), { kind: "aborted" });
  assert.equal(calls.at(-1), 6);
  await assert.rejects(engine.analyse(fen, { signal: controller.signal }), { kind: "aborted" });
  assert.ok(performance.now() - begun < 20_000);
  // One that waits for another is aborted without waiting.
  const waiting = new AbortController();
  const endless = engine.analyse(fen);
  const second = engine.analyse(fen, { signal: waiting.signal });
  waiting.abort();
  await assert.rejects(second, { kind: "aborted" });
  engine.stop();
  assert.ok((await endless).depth >= 1);
  engine.free();
});

test("the first game comes after a small piece", async () => {
  // Without tags, only the moves show where a game begins.
  for (const game of [GAME, "1. 32-28 *\n\n"]) {
    const tiny = game.repeat(150_000);
    const before = process.memoryUsage.rss();
    const reading = pdn.games(tiny, { variant: "international" });
    const { value } = await reading.next();
    const grown = process.memoryUsage.rss() - before;
    await reading.return();
    assert.ok(value.plies > 0 && grown < 100e6, `${grown} bytes`);
  }
});

test("a long stream is not read ahead", async () => {
  let given = 0;
  let most = 0;
  const endless = async function* () {
    for (let n = 0; n < 300; n += 1) {
      given += text.length;
      yield text;
    }
  };
  const onProgress = ({ bytes }) => { most = Math.max(most, given - bytes); };
  await pdn.check(endless(), { onProgress });
  assert.ok(most > 0 && most < 1_500_000, `${most} bytes`);
});
