// The same bytes as the command line.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as pdn from "../pdn.js";
import { Sink, corpus, inputs, program, records, run, samples, timeless } from "./support.mjs";

const skip = program ? false : "skipped: no program to compare with (cargo build)";

/** Asserts that two outputs are the same, and shows where they differ. */
function same(found, wanted, what) {
  if (Buffer.compare(Buffer.from(found), Buffer.from(wanted)) === 0) return;
  const [a, b] = [found, wanted].map((text) => Buffer.from(text).toString().split("\n"));
  const line = a.findIndex((text, n) => text !== b[n]);
  assert.fail(`${what}, line ${line + 1}:\n${a[line]}\n${b[line]}`);
}

const games = samples.filter((path) => path.includes("/games/"));

for (const [name, paths] of [["samples", samples], ["corpus", corpus() ? records(corpus()) : []]]) {
  const missing = paths.length === 0 ? "skipped: no corpus" : skip;

  test(`check: ${name}`, { skip: missing }, async () => {
    for (const [options, flags] of [[{}, []], [{ strict: true }, ["--strict"]]]) {
      const sink = new Sink();
      await pdn.check(inputs(paths), { write: sink.write, ...options });
      same(timeless(sink.bytes()), timeless(run("check", "--format", "json", ...flags, ...paths)), "check");
    }
  });

  for (const [call, flags] of [[pdn.fmt, []], [pdn.fix, ["--fix"]]]) {
    test(`fmt ${flags}: ${name}`, { skip: missing }, async () => {
      const sink = new Sink();
      await call(inputs(paths), { write: sink.write });
      same(sink.bytes(), run("fmt", ...flags, ...paths), "fmt");
    });
  }

  const formats = [["jsonl"], ["csv", "games"], ["csv", "moves"], ["csv", "diagnostics"], ["json"], ["pdn"], ["fen"]];
  // A table and a format of the corpus, which has as much text as all others together.
  for (const [to, table] of name === "corpus" ? formats.slice(1, 2) : formats) {
    test(`convert to ${to} ${table ?? ""}: ${name}`, { skip: missing }, async () => {
      const sink = new Sink();
      await pdn.convert(inputs(paths), { to, table, write: sink.write });
      same(sink.bytes(), run("convert", "--to", to, ...(table ? ["--table", table] : []), ...paths), to);
    });
  }

  const questions = [
    [{ where: "year >= 1990 and plies > 20" }, ["--where", "year >= 1990 and plies > 20"]],
    [{ pattern: "28=w 23=b", mirror: true, to: "csv" }, ["--pattern", "28=w 23=b", "--mirror", "--to", "csv"]],
    [{ sequence: "32-28", invert: true, to: "jsonl" }, ["--sequence", "32-28", "-v", "--to", "jsonl"]],
  ];
  for (const [options, flags] of name === "corpus" ? questions.slice(0, 2) : questions) {
    test(`search ${flags.join(" ")}: ${name}`, { skip: missing }, async () => {
      const sink = new Sink();
      const { count } = await pdn.search(inputs(paths), { ...options, write: sink.write });
      same(sink.bytes(), run("search", ...flags, ...paths), "search");
      const without = flags.filter((flag, n) => flag !== "--to" && flags[n - 1] !== "--to");
      assert.equal(String(count), run("search", "--count", ...without, ...paths).toString().trim());
    });
  }
}

test("annotate", { skip }, async () => {
  for (const [options, flags] of [
    [{ nodes: 300 }, ["--nodes", "300"]],
    [{ depth: 3, to: "jsonl" }, ["--depth", "3", "--to", "jsonl"]],
    [{ nodes: 200, to: "csv", table: "players" }, ["--nodes", "200", "--to", "csv", "--table", "players"]],
  ]) {
    const sink = new Sink();
    const steps = [];
    const done = await pdn.annotate(inputs(games), { ...options, write: sink.write, onProgress: (step) => steps.push(step) });
    same(sink.bytes(), run("annotate", ...flags, ...games), flags.join(" "));
    const last = steps.at(-1);
    assert.deepEqual([last.games, last.allGames, last.left], [done.games, done.games, 0]);
  }
});

test("annotate in parts", { skip }, async () => {
  const text = [];
  for (const range of [[0, 5], [5, 6], [6, 1000]]) {
    const indices = [];
    const onGame = (index, game) => indices.push([index, game.length > 0]);
    text.push((await pdn.annotate(inputs(games), { nodes: 100, to: "json", range, onGame })).text);
    assert.deepEqual(indices[0], [range[0], true]);
  }
  same(text.join(""), run("annotate", "--nodes", "100", "--to", "json", ...games), "parts");
});

test("puzzles", { skip }, async () => {
  const options = ["--nodes", "1000", "--proof-nodes", "300", "--order", "theme"];
  const wanted = run("puzzles", ...options, "--to", "jsonl", ...games);
  const made = await pdn.puzzles(inputs(games), { nodes: 1000, proofNodes: 300, order: "theme", to: "jsonl" });
  same(made.text, wanted, "puzzles");
  assert.equal(made.count, wanted.toString().split("\n").length - 1);
  assert.ok(made.count > 0);
  const parts = [];
  const { text } = await pdn.puzzles(inputs(games), { nodes: 1000, proofNodes: 300, order: "theme", write: (part) => parts.push(part) });
  assert.equal(text, "");
  same(Buffer.concat(parts).toString(), run("puzzles", ...options, ...games), "records");
});

test("collections", { skip }, async () => {
  const json = (...options) => JSON.parse(run(...options).toString());
  assert.deepEqual(await pdn.stats(inputs(games)), json("stats", "--format", "json", ...games));
  same(await pdn.chart(inputs(games), { kind: "openings", top: 3 }), run("chart", "--kind", "openings", "--top", "3", ...games), "chart");
  assert.deepEqual(await pdn.players(inputs(games), { events: true }), run("players", "--events", "--format", "json", ...games)
    .toString().split("\n").filter(Boolean).map((line) => JSON.parse(line)));
  const event = games.filter((path) => path.endsWith("brazilian.pdn"));
  const lines = (...options) => run(...options).toString().trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(await pdn.event(inputs(event)), lines("event", "--format", "json", ...event));
  const html = await pdn.eventText(inputs(event), { to: "html" });
  same(html, run("event", "--format", "html", ...event), "event");
  const sheets = await pdn.eventFile(inputs(event), { to: "xlsx" });
  assert.deepEqual(Buffer.from(sheets), Buffer.from(run("event", "--format", "xlsx", ...event)));
  assert.deepEqual(await pdn.openings(inputs(games), { plies: 4 }), json("openings", "--format", "json", "--plies", "4", ...games));
  same((await pdn.report(inputs(event), { lang: "nl" })).text, run("report", "--lang", "nl", ...event), "report");
});

test("rows are those of convert", { skip }, async () => {
  const rows = [];
  for await (const row of pdn.games(inputs(games))) rows.push(row);
  const wanted = run("convert", "--to", "jsonl", ...games).toString().trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(rows, wanted);
});

test("legal moves", { skip }, async () => {
  for (const [fen, variant] of [["W:W31,32:B19,20", "international"], ["W:Wc3:Bd4,f6", "russian"]]) {
    const wanted = JSON.parse(run("moves", "--fen", fen, "--variant", variant, "--format", "json").toString());
    assert.deepEqual(await pdn.legalMoves(fen, { variant }), wanted);
  }
});
