// The graph of the expected result. Its height is White's share of a point.

import { svg, text } from "./dom.js";
import { evaluationWords, numberOf } from "./model.js";

const GRAPH = { width: 600, height: 110, edge: 6 };

export class Graph {
  /** @type {any} */ game = undefined;
  /** @type {any} */ cursor = undefined;
  /** @type {any} */ spot = undefined;

  /** @param {any} frame
   * @param {any} root
   * @param {(ply: number) => void} select */
  constructor(frame, root, select) {
    this.frame = frame;
    this.root = root;
    this.select = select;
    root.classList.add("graph");
    root.setAttribute("viewBox", `0 0 ${GRAPH.width} ${GRAPH.height}`);
    root.setAttribute("aria-label", text("evaluation"));
    root.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      root.setPointerCapture(event.pointerId);
      this.pick(event);
    });
    root.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => event.buttons && this.pick(event));
  }

  /** @param {any} game */
  begin(game) {
    this.game = game;
    const curve = game.curve ?? [];
    this.frame.hidden = curve.length < 2;
    this.root.setAttribute("aria-valuemin", 0);
    this.root.setAttribute("aria-valuemax", curve.length);
    const runs = this.runs(curve);
    if (runs.length === 0) return this.root.replaceChildren();
    const { width, height: floor } = GRAPH;
    /** @type {(points: number[][]) => string} */
    const path = (points) => points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" L ");
    /** @type {(edge: number) => string} */
    const area = (edge) => runs.map((run) => `M ${run[0][0].toFixed(1)} ${edge} L ${path(run)} L ${run[run.length - 1][0].toFixed(1)} ${edge} Z`).join(" ");
    this.cursor = svg("line", { class: "cursor", y1: 0, y2: floor });
    this.spot = svg("circle", { class: "spot", r: 5 });
    this.root.replaceChildren(
      svg("path", { class: "black-share", d: area(0) }),
      svg("path", { class: "white-share", d: area(floor) }),
      svg("line", { class: "even", x1: 0, x2: width, y1: floor / 2, y2: floor / 2 }),
      svg("path", { class: "curve", d: runs.map((run) => `M ${path(run)}`).join(" ") }),
      ...this.judged(curve),
      this.cursor,
      this.spot,
    );
    return undefined;
  }

  /** Returns the points of each run of moves with evaluations: between them, the graph has gaps. A single move is as wide as a ply.
   * @param {(number | null)[]} curve */
  runs(curve) {
    /** @type {number[][][]} */
    const runs = [];
    curve.forEach((value, n) => {
      if (value === null) return;
      if (n === 0 || curve[n - 1] === null) runs.push([[n === 0 ? 0 : this.x(n + 0.5), this.y(value)]]);
      const run = runs[runs.length - 1];
      run.push([this.x(n + 1), this.y(value)]);
      if (n === curve.length - 1) run.push([GRAPH.width, this.y(value)]);
    });
    return runs;
  }

  /** @param {(number | null)[]} curve */
  judged(curve) {
    const dots = this.game.main.map((/** @type {import("./model.js").MoveNode} */ node, /** @type {number} */ n) => {
      if (!node.judgement || (curve[n] ?? null) === null) return undefined;
      return svg("circle", { class: `dot ${node.judgement}`, cx: this.x(n + 1), cy: this.y(curve[n]), r: 4.5 });
    });
    return dots.filter(Boolean);
  }

  /** @param {number} ply */
  x(ply) {
    return GRAPH.edge + ply / Math.max(1, this.game.curve.length) * (GRAPH.width - 2 * GRAPH.edge);
  }

  /** @param {any} value */
  y(value) {
    return GRAPH.edge + (1 - value / 1000) * (GRAPH.height - 2 * GRAPH.edge);
  }

  /** Marks the move of the main line where the node is, or where its variation begins.
   * @param {import("./model.js").MoveNode} node */
  show(node) {
    if (this.frame.hidden) return;
    const ply = parseInt(node.address, 10);
    const value = this.game.curve[Math.max(0, ply - 1)];
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
    this.spot.style.display = value === null ? "none" : "";
    this.spot.setAttribute("cx", this.x(ply));
    this.spot.setAttribute("cy", this.y(value ?? 500));
    this.root.setAttribute("aria-valuenow", ply);
    const words = node.evaluation === undefined ? [] : [evaluationWords(node.evaluation)];
    this.root.setAttribute("aria-valuetext", [node.ply ? `${numberOf(node)} ${node.notation}` : text("start"), ...words].join(", "));
  }

  /** @param {PointerEvent} event */
  pick(event) {
    const box = this.root.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * GRAPH.width;
    const share = (x - GRAPH.edge) / (GRAPH.width - 2 * GRAPH.edge);
    const ply = Math.round(share * this.game.curve.length);
    this.select(Math.min(Math.max(ply, 0), this.game.curve.length));
  }
}

