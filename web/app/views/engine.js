// The engine's analysis of the position on the board: the best line under the board, and all lines in a panel.

import { html, record, text } from "../parts/dom.js";
import { evaluationText, evaluationWords, fenOf, positionOf } from "../parts/model.js";
import { icon } from "../parts/icons.js";
import { thinker } from "../client.js";
import { number, toggleButton, unbroken } from "../ui.js";

/** Number of moves of a line that are shown and inserted. */
const MOVES = 12;

/** Returns an evaluation in the form used by boards: centi-men, or `#7`.
 * @param {any} evaluation */
const boardEvaluation = (evaluation) =>
  ("cm" in evaluation ? evaluation.cm : `#${evaluation.winner === "B" ? "-" : ""}${evaluation.win}`);

export class Engine {
  isOn = false;
  lines = 3;
  /** @type {AbortController | undefined} */ search = undefined;

  /** @param {import("./pane.js").GamePane} pane */
  constructor(pane) {
    this.pane = pane;
    this.switch = toggleButton("engine", icon("engine"), false, (pressed) => this.turn(pressed), { id: "engine" });
    this.best = html("p", { class: "best-line", id: "best-line", hidden: "" });
    this.verdict = html("p", { class: "verdict", role: "status", id: "verdict" });
    this.speed = html("p", { class: "muted", id: "speed" });
    this.lineList = html("ol", { class: "lines", id: "lines" });
    document.addEventListener("visibilitychange", () => document.hidden && this.halt());
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    this.restart();
  }

  halt() {
    this.search?.abort();
    this.search = undefined;
  }

  /** Searches the position shown, replacing the previous search. */
  async restart() {
    this.halt();
    const { game, node } = this.pane.view;
    this.lineList.replaceChildren();
    this.verdict.replaceChildren();
    this.best.replaceChildren();
    const isWanted = Boolean(this.isOn && game?.board && node && !this.pane.lesson.asks);
    this.best.hidden = !isWanted;
    this.speed.textContent = isWanted || this.isOn ? "" : text("turnOn");
    if (!isWanted) return;
    const controller = new AbortController();
    this.search = controller;
    const fen = fenOf(game.board, positionOf(node));
    const onInfo = (/** @type {any} */ info) => this.search === controller && this.show(info);
    this.speed.textContent = text("thinking");
    this.best.textContent = text("thinking");
    try {
      const question = { fen, variant: game.head.variant, hash: 64, lines: this.lines };
      const result = await thinker.call("analyse", [question, {}], { events: { onInfo }, signal: controller.signal });
      if (this.search === controller) this.show(result);
    } catch (error) {
      if (this.search !== controller) return;
      this.speed.textContent = String(/** @type {any} */ (error).message);
      this.best.textContent = this.speed.textContent;
    }
  }

  /** @param {any} info */
  show(info) {
    const { view } = this.pane;
    const [best] = info.lines;
    const side = positionOf(view.node).turn === "W" ? "white" : "black";
    /** @type {any[]} */
    const verdict = [text("noMoves")];
    if (best) {
      const evaluation = boardEvaluation(best.eval);
      const [short, words] = [evaluationText(evaluation), evaluationWords(evaluation)];
      verdict.splice(0, 1, html("strong", {}, short), words === short ? "" : ` ${words}`);
    }
    const database = info.value ? `${text("database")}: ${text(side)} ${text(info.value)}${info.plies === null ? "" : ` (${info.plies})`}` : "";
    this.verdict.replaceChildren(...verdict, database && ` · ${database}`);
    this.best.replaceChildren(...(best ? [html("strong", {}, evaluationText(boardEvaluation(best.eval))), " ",
      record(best.moves.slice(0, MOVES).join(" "))] : [text("noMoves")]), database && html("span", { class: "muted" }, ` · ${database}`));
    const rate = info.time > 0 ? Math.round(info.nodes / info.time) : 0;
    this.speed.textContent = text("depthNodes", info.depth, number(info.nodes), number(rate));
    this.lineList.replaceChildren(...info.lines.map((/** @type {any} */ line) => this.item(line)));
    view.analysis = info.lines.flatMap((/** @type {any} */ { places }, /** @type {number} */ n) =>
      (places[0] ? [[...places[0], n ? "B" : "G", n ? "reply" : "best"]] : []));
    if (!this.pane.hand.isBusy) view.drawMarks();
  }

  /** @param {any} line */
  item(line) {
    const moves = line.moves.slice(0, MOVES);
    const insert = html("button", { type: "button", class: "link" }, text("insertLine"));
    insert.addEventListener("click", () => this.pane.addLine(moves));
    return html("li", {}, html("span", { class: "value" }, evaluationText(boardEvaluation(line.eval))), " ", html("bdi", {}, ...unbroken(moves.join(" "))), " ", insert);
  }
}
