// Elements, texts and data of the page.

const byId = (id) => document.getElementById(id);

/** Returns the data blocks of a class. */
const blocks = (name) => [...document.querySelectorAll(`script.${name}`)];

const page = JSON.parse(blocks("page")[0].textContent);

/** Returns a text in the language of the page; each `{}` is replaced by the next value. */
const text = (name, ...values) => page.texts[name].replace(/\{\}/g, () => values.shift());

const build = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== ""));
  return node;
};

/** Makes an HTML element. Children are elements or text, never markup. */
const html = (name, attributes = {}, ...children) => build(document.createElement(name), attributes, children);

/** Makes an SVG element. */
const svg = (name, attributes = {}, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/** Makes an element with text of a record, whose direction does not affect the text around it. */
const record = (value, name) => html("bdi", { class: name }, value);

/** Fills in the fixed texts and labels. */
const translate = () => {
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = text(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", text(node.dataset.label));
    if (node.classList.contains("icon")) node.title = text(node.dataset.label);
  }
  for (const node of document.querySelectorAll("[data-hint]")) {
    node.placeholder = text(node.dataset.hint);
    node.setAttribute("aria-label", text(node.dataset.hint));
  }
};

/** Offers a text as a file. */
const save = (name, content) => {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

