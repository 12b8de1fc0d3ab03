// The examples of the documentation run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { read, root } from "./support.mjs";

const blocks = [...read("docs/web.md").toString().matchAll(/```js\n([\s\S]*?)```/g)].map((found) => found[1]);

for (const [n, block] of blocks.entries()) {
  test(`example ${n + 1} of docs/web.md`, () => {
    const folder = mkdtempSync(join(tmpdir(), "pdn-"));
    try {
      const path = join(folder, "example.mjs");
      writeFileSync(path, block.replace('from "pdn"', `from ${JSON.stringify(join(root, "web/wasm/pdn.js"))}`));
      const printed = execFileSync(process.execPath, [path], { cwd: root }).toString();
      const wanted = [...block.matchAll(/\/\/ → (.*)/g)].map((found) => found[1]);
      assert.ok(wanted.length > 0, "an example shows what it prints");
      assert.deepEqual(printed.trim().split("\n"), wanted);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
