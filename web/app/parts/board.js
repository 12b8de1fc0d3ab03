// The board.

import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const COLOURS = { R: "#c8372d", Y: "#d8a300", B: "#2f66c4", C: "#2aa3a3", M: "#a03aa0" };
const BEST = "#3d8f3d";
/** Width of a square in units of the picture. */
const SQUARE = 100;

/** Boards have gradients of their own: an identifier that another, hidden board has would hide the pieces of this one. */
let boardCount = 0;

export class BoardView {
  /** @param {any} root */
  constructor(root) {
    this.root = root;
    root.classList.add("board");
    boardCount += 1;
    this.number = boardCount;
    /** @type {Map<number, any>} */
    this.pieces = new Map();
    /** @type {Record<string, any>} */
    this.layers = {};
    /** @type {any} */
    this.board = undefined;
    this.flipped = false;
  }

  /** Draws an empty board.
   * @param {import("./model.js").Board} board */
  begin(board) {
    this.board = board;
    this.pieces.clear();
    const { width, height } = board;
    this.root.setAttribute("viewBox", `0 0 ${width * SQUARE} ${height * SQUARE}`);
    this.layers = Object.fromEntries(["squares", "marked", "names", "pieces", "drawn"].map((name) => [name, svg("g", { class: name })]));
    this.root.replaceChildren(gradients(this.number), ...Object.values(this.layers));
    this.layers.squares.append(svg("rect", { class: "light", width: width * SQUARE, height: height * SQUARE }));
    board.at.forEach((/** @type {number} */ _, /** @type {number} */ place) => {
      const [x, y] = this.corner(place);
      const shade = board.plain && (x + y) / SQUARE % 2 === 0 ? "light" : "dark";
      this.layers.squares.append(svg("rect", { class: shade, x, y, width: SQUARE, height: SQUARE }));
    });
    this.drawNames();
  }

  /** Returns the top left corner of the square at a place.
   * @param {number} place */
  corner(place) {
    const { width, height, at } = this.board;
    const index = this.flipped ? width * height - 1 - at[place] : at[place];
    return [index % width * SQUARE, Math.floor(index / width) * SQUARE];
  }

  drawNames() {
    const { board } = this;
    board.names.forEach((/** @type {string} */ name, /** @type {number} */ place) => {
      const [x, y] = this.corner(place);
      this.layers.names.append(svg("text", { x: x + 5, y: y + 24 }, name));
    });
  }

  /** Returns the place of the square at a point of the window, if there is one there.
   * @type {(x: number, y: number) => number | undefined} */
  placeAt(x, y) {
    const { width, height, at } = this.board;
    const box = this.root.getBoundingClientRect();
    const column = Math.floor((x - box.left) / box.width * width);
    const row = Math.floor((y - box.top) / box.height * height);
    if (column < 0 || row < 0 || column >= width || row >= height) return undefined;
    const index = row * width + column;
    const place = at.indexOf(this.flipped ? width * height - 1 - index : index);
    return place < 0 ? undefined : place;
  }

  /** Shows a position. After one move, forward or back, the piece glides.
   * @param {string[]} letters */
  show(letters) {
    const vacated = [...this.pieces].filter(([place, piece]) => piece.letter !== letters[place]);
    vacated.forEach(([place]) => this.pieces.delete(place));
    const added = [...letters.keys()].filter((place) => letters[place] !== "." && !this.pieces.has(place));
    const isStep = vacated.length === 1 || added.length === 1;
    for (const place of added) {
      /** @type {(entry: [number, any]) => boolean} */
      const sameSide = ([, piece]) => piece.letter.toLowerCase() === letters[place].toLowerCase();
      const index = isStep ? vacated.findIndex(sameSide) : -1;
      this.put(index < 0 ? svg("g") : vacated.splice(index, 1)[0][1].node, letters[place], place);
    }
    vacated.forEach(([, piece]) => piece.node.remove());
  }

  /** @type {(node: any, letter: string, place: number) => void} */
  put(node, letter, place) {
    const side = letter.toLowerCase() === "w" ? "white" : "black";
    node.setAttribute("class", `piece ${side}`);
    node.replaceChildren(...pieceShapes(this.number, side, letter === "W" || letter === "B"));
    const [x, y] = this.corner(place);
    node.style.transform = `translate(${x}px, ${y}px)`;
    this.layers.pieces.append(node);
    this.pieces.set(place, { letter, node });
  }

  /** Moves the piece of a square to a point of the window, while it is dragged.
   * @type {(place: number, x: number, y: number) => void} */
  lift(place, x, y) {
    const box = this.root.getBoundingClientRect();
    const scale = this.board.width * SQUARE / box.width;
    const node = this.pieces.get(place)?.node;
    if (!node) return;
    // Above the others.
    if (!node.classList.contains("lifted")) this.layers.pieces.append(node);
    node.classList.add("lifted");
    node.style.transform = `translate(${(x - box.left) * scale - SQUARE / 2}px, ${(y - box.top) * scale - SQUARE / 2}px)`;
  }

