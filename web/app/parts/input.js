// Moves on a board: by tapping squares, by dragging a piece, and by keys.

import { text } from "./dom.js";

/**
 * @typedef {{ notation: string, change: string, paths: number[][] }} Choice a move that is possible, with the places on its ways
 */

/** Pixels that a pointer moves before it drags the piece. */
const SLOP = 6;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, string>} */
const PIECES = { w: "whiteMan", W: "whiteKing", b: "blackMan", B: "blackKing", ".": "empty" };

/** Returns the index of the last of some squares on a way, if it has them in this order and begins with the first one, or else -1.
 * @type {(path: number[], squares: number[]) => number} */
const lastOn = (path, squares) => {
  if (path[0] !== squares[0]) return -1;
  return squares.slice(1).reduce((at, square) => (at < 0 ? at : path.indexOf(square, at + 1)), 0);
};

export class MoveInput {
  /** @type {Choice[]} */ choices = [];
  /** @type {string[]} */ letters = [];
  /** The squares of the move up to now: that of the piece, and those where it turns.
   * @type {number[]} */ way = [];
  /** The square that keys have reached.
   * @type {number | undefined} */ cursor = undefined;
  /** The piece that is being dragged.
   * @type {any} */ held = undefined;

  /** Takes moves from a board: `play` gets those that the squares can mean, `rest` draws what the board shows otherwise. With `say`, which
   * gets what is on the square that keys have reached, keys lead over the board.
   * @param {import("./board.js").BoardView} board
   * @param {{ play: (choices: any[]) => void, rest: () => void, say?: (words: string) => void }} actions */
  constructor(board, actions) {
    this.board = board;
    this.actions = actions;
    const { root } = board;
    root.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.press(event));
    root.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.drag(event));
    root.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => this.release(event));
    root.addEventListener("pointercancel", () => this.drop());
    if (actions.say) root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.onKey(event));
  }

  /** Waits for one of these moves in a position; for none of them, if there are none.
   * @type {(letters: string[], choices: Choice[]) => void} */
  await(letters, choices) {
    this.drop();
    Object.assign(this, { letters, choices, way: [] });
  }

  /** @param {PointerEvent} event */
  press(event) {
    const place = this.board.placeAt(event.clientX, event.clientY);
    if (place === undefined || event.button !== 0 || this.choices.length === 0) return;
    this.cursor = undefined;
    this.held = { place, x: event.clientX, y: event.clientY, moves: false };
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { held, board } = this;
    if (!held || !event.buttons) return;
    const starts = this.choices.some(({ paths }) => paths[0][0] === held.place);
    if (!held.moves && (!starts || Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLOP)) return;
    if (!held.moves) {
      held.moves = true;
      board.root.setPointerCapture(event.pointerId);
      if (this.way[0] !== held.place) this.pick(held.place);
      held.node = board.pieces.get(held.place)?.node;
      held.node?.parentNode.append(held.node);
    }
    if (!held.node) return;
    const box = board.root.getBoundingClientRect();
    const unit = board.root.viewBox.baseVal.width / box.width;
    held.node.style.transition = "none";
    held.node.style.transform = `translate(${(event.clientX - box.left) * unit - 50}px, ${(event.clientY - box.top) * unit - 50}px)`;
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { held } = this;
    if (!held) return;
    this.drop();
    const place = this.board.placeAt(event.clientX, event.clientY);
    // A piece that was dragged is no swipe over the board.
    if (held.moves) event.stopImmediatePropagation();
    if (place !== undefined && held.moves !== (place === held.place)) this.tap(place);
  }

  /** Puts the piece that is being dragged back. */
  drop() {
    const { node, place } = this.held ?? {};
    this.held = undefined;
    if (!node) return;
    const [x, y] = this.board.corner(place);
    node.style.transition = "";
    node.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Takes a square: the end of a move, one where a capture turns, or that of another piece.
   * @param {number} place */
  tap(place) {
    if (this.choices.length === 0) return;
    if (this.way.length > 0) {
      const squares = [...this.way, place];
      /** @type {(isEnd: boolean) => Choice[]} */
      const through = (isEnd) => this.choices.filter(({ paths }) => paths.some((path) => {
        const at = lastOn(path, squares);
        return at > 0 && isEnd === (at === path.length - 1);
      }));
      const ended = through(true);
      if (ended.length > 0) {
        this.cancel();
        this.actions.play(ended);
        return;
      }
      if (through(false).length > 0) {
        this.way = squares;
        this.draw();
        return;
      }
    }
    const same = this.way[0] === place;
    this.cancel();
    if (!same) this.pick(place);
  }

  /** Shows where the piece on a square can go.
   * @param {number} place */
  pick(place) {
    if (!this.choices.some(({ paths }) => paths[0][0] === place)) return;
    this.way = [place];
    this.draw();
  }

  /** Forgets the squares up to now. */
  cancel() {
    if (this.choices.length === 0) return;
    this.way = [];
    this.board.show(this.letters);
    this.actions.rest();
    this.drawCursor();
  }

  draw() {
    const { way, letters, board } = this;
    const moved = letters.slice();
    moved[way[0]] = ".";
    moved[way[way.length - 1]] = letters[way[0]];
    board.show(moved);
    const targets = this.choices.flatMap(({ paths }) => paths.flatMap((path) => {
      const at = lastOn(path, way);
      return at < 0 ? [] : [path[at + 1], path[path.length - 1]];
    }));
    board.draw({ last: way, squares: [...new Set(targets)].map((target) => [target, "B"]) });
    this.drawCursor();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.step(arrow);
    else if (event.key === "Enter" || event.key === " ") {
      if (this.cursor !== undefined) this.tap(this.cursor);
    } else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the cursor to the nearest square in a direction.
   * @param {number[]} direction */
  step([dx, dy]) {
    const { board } = this;
    const places = [...board.board.names.keys()];
    const [x, y] = this.cursor === undefined ? [] : board.corner(this.cursor);
    const first = this.choices[0]?.paths[0][0] ?? 0;
    let next = this.cursor === undefined ? first : this.cursor;
    let least = Infinity;
    for (const place of x === undefined ? [] : places) {
      const [px, py] = board.corner(place);
      const [across, down] = [px - x, py - y];
      const along = across * dx + down * dy;
      // Of two squares in the next row, the side alternates, so that the cursor stays in its column.
      const aside = Math.abs(dx ? down : across) + ((across > 0) === (Math.floor(y / 100) % 2 === 0) ? 0 : 1);
      const isOnLine = dx ? down === 0 : true;
      if (along > 0 && isOnLine && along * 10 + aside < least) {
        least = along * 10 + aside;
        next = place;
      }
    }
    this.cursor = next;
    this.drawCursor();
    this.actions.say?.(`${board.board.names[next]}: ${text(PIECES[this.letters[next]] ?? "empty")}`);
  }

  drawCursor() {
    this.board.point(this.cursor);
  }
}
