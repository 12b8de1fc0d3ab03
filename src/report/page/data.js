// The data of the page.

import { setTexts } from "../../../web/app/parts/dom.js";
import { makeGame } from "../../../web/app/parts/model.js";

/** Returns the data blocks of a class. */
const blocks = (name) => [...document.querySelectorAll(`script.${name}`)];

/** What pages of a site share is in their script. */
export const page = { ...globalThis.pdnSite, ...JSON.parse(blocks("page")[0].textContent) };

setTexts(page.texts);

const boards = new Map([...(page.boards ?? []), ...blocks("board").map((block) => JSON.parse(block.textContent))]
  .map((board) => [board.variant, board]));

/** The games of the page: what the list shows of each, and its block. */
export const games = blocks("game").map((block, index) => {
  const content = block.textContent;
  const end = content.indexOf("\n");
  return { block, index, ...JSON.parse(end < 0 ? content : content.slice(0, end)) };
});

/** Returns a game with its moves, and the text of its record. */
export const load = (head) => {
  const [, body, source] = head.block.textContent.split("\n");
  return { ...makeGame(head, JSON.parse(body), boards.get(head.variant)), source: () => JSON.parse(source) };
};
