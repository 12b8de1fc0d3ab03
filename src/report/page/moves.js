// The list of moves: the main line in two columns, with its comments and variations between the rows.

class MoveList {
  constructor(root, select) {
    Object.assign(this, { root, select });
    this.buttons = new Map();
  }

  begin(game) {
    this.buttons.clear();
    this.current = undefined;
    const rows = [];
    this.between(rows, [game.comment], game.variations);
    let row;
    game.main.forEach((node) => {
      if (!row || node.white || row.childElementCount > 2) {
        row = html("div", { class: "row" }, html("span", { class: "number" }, `${node.number}.`));
        rows.push(row);
        if (!node.white) row.append(html("span", { class: "gap" }, "…"));
      }
      row.append(this.cell(node));
      if (this.between(rows, [node.more.comment], node.lines)) row = undefined;
    });
    this.between(rows, [game.end], []);
    this.root.replaceChildren(...rows);
    this.root.scrollTop = 0;
  }

  /** Adds comments and variations as a row; returns true if there are any. */
  between(rows, comments, lines) {
    const texts = comments.filter(Boolean).map((comment) => html("p", { class: "comment", dir: "auto" }, comment));
    const items = [...texts, ...lines.map((line) => this.variation(line))];
    if (items.length > 0) rows.push(html("div", { class: "between" }, ...items));
    return items.length > 0;
  }

  cell(node) {
    const value = node.evaluation === undefined ? "" : html("span", { class: "value" }, evaluationText(node.evaluation));
    return this.move(node, "", value);
  }

  variation(line) {
    const items = [];
    line.forEach((node, n) => {
      if (node.more.intro) items.push(record(node.more.intro, "comment"));
      const isNumbered = node.white || n === 0 || node.more.intro || line[n - 1].more.comment || line[n - 1].lines.length > 0;
      items.push(this.move(node, isNumbered ? `${numberOf(node)} ` : "", this.lineValue(node, n)));
      if (node.more.comment) items.push(record(node.more.comment, "comment"));
      items.push(...node.lines.map((inner) => this.variation(inner)));
    });
    return html("div", { class: "variation" }, ...items);
  }

  lineValue(node, n) {
    if (n > 0 || node.evaluation === undefined) return "";
    return html("span", { class: "value" }, evaluationText(node.evaluation));
  }

  /** Makes the button of a move; a move that could not be played is only text. */
  move(node, number, value) {
    const content = [number, html("bdi", {}, node.notation), marks(node), value];
    if (!node.change) return html("span", { class: "move unplayed", title: text("notPlayed") }, ...content);
    const button = html("button", { class: `move ${node.judgement ?? ""}`, tabindex: -1 }, ...content);
    button.addEventListener("click", () => this.select(node));
    this.buttons.set(node.address, button);
    return button;
  }

  /** Highlights a move and scrolls it into view, but not the page. */
  show(node) {
    this.current?.removeAttribute("aria-current");
    this.current?.setAttribute("tabindex", -1);
    this.current = this.buttons.get(node.address);
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

const marks = (node) => {
  const signs = marksOf(node);
  return signs && html("span", { class: "marks" }, signs);
};

