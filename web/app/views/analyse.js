// The engine: its analysis of the position on the board, and annotation of games.

import { html, save, text } from "../parts/dom.js";
import { isAnnotated, store } from "../store.js";
import { Annotation, unfinished } from "../annotation.js";
import { button, choice, number, toggleButton } from "../ui.js";
import { saveInFolder } from "./check.js";
import { playForm } from "./play.js";
import { recordOf, setUpPosition } from "./setup.js";

const NODES = [10_000, 30_000, 100_000, 300_000, 1_000_000];

export class AnalyseView {
  nodes = 100_000;
  scope = "game";
  /** What annotation adds beside evaluations, as the options of the call. */
  added = { words: false, shots: false };
  workers = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));
  /** @type {Annotation | undefined} */ annotation = undefined;

  /** @param {import("./open.js").Host} host */
  constructor(host) {
    this.host = host;
    this.pane = host.pane();
    this.slot = html("div", { class: "slot" });
    this.empty = html("p", { class: "notice" }, text("nothingOpen"), " ", button("open", () => host.show("open"), { class: "link" }));
    const { engine } = this.pane;
    this.progress = html("progress", { max: "1", hidden: "", "aria-label": text("annotate") });
    this.state = html("p", { role: "status", id: "annotation" });
    this.startButton = button("annotate", () => this.annotate(), { class: "button strong", id: "annotate" });
    this.stopButton = button("cancel", () => this.annotation?.stop(), { id: "stop-annotation", disabled: "" });
    this.resume = html("p", {});
    this.playForm = playForm(this.pane);
    const count = (/** @type {number} */ value) => /** @type {[string, string]} */ ([`${value}`, number(value)]);
    this.root = html("section", {}, this.slot, html("div", { class: "panel" },
      html("h2", {}, text("engine")),
      html("p", { class: "tools" },
        choice("lines", [1, 2, 3, 5].map(count), (value) => { engine.lines = Number(value); engine.restart(); }, "3"),
        button("setUp", () => this.setUp(), { id: "set-up" })),
      engine.verdict, engine.lineList, engine.speed,
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
    this.pane.root.addEventListener("move", () => { this.empty.hidden = true; });
    this.offerResume();
  }

  /** @param {any} request */
  shown(request) {
    this.slot.append(this.empty, this.pane.root);
    this.empty.hidden = store.games.length > 0;
    if (!this.pane.entry && store.games.length > 0) this.pane.show(store.games[0]);
    else if (store.games.length === 0) this.host.announce(text("nothingOpen"));
    this.pane.engine.restart();
    if (!request?.play) return;
    this.playForm.scrollIntoView({ block: "nearest" });
    this.playForm.focus();
  }

  hidden() {
    this.pane.engine.halt();
  }

  setUp() {
    const { game, node } = this.pane.view;
    setUpPosition({ variant: game?.head.variant ?? "international", game, node, actions: [["analysePosition", async ({ fen, variant }) => {
      const [entry] = await store.open([{ name: "position.pdn", blob: new Blob([await recordOf(fen, variant)]) }]);
      if (!entry) return;
      // A game type without a number is only known here.
      entry.head.variant = variant;
      await this.pane.show(entry);
    }]] });
  }

  async offerResume() {
    const job = await unfinished();
    if (!job) return;
    const resume = button("resume", () => this.run(Annotation.resumed(job)), { class: "button strong", id: "resume" });
    this.resume.replaceChildren(resume, ` ${text("gamesOf", number(job.done.length), number(job.all))}`);
  }

  /** Puts annotated games beside the files of a folder, or replaces the open ones, also those that cannot be saved. Files that were
   * changed meanwhile stay, and the annotated games are opened beside them. Returns what the user should know of that, and the errors.
   * @param {{ file: any, from: Blob, blob: Blob }[]} files */
  async keepAnnotated(files) {
    await this.pane.keepComment();
    /** @type {string[]} */
    const notes = [];
    const fail = (/** @type {any} */ error) => { notes.push(error.message); };
    /** @type {(typeof files[number] & { source?: import("../store.js").Source })[]} */
    const made = [];
    for (const one of files) made.push({ ...one, source: await store.saveBeside(one.file, one.blob).catch(fail) ?? undefined });
    const late = await store.apply(made, "annotate");
    for (const { file } of made.filter((one) => !late.includes(one) && !one.source && isAnnotated(one.file))) {
      await saveInFolder(file, this.host.announce).catch(fail);
    }
    for (const { file, blob, source } of late) {
      const name = source?.path ?? store.freeName(`${file.name.replace(/(\.annotated)?\.\w+$/i, "")}.annotated.pdn`);
      await store.open([{ name, blob, source, changed: source ? undefined : true }]);
      notes.push(text("annotatedApart", file.name, name));
    }
    return notes;
  }

  async annotate() {
    this.startButton.disabled = true;
    await this.pane.keepComment();
    await store.edits;
    const chosen = () => (this.scope === "all" ? store.games : this.pane.entry ? [this.pane.entry] : []);
    try {
      await store.toPdn(chosen());
      const entries = chosen();
      if (entries.length > 0) await this.run(new Annotation(entries, { nodes: this.nodes, ...this.added, lang: document.documentElement.lang }));
    } finally {
      this.startButton.disabled = false;
    }
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
        const isOpen = (/** @type {{ file: any }} */ { file }) => store.files.includes(file);
        const notes = await this.keepAnnotated(files.filter(isOpen));
        for (const { file, blob } of files.filter((one) => !isOpen(one))) save(file.name, blob);
        await annotation.forget();
        this.state.textContent = notes.join(" · ") || text("annotated", number(annotation.all));
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
