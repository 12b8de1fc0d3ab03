// The players of a game, how well they played, and what else its tags have.

import { decimal, html, record, text } from "./dom.js";

/** @type {Record<string, number[]>} */
export const POINTS = { W: [1, 0], B: [0, 1], draw: [0.5, 0.5] };

/** Returns the sides in the order of the numbers of the result: Black is first in variants that Black begins.
 * @type {(head: any) => [string, number][]} */
export const sidesOf = ({ left }) => left === "B" ? [["black", 1], ["white", 0]] : [["white", 0], ["black", 1]];

/** @type {(game: any, name: string) => string | undefined} */
export const tagOf = (game, name) => game.tags?.find((/** @type {[string, string]} */ tag) => tag[0] === name)?.[1];

/** Shows the name, the rating and the clock of a side beside the board.
 * @type {(root: any, game: any, side: string, clock?: number) => void} */
export const showPlayer = (root, game, side, clock) => {
  const white = side === "white";
  const rating = tagOf(game, white ? "WhiteRating" : "BlackRating") ?? tagOf(game, white ? "WhiteElo" : "BlackElo");
  const name = game.head[side] || text(side);
  const points = POINTS[game.head.winner]?.[white ? 0 : 1];
  root.replaceChildren(
    html("span", { class: `stone ${side}`, "aria-label": text(side), role: "img" }),
    record(name, points === 1 ? "name winner" : "name"),
    rating ? record(rating, "rating") : "",
    html("span", { class: "space" }),
    clock === undefined ? "" : html("span", { class: "clock" }, clockText(clock)),
  );
};

/** @param {number} seconds */
const clockText = (seconds) => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return [hours, minutes, Math.floor(seconds % 60)].map((part) => `${part}`.padStart(2, "0")).join(":").replace(/^00:/, "");
};

/** Shows the event, the date and the result.
 * @type {(root: any, game: any) => void} */
export const showFacts = (root, game) => {
  const { head } = game;
  const facts = [head.event, head.round && `(${head.round})`, head.date].filter((fact) => fact && !/^[?.*()-]*$/.test(fact));
  const result = /^[?*\s]*$/.test(head.result) ? "" : record(head.result, "result");
  root.replaceChildren(html("p", { class: "event" }, ...facts.flatMap((fact) => [record(fact), " "])), result);
};

/** Shows accuracy, average loss and judgements of both sides; each count leads to the next such move.
 * @type {(table: any, game: any, seek: (judgement: string, white: boolean) => void) => void} */
export const showSides = (table, game, seek) => {
  const { sides } = game;
  table.classList.add("sides");
  table.hidden = !sides;
  if (!sides) return;
  /** @type {(value: number | null, digits: number) => string} */
  const number = (value, digits) => (value === null ? "–" : decimal(value, digits));
  /** @type {(name: string, cells: any[], kind?: string) => any} */
  const row = (name, cells, kind = "") =>
    html("tr", { class: kind }, html("td", {}, cells[0]), html("th", { scope: "row" }, name), html("td", {}, cells[1]));
  /** @type {(kind: string, name: string) => any} */
  const counts = (kind, name) => row(text(name), sides.map((/** @type {any} */ side, /** @type {number} */ n) => {
    const button = html("button", { class: "count", "aria-label": `${text(n ? "black" : "white")}: ${text(name)} ${side[name]}` }, `${side[name]}`);
    button.disabled = side[name] === 0;
    button.addEventListener("click", () => seek(kind, n === 0));
    return button;
  }), kind);
  table.replaceChildren(html("tbody", {},
    html("tr", { class: "names" }, ...["white", "black"].map((side) =>
      html("th", { scope: "col" }, record(game.head[side] || text(side)))).toSpliced(1, 0, html("td", {}))),
    row(text("accuracy"), sides.map((/** @type {any} */ side) => (side.accuracy === null ? "–" : `${number(side.accuracy, 1)} %`)), "strong"),
    row(text("averageLoss"), sides.map((/** @type {any} */ side) => (side.average_loss_cm === null ? "–" : number(side.average_loss_cm / 100, 2)))),
    counts("inaccuracy", "inaccuracies"),
    counts("mistake", "mistakes"),
    counts("blunder", "blunders"),
  ));
};

