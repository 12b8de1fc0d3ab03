// Writes the application as one page that works from a disk or a USB stick: `node web/app/onefile.mjs FILE [PACKAGE]`. PACKAGE is the folder
// of the npm package, with its modules and data.

import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundle } from "../bundle.mjs";

const APP = fileURLToPath(new URL(".", import.meta.url));

/** Replaces `place.js`: all files are in the page, as text that is not executed. */
const PLACE = `
const content = (name) => document.querySelector('script[data-file="' + name + '"]').textContent;
const unpacked = async (name) => {
  const bytes = Uint8Array.from(atob(content(name)), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
};
let address;
let files;
export const workerAddress = () => (address ??= URL.createObjectURL(new Blob([JSON.parse(content("worker"))], { type: "text/javascript" })));
export const packageFiles = () => (files ??= (async () => {
  const names = [...document.querySelectorAll("script[data-packed]")].map((node) => node.dataset.file);
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await unpacked(name)])));
})());
export const sample = async (name) => new Blob([JSON.parse(content("sample-" + name))]);
export const serviceWorker = () => undefined;
export const folder = undefined;
`;

/** Text that is not executed: nothing in it can end its element. */
const data = (name, text, packed = "") => `<script type="text/plain" data-file="${name}"${packed}>${text}</script>\n`;
const json = (text) => JSON.stringify(text).replaceAll("<", "\\u003c");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Returns the application as one page. */
export const onePage = async (library) => {
  const read = (path) => readFile(join(APP, path), "utf8");
  const script = await bundle(join(APP, "app.js"), { replaced: { "app/place.js": PLACE } });
  if (script.includes("</script")) throw new Error("the script would end early");
  const modules = await readdir(library);
  const source = Object.fromEntries(await Promise.all(modules.filter((name) => name.endsWith(".js")).map(async (name) =>
    [`app/pdn/${name}`, await readFile(join(library, name), "utf8")])));
  // The package does not load anything by address here.
  const worker = await bundle(join(APP, "worker.js"), { replaced: source, address: "\"blob:none\"" });
  const style = `\n${await read("parts/parts.css")}${await read("app.css")}`;
  const packed = async (folder, names) => Promise.all(names.map(async (name) =>
    data(name, gzipSync(await readFile(join(folder, name)), { level: 9 }).toString("base64"), " data-packed")));
  const wasm = await packed(library, ["pdn-tables.wasm"]);
  const tables = await packed(join(library, "data"), (await readdir(join(library, "data")).catch(() => [])).sort());
  const samples = (await readdir(join(APP, "samples"))).map(async (name) => data(`sample-${name.replace(".pdn", "")}`, json(await read(`samples/${name}`))));
  const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(style)}; img-src data:; worker-src blob:; `
    + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types pdn";
  const icon = `data:image/svg+xml,${encodeURIComponent((await read("icon.svg")).trim())}`;
  const page = (await read("index.html"))
    .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
    .replace(/<link rel="icon"[^>]*>/, () => `<link rel="icon" href="${icon}">`)
    .replace(/<link rel="(manifest|stylesheet)"[^>]*>\n/g, "")
    .replace(/<script type="module"[^>]*><\/script>\n/, () => `<style>${style}</style>\n`);
  const files = [data("worker", json(worker)), ...await Promise.all(samples), ...wasm, ...tables].join("");
  return page.replace("</body>", () => `${files}<script>${script}</script>\n</body>`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, library = join(APP, "pdn")] = process.argv.slice(2);
  await writeFile(file, await onePage(library));
}
