// Writes the viewer as one file: `node web/viewer/build.mjs [FILE]`.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../bundle.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Returns the viewer as one module. */
export const viewer = async () => {
  const style = await readFile(join(HERE, "../app/parts/parts.css"), "utf8");
  const small = style.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\n\s*/g, "\n");
  return bundle(join(HERE, "viewer.js"), {
    address: "import.meta.url",
    replaced: { "viewer/styles.js": `export const partsStyle = Promise.resolve(${JSON.stringify(small)});\n` },
  });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = process.argv[2] ?? join(HERE, "dist/pdn-viewer.js");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await viewer());
}
