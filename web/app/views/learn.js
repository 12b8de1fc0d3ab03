// Learning: the positions before the mistakes of a game, and those of a file of puzzles, ask for the right move.

import { html, text } from "../parts/dom.js";
import { bestLine, fenOf, numberOf, positionOf } from "../parts/model.js";
import { tagOf } from "../parts/players.js";
import { lead, quick, thinker } from "../client.js";
import { setting } from "../db.js";
import { store } from "../store.js";
import { button, iconButton, number, unbroken } from "../ui.js";

/** @typedef {import("../parts/model.js").MoveNode} MoveNode */
/** @typedef {{ base: MoveNode, line: MoveNode[], mistake?: MoveNode }} Question the move before the position, the right moves, and
 *   the one that was played instead */

/** Nodes of the searches that compare a move with the right one. */
const NODES = 200_000;
/** Centi-men with which about 85 % of the points are expected, as `annotate` reckons in most variants. */
const SCALE = 150;
/** Points that a move may lose to be as good as the right one: half of what an inaccuracy loses. */
const SLACK = 0.05;
/** Milliseconds before the opponent of the solver replies. */
const PAUSE = 600;

/** Names of the puzzles of files, by their contents.
 * @type {WeakMap<Blob, Promise<Map<number, string>>>} */
const named = new WeakMap();

/** Returns a short name for a text.
 * @param {string} words */
const hashOf = (words) => {
  let hash = 0x811c9dc5;
  for (let n = 0; n < words.length; n += 1) hash = Math.imul(hash ^ words.charCodeAt(n), 0x01000193);
  return (hash >>> 0).toString(36);
};

/** Returns the names of the puzzles of a file by their numbers: hashes of their positions, since a file of the same name may have others.
 * @param {import("../store.js").OpenFile} file */
export const puzzleNames = async (file) => {
  // During an edit, the file has its new bytes before its games have their new offsets.
  await store.edits;
  const { blob } = file;
  const games = store.games.filter((entry) => entry.file === file).map(({ game, offset, length }) => ({ game, start: offset, end: offset + length }));
  const names = named.get(blob) ?? blob.arrayBuffer().then((bytes) => {
    /** How often each position has come up to now: a file may repeat one. @type {Map<string, number>} */
    const times = new Map();
    return new Map(games.map(({ game, start, end }) => {
      const words = new TextDecoder("windows-1252").decode(bytes.slice(start, end));
      const hash = hashOf(/\[\s*FEN\s*"([^"]*)"/i.exec(words)?.[1] ?? words);
      const before = times.get(hash) ?? 0;
      times.set(hash, before + 1);
      return [game, before ? `${hash}.${before}` : hash];
    }));
  });
  named.set(blob, names);
  names.catch(() => named.delete(blob));
  return names;
};

/** Returns the points expected with an advantage.
 * @param {number} centiMen */
const expected = (centiMen) => 0.5 + 0.5 * centiMen / Math.hypot(centiMen, SCALE);

/** Returns the evaluation of a record as an advantage of a side.
 * @type {(evaluation: number | string, white: boolean) => number} */
const leadOf = (evaluation, white) =>
  lead(typeof evaluation === "string" ? { win: 0, winner: evaluation[1] === "-" ? "B" : "W" } : { cm: evaluation }, white ? "W" : "B");

/** Returns the name of a question about a mistake.
 * @param {Question} question */
const nameOf = ({ mistake }) => `${mistake?.address}`;

export class Lesson {
  /** What is asked: nothing, a move that is awaited or being judged, or one that was answered.
   * @type {"" | "asking" | "judging" | "answered"} */ state = "";
  /** @type {Question[]} */ questions = [];
  at = 0;
  /** The next move of the line that is to be found. */
  step = 0;
  /** The side whose mistakes are asked for; none for puzzles.
   * @type {boolean | undefined} */ white = undefined;
  /** The game of the questions. */
  key = "";
  /** The file whose puzzles are being solved.
   * @type {any} */ file = undefined;
  /** Files whose puzzles are not to be asked for again. */
  left = new WeakSet();
  /** The mistakes that were solved, by game.
   * @type {Map<string, Set<string>>} */ solved = new Map();

