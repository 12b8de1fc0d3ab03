// A dialog in which a position, or a pattern of squares, is set up.

import { BoardView } from "../parts/board.js";
import { html, text } from "../parts/dom.js";
import { fenOf, positionOf } from "../parts/model.js";
import { quick } from "../client.js";
import { store } from "../store.js";
import { button, choice, dialog } from "../ui.js";

const PIECES = [["w", "whiteMan"], ["W", "whiteKing"], ["b", "blackMan"], ["B", "blackKing"], [".", "empty"], ["?", "anything"]];

/**
 * Sets up a position, which begins with that of a game.
 * @param {{ variant: string, game?: any, node?: any, actions: [string, (made: { fen: string, pattern: string, variant: string }) => any][] }} how
 */
export const setUpPosition = async ({ variant, game, node, actions }) => {
  const board = await store.board(variant);
  const start = game?.board && game.head.variant === variant ? positionOf(node) : await quick.call("position", [null, { variant }]);
  const letters = [...start.letters];
  let { turn } = start;
  let piece = "w";
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("role", "application");
  picture.setAttribute("tabindex", "0");
  picture.setAttribute("aria-label", text("setUp"));
  const view = new BoardView(picture);
  view.begin(board);
  let cursor = 0;
  const draw = () => {
    view.show(letters.map((letter) => (letter === "?" ? "." : letter)));
    view.draw({ squares: [...letters.flatMap((letter, place) => (letter === "?" ? [[place, "C"]] : [])), [cursor, "Y"]] });
  };
  const put = (/** @type {number} */ place) => {
    letters[place] = letters[place] === piece ? "." : piece;
    cursor = place;
    draw();
  };
  picture.addEventListener("click", (event) => {
    const place = view.placeAt(event.clientX, event.clientY);
    if (place !== undefined) put(place);
  });
  picture.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: Math.floor(board.width / 2), ArrowUp: -Math.floor(board.width / 2) };
    const step = steps[/** @type {"ArrowUp"} */ (event.key)];
    if (step) cursor = Math.min(Math.max(cursor + step, 0), letters.length - 1);
    else if (event.key === " " || event.key === "Enter") put(cursor);
    else return;
    event.preventDefault();
    picture.setAttribute("aria-label", `${board.names[cursor]}: ${text(PIECES.find(([letter]) => letter === letters[cursor])?.[1] ?? "empty")}`);
    draw();
  });
  const fill = (/** @type {string} */ letter) => {
    letters.fill(letter);
    draw();
  };
  const made = () => ({
    variant,
    fen: fenOf(board, { letters: letters.map((letter) => (letter === "?" ? "." : letter)), turn }),
    pattern: letters.flatMap((letter, place) => (letter === "?" ? [] : [`${board.names[place]}=${letter}`])).join(","),
  });
  const node2 = dialog("setUp", [
    html("p", { class: "tools" },
      choice("piece", PIECES.map(([letter, name]) => [letter, text(name)]), (value) => { piece = value; }, piece),
      choice("toMove", [["W", text("white")], ["B", text("black")]], (value) => { turn = value; }, turn),
      button("emptyBoard", () => fill(".")), button("anyBoard", () => fill("?"), { id: "any-board" })),
    html("div", { class: "set-up" }, picture),
  ], actions.map(([name, action]) => [name, () => action(made())]));
  node2.classList.add("wide");
  draw();
};
