// A page of exercises: which one is shown, how moves are answered, and the result.

import { BoardView } from "../../../web/app/parts/board.js";
import { byId, html, record, setTexts, shortcutOf, text, translate } from "../../../web/app/parts/dom.js";
import { MoveInput } from "../../../web/app/parts/input.js";
import { applied, endsOf } from "../../../web/app/parts/model.js";

/** Returns what the data blocks of a class have. */
const blocks = (name) => [...document.querySelectorAll(`script.${name}`)].map((block) => JSON.parse(block.textContent));

const [page] = blocks("page");
const boards = new Map(blocks("board").map((board) => [board.variant, board]));
const exercises = blocks("exercise");

/** Milliseconds before a move is answered, and between the moves of an answer. */
const PAUSE = 650;

/** The results by position, which the browser keeps where it may: `first`, `later`, `hint`, `shown`, or nothing. */
const STORE = "pdn-exercises";
const keyOf = ({ variant, start, turn }) => `${variant} ${turn} ${start}`;
const stored = () => {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
};
const keep = (results) => {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...stored(), ...results }));
  } catch {
    // Without storage, the results last as long as the page.
  }
};

const RESULTS = { first: "firstTry", later: "laterTry", hint: "withHint", shown: "shownResult" };
const SIGNS = { first: "✓", later: "✓", hint: "✓", shown: "–" };

/** Returns what has happened in each exercise up to now: the number of wrong moves, and whether there was a hint. */
const noAttempts = () => exercises.map(() => ({ tries: 0, hinted: false }));

class Solver {
  /** The exercise, after one is opened. */
  at = undefined;
  /** What is going on: `asking`, `playing` moves, `refuted`, or `done`. */
  state = "asking";
  /** The next move of the solution that is to be found, and the position before it. */
  step = 0;
  position = undefined;
  /** The position on the board. */
  shown = undefined;
  /** Counts what is shown, so that moves of an earlier one are dropped. */
  count = 0;
  /** The squares of the last move, and the arrow and the square of a hint. */
  marks = {};
  attempts = noAttempts();

  constructor() {
    const known = stored();
    this.results = exercises.map((exercise) => known[keyOf(exercise)]);
    this.view = new BoardView(byId("board"));
    const say = (words) => { byId("cursor").textContent = words; };
    this.input = new MoveInput(this.view, { play: (choices) => this.choose(choices), rest: () => this.view.draw(this.marks), say });
  }

  get exercise() {
    return exercises[this.at];
  }

  get board() {
    return boards.get(this.exercise.variant);
  }

  /** The moves that are possible. */
  get choices() {
    return this.exercise.steps[this.step / 2];
  }

  get attempt() {
    return this.attempts[this.at];
  }

  /** Shows an exercise from its start. */
  open(at) {
    const isOther = at !== this.at;
    this.at = at;
    const { exercise, view } = this;
    Object.assign(this, { step: 0, marks: {}, position: { letters: [...exercise.start], turn: exercise.turn } });
    if (isOther) view.flipped = exercise.turn === "B";
    view.begin(this.board);
    byId("place").textContent = text("page", at + 1, exercises.length);
    byId("task").textContent = exercise.task;
    byId("source").replaceChildren(...[exercise.source, exercise.comment].filter(Boolean).flatMap((words, n) => [n ? " · " : "", record(words)]));
    byId("previous").disabled = at === 0;
    byId("next").disabled = at === exercises.length - 1;
    this.say("");
    this.ask();
    history.replaceState(null, "", `#${at + 1}`);
    this.showProgress();
  }

  /** Waits for a move of the solver. */
  ask() {
    this.state = "asking";
    this.count += 1;
    this.show(this.position);
    byId("legal-moves").replaceChildren(...this.choices.map(({ notation }) => html("option", { value: notation })));
    this.await();
    this.showButtons();
  }

  /** Takes a move from the board. */
  await() {
    this.input.await(this.position.letters, this.choices);
  }

  /** Turns the board, and goes on with what is shown. */
  flip() {
    const { view } = this;
    view.flipped = !view.flipped;
    view.begin(this.board);
    view.show(this.shown.letters);
    if (this.state === "asking") this.await();
    view.draw(this.marks);
  }

  /** Shows a position, and the squares of the move that led to it. */
  show(position, change) {
    this.shown = position;
    this.marks = { last: change && endsOf({ change }) };
    this.view.show(position.letters);
    this.view.draw(this.marks);
    byId("described").textContent = described(this.board, position);
  }

  say(...words) {
    byId("answer").replaceChildren(...words);
    byId("choices").replaceChildren();
  }

  showButtons() {
    const { state, exercise, at } = this;
    const isDone = state === "done";
    byId("again").hidden = state !== "refuted";
    byId("hint").hidden = isDone || state === "refuted";
    byId("hint").disabled = state !== "asking";
    byId("solution").hidden = isDone;
    byId("go-on").hidden = !isDone || this.nextOpen() === undefined;
    byId("typing").hidden = isDone;
    byId("line").hidden = !isDone;
    if (isDone) this.showLine(exercise, at);
  }

