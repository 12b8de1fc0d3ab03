// Changes to a game: its rows, in the form of `pdn convert --to jsonl`, are changed and written as PDN again.

/**
 * @typedef {any} Row a move of a row
 * @typedef {{ line: Row[], at: number, parent?: Place }} Place where a move is: in which line, at which index, and the move that the
 *   line replaces
 */

/** Returns the place of the move with an address of the board, such as `6.1.2`: ply 6 of the main line, its first variation, its
 * second move. `0.1.2` is in a line of its own before the first move.
 * @type {(game: any, address: string) => Place | undefined} */
export const placeOf = (game, address) => {
  const [first, ...rest] = address.split(".").map(Number);
  let line = game.moves;
  let at = first - 1;
  /** @type {Place | undefined} */
  let place = first > 0 && line[at] ? { line, at } : undefined;
  for (let n = 0; n + 1 < rest.length; n += 2) {
    const lines = place ? place.line[place.at].variations : game.variations;
    line = lines?.[rest[n] - 1];
    at = rest[n + 1] - 1;
    if (!line?.[at]) return undefined;
    place = { line, at, parent: place };
  }
  return place;
};

const NEW = { nags: [], comment: null, variations: [] };

/** Adds a move after the move with an address, as its continuation or else as a variation. Returns the address of the new move.
 * @type {(game: any, address: string, notation: string) => string} */
export const addMove = (game, address, notation) => {
  const move = { ...NEW, written: notation, variations: [] };
  const place = placeOf(game, address);
  const [line, next] = place ? [place.line, place.at + 1] : [game.moves, 0];
  const prefix = address.includes(".") ? address.slice(0, address.lastIndexOf(".") + 1) : "";
  if (next >= line.length) {
    line.push(move);
    return `${prefix}${next + 1}`;
  }
  line[next].variations.push([move]);
  return `${prefix}${next + 1}.${line[next].variations.length}.1`;
};

/** Deletes a move and all moves after it in its line. Returns the address of the move before it.
 * @type {(game: any, address: string) => string} */
export const deleteFrom = (game, address) => {
  const place = placeOf(game, address);
  if (!place) return address;
  place.line.splice(place.at);
  const parts = address.split(".");
  if (place.at > 0) return [...parts.slice(0, -1), place.at].join(".");
  if (parts.length < 3) return "0";
  const lines = place.parent ? place.parent.line[place.parent.at].variations : game.variations;
  lines.splice(lines.indexOf(place.line), 1);
  return before(parts.slice(0, -2));
};

/** Returns the address of the move before the one that a variation replaces.
 * @type {(parts: string[]) => string} */
const before = (parts) => {
  const at = Number(parts.at(-1)) - 1;
  if (at > 0) return [...parts.slice(0, -1), at].join(".");
  return parts.length < 3 ? "0" : before(parts.slice(0, -2));
};

/** Promotes the variation of a move to the line that contains it. Returns the new address of the move.
 * @type {(game: any, address: string) => string} */
export const promote = (game, address) => {
  const place = placeOf(game, address);
  const parent = place?.parent;
  if (!place || !parent) return address;
  const replaced = parent.line.splice(parent.at);
  const [first] = replaced;
  const others = first.variations.map((/** @type {Row[]} */ line) => (line === place.line ? replaced : line));
  first.variations = [];
  place.line[0].variations.push(...others);
  parent.line.push(...place.line);
  const parts = address.split(".");
  const start = Number(parts.at(-3));
  return [...parts.slice(0, -3), start + place.at].join(".");
};

/** Sets the comment and the marks of a move, or the comment of the game at the start.
 * @type {(game: any, address: string, change: { comment?: string, nags?: number[] }) => void} */
export const annotateMove = (game, address, change) => {
  const place = placeOf(game, address);
  Object.assign(place ? place.line[place.at] : game, change);
};

/** Returns a game as PDN, without regard to the width of lines.
 * @param {any} game
 * @returns {string} */
export const written = (game) => {
  const tags = Object.entries(game.tags).map(([name, value]) => `[${name} "${String(value).replace(/[\r\n]+/g, " ").replace(/(["\\])/g, "\\$1")}"]`);
  const words = [...commentWords(game.comment), ...(game.variations ?? []).map(variationText), ...lineWords(game.moves),
    ...commentWords(game.end_comment), game.result.terminator || "*"];
  return `${tags.join("\n")}\n\n${words.join(" ")}\n`;
};

/** A brace ends a comment.
 * @param {string | null | undefined} comment */
const commentWords = (comment) => (comment ? [`{${comment.replace(/[{}]/g, (brace) => (brace === "{" ? "(" : ")"))}}`] : []);

/** @type {(line: Row[]) => string} */
const variationText = (line) => `(${lineWords(line).join(" ")})`;

/** @type {(line: Row[]) => string[]} */
const lineWords = (line) => line.flatMap((move) => [
  ...commentWords(move.intro),
  ...(move.setups ?? []).map((/** @type {string} */ fen) => `/FEN "${fen}"/`),
  ...(move.number ? [`${move.number}${move.side === "B" ? "..." : "."}`] : []),
  move.written,
  ...move.nags.map((/** @type {number} */ nag) => `$${nag}`),
  ...commentWords(move.comment),
  ...move.variations.map(variationText),
]);
