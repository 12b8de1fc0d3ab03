// A game on the board: the position, the moves, the graph, the players, and what is said about the move that is shown.

import { BoardView } from "./board.js";
import { html, record, text } from "./dom.js";
import { Graph } from "./graph.js";
import { bestLine, clockOf, endsOf, evaluationWords, fenOf, findNode, marksOf, numberOf, positionOf } from "./model.js";
import { MoveList } from "./moves.js";
import { showFacts, showPlayer, showSides } from "./players.js";

/** @typedef {import("./model.js").MoveNode} MoveNode */

export class GameView {
  /** @type {any} */ game = undefined;
  /** @type {any} */ node = undefined;
  hasArrows = true;
  /** Arrows that an analysis adds.
   * @type {any[]} */
  analysis = [];
  /** Squares of pieces that must capture.
   * @type {number[]} */
  must = [];
  /** Circles and arrows that the user draws, and those being drawn: one square or two.
   * @type {{ squares: any[], arrows: any[] }} */
  drawn = { squares: [], arrows: [] };
  /** @type {number[]} */
  sketch = [];
  /** Clocks that run now, in seconds, in place of those of the record.
   * @type {{ W: number, B: number } | undefined} */
  clocks = undefined;
  /** True while a move is asked for: nothing on the board gives it away. */
  isAsked = false;
  /** The place of a piece that is marked as a hint.
   * @type {number | undefined} */
  hinted = undefined;

  /** Fills in the elements that there are: `board`, `boardFrame`, `gauge`, `graph`, `graphFrame`, `moves`, `sides`, `facts`,
   * `topPlayer`, `bottomPlayer`, `status`, `fen`, and the buttons `first`, `previous`, `next`, `last`.
   * @param {Record<string, any>} parts
   * @param {(node: MoveNode) => void} shown is called after a move is shown */
  constructor(parts, shown = () => {}) {
    this.parts = parts;
    this.shown = shown;
    this.board = new BoardView(parts.board);
    this.graph = new Graph(parts.graphFrame, parts.graph, (ply) => this.goToPly(ply));
    this.moves = new MoveList(parts.moves, (node) => this.go(node));
    for (const [name, step] of Object.entries({ first: "first", previous: "back", next: "forward", last: "end" })) {
      parts[name]?.addEventListener("click", () => this[/** @type {"first"} */ (step)]());
    }
  }

  /** Shows a game at an address, or at its start.
   * @type {(game: any, address?: string) => void} */
  open(game, address = "0") {
    this.game = game;
    const { parts } = this;
    if (game.board) this.board.begin(game.board);
    parts.boardFrame.hidden = !game.board;
    this.graph.begin(game);
    this.moves.begin(game);
    if (parts.facts) showFacts(parts.facts, game);
    if (parts.sides) showSides(parts.sides, game, (judgement, white) => this.seek(judgement, white));
    this.goTo(address);
  }

  /** Goes to an address, or to the start if the game has no such move.
   * @param {string} address */
  goTo(address) {
    this.go(findNode(this.game, address) ?? this.game.start);
  }

  /** Shows a move.
   * @param {MoveNode} node */
  go(node) {
    this.node = node;
    this.analysis = [];
    const { game, parts } = this;
    if (game.board) {
      const position = positionOf(node);
      this.board.show(position.letters);
      this.drawMarks();
      const fen = fenOf(game.board, position);
      if (parts.fen) parts.fen.value = fen;
      parts.board.setAttribute("aria-label", `${text("board")}: ${fen}`);
    }
    this.graph.show(node);
    this.moves.show(node);
    this.showPlayers();
    this.showGauge();
    this.showStatus();
    for (const name of ["first", "previous"]) if (parts[name]) parts[name].disabled = !node.previous;
    for (const name of ["next", "last"]) if (parts[name]) parts[name].disabled = !node.next;
    this.shown(node);
  }

  back() {
    if (this.node.previous) this.go(this.node.previous);
  }

  forward() {
    if (this.node.next) this.go(this.node.next);
  }

  first() {
    this.go(this.game.start);
  }

  end() {
    let { node } = this;
    while (node.next) node = node.next;
    this.go(node);
  }

  /** Goes to a ply of the main line, or to the last one before it that was played.
   * @param {number} ply */
  goToPly(ply) {
    let node = this.game.start;
    while (node.next && node.next.ply <= ply) node = node.next;
    this.go(node);
  }