  /** Answers one of several moves that the squares can mean, after asking which if their results differ. */
  choose(choices) {
    if (choices.length === 1) {
      this.answer(choices[0]);
      return;
    }
    byId("choices").replaceChildren(`${text("whichMove")} `, ...choices.map((choice) => {
      const node = html("button", { class: "button" }, choice.notation);
      node.addEventListener("click", () => this.answer(choice));
      return node;
    }));
    byId("choices").querySelector("button").focus();
  }

  /** Plays moves on the board, one after the other; returns false if something else is shown meanwhile. */
  async play(moves) {
    this.state = "playing";
    this.input.await();
    this.showButtons();
    this.count += 1;
    const { count } = this;
    let { position } = this;
    for (const [n, change] of moves.entries()) {
      if (n > 0) await new Promise((done) => setTimeout(done, PAUSE));
      if (count !== this.count) return false;
      position = applied(position, change);
      this.show(position, change);
    }
    return true;
  }

  async answer(choice) {
    const { exercise, step } = this;
    const right = exercise.line[step];
    const isRight = choice.change === right[2];
    const reply = isRight ? exercise.line[step + 1] : undefined;
    if (isRight || choice.good) {
      this.say(isRight ? text("rightMove", choice.notation) : text("alsoGood", choice.notation, right[1]));
      if (!await this.play([choice.change, ...(reply ? [reply[2]] : [])])) return;
      if (isRight && step + 2 < exercise.line.length) {
        this.position = applied(applied(this.position, choice.change), reply[2]);
        this.step += 2;
        this.ask();
        this.show(this.position, reply[2]);
        if (reply[3]) this.say(record(reply[3]));
      } else this.finish(this.attempt.hinted ? "hint" : this.attempt.tries > 0 ? "later" : "first");
      return;
    }
    this.attempt.tries += 1;
    const line = choice.answer.map(([notation]) => notation).join(" ");
    this.say(line ? text("fails", choice.notation, line) : text("wrongMove", choice.notation));
    if (!await this.play([choice.change, ...choice.answer.map(([, change]) => change)])) return;
    this.state = "refuted";
    this.showButtons();
    // A move of the right piece may follow at once, without the button.
    if (!line) this.again();
    else if (document.activeElement === document.body || byId("typing").contains(document.activeElement)) byId("again").focus({ preventScroll: true });
  }

  /** Takes a wrong move back. */
  again() {
    this.ask();
  }

  /** Marks the piece that is to be moved, and the second time its way. */
  hint() {
    const [from, to] = endsOf({ change: this.exercise.line[this.step][2] });
    const squares = [[from, "G"]];
    const arrows = this.marks.squares ? [[from, to, "G"]] : [];
    this.attempt.hinted = true;
    this.marks = { ...this.marks, squares, arrows };
    this.view.draw(this.marks);
    this.say(text("hintPiece", this.board.names[from]));
  }

  async solve() {
    const { exercise, step } = this;
    if (this.state === "refuted") this.ask();
    const line = exercise.line.slice(step);
    this.settle("shown");
    this.say(text("solutionIs", line.map(([, notation]) => notation).join(" ")));
    if (await this.play(line.map((move) => move[2]))) this.finish("shown");
  }

  /** Gives the exercise a result unless it has one. */
  settle(result) {
    this.results[this.at] ??= result;
    keep({ [keyOf(this.exercise)]: this.results[this.at] });
    this.showProgress();
  }

  /** Ends the exercise. */
  finish(result) {
    this.state = "done";
    this.settle(result);
    this.showButtons();
    if (this.exercise.theme) byId("answer").append(" · ", record(this.exercise.theme));
    const next = this.nextOpen() === undefined ? byId("print") : byId("go-on");
    next.focus({ preventScroll: true });
  }

  /** Shows the solution as moves that lead to their positions. */
  showLine(exercise) {
    let position = { letters: [...exercise.start], turn: exercise.turn };
    const moves = exercise.line.flatMap(([number, notation, change, comment]) => {
      position = applied(position, change);
      const after = position;
      const move = html("button", { class: "move" }, number ? `${number} ` : "", html("bdi", {}, notation));
      move.addEventListener("click", () => {
        this.show(after, change);
        for (const other of byId("line").querySelectorAll(".move")) other.removeAttribute("aria-current");
        move.setAttribute("aria-current", "true");
      });
      return [move, ...(comment ? [record(comment, "comment")] : [])];
    });
    byId("line").replaceChildren(...moves);
  }

