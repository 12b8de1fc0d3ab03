// A game and its position for others: a link, PDN, FEN, and the board as a picture.

import { html, save, svg, text } from "../parts/dom.js";
import { Animation } from "../gif.js";
import { BoardView } from "../parts/board.js";
import { linkTo } from "../parts/link.js";
import { endsOf, positionOf } from "../parts/model.js";
import { store } from "../store.js";
import { button, dialog } from "../ui.js";

/** What the style of the page decides in a picture. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];
/** Pixels of the width of a picture. */
const SIZE = 1000;
/** Pixels of the width of an animation. */
const SMALL = 400;
/** Hundredths of a second for each of its positions. */
const PACE = 100;

/** Returns the board as a picture of its own, as it looks on the page.
 * @param {any} board */
const pictureOf = (board) => {
  const copy = board.cloneNode(true);
  const [shown, copied] = [board, copy].map((root) => root.querySelectorAll("g, rect, circle, path, text"));
  shown.forEach((/** @type {any} */ node, /** @type {number} */ n) => {
    const style = getComputedStyle(node);
    for (const name of STYLES) copied[n].setAttribute(name, style.getPropertyValue(name).replaceAll("\"", "'"));
    if (style.display === "none") copied[n].setAttribute("display", "none");
    const moved = /^translate\((.*)px, (.*)px\)$/.exec(node.style.transform);
    if (moved) copied[n].setAttribute("transform", `translate(${moved[1]} ${moved[2]})`);
    copied[n].removeAttribute("style");
    copied[n].removeAttribute("class");
  });
  // Gradients are named by an address of the page, which the picture has not.
  for (const node of copied) node.setAttribute("fill", node.getAttribute("fill").replace(/url\(.*#/, "url(#").replace("')", ")"));
  const { width, height } = board.viewBox.baseVal;
  for (const name of ["id", "class", "tabindex", "aria-describedby"]) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: SIZE, height: SIZE * height / width })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
};

/** Returns a picture as pixels.
 * @param {string} picture
 * @param {number} width pixels */
const drawn = async (picture, width) => {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = html("canvas", { width, height: Math.round(image.height * width / image.width) });
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
};

/** Returns a picture as PNG.
 * @param {string} picture
 * @returns {Promise<Blob>} */
const pngOf = async (picture) => {
  const canvas = await drawn(picture, SIZE);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};

/** Returns the positions of the line that is shown as an animated GIF, as the board looks on the page.
 * @param {import("./pane.js").GamePane} pane */
const gifOf = async ({ view, parts }) => {
  let last = view.node;
  while (last.next) last = last.next;
  const nodes = [];
  for (let node = last; node; node = node.previous) nodes.unshift(node);
  const root = svg("svg", { class: "unseen" });
  parts.board.after(root);
  try {
    const board = new BoardView(root);
    board.flipped = view.board.flipped;
    board.begin(view.game.board);
    /** @type {Animation | undefined} */
    let animation;
    for (const node of nodes) {
      board.show(positionOf(node).letters);
      board.draw({ last: endsOf(node) });
      const canvas = await drawn(pictureOf(root), SMALL);
      animation ??= new Animation(canvas.width, canvas.height);
      animation.add(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height));
    }
    return /** @type {Animation} */ (animation).finish(PACE);
  } finally {
    root.remove();
  }
};

/** Offers the game and the position on the board of a pane.
 * @param {import("./pane.js").GamePane} pane */
export const share = async (pane) => {
  const { shownEntry: entry, view, parts, host } = pane;
  if (!entry) return;
  await pane.keepComment();
  await store.edits;
  const name = `game-${entry.game}-${view.node.address}`;
  const record = await store.alone(entry);
  const link = await linkTo(location.href, record, view.node.address.split("~")[0]);
  const picture = pictureOf(parts.board);
  const copied = (/** @type {string} */ words) => navigator.clipboard.writeText(words).then(() => host.announce(text("copied")));
  const action = (/** @type {string} */ label, /** @type {() => any} */ act) => html("li", {}, button(label, act, { "data-share": label }));
  const field = html("input", { readonly: "", class: "fen", "aria-label": text("shareLink"), id: "share-link" });
  field.value = link;
  const shared = { title: document.title, files: [new File([record], `${name}.pdn`, { type: "text/plain" })] };
  dialog("share", [html("p", { class: "muted" }, text("shareHint")), html("p", { class: "tools fen-row" }, field), html("ul", { class: "outputs" },
    action("shareLink", () => copied(link)), action("sharePdn", async () => copied(await record.text())), action("shareFen", () => copied(parts.fen.value)),
    action("shareSvg", () => save(`${name}.svg`, picture, "image/svg+xml")),
    action("sharePng", async () => save(`${name}.png`, await pngOf(picture), "image/png")),
    view.game.board ? action("shareGif", async () => save(`game-${entry.game}.gif`, await gifOf(pane), "image/gif")) : undefined,
    navigator.canShare?.(shared) ? action("shareWith", () => navigator.share(shared)) : undefined)], []);
};
