// A dialog in which a position, or a pattern of squares, is set up.

import { BoardView } from "../parts/board.js";
import { html, record, text } from "../parts/dom.js";
import { fenOf, positionOf } from "../parts/model.js";
import { quick } from "../client.js";
import { aboutVariant, store } from "../store.js";
import { button, choice, dialog, field } from "../ui.js";

const PIECES = [["w", "whiteMan"], ["W", "whiteKing"], ["b", "blackMan"], ["B", "blackKing"], [".", "empty"], ["?", "anything"]];

const picture = (/** @type {Record<string, string>} */ attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

/** Returns a record with a position only.
 * @type {(fen: string, variant: string) => Promise<string>} */
export const recordOf = async (fen, variant) => {
  const [name, value] = (await aboutVariant(variant)).tag;
  return `[Event "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n[${name} "${value}"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n*\n`;
};

/** Reads a FEN, also of a position that cannot be played. Returns nothing if it is none.
 * @type {(board: any, fen: string) => { letters: string[], turn: string } | undefined} */
const readFen = (board, fen) => {
  const letters = board.names.map(() => ".");
  const [turn, ...parts] = fen.trim().replace(/\.$/, "").split(":");
  // Counters of moves without progress, and the number of the move, are not on the board.
  const sides = parts.filter((part) => !/^[HF]\d+$/i.test(part));
  for (const side of sides) {
    const colour = side[0]?.toUpperCase();
    for (const piece of side.slice(1).split(",").map((part) => part.trim()).filter(Boolean)) {
      const [first, last = first] = piece.replace(/^K/, "").split("-").map((name) => board.names.indexOf(name));
      if (!/^[WB]$/.test(colour) || first < 0 || last < first) return undefined;
      letters.fill(piece.startsWith("K") ? colour : colour.toLowerCase(), first, last + 1);
    }
  }
  return /^[WB]$/i.test(turn) && sides.length > 0 ? { letters, turn: turn.toUpperCase() } : undefined;
};

/** @typedef {{ fen: string, pattern: string, variant: string }} Made */

/**
 * Sets up a position, which begins with that of a game. What cannot be played stays on the board, with the reason; only a pattern may
 * be so.
 * @param {{ variant: string, game?: any, node?: any, actions: [string, (made: Made) => any][] }} how
 */
export const setUpPosition = async ({ variant, game, node, actions }) => {
  const board = await store.board(variant);
  const first = await quick.call("position", [null, { variant }]);
  const start = game?.board && game.head.variant === variant ? positionOf(node) : first;
  let letters = [...start.letters];
  let { turn } = start;
  let piece = "w";
  let cursor = 0;
  /** What is wrong with the position.
   * @type {string[]} */
  let faults = [];
  const root = picture({ role: "application", tabindex: "0", "aria-label": text("setUp") });
  const view = new BoardView(root);
  view.begin(board);
  const made = () => ({
    variant,
    fen: fenOf(board, { letters: letters.map((letter) => (letter === "?" ? "." : letter)), turn }),
    pattern: letters.flatMap((letter, place) => (letter === "?" ? [] : [`${board.names[place]}=${letter}`])).join(","),
  });
  const problem = html("div", { class: "problem", role: "status", id: "set-up-problem" });
  const say = (/** @type {string[]} */ words) => problem.replaceChildren(...words.map((one) => html("p", {}, record(one))));
  const judge = async () => {
    const { fen } = made();
    const { diagnostics } = await quick.call("check", [await recordOf(fen, variant), { variant, lang: document.documentElement.lang }]);
    if (fen !== made().fen) return;
    faults = diagnostics.filter((/** @type {any} */ one) => one.severity === "error").map((/** @type {any} */ one) => one.message);
    say(faults);
  };
  const draw = () => {
    view.show(letters.map((letter) => (letter === "?" ? "." : letter)));
    view.draw({ squares: [...letters.flatMap((letter, place) => (letter === "?" ? [[place, "C"]] : [])), [cursor, "Y"]] });
    fen.querySelector("input").value = made().fen;
    turns.querySelector("select").value = turn;
    return judge();
  };
  const put = (/** @type {number} */ place) => {
    letters[place] = letters[place] === piece ? "." : piece;
    cursor = place;
    draw();
  };
  const set = (/** @type {{ letters: Iterable<string>, turn: string }} */ position) => {
    letters = [...position.letters];
    ({ turn } = position);
    draw();
  };
  const fen = field("position", async (value) => {
    const read = readFen(board, value);
    if (read) return set(read);
    // It is not what is on the board. The program reads more: numbers of squares on boards with letters, and tags.
    faults = [text("noFen")];
    const asked = await quick.call("position", [value, { variant }]).catch(() => undefined);
    if (fen.querySelector("input").value !== value) return undefined;
    return asked ? set(asked) : say(faults);
  }, { id: "set-up-fen" });
  const turns = choice("toMove", [["W", text("white")], ["B", text("black")]], (value) => { turn = value; draw(); }, turn);
  root.addEventListener("click", (event) => {
    const place = view.placeAt(event.clientX, event.clientY);
    if (place !== undefined) put(place);
  });
  root.addEventListener("keydown", (event) => {
    const row = Math.floor(letters.length / board.height);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row };
    const step = steps[/** @type {"ArrowUp"} */ (event.key)];
    if (step) cursor = Math.min(Math.max(cursor + step, 0), letters.length - 1);
    else if (event.key === " " || event.key === "Enter") put(cursor);
    else return;
    event.preventDefault();
    root.setAttribute("aria-label", `${board.names[cursor]}: ${text(PIECES.find(([letter]) => letter === letters[cursor])?.[1] ?? "empty")}`);
    draw();
  });
  const palette = html("div", { class: "palette", role: "group", "aria-label": text("piece") }, ...PIECES.map(([letter, name]) => {
    const sign = picture({ "aria-hidden": "true" });
    const one = new BoardView(sign);
    one.begin({ variant, width: 1, height: 1, plain: false, letters: false, names: [letter === "?" ? "?" : ""], at: [0] });
    one.show([letter === "?" ? "." : letter]);
    const node = html("button", { type: "button", "aria-label": text(name), title: text(name), "aria-pressed": letter === piece, "data-piece": letter }, sign);
    node.addEventListener("click", () => {
      piece = letter;
      for (const other of palette.children) other.setAttribute("aria-pressed", other === node);
    });
    return node;
  }));
  const flip = () => {
    view.flipped = !view.flipped;
    view.begin(board);
    draw();
  };
  const act = (/** @type {(made: Made) => any} */ action, /** @type {boolean} */ isPattern) => {
    if (faults.length > 0 && !isPattern) return false;
    action(made());
    return undefined;
  };
  dialog("setUp", [
    html("p", { class: "tools" }, palette, turns),
    html("p", { class: "tools" }, button("start", () => set(first), { id: "set-up-start" }), button("emptyBoard", () => set({ letters: letters.map(() => "."), turn })),
      button("anyBoard", () => set({ letters: letters.map(() => "?"), turn }), { id: "any-board" }), button("flip", flip)),
    html("div", { class: "set-up" }, root), html("p", { class: "tools fen-field" }, fen), problem,
  ], actions.map(([name, action]) => [name, () => act(action, name === "findPattern")])).classList.add("wide");
  draw();
};
