// Games as trees of moves, and positions, which follow from the changes that each move has.

import { decimal, text } from "./dom.js";

/** @type {Record<number, string>} */
export const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
/** @type {Record<number, string>} */
const JUDGED = { 6: "inaccuracy", 2: "mistake", 4: "blunder" };

/**
 * @typedef {{ variant: string, width: number, height: number, plain: boolean, letters: boolean, names: string[], at: number[] }} Board
 * @typedef {{ letters: string[], turn: string }} Placement
 * @typedef {{ comment?: string, intro?: string, clock?: number, nags?: number[], squares?: any[], arrows?: any[], variations?: any[] }} More
 * @typedef {{ ply: number, address: string, depth: number, more: More, number?: number, white?: boolean, leads?: boolean, tried?: any, notation?: string,
 *   change?: string, evaluation?: number | string, judgement?: string, lines?: MoveNode[][], previous?: MoveNode, next?: MoveNode,
 *   position?: Placement }} MoveNode
 * @typedef {{ head: any, start: MoveNode, main: MoveNode[], variations: MoveNode[][], board?: Board, comment?: string, end?: string,
 *   curve?: (number | null)[], sides?: any[], tags?: [string, string][] }} Game
 */

/** Returns a game with its moves.
 * @param {any} head what lists show of it
 * @param {any} data its moves and texts
 * @param {Board} [board] the board of its variant, if that is known
 * @returns {Game} */
export const makeGame = (head, data, board) => {
  /** @type {MoveNode} */
  const start = { ply: 0, address: "0", depth: 0, more: {} };
  start.position = { letters: [...data.start], turn: data.turn };
  const main = makeLine(data.moves, start, 0, (n) => `${n}`);
  start.next = main.find((node) => node.change);
  const isLed = startsWhite({ main, turn: data.turn });
  const variations = (data.variations ?? []).map((/** @type {any[]} */ line, /** @type {number} */ n) => makeLine(line, start, 1, (move) => `0.${n + 1}.${move}`));
  /** @param {MoveNode[]} line */
  const lead = (line) => line.forEach((node) => {
    node.leads = node.white === isLed;
    node.lines?.forEach(lead);
  });
  [main, ...variations].forEach(lead);
  return { ...data, head, start, main, variations, board };
};

/** Returns true if White's moves begin each number: the move of the other side has the same one.
 * @param {{ main: MoveNode[], turn?: string }} game */
export const startsWhite = ({ main, turn }) => {
  const pair = main.find((node, n) => node.number === main[n - 1]?.number && node.white !== main[n - 1].white);
  return pair ? !pair.white : (main[0]?.white ?? turn !== "B");
};

/** Makes the nodes of a line that begins after a node.
 * @type {(moves: any[], before: MoveNode, depth: number, address: (n: number) => string) => MoveNode[]} */
const makeLine = (moves, before, depth, address) => {
  let previous = before;
  return moves.map(([number, notation, change, evaluation, more = {}], n) => {
    /** @type {any} */
    const node = { number: Math.abs(number), white: number > 0, notation, change, more, previous, depth };
    node.evaluation = evaluation ?? undefined;
    node.address = address(n + 1);
    node.ply = previous.ply + 1;
    node.judgement = more.nags?.map((/** @type {number} */ nag) => JUDGED[nag]).find(Boolean);
    node.lines = (more.variations ?? []).map((/** @type {any[]} */ line, /** @type {number} */ v) =>
      makeLine(line, previous, depth + 1, (move) => `${node.address}.${v + 1}.${move}`));
    if (change) {
      if (n > 0 && previous !== before) previous.next = node;
      previous = node;
    }
    return node;
  });
};

/** Returns the played move of a game with an address: its ply, or that of the move it replaces and the way to it.
 * @type {(game: Game, address: string) => MoveNode | undefined} */
export const findNode = (game, address) => {
  /** @type {(line: MoveNode[]) => MoveNode | undefined} */
  const search = (line) => {
    for (const node of line) {
      if (node.address === address) return node;
      const found = address.startsWith(`${node.address}.`) && node.lines?.map(search).find(Boolean);
      if (found) return found;
    }
    return undefined;
  };
  const node = [game.main, ...game.variations].map(search).find(Boolean);
  return node?.change ? node : undefined;
};

