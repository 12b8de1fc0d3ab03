// Elements and texts.

/**
 * @typedef {Node | string | undefined} Child
 */

/** Returns the element with an identifier, which the page has.
 * @param {string} id
 * @returns {any} */
export const byId = (id) => document.getElementById(id);

/** The texts by name, in the language of the page.
 * @type {Record<string, string>} */
let texts = {};

/** The language of the texts, unless it is that of the page.
 * @type {string | undefined} */
let spoken;

const spokenLanguage = () => spoken ?? (document.documentElement.lang || "en");

/** Sets the texts, before anything is shown.
 * @type {(table: Record<string, string>, language?: string) => void} */
export const setTexts = (table, language) => {
  texts = table;
  spoken = language;
};

/** Returns a text; each `{}` is replaced by the next value. A text for one thing and another for several,
 * with `|` between them, depend on the last value.
 * @param {string} name
 * @param {...(string | number)} values
 * @returns {string} */
export const text = (name, ...values) => {
  const forms = (texts[name] ?? name).split("|");
  const count = Number(`${values.at(-1)}`.replace(/\D/g, ""));
  const isOne = forms.length > 1 && new Intl.PluralRules(spokenLanguage()).select(count) === "one";
  return (isOne ? forms[0] : forms[forms.length - 1]).replace(/\{\}/g, () => `${values.shift()}`);
};

/** Returns a number with some digits after the decimal sign.
 * @type {(value: number, digits: number) => string} */
export const decimal = (value, digits) => value.toLocaleString(spokenLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @type {(node: any, attributes: Record<string, any>, children: Child[]) => any} */
const build = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== ""));
  return node;
};

/** Makes an HTML element. Children are elements or text, never markup.
 * @type {(name: string, attributes?: Record<string, any>, ...children: Child[]) => any} */
export const html = (name, attributes = {}, ...children) => build(document.createElement(name), attributes, children);

/** Makes an SVG element.
 * @type {(name: string, attributes?: Record<string, any>, ...children: Child[]) => any} */
export const svg = (name, attributes = {}, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/** Makes an element with text of a record, whose direction does not affect the text around it.
 * @type {(value: string, name?: string) => HTMLElement} */
export const record = (value, name) => html("bdi", { class: name }, value);

/** Fills in the fixed texts and labels.
 * @param {any} root */
export const translate = (root) => {
  for (const node of root.querySelectorAll("[data-text]")) node.textContent = text(node.dataset.text);
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", text(node.dataset.label));
    if (node.classList.contains("icon")) node.title = text(node.dataset.label);
  }
  for (const node of root.querySelectorAll("[data-hint]")) {
    node.placeholder = text(node.dataset.hint);
    node.setAttribute("aria-label", text(node.dataset.hint));
  }
};

/** Returns the key of a shortcut: a letter is in lower case, and Latin where the keyboard has another script.
 * @param {KeyboardEvent} event */
export const shortcutOf = ({ key, code }) => {
  if (key.length > 1) return key;
  const [, latin] = (/^\p{L}$/u.test(key) && !/[a-z]/i.test(key) && /^Key([A-Z])$/.exec(code)) || [];
  return (latin ?? key).toLowerCase();
};

/** Offers a text or bytes as a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} [type] */
export const save = (name, content, type = "text/plain;charset=utf-8") => {
  const address = URL.createObjectURL(new Blob([content], { type }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