  /** @param {import("./pane.js").GamePane} pane */
  constructor(pane) {
    this.pane = pane;
    this.words = html("p", { class: "question", role: "status", id: "question" });
    this.buttons = html("p", { class: "actions" });
    this.root = html("div", { class: "task lesson", id: "lesson", role: "group", "aria-label": text("learn"), hidden: "" }, this.words, this.buttons);
  }

  /** True while the solution is hidden. */
  get asks() {
    return this.state === "asking" || this.state === "judging";
  }

  get question() {
    return this.questions[this.at];
  }

  /** Follows the pane to a game, and asks for the move of a puzzle.
   * @type {(entry: import("../store.js").GameEntry, game: any) => void} */
  begin(entry, game) {
    const key = `${entry.game}\n${entry.file.name}`;
    const isSame = key === this.key && this.state !== "";
    this.key = key;
    const isPuzzle = Boolean(tagOf(game, "Goal") && game.board && game.start.next);
    const isAsked = isPuzzle && !this.left.has(entry.file) && (this.file === entry.file || this.pane.view.node === game.start);
    if (isAsked) this.file = entry.file;
    else if (this.file !== entry.file) this.file = undefined;
    const questions = isAsked ? [{ base: game.start, line: game.main.filter((/** @type {MoveNode} */ node) => node.change) }]
      : isSame && this.white !== undefined ? this.mistakes(this.white) : [];
    // The game was edited, and what was answered stays so.
    if (isSame && this.state === "answered" && questions[this.at]) this.questions = questions;
    else this.ask(questions, isSame ? this.at : 0);
  }

  /** Returns the mistakes of a side, or of both, for which the record has a better move.
   * @param {boolean} [white]
   * @returns {Question[]} */
  mistakes(white) {
    const judged = this.pane.view.game.main.filter((/** @type {MoveNode} */ node) => node.judgement && node.change && (white ?? node.white) === node.white);
    return judged.flatMap((/** @type {any} */ mistake) => {
      const line = bestLine(mistake.previous);
      return line && line[0].change !== mistake.change ? [{ base: mistake.previous, line, mistake }] : [];
    });
  }

  /** Goes to the next mistake, or to the previous one.
   * @param {number} direction */
  seek(direction) {
    const ply = parseInt(this.pane.view.node.address, 10);
    const all = this.mistakes().map(({ mistake }) => /** @type {MoveNode} */ (mistake));
    const next = direction > 0 ? all.find((node) => node.ply > ply) ?? all[0] : all.findLast((node) => node.ply < ply) ?? all.at(-1);
    if (next) this.pane.view.go(next);
  }

  /** Asks for nothing, and offers to learn.
   * @param {string} [words] */
  rest(words = "") {
    this.set("");
    const { game } = this.pane.view;
    const sides = game?.board ? [true, false].map((white) => ({ white, count: this.mistakes(white).length })).filter(({ count }) => count > 0) : [];
    const learn = sides.map(({ white, count }) => {
      const name = `${text(white ? "white" : "black")} (${count})`;
      const node = html("button", { class: "button", "data-side": white ? "W" : "B", "aria-label": `${text("learn")}: ${name}` }, name);
      node.addEventListener("click", () => this.learn(white));
      return node;
    });
    const isPuzzle = game && tagOf(game, "Goal") && game.start.next;
    this.show(words || (sides.length > 0 ? text("learn") : ""), [
      ...(sides.length > 0 ? [iconButton("previousMistake", "◂ ?", () => this.seek(-1), { id: "previous-mistake" }),
        iconButton("nextMistake", "? ▸", () => this.seek(1), { id: "next-mistake" }), ...learn] : []),
      ...(isPuzzle ? [button("solve", () => this.solve(), { id: "solve" })] : this.file ? [button("nextQuestion", () => this.next())] : [])]);
  }

  /** Asks for the mistakes of a side that were not solved yet.
   * @param {boolean} white */
  learn(white) {
    Object.assign(this, { white, file: undefined });
    const questions = this.mistakes(white);
    const { done } = this;
    const first = questions.findIndex((question) => !done.has(nameOf(question)));
    if (first < 0) for (const question of questions) done.delete(nameOf(question));
    this.ask(questions, Math.max(first, 0));
  }

  /** Solves the puzzles of the file from the one on the board. */
  solve() {
    const { shownEntry: entry, view } = this.pane;
    if (!entry) return;
    this.left.delete(entry.file);
    this.file = entry.file;
    this.begin(entry, view.game);
  }

