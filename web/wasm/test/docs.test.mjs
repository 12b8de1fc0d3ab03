// The examples of the documentation run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { read, root } from "./support.mjs";

const { name } = JSON.parse(read("web/wasm/package.json"));
const blocks = ["docs/web.md", "web/wasm/README.md"].flatMap((page) =>
  [...read(page).toString().matchAll(/```js\n([\s\S]*?)```/g)].map((found, n) => [`example ${n + 1} of ${page}`, found[1]]));

for (const [title, block] of blocks) {
  test(title, () => {
    const folder = mkdtempSync(join(tmpdir(), "pdn-"));
    try {
      const path = join(folder, "example.mjs");
      writeFileSync(path, block.replace(`from "${name}"`, `from ${JSON.stringify(join(root, "web/wasm/pdn.js"))}`));
      const printed = execFileSync(process.execPath, [path], { cwd: root }).toString();
      const wanted = [...block.matchAll(/\/\/ → (.*)/g)].map((found) => found[1]);
      assert.ok(wanted.length > 0, "an example shows what it prints");
      assert.deepEqual(printed.trim().split("\n"), wanted);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
