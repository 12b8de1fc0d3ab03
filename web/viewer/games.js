// The games of a viewer: from PDN by the npm package, or from the data blocks of a report, which have all positions.

import { makeGame } from "../app/parts/model.js";

/** @typedef {{ head: any, load: () => Promise<any> }} ViewerGame */

/** Modules of rules by their addresses, so that many viewers of a page load one.
 * @type {Map<string, Promise<any>>} */
const packages = new Map();

/** @param {string} address */
const packageAt = (address) => {
  let module = packages.get(address);
  if (!module) {
    module = import(address);
    packages.set(address, module);
  }
  return module;
};

/** Returns the games of a text, or of the bytes of a file: PDN, or a page that `pdn report` wrote.
 * @type {(content: string | Uint8Array, address: string) => Promise<ViewerGame[]>} */
export const gamesOf = async (content, address) => {
  const text = typeof content === "string" ? content : new TextDecoder().decode(content);
  if (text.includes("<script type=\"application/json\" class=\"game\">")) return gamesOfReport(text);
  const library = await packageAt(address);
  /** @type {ViewerGame[]} */
  const games = [];
  for await (const row of library.reportRows(content)) {
    const load = async () => makeGame(row.head, row.body, row.head.variant && await library.board(row.head.variant));
    games.push({ head: row.head, load });
  }
  return games;
};

/** Data blocks contain no `<` except that of their end tag.
 * @type {(text: string, name: string) => string[]} */
const blocks = (text, name) => text.split(`<script type="application/json" class="${name}">`).slice(1).map((block) => block.slice(0, block.indexOf("<")));

/** @param {string} text
 * @returns {ViewerGame[]} */
const gamesOfReport = (text) => {
  const boards = new Map(blocks(text, "board").map((block) => {
    const board = JSON.parse(block);
    return [board.variant, board];
  }));
  return blocks(text, "game").map((block) => {
    const [first, body] = block.split("\n");
    const head = JSON.parse(first);
    return { head, load: async () => makeGame(head, JSON.parse(body), boards.get(head.variant)) };
  });
};
