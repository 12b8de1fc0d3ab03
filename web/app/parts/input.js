// Moves on a board: by tapping squares, by dragging a piece, and by keys.

import { text } from "./dom.js";

/**
 * @typedef {{ paths: number[][] }} Choice a move that is possible, with the places on its ways
 */

/** Pixels that a pointer moves before it drags the piece. */
const SLOP = 6;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, string>} */
const PIECES = { w: "whiteMan", W: "whiteKing", b: "blackMan", B: "blackKing", ".": "empty" };

/** Returns the index of the last of some squares on a way, if it has them in this order and begins with the first one, or else -1.
 * @type {(way: number[], squares: number[]) => number} */
const lastOn = (way, squares) => {
  if (way[0] !== squares[0]) return -1;
  return squares.slice(1).reduce((at, square) => (at < 0 ? at : way.indexOf(square, at + 1)), 0);
};

export class MoveInput {
  /** @type {any[]} */ choices = [];
  /** @type {string[]} */ letters = [];
  /** The squares of the move up to now: that of the piece, and those where it turns.
   * @type {number[]} */ path = [];
  /** The square that keys have reached.
   * @type {number | undefined} */ cursor = undefined;
  /** The square that is pressed.
   * @type {{ place: number, x: number, y: number, isDragged: boolean } | undefined} */ held = undefined;

  /** Takes moves from a board: `play` gets those that the squares can mean, and `rest` draws what the board shows otherwise. `refuse` may say
   * why a piece cannot move, or not to a square. With `say`, which gets what is on the square that keys have reached, keys lead over the board.
   * @param {import("./board.js").BoardView} board
   * @param {{ play: (choices: any[]) => void, rest: () => void, refuse?: (place: number, target?: number) => void, say?: (words: string) => void }} actions */
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

  /** Waits for one of these moves in a position; without a position, for none.
   * @type {(letters?: string[], choices?: Choice[]) => void} */
  await(letters = [], choices = []) {
    Object.assign(this, { letters, choices, path: [], held: undefined });
    this.board.settleAll();
    this.board.mark(choices.map(({ paths }) => paths[0][0]));
  }

  /** Returns the square at a point of the window, if moves are awaited.
   * @param {MouseEvent} event */
  placeOf(event) {
    return this.letters.length > 0 ? this.board.placeAt(event.clientX, event.clientY) : undefined;
  }

  /** Returns the moves that go over some squares.
   * @param {number[]} squares */
  through(squares) {
    return this.choices.filter(({ paths }) => paths.some((/** @type {number[]} */ way) => lastOn(way, squares) >= 0));
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.drop();
    const place = this.placeOf(event);
    if (place === undefined || event.button !== 0) return;
    this.cursor = undefined;
    this.held = { place, x: event.clientX, y: event.clientY, isDragged: false };
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { held, board } = this;
    if (!held) return;
    if (!held.isDragged) {
      // The piece may already be on a square of its capture.
      const isOn = this.path.at(-1) === held.place;
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLOP || !isOn && this.through([held.place]).length === 0) return;
      if (!isOn) this.pick(held.place);
      held.isDragged = true;
      board.root.setPointerCapture(event.pointerId);
    }
    board.lift(this.path[0], event.clientX, event.clientY);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { held } = this;
    const place = this.placeOf(event);
    this.drop();
    if (held?.isDragged) this.tap(place ?? /** @type {number} */ (this.path.at(-1)), true);
    else if (held && held.place === place) this.tap(place);
  }

  /** Puts the piece that is being dragged back. */
  drop() {
    if (this.held?.isDragged) this.board.settle(this.path[0], this.path.at(-1));
    this.held = undefined;
  }

  /** Takes a square: the end of a move, one where a capture turns, or that of another piece.
   * @type {(place: number, isDropped?: boolean) => void} */
  tap(place, isDropped = false) {
    const { path } = this;
    const isBack = isDropped && place === path.at(-1);
    const moves = path.length > 0 && !isBack ? this.through([...path, place]) : [];
    const ended = moves.filter(({ paths }) => paths.some((/** @type {number[]} */ way) => way.at(-1) === place && lastOn(way, [...path, place]) > 0));
    if (moves.length > 0) this.board.settle(path[0], place);
    if (ended.length > 0) {
      this.path = [];
      this.actions.rest();
      this.actions.play(ended);
    } else if (moves.length > 0) {
      path.push(place);
      this.draw();
    } else if (isDropped) {
      if (!isBack) this.actions.refuse?.(path[0], place);
    } else if (path[0] === place) this.cancel();
    else if (!this.pick(place) && this.letters[place] !== ".") this.actions.refuse?.(place);
  }

  /** Shows where the piece on a square can go; returns false if there is none that can.
   * @param {number} place */
  pick(place) {
    this.cancel();
    if (this.through([place]).length === 0) return false;
    this.path = [place];
    this.draw();
    return true;
  }

  /** Forgets the squares up to now. */
  cancel() {
    this.path = [];
    this.board.settleAll();
    this.actions.rest();
    this.drawCursor();
  }

  draw() {
    const { path } = this;
    const targets = this.through(path).flatMap(({ paths }) => paths.flatMap((/** @type {number[]} */ way) => {
      const at = lastOn(way, path);
      return at < 0 ? [] : [way[at + 1], way.at(-1)];
    }));
    this.board.draw({ last: path, squares: [...new Set(targets)].map((target) => [target, "B"]) });
    this.drawCursor();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.step(arrow);
    else if (event.key === "Enter" || event.key === " ") {
      if (this.cursor !== undefined && this.letters.length > 0) this.tap(this.cursor);
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