  /** Names of the questions that were solved; the browser keeps those of puzzles.
   * @returns {Set<string>} */
  get done() {
    const key = this.file ? this.file.name : this.key;
    let names = this.solved.get(key);
    if (!names) {
      names = new Set(this.file ? (setting.get(`puzzles-${key}`) ?? "").split(" ").filter(Boolean) : []);
      this.solved.set(key, names);
    }
    return names;
  }

  /** Games of the file of puzzles. */
  get puzzles() {
    return store.games.filter((entry) => entry.file === this.file);
  }

  /** @type {(questions: Question[], at: number) => void} */
  ask(questions, at) {
    if (this.file) this.white = undefined;
    this.questions = questions;
    this.at = at;
    this.step = 0;
    if (this.question) this.pose();
    else this.rest();
  }

  /** Shows the position of the question, without what gives its solution away. */
  pose() {
    const { pane, step } = this;
    const { base, line, mistake } = this.question;
    this.set("asking");
    pane.view.go(step === 0 ? base : line[step - 1]);
    const side = text(positionOf(pane.view.node).turn === "W" ? "whiteToMove" : "blackToMove");
    const wanted = mistake ? text("findBetter", `${numberOf(mistake)} ${mistake.notation}`) : text(`goal-${tagOf(pane.view.game, "Goal")}`);
    this.show(`${this.place()} · ${side}. ${wanted}`, this.askingButtons());
    if (document.activeElement === pane.typed) return;
    if (pane.root.contains(document.activeElement)) pane.parts.board.focus({ preventScroll: true });
    pane.parts.board.scrollIntoView({ block: "nearest" });
  }

  /** Returns the number of the question among all. */
  place() {
    const { puzzles } = this;
    const [at, all] = this.file ? [puzzles.findIndex((entry) => entry === this.pane.entry), puzzles.length] : [this.at, this.questions.length];
    return text("page", number(at + 1), number(all));
  }

  askingButtons() {
    return [button("hint", () => this.hint(), { id: "hint" }), button("solution", () => this.reveal(), { id: "solution" }), button("stopLearning", () => this.stop(), { id: "stop-learning" })];
  }

  /** Marks the piece that is to be moved. */
  hint() {
    const { pane, question, step } = this;
    const change = question.line[step].change ?? "";
    const place = parseInt(change.slice(1, 3), 36);
    pane.view.hinted = place;
    pane.view.drawMarks();
    this.words.textContent = text("hintPiece", pane.view.game.board.names[place]);
  }

  /** Answers the question with a move.
   * @type {(move: any, notation: string) => Promise<void>} */
  async answer(move, notation) {
    if (this.state !== "asking") return;
    const { pane, question, step } = this;
    const right = question.line[step];
    const isRight = move.change === right.change;
    if (!isRight) {
      this.set("judging");
      this.words.textContent = text("thinking");
    }
    const isGood = isRight || await this.isAsGood(move, question);
    if (question !== this.question || step !== this.step || !this.asks) return;
    if (!isGood) {
      this.set("asking");
      pane.view.go(pane.view.node);
      this.show(text("wrongMove", notation), this.askingButtons());
      return;
    }
    const reply = isRight && !question.mistake && question.line[step + 2] ? question.line[step + 1] : undefined;
    if (reply) {
      this.set("judging");
      pane.view.go(right);
      this.words.textContent = text("rightMove", notation);
      await new Promise((done) => setTimeout(done, PAUSE));
      if (question !== this.question || !this.asks) return;
      this.step += 2;
      this.pose();
      return;
    }
    this.set("answered");
    pane.view.go(isRight ? right : pane.tried.play(pane.view.node, { ...move, notation }));
    await this.keep();
    await this.finish(isRight ? text("rightMove", notation) : text("alsoGood", notation, `${right.notation}`));
  }

