// A game with its board: to follow, to continue with one's moves, and to annotate.

import { html, record, save, shortcutOf, text } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { GameView } from "../parts/gameview.js";
import { MARKS, fenOf, findNode, makeGame, nearestNode, positionOf } from "../parts/model.js";
import { Engine } from "./engine.js";
import { Hand } from "./hand.js";
import { Lesson } from "./learn.js";
import { Match } from "./play.js";
import { share } from "./share.js";
import { TriedLines } from "../tried.js";
import { quick } from "../client.js";
import { sound } from "../sound.js";
import { store } from "../store.js";
import { button, dialog, iconButton, toggleButton } from "../ui.js";

/** @typedef {import("../store.js").GameEntry} GameEntry */

/** Milliseconds between two moves in autoplay. */
const PACE = 1400;

const SVG = "http://www.w3.org/2000/svg";

/** Squares in words, for screen readers.
 * @type {(board: any, letters: string[]) => string} */
const described = (board, letters) => ["wW", "bB"].map((side, n) => {
  const squares = board.names.flatMap((/** @type {string} */ name, /** @type {number} */ place) =>
    (side[0] === letters[place] ? [name] : side[1] === letters[place] ? [`${text("king")} ${name}`] : []));
  return `${text(n ? "black" : "white")}: ${squares.join(", ") || "–"}`;
}).join(". ");

/** @type {(one: GameEntry | undefined, other: GameEntry | undefined) => boolean} */
const isSameGame = (one, other) => one?.file === other?.file && one?.game === other?.game;

/** Returns the name and the value of a tag, written as `Name = value` or as in PDN. Which names are valid the program knows.
 * @type {(line: string) => [string, string] | undefined} */
