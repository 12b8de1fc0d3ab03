// A list of any length, of which only the visible rows are elements.

import { html } from "./dom.js";

/** Rows beyond the visible ones, so that a quick scroll shows no gap. */
const MARGIN = 8;
/** Browsers limit the height of elements to some 16 million pixels; beyond this height the rows move faster than the bar. */
const TALLEST = 8_000_000;

export class VirtualList {
  /** @type {any[]} */ items = [];
  chosen = -1;
  height = 0;

  /**
   * @param {any} root
   * @param {{ label: string, row: (item: any, index: number) => any, choose?: (item: any, index: number) => void,
   *   open?: (item: any, index: number) => void, size?: number }} how `choose` is called for the row that has the focus, `open`
   *   when it is pressed; `size` is the height of a row in pixels
   */
  constructor(root, { label, row, choose = () => {}, open = () => {}, size = 44 }) {
    this.root = root;
    this.row = row;
    this.choose = choose;
    this.open = open;
    this.size = size;
    this.filler = html("div", { class: "filler", role: "presentation" });
    root.classList.add("virtual");
    root.replaceChildren(this.filler);
    for (const [name, value] of Object.entries({ role: "listbox", tabindex: "0", "aria-label": label })) root.setAttribute(name, value);
    root.addEventListener("scroll", () => this.draw(), { passive: true });
    root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.onKey(event));
    root.addEventListener("click", (/** @type {any} */ event) => {
      const index = Number(event.target.closest?.("[data-index]")?.dataset.index ?? -1);
      if (index < 0) return;
      this.select(index);
      this.open(this.items[index], index);
    });
    new ResizeObserver(() => this.draw()).observe(root);
  }

  /** Shows items, with one of them chosen.
   * @type {(items: any[], chosen?: number) => void} */
  show(items, chosen = -1) {
    this.items = items;
    this.chosen = Math.min(chosen, items.length - 1);
    this.height = Math.min(TALLEST, items.length * this.size);
    this.filler.style.height = `${this.height}px`;
    if (this.chosen >= 0) this.reveal(this.chosen);
    this.draw();
  }

  /** Number of pixels of the bar for a row. */
  get pitch() {
    return this.items.length ? this.height / this.items.length : this.size;
  }

  draw() {
    const { scrollTop, clientHeight } = this.root;
    const first = Math.max(0, Math.floor(scrollTop / this.pitch) - MARGIN);
    const last = Math.min(this.items.length, first + Math.ceil(clientHeight / this.size) + 2 * MARGIN);
    const rows = [];
    for (let index = first; index < last; index += 1) rows.push(this.element(index));
    this.replaceRows(rows);
    if (this.chosen >= first && this.chosen < last) this.root.setAttribute("aria-activedescendant", this.idOf(this.chosen));
    else this.root.removeAttribute("aria-activedescendant");
  }

  /** Shows rows, and keeps the elements that would look the same: a row replaced between press and release would lose the click.
   * @param {any[]} rows in their order */
  replaceRows(rows) {
    const { children } = this.filler;
    const old = new Map([...children].map((/** @type {any} */ row) => [row.id, row]));
    const shown = rows.map((row) => (old.get(row.id)?.isEqualNode(row) ? old.get(row.id) : row));
    const kept = new Set(shown);
    for (const row of old.values()) if (!kept.has(row)) row.remove();
    shown.forEach((row, place) => children[place] !== row && this.filler.insertBefore(row, children[place] ?? null));
  }

  /** @param {number} index */
  idOf(index) {
    this.root.id ||= `list-${Math.random().toString(36).slice(2)}`;
    return `${this.root.id}-${index}`;
  }

  /** @param {number} index */
  element(index) {
    const row = this.row(this.items[index], index);
    const attributes = { role: "option", id: this.idOf(index), "data-index": index, "aria-setsize": this.items.length, "aria-posinset": index + 1 };
    for (const [name, value] of Object.entries(attributes)) row.setAttribute(name, value);
    row.setAttribute("aria-selected", index === this.chosen);
    row.style.top = `${index * this.pitch}px`;
    row.style.height = `${this.size}px`;
    return row;
  }

  /** @param {number} index */
  reveal(index) {
    const [top, view] = [index * this.pitch, this.root.clientHeight];
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    else if (top + this.size > this.root.scrollTop + view) this.root.scrollTop = top + this.size - view;
  }

  /** Chooses a row.
   * @param {number} index */
  select(index) {
    if (index < 0 || index >= this.items.length) return;
    this.chosen = index;
    this.reveal(index);
    this.draw();
    this.choose(this.items[index], index);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.size) - 1);
    const target = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page, PageUp: this.chosen - page,
      Home: 0, End: this.items.length - 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target !== undefined) this.select(Math.min(Math.max(target, 0), this.items.length - 1));
    else if ((event.key === "Enter" || event.key === " ") && this.chosen >= 0) this.open(this.items[this.chosen], this.chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
