// The module itself: what it needs, its memory, streams, hostile input, errors.

import assert from "node:assert/strict";
import { randomFillSync } from "node:crypto";
import { readdirSync } from "node:fs";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { Module } from "../module.js";
import * as pdn from "../pdn.js";
import { read, samples } from "./support.mjs";

test("the modules import three functions and nothing else", async () => {
  for (const name of ["pdn-core.wasm", "pdn-engine.wasm", "pdn-tables.wasm"]) {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(read(`web/wasm/${name}`)));
    const names = imports.map(({ module, name: field, kind }) => `${kind} ${module}.${field}`).sort();
    assert.deepEqual(names, ["function pdn.emit", "function pdn.now", "function pdn.read"]);
  }
});

const text = read("samples/games/international.pdn");

test("all kinds of inputs are the same", async () => {
  const wanted = await pdn.convert({ name: "a.pdn", data: text }, { to: "pdn" });
  const split = [text.subarray(0, 1000), text.subarray(1000)];
  const small = function* () {
    for (let at = 0; at < text.length; at += 7) yield text.subarray(at, at + 7);
  };
  const later = async function* () {
    for (const piece of small()) {
      if (Math.random() < 0.01) await new Promise((resolve) => setTimeout(resolve));
      yield piece;
    }
  };
  for (const data of [
    text.toString(),
    text.buffer.slice(text.byteOffset, text.byteOffset + text.length),
    new Blob(split),
    new Blob([gzipSync(text)]).stream(),
    split.values(),
    small(),
    later(),
    Readable.toWeb(Readable.from(split)),
    gzipSync(text),
    new Blob([Buffer.from([0xff, 0xfe]), Buffer.from(text.toString(), "utf16le")]),
  ]) {
    const found = await pdn.convert({ name: "a.pdn", data }, { to: "pdn" });
    assert.equal(found.text, wanted.text);
    assert.deepEqual(found.failures, []);
  }
  assert.ok(wanted.text.length > 1000);
});

test("a game larger than what arrives at once is read", async () => {
  const comment = "x".repeat(5_000_000);
  const game = `[GameType "20"]\n1. 32-28 {${comment}} 19-23 *\n`;
  const stream = async function* () {
    for (let at = 0; at < game.length; at += 50_000) yield game.slice(at, at + 50_000);
  };
  const [row] = await Array.fromAsync?.(pdn.games(stream())) ?? [];
  if (row) assert.equal(row.moves[0].comment.length, comment.length);
  const { summary } = await pdn.check(stream());
  assert.deepEqual([summary.games, summary.plies, summary.errors], [1, 2, 0]);
});

test("memory does not grow with a stream", { timeout: 300_000 }, async () => {
  const piece = Buffer.concat([text, Buffer.from("\n\n")]);
  const times = (n) =>
    (function* () {
      for (let k = 0; k < n; k += 1) yield piece;
    })();
  const run = async (n) => {
    let length = 0;
    await pdn.convert(times(n), { to: "jsonl", write: (bytes) => (length += bytes.length) });
    return length;
  };
  const first = await run(50);
  const before = (await Module.core()).memory;
  const second = await run(500);
  assert.ok(second > 9 * first, `${second} bytes`);
  const after = (await Module.core()).memory;
  assert.ok(after <= before + (2 << 20), `${before} bytes, then ${after}`);
});

test("hostile input neither ends the module nor fills memory", { timeout: 300_000 }, async () => {
  const bomb = gzipSync(Buffer.alloc(150_000_000, " "));
  const zeros = gzipSync(Buffer.alloc(150_000_000, "x"));
  const nested = `[GameType "20"]\n1. 32-28 ${"(1. 31-27 ".repeat(100_000)}${")".repeat(100_000)} *\n`;
  const captures = `[GameType "20"]\n[FEN "W:WK${Array.from({ length: 12 }, (_, n) => n + 1).join(",K")}:BK33,K34,K35"]\n*\n`;
  const random = randomFillSync(Buffer.alloc(3_000_000));
  const text = Buffer.from(random.toString("latin1").replace(/[^\x20-\x7e\n]/g, " "), "latin1");
  const tags = '[A "'.repeat(300_000);
  for (const data of [bomb, zeros, nested, captures, random, text, tags, "{".repeat(1e6), "(".repeat(1e6), "", "\0".repeat(1e6)]) {
    // Memory is bounded by the largest game that is allowed.
    const maxGame = 4_000_000;
    await pdn.check({ name: "hostile.pdn", data }, { maxGame });
    await pdn.fix({ name: "hostile.pdn", data }, { maxGame });
    try {
      for await (const row of pdn.reportRows({ name: "hostile.pdn", data }, { maxGame })) assert.ok(row.head);
    } catch (error) {
      assert.equal(error.kind, "unavailable");
    }
  }
  assert.ok((await Module.core()).memory < 256 << 20, `${(await Module.core()).memory} bytes`);
});

test("errors are of a kind, and the next call works", async () => {
  const kind = (wanted) => (error) => error instanceof pdn.PdnError && error.kind === wanted;
  await assert.rejects(pdn.legalMoves("nonsense"), kind("usage"));
  await assert.rejects(pdn.convert("", { to: "potato" }), kind("usage"));
  await assert.rejects(pdn.check("", { variant: "ludo" }), kind("usage"));
  await assert.rejects(pdn.search("", { where: "year >" }), kind("usage"));
  await assert.rejects(pdn.stats({ name: "x.gz", data: new Uint8Array([0x1f, 0x8b]) }), kind("unavailable"));
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(pdn.check(text, { signal: controller.signal }), kind("aborted"));
  const thrown = new Error("of the caller");
  await assert.rejects(pdn.convert(text, { to: "fen", write: () => { throw thrown; } }), thrown);
  // An input with damaged content is not the end of the others.
  const { failures, summary } = await pdn.check([{ name: "f", data: gzipSync(text).subarray(0, 2000) }, "1. 32-28 *"]);
  assert.deepEqual([failures.length, failures[0].file, summary.files], [1, "f", 2]);
});

