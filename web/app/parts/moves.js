// The list of moves: the main line in two columns, with its comments and variations between the rows.

import { html, record, text } from "./dom.js";
import { evaluationText, marksOf, numberOf } from "./model.js";

export class MoveList {
  /** @type {Map<string, any>} */ buttons = new Map();
  /** @type {any} */ current = undefined;

  /** @param {any} root
   * @param {(node: import("./model.js").MoveNode) => void} select */
  constructor(root, select) {
    this.root = root;
    this.select = select;
    root.classList.add("moves");
  }

  /** @param {import("./model.js").Game} game */
  begin(game) {
    this.buttons.clear();
    this.current = undefined;
    /** @type {any[]} */
    const rows = [];
    this.between(rows, [game.comment], game.variations);
    /** @type {any} */
    let row;
    game.main.forEach((node) => {
      if (!row || node.leads || row.childElementCount > 2) {
        row = html("div", { class: "row" }, html("span", { class: "number" }, `${node.number}.`));
        rows.push(row);
        if (!node.leads) row.append(html("span", { class: "gap" }, "…"));
      }
      row.append(this.cell(node));
      if (this.between(rows, [node.more.comment], node.lines ?? [])) row = undefined;
    });
    this.between(rows, [game.end], []);
    this.root.replaceChildren(...rows);
    this.root.scrollTop = 0;
  }

  /** Adds comments and variations as a row; returns true if there are any.
   * @type {(rows: any[], comments: (string | undefined)[], lines: import("./model.js").MoveNode[][]) => boolean} */
  between(rows, comments, lines) {
    const texts = comments.filter(Boolean).map((comment) => html("p", { class: "comment", dir: "auto" }, comment));
    const items = [...texts, ...lines.map((line) => this.variation(line))];
    if (items.length > 0) rows.push(html("div", { class: "between" }, ...items));
    return items.length > 0;
  }

  /** @param {import("./model.js").MoveNode} node */
  cell(node) {
    const value = node.evaluation === undefined ? "" : html("span", { class: "value" }, evaluationText(node.evaluation));
    return this.move(node, "", value);
  }

  /** @param {import("./model.js").MoveNode[]} line
   * @returns {HTMLElement} */
  variation(line) {
    /** @type {any[]} */
    const items = [];
    line.forEach((node, n) => {
      if (node.more.intro) items.push(record(node.more.intro, "comment"));
      const isNumbered = node.leads || n === 0 || node.more.intro || line[n - 1].more.comment || (line[n - 1].lines ?? []).length > 0;
      items.push(this.move(node, isNumbered ? `${numberOf(node)} ` : "", this.lineValue(node, n)));
      if (node.more.comment) items.push(record(node.more.comment, "comment"));
      items.push(...(node.lines ?? []).map((inner) => this.variation(inner)));
    });
    return html("div", { class: "variation" }, ...items);
  }

  /** @type {(node: import("./model.js").MoveNode, n: number) => any} */
  lineValue(node, n) {
    if (n > 0 || node.evaluation === undefined) return "";
    return html("span", { class: "value" }, evaluationText(node.evaluation));
  }

  /** Makes the button of a move; a move that could not be played is only text.
   * @type {(node: import("./model.js").MoveNode, number: string, value: any) => any} */
  move(node, number, value) {
    const content = [number, html("bdi", {}, node.notation), marks(node), value];
    if (!node.change) return html("span", { class: "move unplayed", title: text("notPlayed") }, ...content);
    const button = html("button", { class: `move ${node.judgement ?? ""}`, tabindex: -1 }, ...content);
    button.addEventListener("click", () => this.select(node));
    this.buttons.set(node.address, button);
    return button;
  }

  /** Highlights a move and scrolls it into view, but not the page.
   * @param {import("./model.js").MoveNode} node */
  show(node) {
    this.current?.removeAttribute("aria-current");
    this.current?.setAttribute("tabindex", -1);
    this.current = this.buttons.get(node.address);
    if (node.tried) return;
    if (!this.current) {
      this.root.scrollTop = 0;
      return;
    }
    this.current.setAttribute("aria-current", "true");
    this.current.setAttribute("tabindex", 0);
    const [outer, inner] = [this.root.getBoundingClientRect(), this.current.getBoundingClientRect()];
    const margin = Math.min(60, outer.height / 3);
    if (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin) {
      this.root.scrollTop += inner.top - outer.top - outer.height / 2;
    }
  }
}

/** @param {import("./model.js").MoveNode} node */
const marks = (node) => {
  const signs = marksOf(node);
  return signs && html("span", { class: "marks" }, signs);
};

