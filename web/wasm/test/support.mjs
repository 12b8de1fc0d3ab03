// What the tests share: samples, the corpus, and the command line that answers are compared with.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** Returns the records below a folder, sorted. */
export function records(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return records(path);
    return /\.pdn(\.gz|\.zst|\.bz2|\.xz)?$/i.test(entry.name) ? [path] : [];
  });
}

export const samples = records(join(root, "samples"));

/** The corpus beside the checkout, if there is one. */
export function corpus() {
  if (process.env.PDN_CORPUS) return process.env.PDN_CORPUS;
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "shared/corpus");
    if (existsSync(found)) return found;
  }
  return null;
}

/** Reads a file in pieces, so that it is never in memory as a whole. */
export function* pieces(path, size = 1 << 20) {
  const file = openSync(path);
  try {
    for (;;) {
      const bytes = Buffer.alloc(size);
      const length = readSync(file, bytes);
      if (length === 0) return;
      yield bytes.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Returns files as inputs with their paths as names. */
export const inputs = (paths) => paths.map((path) => ({ name: path, data: pieces(path) }));

/** The command line, if it was built. */
export const program = [process.env.PDN_BINARY, join(root, "target/release/pdn"), join(root, "target/debug/pdn")].find(
  (path) => path && existsSync(path) && statSync(path).isFile(),
);

/** Runs the command line and returns its output as bytes. */
export function run(...options) {
  const done = spawnSync(program, [...options, "--no-config", "--quiet"], { maxBuffer: Infinity });
  if (done.error) throw done.error;
  return done.stdout;
}

/** Collects output, or only its hash. */
export class Sink {
  constructor() {
    this.hash = createHash("sha256");
    this.length = 0;
    this.parts = [];
    this.write = (bytes) => {
      this.hash.update(bytes);
      this.length += bytes.length;
      this.parts.push(Buffer.from(bytes));
    };
  }

  bytes() {
    return Buffer.concat(this.parts);
  }
}

/** Returns lines of JSON without the time that a run took. */
export const timeless = (bytes) => Buffer.from(bytes).toString().replace(/"seconds":[0-9.e-]+/, '"seconds":0');

export const read = (path) => readFileSync(join(root, path));
