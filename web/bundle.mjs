// Bundles ES modules into one script: for the viewer, which is one file, and for the one-page application. The modules themselves
// run as they are; this is for releases.
//
// It knows the forms that these modules use: imports and exports of names at the start of lines, one a line.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const IMPORT = /^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$/;
const EXPORT = /^export (?:async )?(?:const|let|class|function\*?|async function\*?) (\w+)/;
const LIST = /^export \{([^}]*)\};$/;

const renamed = (names, sign) => names.split(",").map((name) => name.trim()).filter(Boolean).map((name) => name.split(/\s+as\s+/).join(sign)).join(", ");

/** Removes comments that begin a line: those with types, and those of the file and of declarations. */
const withoutComments = (text) => text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n?/gm, "").replace(/^[ \t]*\/\/.*\n/gm, "");

/** Returns a script that runs a module and everything it imports. `replaced` has the texts of modules by the ends of their paths, and
 * `address` the expression that takes the place of `import.meta.url`. */
export const bundle = async (entry, { replaced = {}, address = "location.href" } = {}) => {
  const modules = new Map();
  const add = async (path) => {
    if (modules.has(path)) return;
    modules.set(path, undefined);
    const found = Object.keys(replaced).find((end) => path.endsWith(end));
    const source = found ? replaced[found] : await readFile(path, "utf8");
    const exported = [];
    const before = [];
    const lines = [];
    for (const line of withoutComments(source).split("\n")) {
      const [, names, all, from] = IMPORT.exec(line) ?? [];
      if (from) {
        const other = resolve(dirname(path), from);
        before.push(other);
        lines.push(`const ${all ?? `{ ${renamed(names, ": ")} }`} = modules[${JSON.stringify(other)}];`);
        continue;
      }
      const list = LIST.exec(line);
      if (list) {
        exported.push(...renamed(list[1], ":").split(", "));
        continue;
      }
      const name = EXPORT.exec(line)?.[1];
      if (name) exported.push(name);
      lines.push(name ? line.slice("export ".length) : line);
    }
    for (const other of before) await add(other);
    modules.delete(path);
    const getters = exported.map((name) => {
      const [local, outer = local] = name.split(":");
      return `get ${outer}() { return ${local}; }`;
    });
    const text = lines.join("\n").replaceAll("import.meta.url", address);
    modules.set(path, `modules[${JSON.stringify(path)}] = (() => {\n${text}\nreturn { ${getters.join(", ")} };\n})();\n`);
  };
  await add(resolve(entry));
  // Local paths must not be published, so modules have numbers.
  let script = [...modules.values()].join("");
  [...modules.keys()].forEach((path, n) => { script = script.replaceAll(`modules[${JSON.stringify(path)}]`, `modules[${n}]`); });
  return `(() => {\n"use strict";\nconst modules = [];\n${script}})();\n`;
};
