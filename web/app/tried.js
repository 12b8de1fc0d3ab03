// Moves that are tried beside a game, until they are kept as variations.

import { html, text } from "./parts/dom.js";
import { fenOf, numberOf, positionOf, startsWhite } from "./parts/model.js";
import { button } from "./ui.js";

/**
 * @typedef {{ notation: string, change?: string }} TriedMove
 * @typedef {{ at: string, fen: string, moves: TriedMove[] }} Line a line: the address of the move that it follows, the position
 *   there, and its moves
 */

export class TriedLines {
  /** The lines of all games.
   * @type {Map<string, Line[]>} */ all = new Map();
  /** @type {Line[]} */ lines = [];
  /** @type {any} */ game = undefined;
  /** The nodes of each line.
   * @type {Map<Line, any[]>} */ nodes = new Map();
  /** @type {any} */ current = undefined;

  /** @param {{ go: (node: any) => void, keep: (line: Line) => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.root = html("div", { class: "tried", id: "tried", role: "group", "aria-label": text("tried") });
  }

  /** Shows the lines of a game; those whose position it no longer has are dropped.
   * @type {(key: string, game: any) => void} */
  begin(key, game) {
    this.game = game;
    const nodes = allNodes(game);
    const found = (/** @type {Line} */ line) => {
      const is = (/** @type {any} */ node) => game.board && fenOf(game.board, positionOf(node)) === line.fen;
      const same = nodes.find((node) => node.address === line.at && is(node)) ?? nodes.find(is);
      if (same) line.at = same.address;
      return same;
    };
    this.lines = (this.all.get(key) ?? []).filter(found);
    this.all.set(key, this.lines);
    this.nodes = new Map();
    for (const line of this.lines) this.make(line, nodes.find((node) => node.address === line.at));
    this.draw();
  }

  /** Makes the nodes of a line after a move.
   * @type {(line: Line, base: any) => void} */
  make(line, base) {
    let previous = base;
    const nodes = line.moves.map((move, n) => {
      const white = positionOf(previous).turn === "W";
      const leads = white === startsWhite(this.game);
      const number = previous.ply === 0 ? this.game.main[0]?.number ?? 1 : previous.number + (leads ? 1 : 0);
      /** @type {any} */
      const node = { ply: previous.ply + 1, address: `${base.address}~${n + 1}`, depth: 1, more: {}, ...move, number, white, leads, previous, tried: line, step: n + 1 };
      if (n > 0) previous.next = node;
      previous = node;
      return node;
    });
    this.nodes.set(line, nodes);
  }

  /** Adds a move after the one that is shown, and returns its node.
   * @type {(node: any, move: TriedMove & { change: string }) => any} */
  play(node, { notation, change }) {
    const same = this.lines.find((line) => line.at === node.address && line.moves[0]?.change === change);
    if (same) return this.nodes.get(same)?.[0];
    /** @type {Line} */
    let line = node.tried;
    let base = node;
    if (line) {
      base = this.nodes.get(line)?.[0].previous;
      if (node.next) {
        line = { ...line, moves: line.moves.slice(0, node.step) };
        this.lines.push(line);
      }
    } else {
      line = { at: node.address, fen: fenOf(this.game.board, positionOf(node)), moves: [] };
      this.lines.push(line);
    }
    line.moves.push({ notation, change });
    this.make(line, base);
    this.draw();
    return this.nodes.get(line)?.at(-1);
  }

  /** @param {Line} line */
  discard(line) {
    const at = this.lines.findIndex((other) => other.at === line.at && other.moves[0]?.change === line.moves[0]?.change);
    if (at >= 0) this.lines.splice(at, 1);
    this.draw();
  }

  /** Marks the move that is shown.
   * @param {any} node */
  shown(node) {
    this.current = node;
    for (const one of this.root.querySelectorAll(".move")) {
      if (node.tried && one.dataset.address === node.address && one.dataset.line === `${this.lines.indexOf(node.tried)}`) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  draw() {
    this.root.replaceChildren(...this.lines.map((line, n) => html("div", { class: "variation" },
      ...(this.nodes.get(line) ?? []).map((node, step) => {
        const move = html("button", { class: "move", "data-address": node.address, "data-line": `${n}` },
          node.leads || step === 0 ? `${numberOf(node)} ` : "", html("bdi", {}, node.notation));
        move.addEventListener("click", () => this.actions.go(node));
        return move;
      }),
      button("keepLine", () => this.actions.keep(line), { class: "link keep" }),
      button("discardLine", () => {
        const base = this.nodes.get(line)?.[0].previous;
        const isShown = this.current?.tried === line;
        this.discard(line);
        if (isShown) this.actions.go(base);
      }, { class: "link" }))));
  }
}

/** Returns all played moves of a game, after its start.
 * @param {any} game
 * @returns {any[]} */
const allNodes = (game) => {
  /** @type {(line: any[]) => any[]} */
  const of = (line) => line.flatMap((node) => [...(node.change ? [node] : []), ...(node.lines ?? []).flatMap(of)]);
  return [game.start, ...of(game.main), ...game.variations.flatMap(of)];
};