  /** Goes along the solution when it may be seen. */
  walk(step) {
    if (this.state !== "done") return;
    const moves = [...byId("line").querySelectorAll(".move")];
    const shown = moves.findIndex((move) => move.hasAttribute("aria-current"));
    const next = moves[(shown < 0 ? moves.length - (step < 0 ? 0 : 1) : shown) + step];
    next?.click();
  }

  /** Returns the next exercise without a result. */
  nextOpen() {
    const order = [...exercises.keys()].map((n) => (this.at + 1 + n) % exercises.length);
    return order.find((n) => !this.results[n]);
  }

  showProgress() {
    const nodes = exercises.map((_, n) => {
      const result = this.results[n];
      const words = text(RESULTS[result] ?? "open");
      const node = html("button", { class: `dot ${result ?? ""}`, "aria-label": `${n + 1}: ${words}`, title: words, "aria-current": n === this.at ? "true" : undefined }, SIGNS[result] ?? `${n + 1}`);
      node.addEventListener("click", () => this.open(n));
      return node;
    });
    byId("progress").replaceChildren(...nodes);
    const solved = this.results.filter((result) => result && result !== "shown").length;
    byId("score").textContent = text("solvedOf", solved, exercises.length);
    this.showResult();
  }

  /** Fills in the sheet that is printed. */
  showResult() {
    byId("when").textContent = `${document.title} · ${new Date().toLocaleDateString(document.documentElement.lang)} · ${byId("score").textContent}`;
    byId("results").replaceChildren(...exercises.map(({ task, source }, n) => html("tr", {},
      html("td", {}, `${n + 1}`), html("td", {}, task), html("td", {}, record(source)), html("td", {}, text(RESULTS[this.results[n]] ?? "open")))));
  }

  restart() {
    this.results.fill(undefined);
    this.attempts = noAttempts();
    keep(Object.fromEntries(exercises.map((exercise) => [keyOf(exercise), undefined])));
    this.open(0);
  }
}

/** Describes a position for screen readers. */
const described = (board, { letters, turn }) => {
  const sides = [["white", "w", "W"], ["black", "b", "B"]].map(([side, man, king]) => {
    const squares = board.names.flatMap((name, place) => (letters[place] === man ? [name] : letters[place] === king ? [`${text("king")} ${name}`] : []));
    return `${text(side)}: ${squares.join(", ") || "–"}`;
  });
  return [...sides, text(turn === "W" ? "whiteToMove" : "blackToMove")].join(". ");
};

const plain = (words) => words.toLowerCase().replace(/[\s.]/g, "").replace(/[x:×]/g, "-");

const begin = () => {
  setTexts(page.texts);
  translate(document);
  byId("title").textContent = document.title;
  if (page.index) Object.assign(byId("to-index"), { href: page.index, hidden: false });
  if (exercises.length === 0) {
    byId("lesson").hidden = true;
    return;
  }
  const solver = new Solver();
  const toggleTheme = () => {
    const root = document.documentElement;
    const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.style.colorScheme = dark ? "light" : "dark";
  };
  const actions = {
    theme: toggleTheme, flip: () => solver.flip(), previous: () => solver.open(solver.at - 1), next: () => solver.open(solver.at + 1), again: () => solver.again(), hint: () => solver.hint(),
    solution: () => solver.solve(), "go-on": () => solver.open(solver.nextOpen()), print: () => print(), restart: () => solver.restart(),
  };
  for (const [id, action] of Object.entries(actions)) {
    byId(id).addEventListener("click", () => {
      action();
      // A button that is gone cannot keep the focus.
      if (!document.activeElement?.checkVisibility() || document.activeElement === document.body) byId("board").focus({ preventScroll: true });
    });
  }
  byId("typing").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = byId("typed-move").value;
    if (solver.state === "refuted") solver.again();
    if (!typed.trim() || solver.state !== "asking") return;
    const { board, choices } = solver;
    const ways = ({ notation, paths }) => [notation, ...paths.map((path) => path.map((place) => board.names[place]).join("-"))].map(plain);
    const fitting = choices.filter((choice) => ways(choice).includes(plain(typed)));
    byId("typed-move").value = "";
    if (fitting.length > 0) solver.choose(fitting);
    else solver.say(text("notLegal", typed.trim()));
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, #board") || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = { ArrowLeft: () => solver.walk(-1), ArrowRight: () => solver.walk(1), f: () => solver.flip(), h: () => solver.state === "asking" && solver.hint() }[shortcutOf(event)];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // Before the board takes the same tap as the first square of another move.
  byId("board").addEventListener("pointerdown", () => solver.state === "refuted" && solver.again(), { capture: true });
  window.addEventListener("hashchange", () => solver.open(exercises[Number(location.hash.slice(1)) - 1] ? Number(location.hash.slice(1)) - 1 : 0));
  const wanted = Number(location.hash.slice(1)) - 1;
  solver.open(exercises[wanted] ? wanted : Math.max(solver.results.findIndex((result) => !result), 0));
};

begin();
