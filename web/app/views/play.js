// A game against the engine, which is written into an ordinary record as it is played.

import { html, text } from "../parts/dom.js";
import { fenOf, positionOf } from "../parts/model.js";
import { lead, player, quick } from "../client.js";
import { setting } from "../db.js";
import { aboutVariant, store } from "../store.js";
import { button, choice, variantName } from "../ui.js";
import { Clock } from "./clock.js";

/** The limits of each level. The lower ones play any of some lines that are at most `slack` centi-men worse than the best.
 * @type {{ depth?: number, nodes?: number, time?: number, lines?: number, slack?: number }[]} */
const LEVELS = [
  { depth: 1, lines: 5, slack: 120 }, { depth: 2, lines: 4, slack: 60 }, { depth: 4, lines: 3, slack: 30 }, { nodes: 1000, lines: 2, slack: 15 },
  { nodes: 5000 }, { nodes: 30_000 }, { nodes: 200_000 }, { time: 3000 },
];

/** Nodes of the search that considers an offer of a draw. */
const OFFER_NODES = 100_000;
/** Plies before which the engine takes no draw unless it is lost or a database says so. */
const OFFER_PLIES = 40;

/** Clocks that are offered: minutes for the game, and seconds for each move. */
const TIMES = ["3+2", "5+0", "5+3", "10+5", "15+10", "30+20"];
/** The engine spends at most this part of its time on a move. */
const SHARE = 1 / 40;

/** @typedef {{ variant: string, fen?: string, level: number, side: string, time?: string }} Settings a variant, a position unless it is
 *   that from which games start, a level from 1, the side of the user, and the clocks if there are any */

/** Returns a result as records of a variant write it: the first number belongs to the side that starts.
 * @type {(winner: string, variant: any) => string} */
const resultText = (winner, { name, starts }) => {
  const isTwo = ["international", "canadian"].includes(name);
  if (winner === "draw") return isTwo ? "1-1" : "1/2-1/2";
  const points = isTwo ? 2 : 1;
  return winner === starts ? `${points}-0` : `0-${points}`;
};

export class Match {
  /** The file and the number of the game.
   * @type {any} */ file = undefined;
  game = 1;
  /** @type {Settings} */ settings = { variant: "international", level: 3, side: "W" };
  /** @type {any} */ variant = undefined;
  /** The search of the engine.
   * @type {AbortController | undefined} */ search = undefined;
  /** @type {Clock | undefined} */ clock = undefined;
  /** What was said last, until the next move. */
  said = "";
  /** True if the rules ended the game: while it is checked again after a change, nothing else says so. */
  byRules = false;
  /** The result that is being written: until then the game has none that could be taken back.
   * @type {Promise<boolean> | undefined} */ ending = undefined;

  /** @param {import("./pane.js").GamePane} pane */
  constructor(pane) {
    this.pane = pane;
    this.words = html("p", { class: "question", role: "status", id: "turn" });
    this.buttons = html("p", { class: "actions" },
      button("takeBack", () => this.takeBack(), { id: "take-back" }), button("offerDraw", () => this.offer(), { id: "offer-draw" }),
      button("resign", () => this.end(this.other), { id: "resign" }), button("playAgain", () => this.again(), { id: "play-again" }));
    this.root = html("div", { class: "task match", id: "match", role: "group", "aria-label": text("playEngine"), hidden: "" }, this.words, this.buttons);
    pane.root.addEventListener("ready", () => {
      this.goOn();
      offerResult(pane);
    });
  }

  /** The side of the engine. */
  get other() {
    return this.settings.side === "W" ? "B" : "W";
  }

  /** True if this game is on the board. */
  get isShown() {
    const { shownEntry } = this.pane;
    return Boolean(this.file && shownEntry?.file === this.file && shownEntry?.game === this.game);
  }

  /** The result of the game, if it is over. */
  get winner() {
    return this.pane.view.game?.head.winner;
  }

