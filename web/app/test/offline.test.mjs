// What the service worker keeps, without a browser.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

test("the service worker keeps every module", async () => {
  const folder = new URL("..", import.meta.url);
  const worker = await readFile(new URL("sw.js", folder), "utf8");
  for (const inner of ["", "parts/", "views/"]) {
    for (const name of await readdir(new URL(inner || ".", folder))) {
      if (/\.(js|css)$/.test(name) && name !== "sw.js") assert.ok(worker.includes(`"${inner}${name}"`), `${inner}${name}`);
    }
  }
});

test("the service worker keeps the data of every variant", async () => {
  const worker = await readFile(new URL("../sw.js", import.meta.url), "utf8");
  for (const source of ["../../../src/engine/evaluation/data/", "../../../src/egdb/data/"]) {
    for (const name of await readdir(new URL(source, import.meta.url))) {
      if (/\.(pdnw|egdb)$/.test(name)) assert.ok(worker.includes(`"${name}"`), name);
    }
  }
});
