// Differences of records, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, joined, parts } from "../diff.js";

const check = (before, after) => {
  const steps = difference(before.split(" "), after.split(" "));
  const side = (sign) => steps.filter(([kind]) => kind === " " || kind === sign).map(([, word]) => word).join(" ");
  assert.equal(side("-"), before);
  assert.equal(side("+"), after);
  return steps.filter(([kind]) => kind !== " ").length;
};

test("a difference leads from one text to the other with few changes", () => {
  assert.equal(check("1. 32-28 19-23", "1. 32-28 19-23"), 0);
  assert.equal(check("1. 32-28 l9-23 2. 28x19", "1. 32-28 19-23 2. 28x19"), 2);
  assert.equal(check("a b c d e f", "b c x d f"), 3);
  assert.equal(check("a", "b c d"), 4);
});

test("texts that have nothing in common take no long time", () => {
  const words = (letter) => Array.from({ length: 20000 }, (_, n) => `${letter}${n}`).join(" ");
  assert.equal(check(words("a"), words("b")), 40000);
});

test("parts of a difference are taken one by one", () => {
  const [before, after] = ["[Date \"3/11/2026\"]\n\n1. 32–28 l9-23\n2. 28x19", "[Date \"2026.11.03\"]\n\n1. 32-28 19-23 2. 28x19 *"];
  const all = parts(before, after);
  assert.equal(joined(all, () => false), before);
  assert.equal(joined(all, () => true), "[Date \"2026.11.03\"]\n\n1. 32-28 19-23 2. 28x19 *");
  const size = Buffer.byteLength(before.slice(0, before.indexOf("32–28")));
  const taken = all.filter((part) => !part.same && part.at <= size && size < part.end);
  assert.deepEqual(taken.map((part) => part.before), ["32–28 l9-23\n"]);
  assert.equal(joined(all, (part) => taken.includes(part)), "[Date \"3/11/2026\"]\n\n1. 32-28 19-23 2. 28x19");
});
