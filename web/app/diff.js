// Differences between two records, word by word.

import { html } from "./parts/dom.js";

/** Maximum number of changed words compared; the rest is shown as removed and added, since the work grows with the square. */
const MOST_CHANGES = 600;

/** Returns the common and differing words of two lists, by Myers' algorithm: `[sign, word]`, with `" "`, `"-"` or `"+"`.
 * @type {(before: string[], after: string[]) => [string, string][]} */
export const difference = (before, after) => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [end, last] = [before.length, after.length];
  while (end > start && last > start && before[end - 1] === after[last - 1]) {
    end -= 1;
    last -= 1;
  }
  const same = (/** @type {string[]} */ words) => words.map((word) => /** @type {[string, string]} */ ([" ", word]));
  return [...same(before.slice(0, start)), ...middle(before.slice(start, end), after.slice(start, last)), ...same(before.slice(end))];
};

/** @type {(before: string[], after: string[]) => [string, string][]} */
const middle = (before, after) => {
  const [n, m] = [before.length, after.length];
  /** @type {Map<number, number>[]} */
  const rounds = [];
  let reached = new Map([[1, 0]]);
  for (let d = 0; d <= n + m; d += 1) {
    if (d > MOST_CHANGES) break;
    rounds.push(new Map(reached));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
      let x = down ? reached.get(k + 1) ?? 0 : (reached.get(k - 1) ?? 0) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) x += 1;
      reached.set(k, x);
      if (x >= n && x - k >= m) return path(rounds, before, after);
    }
  }
  return [...before.map((word) => /** @type {[string, string]} */ (["-", word])), ...after.map((word) => /** @type {[string, string]} */ (["+", word]))];
};

/** @type {(rounds: Map<number, number>[], before: string[], after: string[]) => [string, string][]} */
const path = (rounds, before, after) => {
  /** @type {[string, string][]} */
  const steps = [];
  let [x, y] = [before.length, after.length];
  for (let d = rounds.length - 1; d >= 0; d -= 1) {
    const reached = rounds[d];
    const k = x - y;
    const down = k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const previous = down ? k + 1 : k - 1;
    const [fromX, fromY] = [reached.get(previous) ?? 0, (reached.get(previous) ?? 0) - previous];
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      steps.push([" ", before[x]]);
    }
    if (d > 0) steps.push(down ? ["+", after[fromY]] : ["-", before[fromX]]);
    [x, y] = [fromX, fromY];
  }
  return steps.reverse();
};

/**
 * @typedef {{ before: string, after: string, same: boolean, at: number, end: number }} Part a piece of a text and what takes its
 *   place; `at` and `end` are bytes of the text
 */

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text).length;

/** Splits a text into pieces that another text shares, and pieces that differ there.
 * @type {(before: string, after: string) => Part[]} */
export const parts = (before, after) => {
  const [old, changed] = [before, after].map((text) => text.match(/\S+\s*/g) ?? []);
  const trimmed = (/** @type {string[]} */ words) => words.map((word) => word.trimEnd());
  /** @type {Part[]} */
  const found = [];
  let [from, to, at] = [0, 0, bytes(/^\s*/.exec(before)?.[0] ?? "")];
  for (const [sign] of difference(trimmed(old), trimmed(changed))) {
    const same = sign === " ";
    let part = found.at(-1);
    if (part?.same !== same) {
      part = { before: "", after: "", same, at, end: at };
      found.push(part);
    }
    if (sign !== "+") {
      part.before += old[from];
      at += bytes(old[from]);
      part.end = at;
      from += 1;
    }
    if (sign !== "-") {
      part.after += changed[to];
      to += 1;
    }
  }
  return found;
};

/** Returns the first text with some of the parts as in the other one.
 * @type {(all: Part[], isTaken: (part: Part) => boolean) => string} */
export const joined = (all, isTaken) => all.map((part) => (part.same || !isTaken(part) ? part.before : part.after))
  .filter((piece) => piece !== "")
  .map((piece, n, pieces) => (n + 1 < pieces.length && !/\s$/.test(piece) ? `${piece} ` : piece))
  .join("");

/** Shows the words that were removed and added, with a few unchanged words around them.
 * @type {(before: string, after: string) => HTMLElement} */
export const shownDifference = (before, after) => {
  const words = (/** @type {string} */ text) => text.match(/\n\n|\S+/g) ?? [];
  const steps = difference(words(before.trim()), words(after.trim()));
  const near = steps.map((_, n) => steps.slice(Math.max(0, n - 6), n + 7).some(([sign]) => sign !== " "));
  /** @type {any[]} */
  const nodes = [];
  steps.forEach(([sign, word], n) => {
    if (!near[n]) {
      if (n === 0 || near[n - 1]) nodes.push(html("span", { class: "muted" }, " … "));
      return;
    }
    const shown = word === "\n\n" ? "¶" : word;
    nodes.push(sign === " " ? shown : html(sign === "-" ? "del" : "ins", {}, shown), " ");
  });
  return html("p", { class: "difference", dir: "auto" }, ...nodes);
};
