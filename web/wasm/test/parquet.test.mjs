// Parquet, which is not text.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as pdn from "../pdn.js";
import { Sink, inputs, samples } from "./support.mjs";

const games = samples.filter((path) => path.includes("/games/"));
const duckdb = process.env.PDN_DUCKDB_PYTHON;

/** Asks DuckDB about a Parquet file, which is `FILE` in the question. */
function ask(bytes, question) {
  const folder = mkdtempSync(join(tmpdir(), "pdn-"));
  try {
    const path = join(folder, "table.parquet");
    writeFileSync(path, bytes);
    const script = "import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall()))";
    const done = spawnSync(duckdb, ["-c", script, question.replaceAll("FILE", `'${path}'`)], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    return JSON.parse(done.stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Parquet is the same in one piece and in several", async () => {
  const { bytes, errors } = await pdn.convert(inputs(games), { to: "parquet", table: "moves" });
  const sink = new Sink();
  await pdn.convert(inputs(games), { to: "parquet", table: "moves", write: sink.write });
  assert.equal(errors, 0);
  assert.deepEqual(Buffer.from(bytes), Buffer.from(sink.bytes()));
  for (const end of [bytes.subarray(0, 4), bytes.subarray(-4)]) assert.equal(Buffer.from(end).toString(), "PAR1");
});

test("DuckDB reads in Parquet what JSON Lines has", { skip: duckdb ? false : "skipped: no DuckDB (PDN_DUCKDB_PYTHON)" }, async () => {
  const lines = (await pdn.convert(inputs(games), { to: "jsonl" })).text.trim().split("\n").map((line) => JSON.parse(line));
  const { bytes: moves } = await pdn.convert(inputs(games), { to: "parquet", table: "moves" });
  const { bytes: heads } = await pdn.convert(inputs(games), { to: "parquet" });
  const fens = lines.flatMap((game) => game.moves.map((move) => move.fen));
  const found = ask(moves, "select count(*), count(distinct fen), min(fen), max(fen) from FILE");
  assert.deepEqual(found, [[fens.length, new Set(fens).size, fens.toSorted()[0], fens.toSorted().at(-1)]]);
  const plies = ask(heads, "select file, game, plies from FILE").map(String);
  assert.deepEqual(plies, lines.map(({ file, game, plies: count }) => String([file, game, count])));
});