  /** Goes to the next move of a side that was judged so, from the start again after the last one.
   * @type {(judgement: string, white: boolean) => void} */
  seek(judgement, white) {
    const judged = this.game.main.filter((/** @type {MoveNode} */ node) =>
      node.judgement === judgement && node.white === white && node.change);
    const next = judged.find((/** @type {MoveNode} */ node) => node.ply > parseInt(this.node.address, 10)) ?? judged[0];
    if (next) this.go(next);
  }

  flip() {
    this.board.flipped = !this.board.flipped;
    this.parts.boardFrame.classList.toggle("flipped", this.board.flipped);
    if (!this.game) return;
    if (this.game.board) this.board.begin(this.game.board);
    this.go(this.node);
  }

  /** @param {boolean} hasArrows */
  showArrows(hasArrows) {
    this.hasArrows = hasArrows;
    if (this.game?.board) this.drawMarks();
  }

  /** Draws the marks of the record, the best line and what an analysis adds. */
  drawMarks() {
    const { node } = this;
    const { must, drawn, sketch } = this;
    const circles = sketch.length === 1 ? [...drawn.squares, [sketch[0], "Y"]] : drawn.squares;
    const own = sketch.length === 2 ? [...drawn.arrows, [...sketch, "Y"]] : drawn.arrows;
    if (this.isAsked) return this.board.draw({ last: endsOf(node), squares: this.hinted === undefined ? [] : [[this.hinted, "G"]], circles, arrows: own, must });
    const best = this.hasArrows ? (bestLine(node) ?? []).slice(0, 2).map(endsOf) : [];
    const names = ["best", "reply"];
    const lines = best.flatMap((ends, n) => (ends ? [[...ends, "G", names[n]]] : []));
    this.board.draw({
      last: endsOf(node),
      squares: node.more.squares,
      arrows: [...(node.more.arrows ?? []), ...lines.reverse(), ...this.analysis, ...own],
      circles,
      must,
      judgement: node.judgement,
      sign: node.judgement ? marksOf(node) : "",
    });
    return undefined;
  }

  showPlayers() {
    const { parts, game, node } = this;
    if (!parts.topPlayer) return;
    const [top, bottom] = this.board.flipped ? ["white", "black"] : ["black", "white"];
    const clock = (/** @type {string} */ side) => this.clocks?.[side === "white" ? "W" : "B"] ?? clockOf(node, side);
    showPlayer(parts.topPlayer, game, top, clock(top));
    showPlayer(parts.bottomPlayer, game, bottom, clock(bottom));
  }

  /** Shows White's share at the side of the board. */
  showGauge() {
    const { game, node, parts } = this;
    const share = node.depth === 0 && node.ply > 0 ? game.curve?.[node.ply - 1] : undefined;
    parts.gauge.classList.toggle("unknown", !game.curve);
    const known = node.ply === 0 ? 500 : share;
    if (known !== undefined && known !== null) parts.gauge.style.setProperty("--share", `${known / 10}%`);
  }

  /** Says which move is shown, how it is evaluated and judged, and who is to move. */
  showStatus() {
    const { node, game } = this;
    /** @type {any[]} */
    const facts = [];
    if (node.ply) {
      facts.push(html("strong", {}, `${numberOf(node)} `, record(node.notation), ` ${marksOf(node)}`));
      if (node.evaluation !== undefined) facts.push(evaluationWords(node.evaluation));
      if (node.judgement) facts.push(html("span", { class: `judged ${node.judgement}` }, text(node.judgement)));
      if (node.judgement) facts.push(this.betterMove());
    }
    if (game.board) facts.push(text(positionOf(node).turn === "W" ? "whiteToMove" : "blackToMove"));
    else facts.push(text("noPosition"));
    this.parts.status.replaceChildren(...facts.filter(Boolean).flatMap((fact, n) => (n ? [" · ", fact] : [fact])));
  }

  /** Returns a link to the best line in place of the move that is shown. */
  betterMove() {
    const { node } = this;
    const first = node.depth === 0 && bestLine(node.previous)?.[0];
    if (!first) return undefined;
    const button = html("button", { class: "better" }, text("best", first.notation ?? ""));
    button.addEventListener("click", () => this.go(first));
    return button;
  }
}

/** Turns a swipe over the board into a step, and a tap on a half of it.
 * @type {(root: any, step: (forward: boolean) => void, taps?: boolean) => void} */
export const watchSwipes = (root, step, taps = true) => {
  /** @type {number[] | undefined} */
  let start;
  root.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => { start = [event.clientX, event.clientY]; });
  root.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
    start = undefined;
    const box = root.getBoundingClientRect();
    const isSwipe = Math.abs(dx) > 30;
    if (Math.abs(dy) < 40 && (isSwipe || taps)) step(isSwipe ? dx < 0 : event.clientX > box.left + box.width / 2);
  });
};