const tagIn = (line) => {
  const plain = /^([^\s=[]+)\s*=\s*(.*)$/.exec(line);
  const quoted = /^\[\s*([^\s"]+)\s*"(.*)"\s*\]$/.exec(line);
  if (plain) return [plain[1], plain[2]];
  return quoted ? [quoted[1], quoted[2].replace(/\\(["\\])/g, "$1")] : undefined;
};

/** Returns the key of a move, which stays when its file is read again.
 * @type {(entry: GameEntry | undefined, address: string) => string} */
const keyOf = (entry, address) => `${address}\n${entry?.game}\n${entry?.file.name}`;

export class GamePane {
  /** The game that was asked for last.
   * @type {GameEntry | undefined} */ entry = undefined;
  /** The game on the board: until the one that was asked for is read, that is another one.
   * @type {GameEntry | undefined} */ shownEntry = undefined;
  /** @type {any} */ position = undefined;
  /** @type {any} */ timer = undefined;
  /** True if moves on the board are written into the game; otherwise they are tried beside it. */
  recording = false;
  /** A comment that is being typed, with its game and move.
   * @type {{ entry: GameEntry, address: string, words: string } | undefined} */ draft = undefined;
  /** Comments that could not be written, by their moves.
   * @type {Map<string, string>} */ refused = new Map();
  /** Moves that were typed and are not played yet.
   * @type {string[]} */ typing = [];
  /** Calls of `go`, so that a late answer about another position is dropped. */
  count = 0;
  /** Calls of `show`. */
  shows = 0;
  /** Answers that the pane waits for. */
  waits = 0;

  /** @param {import("./open.js").Host} host */
  constructor(host) {
    this.host = host;
    this.tried = new TriedLines({ go: (node) => this.view.go(node), keep: (line) => this.keep(line) });
    const parts = this.makeParts();
    this.parts = parts;
    this.lesson = new Lesson(this);
    this.left = html("div", { class: "left" }, parts.topPlayer, parts.boardFrame, parts.bottomPlayer);
    this.root = html("div", { class: "pane" }, this.left,
      html("div", { class: "right" }, parts.facts, this.opening, parts.graphFrame, parts.sides, parts.moves, this.tried.root, this.editor, this.fenRow));
    this.view = new GameView(parts, (node) => this.shown(node));
    this.hand = new Hand(this);
    this.match = new Match(this);
    this.engine = new Engine(this);
    parts.flip.before(this.engine.switch);
    this.left.append(this.engine.best, this.match.root, this.lesson.root, parts.controls, parts.status, this.choices, this.description);
    this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.onKey(event));
    this.root.hidden = true;
    store.addEventListener("change", () => this.follow());
  }

  makeParts() {
    const graphic = (/** @type {Record<string, string>} */ attributes) => {
      const node = document.createElementNS(SVG, "svg");
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      return node;
    };
    const gauge = html("div", { class: "gauge", "aria-hidden": "true" }, html("div", { class: "gauge-white" }));
    const board = graphic({ role: "img", tabindex: "0", id: "board", "aria-describedby": "described" });
    const [first, previous, next, last] = ["first", "previous", "next", "last"].map((name) => iconButton(name, icon(name), () => {}, { id: name }));
    this.play = toggleButton("autoplay", icon("autoplay"), false, (pressed) => this.autoplay(pressed), { id: "autoplay" });
    const flip = iconButton("flip", icon("flip"), () => this.view.flip(), { id: "flip" });
    const controls = html("div", { class: "controls", role: "group", "aria-label": text("moves") }, first, previous, this.play, next, last,
      html("span", { class: "space" }),
      flip, toggleButton("sound", icon("sound"), sound.isOn, (pressed) => sound.turn(pressed), { id: "sound" }),
      toggleButton("coordinates", icon("coordinates"), true, (pressed) => board.classList.toggle("bare", !pressed)),
      toggleButton("arrows", icon("arrows"), true, (pressed) => this.view.showArrows(pressed)));
    const fen = html("input", { readonly: "", class: "fen", id: "fen", "aria-label": text("position"), spellcheck: "false" });
    this.fenRow = html("p", { class: "fen-row" }, fen, button("copy", () => navigator.clipboard?.writeText(fen.value), { class: "link" }),
      button("saveGame", () => this.saveGame(), { class: "link", id: "save-game" }), button("share", () => share(this), { class: "link", id: "share" }));
    this.choices = html("p", { class: "choices" });
    this.description = html("p", { class: "quiet", id: "described" });
    this.opening = html("p", { class: "opening", id: "opening" });
    this.makeEditor();
    const graph = graphic({ role: "slider", tabindex: "0" });
    return {
      board, gauge, controls, fen, flip, first, previous, next, last,
      boardFrame: html("div", { class: "board-frame" }, gauge, board),
      graph, graphFrame: html("div", { class: "graph-frame" }, graph),
      moves: html("div", { id: "moves", role: "group", tabindex: "-1", "aria-label": text("moves") }), sides: html("table", { id: "sides" }),
      facts: html("div", { class: "facts" }), topPlayer: html("div", { class: "player" }), bottomPlayer: html("div", { class: "player" }),
      status: html("p", { class: "status", role: "status" }),
    };
  }

  makeEditor() {
    this.typed = html("input", { id: "typed-move", "aria-label": text("typeMove"), placeholder: text("typeMove"), list: "legal-moves", autocomplete: "off", spellcheck: "false" });
    this.typed.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter") return;
      const words = this.typed.value.trim();
      this.typed.value = "";
      if (words) this.type(words);
    });
    this.legal = html("datalist", { id: "legal-moves" });
    this.comment = html("textarea", { id: "comment", rows: "2", "aria-label": text("comment"), placeholder: text("comment"), dir: "auto" });
    this.comment.addEventListener("input", () => {
      const { shownEntry: entry, view } = this;
      if (entry) this.draft = { entry, address: view.node.address, words: this.comment.value };
    });
    this.comment.addEventListener("change", () => this.keepComment());
    /** @type {(nag: number) => any} */
    const mark = (nag) => toggleButton("mark", MARKS[nag], false, (pressed) => this.setMark(pressed ? nag : undefined),
      { "data-nag": nag, "aria-label": `${text("mark")} ${MARKS[nag]}` });
    /** @type {any[]} */
    this.marks = [3, 1, 5, 6, 2, 4].map(mark);
    this.promoteButton = iconButton("promote", icon("promote"), () => this.edit("promote", [{ promote: { at: this.view.node.address } }]), { id: "promote" });
    this.deleteButton = iconButton("deleteFrom", icon("deleteFrom"), () => this.edit("deleteFrom", [{ remove: { at: this.view.node.address } }]), { id: "delete" });
    this.recordButton = toggleButton("record", icon("record"), false, (pressed) => this.record(pressed), { id: "record" });
    this.editor = html("div", { class: "editor" },
      html("p", { class: "edit-row" }, this.typed, this.legal, ...this.marks, html("span", { class: "space" }), this.recordButton, this.promoteButton, this.deleteButton,
        iconButton("tags", icon("tags"), () => this.editTags(), { id: "tags" })),
      this.comment);
  }

  /** Waits for an answer; the pane shows meanwhile that it waits.
   * @template T
   * @param {Promise<T>} answer
   * @returns {Promise<T>} */
  async wait(answer) {
    this.waits += 1;
    this.root.toggleAttribute("data-waits", true);
    try {
      return await answer;
    } finally {
      this.waits -= 1;
      this.root.toggleAttribute("data-waits", this.waits > 0);
    }
  }

  /** Shows a game of the list at the move with an address, or at the nearest one before it.
   * @type {(entry: GameEntry, address?: string) => Promise<void>} */
  async show(entry, address = "0") {
    this.autoplay(false);
    this.keepComment();
    if (!isSameGame(entry, this.entry)) this.record(false);
    this.entry = entry;
    this.shows += 1;
    const { shows } = this;
    const row = await this.wait(store.row(entry));
    const game = row && makeGame(row.head, row.body, await this.wait(store.board(row.head.variant)));
    // What was asked for last is shown, whatever is answered first.
    if (shows !== this.shows || !game) return;
    this.tried.begin(`${entry.game}\n${entry.file.name}`, game);
    this.shownEntry = entry;
    this.view.open(game, nearestNode(game, address).address);
    this.root.hidden = false;
    this.lesson.begin(entry, game);
  }

  /** Shows the game again after its file has been read again. */
  follow() {
    const now = (/** @type {GameEntry | undefined} */ one) => (!one || store.games.includes(one) ? one : store.find(one.file.name, one.game));
    this.shownEntry = now(this.shownEntry);
    const { entry } = this;
    const same = now(entry);
    if (same === entry) return;
    this.entry = undefined;
    this.root.hidden = !same;
    if (same) this.show(same, this.view.node?.address);
  }

  /** Sets whether moves on the board are written into the game.
   * @param {boolean} on */
  record(on) {
    this.recording = on;
    this.recordButton.setAttribute("aria-pressed", on);
  }

  /** Undoes a change, or makes it again, and shows its game at its move.
   * @param {boolean} again */
  async undo(again) {
    await this.keepComment();
    const change = await this.wait(store.undo(again));
    if (!change) return;
    this.host.announce(`${text(again ? "redo" : "undo")}: ${text(change.label)}`);
    const entry = change.game === undefined ? undefined : store.find(change.file.name, change.game);
    if (entry && isSameGame(entry, this.entry)) await this.show(entry, change.address);
  }

  /** Updates the available actions after a move has been shown.
   * @param {any} node */
  async shown(node) {
    const { game } = this.view;
    this.position = undefined;
    this.hand.reset();
    this.choices.replaceChildren();
    this.legal.replaceChildren();
    this.keepComment();
    this.comment.value = this.refused.get(keyOf(this.shownEntry, node.address)) ?? (node.ply ? node.more.comment : game.comment) ?? "";
    this.comment.disabled = Boolean(node.tried);
    this.tried.shown(node);
    if (node.ply) sound.knock();
    const nags = node.more.nags ?? [];
    for (const mark of this.marks ?? []) {
      mark.setAttribute("aria-pressed", nags.includes(Number(mark.dataset.nag)));
      mark.disabled = !node.ply || node.tried;
    }
    this.promoteButton.disabled = node.depth === 0 || node.tried;
    this.deleteButton.disabled = !node.ply || node.tried;
    this.lesson.shown(node);
    this.match.shown(node);
    this.engine.restart();
    this.root.dispatchEvent(new CustomEvent("move"));
    if (!game.board) {
      this.opening.textContent = "";
      return;
    }
    const position = positionOf(node);
    this.description.textContent = described(game.board, position.letters);
    this.count += 1;
    const { count } = this;
    this.showOpening(node);
    const answer = await this.wait(quick.call("position", [fenOf(game.board, position), { variant: game.head.variant }])).catch(() => undefined);
    if (count !== this.count || !answer) return;
    this.position = answer;
    this.hand.ready();
    this.legal.replaceChildren(...answer.moves.map((/** @type {any} */ move) => html("option", { value: move.notation })));
    this.root.dispatchEvent(new CustomEvent("ready"));
  }

  /** Shows the name of the opening that leads to a move, if it has one.
   * @param {any} node */
  async showOpening(node) {
    const { game } = this.view;
    const moves = [];
    for (let one = node; one.previous; one = one.previous) moves.unshift(one.notation);
    const { count } = this;
    const start = fenOf(game.board, positionOf(game.start));
    const found = await quick.call("opening", [start, moves, { variant: game.head.variant }]);
    if (count === this.count) this.opening.textContent = found?.name ?? "";
  }

  /** Plays a move, or asks which of several captures between the same squares is meant.
   * @param {any[]} moves */
  choose(moves) {
    if (moves.length === 1) {
      this.playMove(moves[0]);
      return;
    }
    this.choices.replaceChildren(`${text("whichMove")} `, ...moves.map((move) => {
      const names = move.places.map((/** @type {number} */ place) => this.view.game.board.names[place]);
      const node = html("button", { class: "button" }, names.join("x"));
      node.addEventListener("click", () => this.playMove(move, names.join("x")));
      return node;
    }));
    this.choices.querySelector("button")?.focus();
  }

  /** Goes to a move, which is tried beside the game if it does not contain it, or written into it if moves are recorded.
   * Returns false if it could not be written.
   * @type {(move: any, notation?: string) => Promise<boolean | void>} */
  async playMove(move, notation = move.notation) {
    if (this.lesson.asks) {
      this.choices.replaceChildren();
      return this.lesson.answer(move, notation);
    }
    const { node } = this.view;
    const known = [node.next, ...(node.next?.lines ?? []).map((/** @type {any[]} */ line) => line[0])];
    const same = known.find((next) => next?.change === move.change);
    if (same) this.view.go(same);
    else if (this.recording && !node.tried) return this.addMove(node, notation);
    else this.view.go(this.tried.play(node, { ...move, notation }));
    return undefined;
  }

  /** Writes a move into the game, with the clock of its player in a game that is played.
   * @type {(node: any, notation: string) => Promise<boolean>} */
  addMove(node, notation) {
    return this.edit("ownMove", [{ addMoves: { at: node.address, moves: [notation], clock: this.match.timeAfter(node) } }]);
  }

  /** Plays typed moves, each after the one before it is on the board. What could not be played is in the field again, with what was
   * typed since.
   * @param {string} words */
  async type(words) {
    this.typing.push(words);
    if (this.typing.length > 1) return;
    const { shownEntry } = this;
    let rest = "";
    try {
      while (!rest && this.typing.length > 0) {
        rest = await this.playText(this.typing[0], shownEntry);
        this.typing.shift();
      }
    } finally {
      this.typed.value = [rest, ...this.typing.splice(0), this.typed.value].filter(Boolean).join(" ");
    }
  }

  /** Plays typed moves of a game that is on the board, and returns those that were not played.
   * @type {(words: string, entry: GameEntry | undefined) => Promise<string>} */
  async playText(words, entry) {
    const { node, game } = this.view;
    const isHere = () => isSameGame(entry, this.entry);
    if (!game.board || !isHere()) return words;
    const fen = fenOf(game.board, positionOf(node));
    const played = await this.wait(quick.call("play", [fen, words, { variant: game.head.variant }])).catch((error) => ({ error: error.message }));
    if (played.error) {
      this.choices.replaceChildren(record(played.error, "problem"));
      this.host.announce(played.error);
      return words;
    }
    if (this.view.node.address !== node.address) return words;
    const moves = this.lesson.asks ? played.played.slice(0, 1) : played.played;
    for (const [n, move] of moves.entries()) {
      if (!isHere() || await this.playMove(move) === false) return moves.slice(n).map((/** @type {any} */ { notation }) => notation).join(" ");
    }
    return "";
  }

  /** Writes a line of moves into the game, after the move that is shown.
   * @param {string[]} notations */
  addLine(notations) {
    const { node } = this.view;
    const line = node.tried;
    if (line) return this.keep({ ...line, moves: [...line.moves.slice(0, node.step), ...notations.map((notation) => ({ notation }))] });
    return this.edit("insertLine", [{ addMoves: { at: node.address, moves: notations } }]);
  }

  /** Writes a line that was tried into the game.
   * @param {import("../tried.js").Line} line */
  async keep(line) {
    const moves = line.moves.map(({ notation }) => notation);
    if (await this.edit("keepLine", [{ addMoves: { at: line.at, moves } }])) this.tried.discard(line);
  }

  /** Changes the record of the game on the board, and shows the move that was changed. Returns true if that could be done.
   * @type {(label: string, changes: any[]) => Promise<boolean>} */
  async edit(label, changes) {
    const { shownEntry } = this;
    if (!shownEntry) return false;
    try {
      await this.write(shownEntry, label, changes);
      return true;
    } catch (error) {
      store.emit("failure", String(/** @type {any} */ (error).message));
      return false;
    }
  }

  /** Changes the record of a game, and shows it again unless another one was asked for.
   * @type {(entry: GameEntry, label: string, changes: any[]) => Promise<void>} */
  async write(entry, label, changes) {
    this.keepComment();
    const before = this.view.node.address;
    const edited = await this.wait(store.edit(entry, changes, label, before));
    if (this.entry === entry) await this.show(edited.entry, edited.address ?? before);
  }

  /** Writes the comment that was being typed to its move and its game, whatever is shown now. */
  async keepComment() {
    const { draft } = this;
    if (!draft) return;
    this.draft = undefined;
    const { entry, address, words } = draft;
    try {
      const edited = await this.wait(store.edit(entry, [{ comment: { at: address, text: words } }], "comment", address));
      this.refused.delete(keyOf(entry, address));
      if (this.entry === entry) await this.show(edited.entry, this.view.node.address);
    } catch (error) {
      this.refused.set(keyOf(entry, address), words);
      store.emit("failure", String(/** @type {any} */ (error).message));
    }
  }

  /** @param {number | undefined} nag */
  setMark(nag) {
    const { address, more } = this.view.node;
    const others = (more.nags ?? []).filter((/** @type {number} */ other) => !(other in MARKS));
    return this.edit("mark", [{ nags: { at: address, nags: nag ? [nag, ...others] : others } }]);
  }

  async editTags() {
    const { shownEntry: entry } = this;
    if (!entry) return;
    /** @type {any[]} */
    const rows = [];
    const game = await store.inPdn(entry);
    const input = { name: game.file.name, data: store.slice(game) };
    await quick.call("games", [input, await store.options(game)], { events: { items: (found) => rows.push(...found) } });
    /** @type {Record<string, string>} */
    const old = rows[0].tags;
    const area = html("textarea", { rows: "12", spellcheck: "false", "aria-label": text("tags"), id: "tag-lines" });
    /** The tags of the game by their lines: a line that is unchanged changes nothing, whatever its name is.
     * @type {Map<string, string>} */
    const known = new Map(Object.entries(old).map(([name, value]) => [`${name} = ${value.replace(/[\r\n]+/g, " ")}`.trim(), name]));
    area.value = [...known.keys()].join("\n");
    const problem = html("p", { class: "problem", role: "status" });
    const say = (/** @type {string} */ words) => problem.replaceChildren(record(words));
    const shown = dialog("tags", [html("p", { class: "muted" }, text("tagLines")), area, problem], [["apply", () => {
      const lines = area.value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
      const others = lines.filter((/** @type {string} */ line) => !known.has(line));
      const wrong = others.find((/** @type {string} */ line) => !tagIn(line));
      if (wrong) {
        say(text("noTag", wrong));
        return false;
      }
      /** @type {Map<string, string>} */
      const tags = new Map(others.map(tagIn));
      const kept = new Set([...lines.map((/** @type {string} */ line) => known.get(line)), ...tags.keys()]);
      const removed = Object.keys(old).filter((name) => !kept.has(name)).map((name) => ({ removeTag: { name } }));
      const set = [...tags].map(([name, value]) => ({ setTag: { name, value } }));
      // What cannot be written is not lost.
      this.write(entry, "tags", [...removed, ...set]).then(() => shown.close(), (error) => say(error.message));
      return false;
    }]]);
  }

  async saveGame() {
    const { shownEntry: entry } = this;
    await this.keepComment();
    await store.edits;
    if (entry) save(`game-${entry.game}.pdn`, await store.alone(entry), "application/octet-stream");
  }

  /** Plays the moves in sequence.
   * @param {boolean} on */
  autoplay(on) {
    clearInterval(this.timer);
    this.play.setAttribute("aria-pressed", on);
    if (!on) return;
    this.timer = setInterval(() => {
      if (this.view.node.next && this.root.isConnected) this.view.forward();
      else this.autoplay(false);
    }, PACE);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.view.game || target.matches("input:not([readonly]), textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.view.back(), ArrowRight: () => this.view.forward(), Home: () => this.view.first(), End: () => this.view.end(),
      f: () => this.view.flip(), m: () => this.typed.focus(), p: () => this.autoplay(this.play.getAttribute("aria-pressed") !== "true"),
    };
    const key = shortcutOf(event);
    const action = actions[key];
    if (!action || (this.lesson.asks && !/^[fm]$/.test(key))) return;
    event.preventDefault();
    action();
  }

  /** Shows the move with an address of the game that is open.
   * @param {string} address */
  goTo(address) {
    if (findNode(this.view.game, address)) this.view.goTo(address);
  }
}