  /** The rule by which the game is drawn. */
  get drawn() {
    return store.diagnostics.find((one) => one.file === this.file.name && one.game === this.game && /^draw\/(?!early)/.test(one.code));
  }

  /** Starts a game.
   * @param {Settings} settings */
  async start(settings) {
    const { variant, fen, level, side, time } = settings;
    this.halt();
    this.stopClock();
    const about = await aboutVariant(variant);
    Object.assign(this, { settings, variant: about, said: "", byRules: false });
    const names = [text("you"), `pdn, ${text("level").toLowerCase()} ${level}`];
    const [white, black] = side === "W" ? names : names.toReversed();
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => `${part}`.padStart(2, "0")).join(".");
    const kinds = side === "W" ? ["human", "program"] : ["program", "human"];
    const [minutes, increment] = (time ?? "").split("+").map(Number);
    const control = time ? [["TimeControl", `${minutes * 60}+${increment}`]] : [];
    const tags = [["Event", "?"], ["Date", date], ["White", white], ["Black", black], ["Result", "*"], about.tag,
      ["WhiteType", kinds[0]], ["BlackType", kinds[1]], ...control, ...(fen ? [["SetUp", "1"], ["FEN", fen]] : [])];
    const [entry] = await store.open([{ name: "play.pdn", blob: new Blob([`${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n*\n`]) }]);
    if (!entry) return;
    // A game type without a number is only known here.
    entry.head.variant = variant;
    Object.assign(this, { file: entry.file, game: entry.game });
    if (time) this.clock = new Clock({ minutes, increment }, (left) => this.showClocks(left), (flagged) => this.flag(flagged));
    if (this.pane.view.board.flipped !== (side === "B")) this.pane.view.flip();
    await this.pane.show(entry);
    this.pane.parts.board.focus({ preventScroll: true });
    this.pane.root.scrollIntoView({ block: "start" });
  }

  /** Follows the pane to a move.
   * @param {any} node */
  shown(node) {
    this.root.hidden = !this.isShown;
    this.runClock();
    if (!this.isShown) return this.halt();
    this.pane.record(this.isAtEnd(node) && !this.winner && positionOf(node).turn === this.settings.side);
    return this.draw();
  }

  /** Runs the clock of the side to move; a game that is over, or not on the board, has none that runs. */
  runClock() {
    const { game } = this.pane.view;
    if (!this.isShown) {
      this.clock?.run(undefined);
      this.pane.view.clocks = undefined;
      return;
    }
    const moves = game.main.filter((/** @type {any} */ node) => node.change);
    this.clock?.run(this.winner ? undefined : positionOf(moves.at(-1) ?? game.start).turn, moves.length);
  }

  stopClock() {
    this.clock?.run(undefined);
    this.clock = undefined;
    this.pane.view.clocks = undefined;
  }

  /** @param {{ W: number, B: number }} left */
  showClocks(left) {
    const { view } = this.pane;
    if (!this.isShown || (view.clocks?.W === left.W && view.clocks.B === left.B)) return;
    view.clocks = left;
    view.showPlayers();
  }

  /** Ends the game of a side that has no time left.
   * @param {string} side */
  flag(side) {
    return this.end(side === "W" ? "B" : "W", text("flagFallen", text(side === "W" ? "white" : "black")));
  }

  /** @param {any} node */
  isAtEnd(node) {
    return node.depth === 0 && !node.next && !node.tried;
  }

  /** Says whose turn it is, or how the game ended. */
  draw() {
    const { winner, search } = this;
    const { node } = this.pane.view;
    const isOwn = positionOf(node).turn === this.settings.side;
    const [takeBack, offer, resign, again] = this.buttons.children;
    takeBack.disabled = !winner && !this.ownMoves().length;
    offer.hidden = resign.hidden = Boolean(winner);
    offer.disabled = !isOwn || !this.isAtEnd(node) || Boolean(search);
    again.hidden = !winner;
    const turn = search || !isOwn ? "thinking" : "yourMove";
    const end = winner && text({ W: "whiteWon", B: "blackWon", draw: "draw" }[/** @type {"W"} */ (winner)]);
    this.words.textContent = [this.said, end ?? (this.isAtEnd(node) ? text(turn) : "")].filter(Boolean).join(" · ");
  }

  ownMoves() {
    return this.pane.view.game.main.filter((/** @type {any} */ node) => node.change && node.white === (this.settings.side === "W"));
  }

  /** Ends the game if it is over, and lets the engine move if it is its turn. */
  async goOn() {
    const { node } = this.pane.view;
    if (!this.isShown || this.winner || this.search || !this.isAtEnd(node)) return;
    const { winner } = this.pane.position;
    const { drawn } = this;
    if (winner || drawn) await this.end(winner ?? "draw", drawn?.message, true);
    else if (positionOf(node).turn !== this.settings.side) await this.reply();
  }

  /** Searches the position at the end of the game.
   * @type {(limits: any, lines?: number) => Promise<any>} */
  async think(limits, lines = 1) {
    this.halt();
    const controller = new AbortController();
    this.search = controller;
    this.draw();
    const { game } = this.pane.view;
    const moves = game.main.filter((/** @type {any} */ node) => node.change).map((/** @type {any} */ node) => node.notation);
    const question = { fen: fenOf(game.board, positionOf(game.start)), variant: this.settings.variant, hash: 16, lines };
    try {
      const found = await player.call("analyse", [question, { moves, ...limits }], { signal: controller.signal });
      return this.search === controller ? found : undefined;
    } catch (error) {
      if (this.search === controller) this.said = String(/** @type {any} */ (error).message);
      return undefined;
    } finally {
      if (this.search === controller) this.search = undefined;
    }
  }

  /** Lets the engine move. */
  async reply() {
    const { lines: count, slack = 0, ...limits } = LEVELS[this.settings.level - 1];
    const { node } = this.pane.view;
    // On a clock, the engine does not lose by time.
    const left = this.clock?.left[/** @type {"W"} */ (this.other)];
    if (left !== undefined) limits.time = Math.min(limits.time ?? Infinity, Math.max(50, left * SHARE));
    const found = await this.think(limits, count);
    if (!found) return this.isShown ? this.draw() : undefined;
    const values = found.lines.map((/** @type {any} */ line) => lead(line.eval, this.other));
    const good = found.lines.filter((/** @type {any} */ _, /** @type {number} */ n) => values[n] >= values[0] - slack);
    const line = good[Math.floor(Math.random() * good.length)];
    this.said = "";
    if (line) await this.pane.addMove(node, line.moves[0]);
    return undefined;
  }

  /** Returns the time that the player to move after a node will have left, as records have it; nothing without clocks.
   * @param {any} node */
  timeAfter(node) {
    return this.isShown ? this.clock?.afterMove(positionOf(node).turn) : undefined;
  }

  halt() {
    this.search?.abort();
    this.search = undefined;
  }

  /** Writes the result.
   * @type {(winner: string, reason?: string, byRules?: boolean) => Promise<void>} */
  async end(winner, reason = "", byRules = false) {
    this.halt();
    this.said = reason;
    this.byRules = byRules;
    // No move is written after the end, also while its result is.
    this.pane.record(false);
    this.ending = this.pane.edit("result", [{ result: { text: resultText(winner, this.variant) } }]);
    if (!await this.ending) this.shown(this.pane.view.node);
  }

  /** Offers a draw, which the engine takes if it sees nothing better. */
  async offer() {
    const plies = this.pane.view.game.main.length;
    const found = await this.think({ nodes: OFFER_NODES });
    if (!found) return;
    // The databases speak of the user, who is to move.
    const best = found.lines[0] ? lead(found.lines[0].eval, this.other) : 0;
    const isTaken = found.value ? found.value !== "loss" : best < -100 || (plies >= OFFER_PLIES && best <= 15);
    if (isTaken) {
      await this.end("draw", text("drawAccepted"));
    } else {
      this.said = text("drawDeclined");
      this.draw();
    }
  }

  /** Takes back the last move of the user, or only a result that was not on the board. */
  async takeBack() {
    this.halt();
    await this.ending;
    if (!this.isShown) return;
    this.said = "";
    const { winner } = this;
    const isPlayed = !winner || this.byRules || this.pane.position?.winner || this.drawn || positionOf(this.pane.view.node).turn !== this.settings.side;
    const last = this.ownMoves().at(-1);
    const changes = [...(winner ? [{ result: { text: "*" } }] : []), ...(isPlayed && last ? [{ remove: { at: last.address } }] : [])];
    await this.pane.edit("takeBack", changes);
  }

  /** Starts another game with the other colour. */
  again() {
    return this.start({ ...this.settings, side: this.other });
  }
}

