// The native program as a server: for tests of `pdn serve`, and in the place of the WebAssembly module where that was not built.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WEB } from "./browser.mjs";

export const PROGRAM = process.env.PDN_BINARY ?? join(WEB, "../target/debug/pdn");

export const BUILT = process.env.PDN_PACKAGE ?? join(WEB, "wasm");

/** Whether the WebAssembly module was built. */
export const isBuilt = existsSync(join(BUILT, "pdn-engine.wasm"));

/** Returns the folders of the package for `serve`, at an address. */
export const packageAt = (prefix) =>
  (isBuilt ? { [prefix]: BUILT } : { [prefix]: join(WEB, "app/native"), [`${prefix}functions.js`]: join(WEB, "wasm/functions.js") });

/** Starts `pdn serve`. */
export const startServer = async (...args) => {
  const program = spawn(PROGRAM, ["serve", "--quiet", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => program.on("exit", done));
  const [url] = await Promise.race([createInterface(program.stdout)[Symbol.asyncIterator]().next().then(({ value }) => [value]), ended.then(() => [])]);
  if (!url) throw new Error("pdn serve ended");
  const stop = async () => {
    program.kill("SIGINT");
    return ended;
  };
  return { url, address: new URL(url).origin, stop };
};

/** Passes calls of the package on to a server of an empty folder, which is started for the first one. */
export const nativeCalls = () => {
  let started;
  const start = async () => {
    const folder = await mkdtemp(join(tmpdir(), "pdn-folder-"));
    const server = await startServer(folder);
    const cookie = (await fetch(server.url, { redirect: "manual" })).headers.get("set-cookie").split(";")[0];
    return { ...server, folder, cookie };
  };
  const api = async (request, response) => {
    const { address, cookie } = await (started ??= start());
    const path = request.url.slice(request.url.indexOf("/api/"));
    const controller = new AbortController();
    response.on("close", () => controller.abort());
    const parts = [];
    for await (const part of request) parts.push(part);
    try {
      const answer = await fetch(address + path, { method: request.method, body: Buffer.concat(parts), headers: { cookie, origin: address }, signal: controller.signal });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") });
      for await (const part of answer.body) response.write(part);
    } catch {
      // The page does not want the answer any more.
    }
    response.end();
  };
  const stop = async () => {
    if (!started) return;
    const server = await started;
    await server.stop();
    await rm(server.folder, { recursive: true, force: true });
  };
  return { api, stop };
};