  /** Returns true if a move is as good as the right one: by the lines of the record if they have it, and otherwise by searches.
   * @type {(move: any, question: Question) => Promise<boolean>} */
  async isAsGood(move, { line, mistake }) {
    const right = line[this.step];
    if (mistake?.change === move.change) return false;
    const { game, node } = this.pane.view;
    const white = positionOf(node).turn === "W";
    const stored = mistake?.lines?.find((other) => other[0].change === move.change)?.[0].evaluation;
    if (stored !== undefined && right.evaluation !== undefined) {
      return expected(leadOf(stored, white)) > expected(leadOf(right.evaluation, white)) - SLACK;
    }
    const { variant } = game.head;
    /** @param {string} fen */
    const points = async (fen) => {
      const { winner } = await quick.call("position", [fen, { variant }]);
      if (winner) return winner === "draw" ? 0.5 : Number(winner === (white ? "W" : "B"));
      const { lines } = await thinker.call("analyse", [{ fen, variant, hash: 64, lines: 1 }, { nodes: NODES }], { events: {} });
      return expected(lead(lines[0].eval, white ? "W" : "B"));
    };
    try {
      return await points(move.fen) > await points(fenOf(game.board, positionOf(right))) - SLACK;
    } catch {
      return false;
    }
  }

  /** Shows the right move and those that follow it. */
  reveal() {
    const { pane, question, step } = this;
    this.set("answered");
    pane.view.go(question.line[step]);
    this.finish(text("solutionIs", question.line.slice(step).map(({ notation }) => notation).join(" ")));
  }

  /** Keeps that the question was solved. */
  async keep() {
    const { done, file, question, pane: { entry } } = this;
    if (!file) return done.add(nameOf(question));
    const own = (await puzzleNames(file)).get(entry?.game ?? 0);
    if (!own) return undefined;
    done.add(own);
    // Another tab may have solved others.
    for (const name of (setting.get(`puzzles-${file.name}`) ?? "").split(" ").filter(Boolean)) done.add(name);
    return setting.set(`puzzles-${file.name}`, [...done].join(" "));
  }

  /** Ends a question.
   * @param {string} words */
  async finish(words) {
    const { key } = this;
    const score = await this.score();
    if (key !== this.key || this.state !== "answered") return;
    const next = button("nextQuestion", () => this.next(), { id: "next-question", class: "button strong" });
    this.show(`${words} · ${score}`, [next, button("stopLearning", () => this.stop(), { id: "stop-learning" })]);
    if (this.pane.root.contains(document.activeElement) || document.activeElement === document.body) next.focus({ preventScroll: true });
  }

  async score() {
    const { done, file } = this;
    const known = file && await puzzleNames(file);
    const names = known ? [...known.values()] : this.questions.map(nameOf);
    return text("solvedOf", number(names.filter((name) => done.has(name)).length), number(names.length));
  }

  /** Goes on to the next question that is not solved. */
  async next() {
    const { done, file } = this;
    if (file) {
      const names = await puzzleNames(file);
      if (this.file !== file) return;
      const { puzzles } = this;
      const at = puzzles.findIndex((entry) => entry === this.pane.entry);
      const entry = puzzles.slice(at + 1).find(({ game }) => !done.has(names.get(game) ?? ""));
      if (entry) this.pane.show(entry);
      else this.rest(await this.score());
    } else {
      const at = this.questions.findIndex((question, n) => n > this.at && !done.has(nameOf(question)));
      if (at < 0) this.rest(await this.score());
      else this.ask(this.questions, at);
    }
  }

  /** Shows everything again. */
  stop() {
    if (this.file) this.left.add(this.file);
    this.file = undefined;
    this.rest();
    this.pane.engine.restart();
    this.pane.parts.board.focus({ preventScroll: true });
  }

  /** Ends a question whose position is not shown any more.
   * @param {any} node */
  shown(node) {
    if (this.state !== "asking") return;
    const { base, line } = this.question;
    if (node !== (this.step === 0 ? base : line[this.step - 1])) this.rest();
  }

  /** @param {"" | "asking" | "judging" | "answered"} state */
  set(state) {
    this.state = state;
    const { pane, asks } = this;
    pane.root.classList.toggle("asking", asks);
    pane.view.isAsked = asks;
    pane.view.hinted = undefined;
    if (pane.view.game?.board && pane.view.node) pane.view.drawMarks();
  }

  /** @type {(words: string, buttons: any[]) => void} */
  show(words, buttons) {
    this.words.replaceChildren(...unbroken(words));
    const hadFocus = this.buttons.contains(document.activeElement);
    this.buttons.replaceChildren(...buttons);
    if (hadFocus) this.pane.parts.board.focus({ preventScroll: true });
    this.root.hidden = !words && buttons.length === 0;
  }
}
