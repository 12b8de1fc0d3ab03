// The package as npm packs it, in pages that bundlers build and that a real browser opens, in a worker of theirs, in Node and in Deno.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Browser, findBrowser, serve } from "../../app/test/browser.mjs";

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const { name: NAME } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));

/** What a user writes: the same in a page, in a worker, and in programs. */
const WORK = `import { Engine, check } from "${NAME}";

export const answer = async () => {
  const { diagnostics, summary } = await check('[GameType "20"] 1. 32-28 19-23 2. 28x19 14x23 3. 37-99 *');
  const engine = await Engine.create();
  const { depth, lines } = await engine.analyse("W:W31-50:B1-20", { depth: 5 });
  engine.free();
  return [summary.plies, diagnostics[0].code, depth, lines.length].join(" ");
};
`;
const ANSWER = "4 move/illegal 5 1";

const FILES = {
  "work.js": WORK,
  "program.mjs": 'import { answer } from "./work.js";\nconsole.log(await answer());\n',
  "worker.js": 'import { answer } from "./work.js";\nanswer().then(postMessage, (error) => postMessage(String(error)));\n',
  "main.js": `import { answer } from "./work.js";
const show = (id, words) => { document.getElementById(id).textContent = words; };
answer().then((words) => show("page", words), (error) => show("page", error));
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => show("worker", data);
worker.onerror = ({ message }) => show("worker", message ?? "no worker");
`,
  "index.html": '<!doctype html><link rel="icon" href="data:,"><p id="page"></p><p id="worker"></p><script type="module" src="./main.js"></script>\n',
  "package.json": '{ "private": true, "type": "module" }\n',
};

/** Returns a bundler, or undefined if npm has not installed it. */
const installed = (name) => import(name).catch(() => undefined);
const [vite, webpack, esbuild] = await Promise.all(["vite", "webpack", "esbuild"].map(installed));
const deno = join(PACKAGE, "test/node_modules/.bin/deno");
const hasNpm = await run("npm", ["--version"]).then(() => true, () => false);
const unless = (has, what) => ({ skip: has ? false : `skipped: no ${what}`, timeout: 300_000 });

describe("the package that npm packs", unless(hasNpm, "npm"), () => {
  let folder;
  let browser;
  const inside = (path) => join(folder, path);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pdn-package-"));
    await mkdir(inside(`node_modules/${NAME}`), { recursive: true });
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: PACKAGE });
    await run("tar", ["-xzf", inside(stdout.trim()), "-C", inside(`node_modules/${NAME}`), "--strip-components=1"]);
    for (const [name, content] of Object.entries(FILES)) await writeFile(inside(name), content);
    if (findBrowser()) browser = await Browser.start();
  });

  after(async () => {
    await browser?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Asserts that a page at an address answers, and its worker too. */
  const answers = async (address) => {
    await browser.open(address);
    await browser.until("document.querySelector('#page').textContent && document.querySelector('#worker').textContent");
    assert.deepEqual([await browser.text("#page"), await browser.text("#worker")], [ANSWER, ANSWER]);
  };

  /** Serves a folder with a built page. */
  const built = async (path) => {
    const server = await serve({ "/": inside(path) });
    try {
      await answers(`${server.address}/index.html`);
    } finally {
      server.close();
    }
  };

  const page = (name, bundler, work) => test(name, unless(bundler && findBrowser(), bundler ? "browser" : "bundler (npm install)"), work);

  test("it has its documentation, licences, types, modules and data", () => {
    for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "pdn.d.ts", "pdn-core.wasm", "data/international.pdnw"]) {
      assert.ok(existsSync(inside(`node_modules/${NAME}/${name}`)), name);
    }
    for (const name of ["test", "src", "Cargo.toml"]) assert.ok(!existsSync(inside(`node_modules/${NAME}/${name}`)), name);
  });

  test("Node", async () => {
    assert.equal((await run(process.execPath, [inside("program.mjs")])).stdout, `${ANSWER}\n`);
  });

  test("Deno", unless(existsSync(deno), "Deno (npm install)"), async () => {
    const found = await run(deno, ["run", "--allow-read", "--no-remote", "program.mjs"], { cwd: folder, env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" } });
    assert.equal(found.stdout, `${ANSWER}\n`);
  });

  page("Vite", vite, async () => {
    await vite.build({ root: folder, base: "./", logLevel: "error", build: { outDir: "vite" } });
    await built("vite");
  });

  page("the server of Vite", vite, async () => {
    const server = await vite.createServer({ root: folder, logLevel: "error", server: { host: "127.0.0.1", port: 0 } });
    try {
      await server.listen();
      await answers(server.resolvedUrls.local[0]);
    } finally {
      await server.close();
    }
  });

  page("webpack", webpack, async () => {
    const compiler = webpack.default({ mode: "production", context: folder, entry: "./main.js", output: { path: inside("webpack") }, performance: false });
    const stats = await promisify(compiler.run.bind(compiler))();
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual([...errors, ...warnings], []);
    await writeFile(inside("webpack/index.html"), FILES["index.html"].replace(' type="module"', ""));
    await built("webpack");
  });

  // esbuild leaves addresses as they are, so the files are copied beside its output.
  page("esbuild", esbuild, async () => {
    await esbuild.build({ absWorkingDir: folder, entryPoints: ["main.js", "worker.js"], bundle: true, format: "esm", minify: true, outdir: "esbuild" });
    const library = inside(`node_modules/${NAME}`);
    await cp(library, inside("esbuild"), { recursive: true, filter: (path) => path === library || /\.wasm$|\/data(\/|$)/.test(path.slice(library.length)) });
    await writeFile(inside("esbuild/index.html"), FILES["index.html"]);
    await built("esbuild");
  });
});
