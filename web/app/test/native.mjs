// Runs the native program for `native/pdn.js`.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const PROGRAM = process.env.PDN_BINARY ?? fileURLToPath(new URL("../../../target/debug/pdn", import.meta.url));

const read = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

/** Answers a request that has the arguments in its first line, and standard input after it. */
export const native = async (request, response) => {
  const body = await read(request);
  const end = body.indexOf("\n");
  const program = spawn(PROGRAM, JSON.parse(body.subarray(0, end).toString()));
  program.stdin.on("error", () => undefined);
  program.stdin.end(body.subarray(end + 1));
  const [output, errors, status] = await Promise.all([read(program.stdout), read(program.stderr), new Promise((done) => program.on("exit", done))]);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ output: output.toString(), errors: errors.toString(), status }));
};
