// The engine: its analysis of the position on the board, and annotation of games.

import { html, record, save, text } from "../parts/dom.js";
import { evaluationText, evaluationWords, fenOf, positionOf } from "../parts/model.js";
import { thinker } from "../client.js";
import { store } from "../store.js";
import { Annotation, unfinished } from "../annotation.js";
import { button, choice, number, toggleButton } from "../ui.js";
import { aboutVariant, playForm } from "./play.js";
import { setUpPosition } from "./setup.js";

const NODES = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/** Returns an evaluation in the form used by boards: centi-men, or `#7`.
 * @param {any} evaluation */
const boardEvaluation = (evaluation) =>
  ("cm" in evaluation ? evaluation.cm : `#${evaluation.winner === "B" ? "-" : ""}${evaluation.win}`);

export class AnalyseView {
  isOn = false;
  lines = 3;
  nodes = 100_000;
  scope = "game";
  /** What annotation adds beside evaluations, as the options of the call. */
  added = { words: false, shots: false };
  workers = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));
  /** @type {AbortController | undefined} */ search = undefined;
  /** @type {Annotation | undefined} */ annotation = undefined;

  /** @param {import("./open.js").Host} host */
  constructor(host) {
    this.host = host;
    this.pane = host.pane();
    this.slot = html("div", { class: "slot" });
    this.switch = toggleButton("engine", undefined, false, (pressed) => this.turn(pressed), { id: "engine" });
    this.verdict = html("p", { class: "verdict", role: "status", id: "verdict" });
    this.speed = html("p", { class: "muted", id: "speed" });
    this.lineList = html("ol", { class: "lines", id: "lines" });
    this.progress = html("progress", { max: "1", hidden: "", "aria-label": text("annotate") });
    this.state = html("p", { role: "status", id: "annotation" });
    this.startButton = button("annotate", () => this.annotate(), { class: "button strong", id: "annotate" });
    this.stopButton = button("cancel", () => this.annotation?.stop(), { id: "stop-annotation", disabled: "" });
    this.resume = html("p", {});
    this.playForm = playForm(this.pane);
    const count = (/** @type {number} */ value) => /** @type {[string, string]} */ ([`${value}`, number(value)]);
    this.root = html("section", {}, this.slot, html("div", { class: "panel" },
      html("h2", {}, text("engine")),
      html("p", { class: "tools" }, this.switch,
        choice("lines", [1, 2, 3, 5].map(count), (value) => { this.lines = Number(value); this.restart(); }, "3"),
        button("setUp", () => this.setUp(), { id: "set-up" })),
      this.verdict, this.lineList, this.speed,
      html("h2", {}, text("annotate")),
      html("p", { class: "tools" },
        choice("scope", [["game", text("thisGame")], ["all", text("allGames")]], (value) => { this.scope = value; }),
        choice("nodes", NODES.map(count), (value) => { this.nodes = Number(value); }, "100000"),
        choice("workers", [1, 2, 4, 8].filter((value) => value <= Math.max(2, this.workers)).map(count),
          (value) => { this.workers = Number(value); }, `${this.workers}`)),
      html("p", { class: "tools" }, ...["words", "shots"].map((name) =>
        toggleButton(name, undefined, false, (pressed) => { this.added = { ...this.added, [name]: pressed }; }, { id: `annotate-${name}` }))),
      html("p", { class: "tools" }, this.startButton, this.stopButton), this.progress, this.state, this.resume,
      html("h2", {}, text("playEngine")), this.playForm));
    this.pane.onNode = () => !this.root.hidden && this.restart();
    document.addEventListener("visibilitychange", () => document.hidden && this.halt());
    this.offerResume();
  }

  /** @param {any} request */
  shown(request) {
    this.slot.append(this.pane.root);
    if (!this.pane.entry && store.games.length > 0) this.pane.show(store.games[0]);
    else if (store.games.length === 0) this.host.announce(text("nothingOpen"));
    this.restart();
    if (!request?.play) return;
    this.playForm.scrollIntoView({ block: "nearest" });
    this.playForm.focus();
  }

  hidden() {
    this.halt();
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    if (on) this.restart();
    else this.halt();
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
    this.speed.textContent = "";
    if (!game?.board || !node || !this.isOn || this.pane.lesson.asks) return;
    const controller = new AbortController();
    this.search = controller;
    const fen = fenOf(game.board, positionOf(node));
    const onInfo = (/** @type {any} */ info) => this.search === controller && this.showInfo(info);
    this.speed.textContent = text("thinking");
    try {
      const question = { fen, variant: game.head.variant, hash: 64, lines: this.lines };
      const result = await thinker.call("analyse", [question, {}], { events: { onInfo }, signal: controller.signal });
      if (this.search === controller) this.showInfo(result);
    } catch (error) {
      if (this.search === controller) this.speed.textContent = String(/** @type {any} */ (error).message);
    }
  }

  /** @param {any} info */
  showInfo(info) {
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
    if (info.value) verdict.push(` · ${text("database")}: ${text(side)} ${text(info.value)}${info.plies === null ? "" : ` (${info.plies})`}`);
    this.verdict.replaceChildren(...verdict);
    const rate = info.time > 0 ? Math.round(info.nodes / info.time) : 0;
    this.speed.textContent = text("depthNodes", info.depth, number(info.nodes), number(rate));
    this.lineList.replaceChildren(...info.lines.map((/** @type {any} */ line) => html("li", {},
      html("span", { class: "value" }, evaluationText(boardEvaluation(line.eval))), " ",
      record(line.moves.slice(0, 12).join(" ")), " ",
      button("insertLine", () => this.pane.addLine(line.moves.slice(0, 12)), { class: "link" }))));
    view.analysis = info.lines.flatMap((/** @type {any} */ { places }, /** @type {number} */ n) =>
      (places[0] ? [[...places[0], n ? "B" : "G", n ? "reply" : "best"]] : []));
    if (this.pane.from === undefined) view.drawMarks();
  }

  setUp() {
    const { game, node } = this.pane.view;
    setUpPosition({ variant: game?.head.variant ?? "international", game, node, actions: [["analysePosition", async ({ fen, variant }) => {
      const before = store.games.length;
      const pdn = `[Event "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n[GameType "${(await aboutVariant(variant)).tag}"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n*\n`;
      await store.open([{ name: "position.pdn", blob: new Blob([pdn]) }]);
      if (store.games[before]) await this.pane.show(store.games[before]);
    }]] });
  }

  async offerResume() {
    const job = await unfinished();
    if (!job) return;
    const resume = button("resume", () => this.run(Annotation.resumed(job)), { class: "button strong", id: "resume" });
    this.resume.replaceChildren(resume, ` ${text("gamesOf", number(job.done.length), number(job.all))}`);
  }

  /** Puts annotated games beside the files of a folder, or replaces the open ones.
   * @param {{ file: any, blob: Blob }[]} files */
  async keepAnnotated(files) {
    const others = [];
    for (const { file, blob } of files) if (!await store.saveBeside(file, blob)) others.push({ file, blob });
    if (others.length > 0) await store.apply(others, "annotate");
  }

  annotate() {
    const entries = this.scope === "all" ? store.games : this.pane.entry ? [this.pane.entry] : [];
    if (entries.length > 0) this.run(new Annotation(entries, { nodes: this.nodes, ...this.added, lang: document.documentElement.lang }));
  }

  /** Annotates games, and replaces the originals with them.
   * @param {Annotation} annotation */
  async run(annotation) {
    this.annotation = annotation;
    this.resume.replaceChildren();
    this.progress.hidden = false;
    this.startButton.disabled = true;
    this.stopButton.disabled = false;
    const onProgress = (/** @type {{ share: number, games: number, all: number, left: number | null }} */ { share, games, all, left }) => {
      this.progress.value = share;
      this.state.textContent = `${text("gamesOf", number(games), number(all))}${left === null ? "" : ` · ${text("timeLeft", Math.ceil(left / 60))}`}`;
    };
    try {
      const files = await annotation.run(this.workers, onProgress);
      if (files) {
        const open = files.filter(({ file }) => store.files.includes(file));
        if (open.length > 0) await this.keepAnnotated(open);
        else for (const { file, blob } of files) save(file.name, blob);
        this.state.textContent = text("annotated", number(annotation.all));
      } else {
        this.state.textContent = text("stopped");
        this.offerResume();
      }
    } catch (error) {
      this.state.textContent = String(/** @type {any} */ (error).message);
    }
    this.progress.hidden = true;
    this.startButton.disabled = false;
    this.stopButton.disabled = true;
    this.annotation = undefined;
  }
}