/** Says that the game on the board is over, and offers to write the result that it has not.
 * @param {import("./pane.js").GamePane} pane */
export const offerResult = async (pane) => {
  const { shownEntry: entry, match, position, view, lesson } = pane;
  const { node, game } = view;
  if (!entry || match.isShown || lesson.asks) return;
  const isEnd = match.isAtEnd(node);
  const drawn = isEnd && store.diagnostics.find((one) => one.file === entry.file.name && one.game === entry.game && /^draw\/(?!early)/.test(one.code));
  const winner = position.winner ?? (drawn ? "draw" : undefined);
  if (!winner) return;
  const words = `${drawn ? `${drawn.message} · ` : ""}${text({ W: "whiteWon", B: "blackWon", draw: "draw" }[/** @type {"W"} */ (winner)])}`;
  const isOpen = isEnd && !game.head.winner;
  const result = isOpen ? resultText(winner, await aboutVariant(game.head.variant)) : "";
  if (view.node !== node) return;
  pane.choices.replaceChildren(html("strong", {}, words), isOpen ? html("button", { type: "button", class: "button", id: "write-result" }, text("writeResult", result)) : "");
  pane.choices.querySelector("#write-result")?.addEventListener("click", () => pane.edit("result", [{ result: { text: result } }]));
  pane.host.announce(words);
};

