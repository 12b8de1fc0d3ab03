// Changes of files as they are shown: lines before and after.

import { html, record, text } from "./parts/dom.js";

/** Number of unchanged letters shown around a change in a long line. */
const AROUND = 40;
/** Maximum number of changes shown at once. */
const MOST = 500;

/** Returns a line with its changed part, given the ends that both lines share.
 * @type {(name: string, line: string, start: number, end: number) => HTMLElement} */
const shownLine = (name, line, start, end) => {
  const [from, to] = [Math.max(0, start - AROUND), Math.min(line.length, line.length - end + AROUND)];
  return html("p", { class: "changed-line", dir: "auto" }, name === "del" ? "− " : "+ ", from > 0 ? "…" : "", line.slice(from, start),
    html(name, {}, line.slice(start, line.length - end)), line.slice(line.length - end, to), to < line.length ? "…" : "");
};

/** Returns true if a place in a line is inside a word or a number.
 * @type {(line: string, place: number) => boolean} */
const isInside = (line, place) => /^[\p{L}\p{N}]{2}$/u.test(line.slice(place - 1, place + 1));

/** Shows the lines of an edit before and after it.
 * @param {import("./store.js").Edit} edit */
export const shownEdit = ({ before = "", after = "" }) => {
  const shorter = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < shorter && before[start] === after[start]) start += 1;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  // Words and numbers are shown whole.
  while (start > 0 && [before, after].some((line) => isInside(line, start))) start -= 1;
  while (end > 0 && [before, after].some((line) => isInside(line, line.length - end))) end -= 1;
  return html("div", { class: "difference" }, shownLine("del", before, start, end), shownLine("ins", after, start, end));
};

/** Lists edits with their places.
 * @param {import("./store.js").Edit[]} edits */
export const shownEdits = (edits) => html("div", { class: "differences", tabindex: "0", role: "region", "aria-label": text("differences") },
  ...edits.slice(0, MOST).flatMap((edit) => [
    html("p", {}, record(`${edit.file}:${edit.line}`), edit.message ? ": " : "", edit.message ? record(edit.message) : ""),
    edit.before === undefined ? "" : shownEdit(edit)]),
  edits.length > MOST ? `… ${edits.length - MOST}` : "");