/** Returns the move with an address, or the nearest one before it that the game has.
 * @type {(game: Game, address: string) => MoveNode} */
export const nearestNode = (game, address) => {
  for (let parts = address.split("~")[0].split("."); parts.length > 0; parts = parts.slice(0, -2)) {
    for (let at = Number(parts.at(-1)); at > 0; at -= 1) {
      const node = findNode(game, [...parts.slice(0, -1), at].join("."));
      if (node) return node;
    }
    // Before a variation is the move before the one that it replaces.
    if (parts.length > 2) parts[parts.length - 3] = `${Number(parts.at(-3)) - 1}`;
  }
  return game.start;
};

/** @type {(position: any, change: string) => Placement} */
export const applied = (position, change) => {
  const letters = position.letters.slice();
  for (let at = 1; at < change.length; at += 3) letters[parseInt(change.slice(at, at + 2), 36)] = change[at + 2];
  return { letters, turn: change[0].toUpperCase() };
};

/** Returns the position after a node.
 * @param {MoveNode} node
 * @returns {Placement} */
export const positionOf = (node) => {
  const pending = [];
  /** @type {any} */
  let known = node;
  for (; !known.position; known = known.previous) pending.push(known);
  for (const next of pending.reverse()) next.position = applied(next.previous.position, next.change);
  return /** @type {Placement} */ (node.position);
};

/** Returns the first and the last square of a move, unless it is none.
 * @param {MoveNode} node */
export const endsOf = (node) => {
  const { change } = node;
  if (!change || change[0] !== change[0].toUpperCase()) return undefined;
  return [parseInt(change.slice(1, 3), 36), parseInt(change.slice(4, 6), 36)];
};

/** Returns the best line in place of the move after a node: the last variation with an evaluation.
 * @param {MoveNode} node
 * @returns {MoveNode[] | undefined} */
export const bestLine = (node) => {
  const lines = node.next?.lines ?? [];
  return lines.findLast((line) => line[0].change && line[0].evaluation !== undefined);
};

/** @type {(board: Board, position: Placement) => string} */
export const fenOf = (board, { letters, turn }) => {
  /** @type {(man: string, king: string) => string[]} */
  const list = (man, king) =>
    board.names.flatMap((name, place) => (letters[place] === man ? [name] : letters[place] === king ? [`K${name}`] : []));
  return `${turn}:W${list("w", "W")}:B${list("b", "B")}`;
};

/** Returns the time on the clock of a side after its last move, in seconds, if it is known.
 * @type {(node: MoveNode, side: string) => number | undefined} */
export const clockOf = (node, side) => {
  for (let at = /** @type {any} */ (node); at?.ply > 0; at = at.previous) {
    if (at.white === (side === "white")) return at.more.clock;
  }
  return undefined;
};

/** @param {MoveNode} node */
export const marksOf = (node) => (node.more.nags ?? []).map((nag) => MARKS[nag] ?? `$${nag}`).join(" ");

/** @param {MoveNode} node */
export const numberOf = (node) => `${node.number}${node.leads ? "." : "…"}`;

/** Centi-men from which an evaluation is a win that a database knows. */
const DATABASE_WIN = 8000;

/** Returns an evaluation in short: `+0.35`, `#7`.
 * @param {number | string} evaluation */
export const evaluationText = (evaluation) => {
  if (typeof evaluation === "string") return evaluation;
  if (Math.abs(evaluation) >= DATABASE_WIN) return text(evaluation > 0 ? "whiteWins" : "blackWins");
  const men = decimal(Math.abs(evaluation / 100), 2);
  return evaluation > 0 ? `+${men}` : evaluation < 0 ? `−${men}` : men;
};

/** Returns an evaluation in words.
 * @param {number | string} evaluation */
export const evaluationWords = (evaluation) => {
  if (typeof evaluation !== "string" && Math.abs(evaluation) >= DATABASE_WIN) return evaluationText(evaluation);
  if (typeof evaluation !== "string") return `${text("evaluation")} ${evaluationText(evaluation)}`;
  const [side, plies] = evaluation[1] === "-" ? ["black", evaluation.slice(2)] : ["white", evaluation.slice(1)];
  return plies === "0" ? text(`${side}Won`) : text(`${side}WinsIn`, plies);
};

