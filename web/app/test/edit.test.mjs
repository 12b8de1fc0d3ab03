// Changes of games, and what the service worker keeps, without a browser.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { addMove, annotateMove, deleteFrom, placeOf, promote, written } from "../edit.js";

test("the service worker keeps every module", async () => {
  const folder = new URL("..", import.meta.url);
  const worker = await readFile(new URL("sw.js", folder), "utf8");
  for (const inner of ["", "parts/", "views/"]) {
    for (const name of await readdir(new URL(inner || ".", folder))) {
      if (/\.(js|css)$/.test(name) && name !== "sw.js") assert.ok(worker.includes(`"${inner}${name}"`), `${inner}${name}`);
    }
  }
});

const move = (text, variations = []) => ({ written: text, nags: [], comment: null, variations });

const game = () => ({
  tags: { White: "A \"B\" \\", Result: "*" }, comment: "start {x}", result: { terminator: "2-0" },
  moves: [move("32-28"), move("19-23", [[move("20-24"), move("41-37", [[move("42-37")]])]]), move("28x19")],
});

test("addresses name moves of the main line and of variations", () => {
  const rows = game();
  for (const [address, text] of [["1", "32-28"], ["2.1.1", "20-24"], ["2.1.2", "41-37"], ["2.1.2.1.1", "42-37"]]) {
    const place = placeOf(rows, address);
    assert.equal(place.line[place.at].written, text);
  }
  for (const address of ["0", "9", "2.2.1", "2.1.9", "0.1.1"]) assert.equal(placeOf(rows, address), undefined);
});

test("a new move continues a line or is a variation", () => {
  const rows = game();
  assert.equal(addMove(rows, "3", "14x23"), "4");
  assert.equal(addMove(rows, "1", "18-22"), "2.2.1");
  assert.equal(addMove(rows, "2.2.1", "37-32"), "2.2.2");
  assert.equal(addMove(rows, "2.1.1", "36-31"), "2.1.2.2.1");
  assert.equal(addMove(rows, "0", "33-28"), "1.1.1");
  assert.match(written(rows), /32-28 \(33-28\) 19-23 \(20-24 41-37 \(42-37\) \(36-31\)\) \(18-22 37-32\) 28x19 14x23 2-0/);
});

test("variations are promoted and deleted", () => {
  const rows = game();
  assert.equal(promote(rows, "2.1.2"), "3");
  assert.match(written(rows), /32-28 20-24 \(19-23 28x19\) 41-37 \(42-37\) 2-0/);
  assert.equal(deleteFrom(rows, "2.1.2"), "2.1.1");
  assert.equal(deleteFrom(rows, "2.1.1"), "1");
  assert.equal(deleteFrom(rows, "1"), "0");
  assert.match(written(rows), /\n\n\{start \(x\)\} 2-0\n$/);
});

test("tags and comments cannot end early", () => {
  const rows = game();
  annotateMove(rows, "1", { comment: "a } b", nags: [1] });
  assert.match(written(rows), /^\[White "A \\"B\\" \\\\"\]\n\[Result "\*"\]\n\n\{start \(x\)\} 32-28 \$1 \{a \) b\}/);
});
