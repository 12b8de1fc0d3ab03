// The hand on the board: moves by clicks and by dragging, circles and arrows, and steps by the wheel and by swipes.

import { html, text } from "../parts/dom.js";
import { positionOf } from "../parts/model.js";
import { button } from "../ui.js";

/** Pixels that a pointer moves before it drags. */
const DRAG = 6;
/** Pixels of a swipe. */
const SWIPE = 30;
/** Pixels of the wheel for a step. */
const WHEEL = 40;
/** Milliseconds after which a finger that rests draws. */
const LONG_PRESS = 450;
/** Colour of what is drawn. */
const COLOUR = "Y";

export class Hand {
  /** The piece that moves, and the squares of its capture that were chosen.
   * @type {number[]} */ path = [];
  /** What a pressed pointer does.
   * @type {{ place: number, x: number, y: number, does: "" | "drag" | "draw", timer?: any } | undefined} */ held = undefined;
  /** True if the click that ends a press is none. */
  isSpent = false;
  turned = 0;

  /** @param {import("./pane.js").GamePane} pane */
  constructor(pane) {
    this.pane = pane;
    const { board } = pane.parts;
    board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.down(event));
    board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.move(event));
    board.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => this.up(event));
    board.addEventListener("pointercancel", () => {
      this.drop();
      this.pane.view.sketch = [];
      if (this.isBusy) this.board.settle(this.path[0], this.path.at(-1));
    });
    board.addEventListener("contextmenu", (/** @type {Event} */ event) => event.preventDefault());
    // A finger that draws does not scroll.
    board.addEventListener("touchmove", (/** @type {Event} */ event) => this.held?.does === "draw" && event.preventDefault(), { passive: false });
    board.addEventListener("wheel", (/** @type {WheelEvent} */ event) => this.wheel(event), { passive: false });
    board.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      if (!this.isSpent) this.press(this.placeOf(event));
      this.isSpent = false;
    });
  }

  get board() {
    return this.pane.view.board;
  }

  /** True while a piece is chosen. */
  get isBusy() {
    return this.path.length > 0;
  }

  /** @param {MouseEvent} event */
  placeOf(event) {
    return this.pane.position ? this.board.placeAt(event.clientX, event.clientY) : undefined;
  }

  /** Follows the pane to another position, whose moves are not known yet. */
  reset() {
    this.path = [];
    this.board.settleAll();
    this.pane.view.must = [];
    this.pane.view.drawn = { squares: [], arrows: [] };
  }

  /** Marks the pieces that can move, and those that must capture. */
  ready() {
    const { moves } = this.pane.position;
    this.board.mark(moves.map((/** @type {any} */ move) => move.places[0]));
    const captures = moves.filter((/** @type {any} */ move) => move.taken.length > 0);
    this.pane.view.must = [...new Set(captures.map((/** @type {any} */ move) => move.places[0]))];
    if (!this.isBusy) this.pane.view.drawMarks();
  }

  /** Returns the moves that go on over some squares.
   * @param {number[]} path */
  moves(path) {
    return this.pane.position.moves.filter((/** @type {any} */ { places }) => {
      let at = -1;
      return path.every((place, n) => {
        at = n === 0 ? (places[0] === place ? 0 : -2) : at < 0 ? -2 : places.indexOf(place, at + 1);
        return at >= 0;
      });
    });
  }

  /** Chooses the piece that moves, a square of its capture, or the square where it goes.
   * @type {(place: number | undefined, isDropped?: boolean) => void} */
  press(place, isDropped = false) {
    if (place === undefined) return;
    const moves = this.isBusy && place !== this.path.at(-1) ? this.moves([...this.path, place]) : [];
    const ending = moves.filter((/** @type {any} */ move) => move.places.at(-1) === place);
    if (ending.length > 0) {
      this.board.settle(this.path[0], place);
      this.path = [];
      this.pane.choose(ending);
    } else if (moves.length > 0) {
      this.path.push(place);
      this.board.settle(this.path[0], place);
      this.showTargets();
    } else if (isDropped) {
      this.board.settle(this.path[0], this.path.at(-1));
      if (place !== this.path.at(-1)) this.say(this.path[0], place);
    } else this.pick(place);
  }

  /** Shows where the piece on a square can go, or says why it cannot.
   * @param {number} place */
  pick(place) {
    const { view, choices } = this.pane;
    if (this.path.length > 1) this.board.settle(this.path[0], this.path[0]);
    const moves = this.moves([place]);
    this.path = moves.length > 0 && place !== this.path[0] ? [place] : [];
    choices.replaceChildren();
    view.drawn = { squares: [], arrows: [] };
    if (this.isBusy) this.showTargets();
    else view.drawMarks();
    if (moves.length === 0 && positionOf(view.node).letters[place] !== ".") this.say(place);
  }

  showTargets() {
    const targets = this.moves(this.path).map((/** @type {any} */ move) => move.places.at(-1));
    this.board.draw({ last: [this.path[0], /** @type {number} */ (this.path.at(-1))], squares: targets.map((/** @type {number} */ target) => [target, "B"]) });
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
      : mustCapture && this.moves([place]).length === 0 ? text("mustCapture", side, names[place])
        : target === undefined ? text("cannotMove", names[place]) : text(mustCapture ? "mustCaptureTo" : "cannotMoveTo", names[place], names[target]);
    choices.replaceChildren(html("span", { class: "problem" }, words));
    host.announce(words);
  }

  /** @param {PointerEvent} event */
  down(event) {
    const place = this.placeOf(event);
    this.isSpent = false;
    this.drop();
    if (place === undefined) return;
    this.held = { place, x: event.clientX, y: event.clientY, does: event.button === 2 ? "draw" : "" };
    if (event.pointerType !== "touch") this.pane.parts.board.setPointerCapture(event.pointerId);
    else this.held.timer = setTimeout(() => {
      if (!this.held || this.held.does) return;
      this.held.does = "draw";
      this.sketch(place);
    }, LONG_PRESS);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { held } = this;
    if (!held) return;
    const place = this.board.placeAt(event.clientX, event.clientY);
    if (held.does === "draw") this.sketch(place);
    else if (held.does === "drag") this.board.lift(this.path[0], event.clientX, event.clientY);
    else if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAG) {
      clearTimeout(held.timer);
      // The piece may already stand on a square of its capture.
      const isOn = this.isBusy && this.path.at(-1) === held.place;
      if (!isOn && this.moves([held.place]).length === 0) return;
      if (!isOn) this.pick(held.place);
      if (this.path[0] === undefined) this.pick(held.place);
      held.does = "drag";
      this.pane.parts.board.setPointerCapture(event.pointerId);
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { held } = this;
    this.drop();
    if (!held) return;
    const place = this.board.placeAt(event.clientX, event.clientY);
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    this.isSpent = held.does !== "";
    if (held.does === "draw") this.toggle(held.place, place);
    else if (held.does === "drag") this.press(place ?? this.path.at(-1), true);
    else if (event.pointerType === "touch" && Math.abs(dx) > SWIPE && Math.abs(dy) < SWIPE) {
      this.isSpent = true;
      if (!this.pane.lesson.asks) this.pane.view[dx < 0 ? "forward" : "back"]();
    }
  }

  drop() {
    clearTimeout(this.held?.timer);
    this.held = undefined;
  }

  /** Shows what would be drawn.
   * @param {number | undefined} place */
  sketch(place) {
    if (place === undefined || !this.held) return;
    this.pane.view.sketch = this.held.place === place ? [place] : [this.held.place, place];
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