/** Makes the form that starts a game.
 * @type {(pane: import("./pane.js").GamePane) => any} */
export const playForm = (pane) => {
  const { match } = pane;
  const settings = { variant: setting.get("variant") ?? "international", level: Number(setting.get("level")) || 3, side: "W", time: setting.get("time") ?? "" };
  const variants = choice("variant", [], (value) => { settings.variant = value; });
  const select = variants.querySelector("select");
  quick.call("variants", []).then((all) => {
    select.replaceChildren(...all.map((/** @type {{ name: string }} */ { name }) => html("option", { value: name }, variantName(name))));
    select.value = settings.variant;
  }, () => undefined);
  const start = (/** @type {string | undefined} */ fen, variant = settings.variant) => {
    setting.set("variant", variant);
    setting.set("level", `${settings.level}`);
    setting.set("time", settings.time);
    return match.start({ ...settings, variant, fen });
  };
  const fromHere = () => {
    const { game, node } = pane.view;
    if (game?.board) start(fenOf(game.board, positionOf(node)), game.head.variant);
  };
  return html("div", { class: "play-form", id: "play-form", role: "group", tabindex: "-1", "aria-label": text("playEngine") },
    html("p", { class: "tools" }, variants,
      choice("level", LEVELS.map((_, n) => [`${n + 1}`, `${n + 1}`]), (value) => { settings.level = Number(value); }, `${settings.level}`),
      choice("yourColour", [["W", text("white")], ["B", text("black")]], (value) => { settings.side = value; }, settings.side),
      choice("time", [["", text("noClock")], ...TIMES.map((time) => /** @type {[string, string]} */ ([time, time]))], (value) => { settings.time = value; }, settings.time)),
    html("p", { class: "tools" }, button("newGame", () => start(undefined), { class: "button strong", id: "play-new" }),
      button("fromPosition", fromHere, { id: "play-here" })));
};