  /** Shows the piece of a square on another one, or on its own.
   * @type {(place: number, at?: number) => void} */
  settle(place, at = place) {
    const node = this.pieces.get(place)?.node;
    if (!node) return;
    node.classList.remove("lifted");
    const [x, y] = this.corner(at);
    node.style.transform = `translate(${x}px, ${y}px)`;
  }

  settleAll() {
    for (const place of this.pieces.keys()) this.settle(place);
  }

  /** Marks the pieces that can move, which are dragged rather than the page.
   * @param {number[]} places */
  mark(places) {
    for (const [place, { node }] of this.pieces) node.classList.toggle("movable", places.includes(place));
  }

  /** Marks squares, draws circles and arrows, the sign of a judgement, and marks pieces that must capture.
   * @param {{ last?: number[], squares?: any[], circles?: any[], arrows?: any[], judgement?: string, sign?: string, must?: number[] }} marks */
  draw({ last, squares = [], circles = [], arrows = [], judgement, sign, must = [] }) {
    /** @type {(place: number, name: string, fill?: string) => SVGElement} */
    const square = (place, name, fill) => {
      const [x, y] = this.corner(place);
      return svg("rect", { class: name, x, y, width: SQUARE, height: SQUARE, fill });
    };
    const marked = squares.map(([place, colour]) => square(place, "coloured", COLOURS[colour] ?? BEST));
    const moved = (last ?? []).map((place) => square(place, `last ${judgement ?? ""}`));
    this.layers.marked.replaceChildren(...moved, ...marked);
    const rings = [...must.map((place) => [place, "must", undefined]), ...circles.map(([place, colour]) => [place, "circle", COLOURS[colour]])];
    const drawn = rings.map(([place, name, stroke]) => {
      const [x, y] = this.corner(place);
      return svg("circle", { class: name, cx: x + SQUARE / 2, cy: y + SQUARE / 2, r: 43, stroke });
    });
    drawn.push(...arrows.map(([from, to, colour, name]) => this.arrow(from, to, COLOURS[colour] ?? BEST, name)));
    if (last && sign) drawn.push(this.sign(last[1], judgement, sign));
    this.layers.drawn.replaceChildren(...drawn);
  }

  /** Frames the square that keys have reached, if there is one.
   * @param {number | undefined} place */
  point(place) {
    this.layers.drawn.querySelector(".cursor")?.remove();
    if (place === undefined) return;
    const [x, y] = this.corner(place);
    this.layers.drawn.append(svg("rect", { class: "cursor", x: x + 5, y: y + 5, width: SQUARE - 10, height: SQUARE - 10, rx: 8 }));
  }

  /** @type {(from: number, to: number, colour: string, name?: string) => SVGElement} */
  arrow(from, to, colour, name = "") {
    /** @type {(place: number) => number[]} */
    const centre = (place) => this.corner(place).map((value) => value + SQUARE / 2);
    const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const angle = Math.atan2(y2 - y1, x2 - x1) * 180 / Math.PI;
    const shape = `M 22 -9 H ${length - 34} V -26 L ${length} 0 L ${length - 34} 26 V 9 H 22 A 24 24 0 0 0 22 -9 Z`;
    return svg("path", { class: `arrow ${name}`, d: shape, fill: colour, transform: `translate(${x1} ${y1}) rotate(${angle})` });
  }

  /** @type {(place: number, judgement: string | undefined, sign: string) => SVGElement} */
  sign(place, judgement, sign) {
    const [x, y] = this.corner(place);
    const [cx, cy] = [Math.min(x + 88, this.board.width * SQUARE - 24), Math.max(y + 12, 24)];
    return svg("g", { class: `sign ${judgement ?? ""}` }, svg("circle", { cx, cy, r: 23 }), svg("text", { x: cx, y: cy + 9 }, sign));
  }
}

/** @param {number} number */
const gradients = (number) => {
  /** @type {(id: string, inner: string, outer: string) => SVGElement} */
  const gradient = (id, inner, outer) => svg("radialGradient", { id: `${id}-${number}`, cx: "38%", cy: "32%", r: "75%" },
    svg("stop", { offset: "0", "stop-color": inner }), svg("stop", { offset: "1", "stop-color": outer }));
  return svg("defs", {}, gradient("white-man", "#ffffff", "#eadfcb"), gradient("black-man", "#5a5552", "#23201f"));
};

/** @type {(number: number, side: string, king: boolean) => SVGElement[]} */
const pieceShapes = (number, side, king) => {
  /** @type {(attributes: Record<string, any>) => SVGElement} */
  const disc = (attributes) => svg("circle", { cx: 50, cy: 50, ...attributes });
  const shapes = [disc({ class: "shadow", cy: 53, r: 39 }), disc({ class: "disc", r: 38, fill: `url(#${side}-man-${number})` })];
  if (!king) return [...shapes, disc({ class: "ring", r: 27 }), disc({ class: "ring", r: 15 })];
  const crown = "M 27 67 L 22 37 L 38 51 L 50 29 L 62 51 L 78 37 L 73 67 Z";
  return [...shapes, disc({ class: "ring", r: 33 }), svg("path", { class: "crown", d: crown })];
};

