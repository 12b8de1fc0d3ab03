// The hand on the board: moves, circles and arrows, and steps by the wheel and by swipes.

import { html, text } from "../parts/dom.js";
import { MoveInput } from "../parts/input.js";
import { positionOf } from "../parts/model.js";
import { button } from "../ui.js";

/** Pixels within which a finger rests. */
const REST = 6;
/** Pixels of a swipe. */
const SWIPE = 30;
/** Pixels of the wheel for a step. */
const WHEEL = 40;
/** Milliseconds after which a finger that rests draws. */
const LONG_PRESS = 450;
/** Colour of what is drawn. */
const COLOUR = "Y";

export class Hand {
  /** A press, which may become a drawing or a swipe.
   * @type {{ place: number, x: number, y: number, draws: boolean, timer?: any } | undefined} */ pressed = undefined;
  turned = 0;

  /** @param {import("./pane.js").GamePane} pane */
  constructor(pane) {
    this.pane = pane;
    const { board } = pane.parts;
    // Before those of the moves: what draws or swipes is no move.
    board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.down(event));
    board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.move(event));
    board.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => this.up(event));
    board.addEventListener("pointercancel", () => {
      this.drop();
      this.pane.view.sketch = [];
    });
    this.input = new MoveInput(pane.view.board, {
      play: (moves) => pane.choose(moves), rest: () => this.rest(), refuse: (place, target) => this.say(place, target),
    });
    board.addEventListener("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
    // A finger that draws does not scroll.
    board.addEventListener("touchmove", (/** @type {Event} */ event) => this.pressed?.draws && event.preventDefault(), { passive: false });
    board.addEventListener("wheel", (/** @type {WheelEvent} */ event) => this.wheel(event), { passive: false });
  }

  /** True while a piece is chosen. */
  get isBusy() {
    return this.input.path.length > 0;
  }

  /** Follows the pane to another position, whose moves are not known yet. */
  reset() {
    this.input.await();
    this.pane.view.must = [];
    this.pane.view.drawn = { squares: [], arrows: [] };
  }

  /** Waits for a move, and marks the pieces that must capture. */
  ready() {
    const { position: { moves }, view } = this.pane;
    this.input.await(positionOf(view.node).letters, moves.map((/** @type {any} */ move) => ({ ...move, paths: [move.places] })));
    const captures = moves.filter((/** @type {any} */ move) => move.taken.length > 0);
    view.must = [...new Set(captures.map((/** @type {any} */ move) => move.places[0]))];
    view.drawMarks();
  }

  /** Shows the position without what was said and drawn. */
  rest() {
    this.pane.choices.replaceChildren();
    this.pane.view.drawn = { squares: [], arrows: [] };
    this.pane.view.drawMarks();
  }

  /** Says why a piece cannot move, or not to a square.
   * @type {(place: number, target?: number) => void} */
  say(place, target) {
    const { view, position, choices, host } = this.pane;
    const { letters, turn } = positionOf(view.node);
    const { names } = view.game.board;
    const side = text(turn === "W" ? "white" : "black");
    const isOther = letters[place].toUpperCase() !== turn;
    const mustCapture = position.moves.some((/** @type {any} */ move) => move.taken.length > 0);
    const words = isOther ? text(turn === "W" ? "whiteToMove" : "blackToMove")
      : mustCapture && this.input.through([place]).length === 0 ? text("mustCapture", side, names[place])
        : target === undefined ? text("cannotMove", names[place]) : text(mustCapture ? "mustCaptureTo" : "cannotMoveTo", names[place], names[target]);
    choices.replaceChildren(html("span", { class: "problem" }, words));
    host.announce(words);
  }

  /** @param {PointerEvent} event */
  down(event) {
    const place = this.input.placeOf(event);
    this.drop();
    if (place === undefined) return;
    this.pressed = { place, x: event.clientX, y: event.clientY, draws: event.button === 2 };
    if (event.button === 2) this.pane.parts.board.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") this.pressed.timer = setTimeout(() => this.rested(), LONG_PRESS);
  }

  /** Draws with a finger that rests. */
  rested() {
    if (!this.pressed || this.input.held?.isDragged) return;
    this.input.drop();
    this.pressed.draws = true;
    this.sketch(this.pressed.place);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { pressed } = this;
    if (pressed?.draws) this.sketch(this.input.placeOf(event));
    else if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > REST) clearTimeout(pressed.timer);
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { pressed } = this;
    this.drop();
    if (!pressed || this.input.held?.isDragged) return;
    const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (pressed.draws) this.toggle(pressed.place, this.input.placeOf(event));
    else if (event.pointerType === "touch" && Math.abs(dx) > SWIPE && Math.abs(dy) < SWIPE && !this.pane.lesson.asks) {
      this.pane.view[dx < 0 ? "forward" : "back"]();
    }
  }

  drop() {
    clearTimeout(this.pressed?.timer);
    this.pressed = undefined;
  }

  /** Shows what would be drawn.
   * @param {number | undefined} place */
  sketch(place) {
    if (place === undefined || !this.pressed) return;
    this.pane.view.sketch = this.pressed.place === place ? [place] : [this.pressed.place, place];
    this.pane.view.drawMarks();
  }

  /** Draws a circle or an arrow, or removes it.
   * @type {(from: number, to: number | undefined) => void} */
  toggle(from, to) {
    const { view } = this.pane;
    view.sketch = [];
    if (to !== undefined) {
      const { squares, arrows } = view.drawn;
      const list = from === to ? squares : arrows;
      const at = list.findIndex((/** @type {any[]} */ one) => one[0] === from && (from === to || one[1] === to));
      if (at >= 0) list.splice(at, 1);
      else list.push(from === to ? [from, COLOUR] : [from, to, COLOUR]);
      this.offer();
    }
    view.drawMarks();
  }

  /** Offers to write what is drawn into the record, where the move that is shown is part of it. */
  offer() {
    const { view, choices, entry, lesson, match } = this.pane;
    const { node, drawn: { squares, arrows } } = view;
    const isOffered = entry && !node.tried && !lesson.asks && !match.isShown && squares.length + arrows.length > 0;
    choices.replaceChildren(isOffered ? button("keepDrawing", () => this.keep(), { id: "keep-drawing" }) : "");
  }

  /** Writes what is drawn into the record, with what it shows already. */
  keep() {
    const { node, drawn: { squares, arrows }, game } = this.pane.view;
    const { names } = game.board;
    /** @type {(kept: any[], ends: (mark: any[]) => string) => string | undefined} */
    const list = (kept, ends) => [...new Set(kept.map((mark) => mark.at(-1) + ends(mark)))].join(",") || undefined;
    const values = {
      csl: list([...(node.more.squares ?? []), ...squares], ([at]) => names[at]),
      cal: list([...(node.more.arrows ?? []), ...arrows], ([from, to]) => `${names[from]}-${names[to]}`),
    };
    return this.pane.edit("keepDrawing", [{ commands: { at: node.address, values } }]);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (event.ctrlKey || this.pane.lesson.asks) return;
    event.preventDefault();
    this.turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * WHEEL;
    if (Math.abs(this.turned) < WHEEL) return;
    this.pane.view[this.turned > 0 ? "forward" : "back"]();
    this.turned = 0;
  }
}
