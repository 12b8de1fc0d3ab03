// Elements that all views use.

import { html, text } from "./parts/dom.js";

/** Rows of a long table that are shown before all are asked for. */
const MOST_ROWS = 200;

let fields = 0;

/** Returns the digit that is pressed with Alt as a shortcut. In a text, Alt may write another character: with the key of a digit, as on
 * a French keyboard, or with the keypad, as in Windows.
 * @type {(event: { key: string, code: string, altKey: boolean, ctrlKey: boolean }, isText: boolean) => string | undefined} */
export const altDigitOf = ({ key, code, altKey, ctrlKey }, isText) => {
  const [, keypad, digit] = /^(?:Digit|(Numpad))?(\d)$/.exec(code || key) ?? [];
  return altKey && !ctrlKey && !(isText && (keypad || key !== digit)) ? digit : undefined;
};

/** Makes a button with a text.
 * @type {(name: string, action: () => any, attributes?: Record<string, any>) => any} */
export const button = (name, action, attributes = {}) => {
  const node = html("button", { type: "button", class: "button", ...attributes }, text(name));
  node.addEventListener("click", action);
  return node;
};

/** Makes a button with an icon, whose text is its label.
 * @type {(name: string, sign: string | Node, action: () => any, attributes?: Record<string, any>) => any} */
export const iconButton = (name, sign, action, attributes = {}) => {
  const node = html("button", { type: "button", class: "icon", "aria-label": text(name), title: text(name), ...attributes }, sign);
  node.addEventListener("click", action);
  return node;
};

/** Makes a toggle button.
 * @type {(name: string, sign: string | Node | undefined, pressed: boolean, change: (pressed: boolean) => any, attributes?: Record<string, any>) => any} */
export const toggleButton = (name, sign, pressed, change, attributes = {}) => {
  const act = () => {
    const now = node.getAttribute("aria-pressed") !== "true";
    node.setAttribute("aria-pressed", now);
    change(now);
  };
  const all = { "aria-pressed": pressed, ...attributes };
  const node = sign === undefined ? button(name, act, all) : iconButton(name, sign, act, all);
  return node;
};

/** Makes a choice with its label.
 * @type {(name: string, options: [string, string][], change: (value: string) => any, value?: string) => any} */
export const choice = (name, options, change, value) => {
  fields += 1;
  const id = `field-${fields}`;
  const select = html("select", { id }, ...options.map(([key, label]) => html("option", { value: key }, label)));
  if (value !== undefined) select.value = value;
  select.addEventListener("change", () => change(select.value));
  return html("span", { class: "field" }, html("label", { for: id }, text(name)), select);
};

/** Returns the name of a variant in the language of the page; one that has no other name there keeps its own.
 * @type {(variant: string) => string} */
export const variantName = (variant) => {
  const name = `variant:${variant}`;
  const found = text(name);
  return found === name ? variant : found;
};

/** Makes a text field with its label; `change` is called when the text is complete.
 * @type {(name: string, change: (value: string) => any, attributes?: Record<string, any>) => any} */