test("a call is aborted between steps", async () => {
  const controller = new AbortController();
  let seen = 0;
  const endless = (function* () {
    for (;;) yield text;
  })();
  const onProgress = ({ bytes }) => {
    seen = bytes;
    if (bytes > 5_000_000) controller.abort();
  };
  await assert.rejects(pdn.check(endless, { signal: controller.signal, onProgress }), { kind: "aborted" });
  assert.ok(seen < 20_000_000);
});

/** A module whose every function traps. */
const TRAPS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 14, 2, 96, 1, 127, 1, 127, 96, 4, 127, 127, 127, 127, 1, 127, 3, 3, 2, 0, 1, 5, 3, 1, 0, 1,
  7, 33, 3, 6, 109, 101, 109, 111, 114, 121, 2, 0, 9, 112, 100, 110, 95, 97, 108, 108, 111, 99, 0, 0, 8, 112, 100, 110, 95,
  99, 97, 108, 108, 0, 1, 10, 10, 2, 4, 0, 65, 8, 11, 3, 0, 0, 11,
]);

test("after a crash a new instance is used", async () => {
  pdn.init({ core: TRAPS });
  const first = await Module.core();
  await assert.rejects(pdn.version(), { kind: "crashed" });
  assert.ok(first.crashed);
  assert.notEqual(await Module.core(), first);
  pdn.init({ core: new URL("../pdn-core.wasm", import.meta.url) });
  assert.equal(await pdn.version(), "0.1.0");
});

test("positions and moves", async () => {
  const start = await pdn.position();
  assert.equal(start.letters, "b".repeat(20) + ".".repeat(10) + "w".repeat(20));
  assert.equal(start.moves.length, 9);
  const played = await pdn.play(null, "1. 32-28 19-23 2. 28x19");
  assert.deepEqual([played.error, played.played.length, played.turn], [null, 3, "B"]);
  assert.deepEqual(played.played[2].taken.length, 1);
  assert.match((await pdn.play(null, "32-28 19-24 32-27")).error, /^32-27/);
  assert.equal((await pdn.variants()).length, 20);
  const board = await pdn.board("russian");
  assert.deepEqual([board.width, board.letters, board.names.length], [8, true, 32]);
  assert.ok((await pdn.explain("move/illegal")).example.length > 0);
  assert.ok((await pdn.codes()).includes("move/illegal"));
});

test("edits have their places", async () => {
  const { text: fixed, edits } = await pdn.fix('[Date "25/12/1999"] [GameType "20"] 1.32-28 19-23 *');
  assert.match(fixed, /1999\.12\.25/);
  assert.deepEqual([edits[0].game, edits[0].line, edits[0].column, edits[0].length], [1, 1, 1, 19]);
});

test("heads have no moves, and places in the file", async () => {
  const source = read("samples/games/italian.pdn");
  for await (const row of pdn.reportRows(source, { heads: true })) {
    assert.equal(row.body, undefined);
    assert.match(source.subarray(row.offset, row.offset + row.length).toString(), /^\[/);
  }
  for await (const row of pdn.reportRows(source)) assert.ok(row.body.moves.length > 0 && row.record.length > 0 && row.pdn);
  for await (const row of pdn.reportRows(read("samples/accept/round.json"), { heads: true })) assert.equal(row.pdn, false);
});

test("each variant has its weights, and those that play alike share them", async () => {
  const module = await Module.engine();
  const file = (variant) => module.call("weightsFile", { variant });
  const files = readdirSync(new URL("../data/", import.meta.url)).filter((name) => name.endsWith(".pdnw"));
  for (const name of files) assert.equal(file(name.slice(0, -".pdnw".length)), name);
  assert.deepEqual(["jamaican", "portuguese"].map(file), ["pool.pdnw", "spanish.pdnw"]);
  await pdn.loadEngine("portuguese");
  await pdn.Engine.create({ variant: "portuguese" });
});

test("the engine analyses and is stopped", async () => {
  const engine = await pdn.Engine.create({ variant: "international", lines: 2 });
  const { fen } = await pdn.position();
  const depths = [];
  const found = await engine.analyse(fen, { depth: 7, onInfo: ({ depth }) => depths.push(depth) });
  assert.deepEqual([found.depth, found.lines.length, depths.at(-1)], [7, 2, 7]);
  const again = await (await pdn.Engine.create({ lines: 2 })).analyse(fen, { depth: 7 });
  assert.deepEqual([again.nodes, again.lines], [found.nodes, found.lines]);
  const controller = new AbortController();
  const onInfo = ({ nodes }) => nodes > 1000 && controller.abort();
  await assert.rejects(engine.analyse(fen, { signal: controller.signal, onInfo }), { kind: "aborted" });
  for (const limit of [{ time: NaN }, { time: 0 }, { time: -1 }, { nodes: NaN }, { nodes: 0 }, { depth: NaN }, { depth: 0 }]) {
    await assert.rejects(engine.analyse(fen, limit), { kind: "usage", message: new RegExp(`option \`${Object.keys(limit)[0]}\`: expected`) });
  }
  setTimeout(() => engine.stop(), 250);
  assert.ok((await engine.analyse(fen, {})).nodes > 1000);
  const known = await (await pdn.Engine.create({ variant: "russian" })).analyse("W:WKc1,Ke1,Ka1:BKh8", { depth: 3 });
  assert.equal(known.value, "win");
  engine.free();
  await assert.rejects(engine.analyse(fen, { depth: 1 }), { kind: "usage" });
});