export const field = (name, change, attributes = {}) => {
  fields += 1;
  const { id = `field-${fields}` } = attributes;
  const input = html("input", { id, type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  input.addEventListener("change", () => change(input.value));
  return html("span", { class: "field" }, html("label", { for: id }, text(name)), input);
};

/** Makes a dialog, which ends with its buttons or the Escape key; an action that returns false keeps it open.
 * @type {(title: string, content: any[], actions: [string, () => any][]) => any} */
export const dialog = (title, content, actions) => {
  const close = () => node.close();
  const buttons = actions.map(([name, action]) => button(name, () => {
    if (action() !== false) close();
  }, { class: "button strong" }));
  const node = html("dialog", { "aria-label": text(title) }, html("h2", {}, text(title)), ...content,
    html("p", { class: "actions" }, ...buttons, button("close", close)));
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
};

/** Returns words whose moves are not broken at their hyphens.
 * @param {string} words */
export const unbroken = (words) => words.split(/(\S+-\S+)/).map((part, n) => (n % 2 ? html("span", { class: "whole" }, part) : part));

/** @param {number} value */
export const number = (value) => value.toLocaleString(document.documentElement.lang);

/** Returns true for a number, also one in words of the language: a year, a percentage.
 * @param {any} cell */
const isNumber = (cell) => typeof cell === "number" || (typeof cell === "string" && /^\d[\d\s.,]*%?$/.test(cell));

/** Makes a table. A cell is text or an element; numbers are at the right.
 * @type {(heads: string[], rows: any[][], attributes?: Record<string, any>) => any} */
export const table = (heads, rows, attributes = {}) => {
  const cell = (/** @type {any} */ value, /** @type {number} */ n) => {
    const content = typeof value === "number" ? number(value) : value ?? "";
    const classes = isNumber(value) ? "number" : "";
    return n === 0 ? html("th", { scope: "row", class: classes }, content) : html("td", { class: classes }, content);
  };
  return html("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": heads[0] }, html("table", attributes,
    html("thead", {}, html("tr", {}, ...heads.map((head, n) => html("th", { scope: "col", class: rows.some((row) => isNumber(row[n])) ? "number" : "" }, head)))),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map(cell))))));
};

/** Makes a table of any length, with a search, sorting by its heads, and what it does not show said.
 * @type {(heads: string[], rows: any[][], attributes?: Record<string, any>) => any} */
export const longTable = (heads, rows, attributes = {}) => {
  const plain = (/** @type {any} */ cell) => (typeof cell === "number" ? cell : cell?.textContent ?? `${cell ?? ""}`);
  let most = MOST_ROWS;
  let words = "";
  let order = { by: -1, down: false };
  const found = () => {
    const kept = rows.filter((row) => row.some((cell) => `${plain(cell)}`.toLowerCase().includes(words)));
    if (order.by < 0) return kept;
    const sign = order.down ? -1 : 1;
    const compare = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;
    const keyed = kept.map((row) => ({ row, key: plain(row[order.by]) }));
    keyed.sort((a, b) => sign * (typeof a.key === "number" && typeof b.key === "number" ? a.key - b.key : compare(`${a.key}`, `${b.key}`)));
    return keyed.map(({ row }) => row);
  };
  const search = html("input", { type: "search", placeholder: text("find"), "aria-label": `${text("find")}: ${heads[0]}`, autocomplete: "off", spellcheck: "false" });
  search.addEventListener("input", () => {
    words = search.value.toLowerCase();
    fill();
  });
  const note = html("p", { class: "muted tools", role: "status" });
  const place = html("div", {});
  const fill = () => {
    const all = found();
    note.replaceChildren(all.length > most ? text("rowsOf", number(most), number(all.length)) : "",
      all.length > most ? button("showAll", () => {
        most = Infinity;
        fill();
      }, { class: "link" }) : "");
    const shown = table(heads, all.slice(0, most), attributes);
    shown.querySelectorAll("thead th").forEach((/** @type {any} */ head, /** @type {number} */ by) => {
      const isOwn = order.by === by;
      const sort = html("button", { type: "button", class: "head", "data-sort": by }, heads[by], isOwn ? (order.down ? " ▾" : " ▴") : "");
      if (isOwn) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      sort.addEventListener("click", () => {
        // Numbers begin with the largest.
        order = { by, down: isOwn ? !order.down : isNumber(rows[0]?.[by]) };
        fill();
        place.querySelector(`[data-sort="${by}"]`)?.focus();
      });
      head.replaceChildren(sort);
    });
    place.replaceChildren(shown);
  };
  fill();
  return html("div", { class: "long-table" }, rows.length > 10 ? html("p", { class: "tools" }, search) : "", note, place);
};
