// The page: which game and which move are shown, and what buttons, keys and gestures do.

const view = { game: undefined, node: undefined, arrows: true };
const parts = {};

/** Shows a game at an address, or at its start. */
const open = (index, address = "0") => {
  const head = games[index];
  if (!head) return;
  if (view.game?.head !== head) {
    view.game = load(head);
    const { game } = view;
    if (game.board) parts.board.begin(game.board);
    byId("board-frame").hidden = !game.board;
    parts.graph.begin(game);
    parts.moves.begin(game);
    showFacts(byId("facts"), game);
    showSides(byId("sides"), game, seek);
    parts.list?.show(head);
    byId("game").hidden = false;
    document.title = [head.white, head.black].filter(Boolean).join(" – ") || text("game", numberOfGame(head));
    updateNeighbours(head);
  }
  go(findNode(view.game, address) ?? view.game.start);
  closeList();
};

const numberOfGame = (head) => page.links.number ?? head.index + 1;

const showPlayers = () => {
  const [top, bottom] = parts.board.flipped ? ["white", "black"] : ["black", "white"];
  showPlayer(byId("top-player"), view.game, top, clockOf(view.node, top));
  showPlayer(byId("bottom-player"), view.game, bottom, clockOf(view.node, bottom));
};

/** Shows a move. */
const go = (node) => {
  view.node = node;
  const { game } = view;
  if (game.board) {
    const position = positionOf(node);
    parts.board.show(position.letters);
    drawMarks();
    byId("fen").value = fenOf(game.board, position);
    byId("board").setAttribute("aria-label", `${text("board")}: ${byId("fen").value}`);
  }
  parts.graph.show(node);
  parts.moves.show(node);
  showPlayers();
  showGauge();
  showStatus();
  byId("first").disabled = byId("previous").disabled = !node.previous;
  byId("next").disabled = byId("last").disabled = !node.next;
  const address = `#game=${numberOfGame(game.head)}&ply=${node.address}`;
  if (location.hash !== address) history.replaceState(null, "", address);
};

/** Draws the marks of the record and the best line. */
const drawMarks = () => {
  const { node } = view;
  const best = view.arrows ? (bestLine(node) ?? []).slice(0, 2).map(endsOf) : [];
  const names = ["best", "reply"];
  const lines = best.flatMap((ends, n) => (ends ? [[...ends, "G", names[n]]] : []));
  parts.board.draw({
    last: endsOf(node),
    squares: node.more.squares,
    arrows: [...(node.more.arrows ?? []), ...lines.reverse()],
    judgement: node.judgement,
    sign: node.judgement ? marksOf(node) : "",
  });
};

/** Shows White's share at the side of the board. */
const showGauge = () => {
  const { game, node } = view;
  const share = node.depth === 0 && node.ply > 0 ? game.curve?.[node.ply - 1] : undefined;
  byId("gauge").classList.toggle("unknown", !game.curve);
  const known = node.ply === 0 ? 500 : share;
  if (known !== undefined && known !== null) byId("gauge").style.setProperty("--share", `${known / 10}%`);
};

/** Says which move is shown, how it is evaluated and judged, and who is to move. */
const showStatus = () => {
  const { node, game } = view;
  const parts = [];
  if (node.ply) {
    parts.push(html("strong", {}, `${numberOf(node)} `, record(node.notation), ` ${marksOf(node)}`));
    if (node.evaluation !== undefined) parts.push(evaluationWords(node.evaluation));
    if (node.judgement) parts.push(html("span", { class: `judged ${node.judgement}` }, text(node.judgement)));
    if (node.judgement) parts.push(betterMove(node));
  }
  if (game.board) parts.push(text(positionOf(node).turn === "W" ? "whiteToMove" : "blackToMove"));
  else parts.push(text("noPosition"));
  byId("status").replaceChildren(...parts.filter(Boolean).flatMap((part, n) => (n ? [" · ", part] : [part])));
};

/** Returns a link to the best line in place of a move. */
const betterMove = (node) => {
  const first = node.depth === 0 && bestLine(node.previous)?.[0];
  if (!first) return undefined;
  const button = html("button", { class: "better" }, text("best", first.notation));
  button.addEventListener("click", () => go(first));
  return button;
};

/** Goes to the next move of a side that was judged so, from the start again after the last one. */
const seek = (judgement, white) => {
  const judged = view.game.main.filter((node) => node.judgement === judgement && node.white === white && node.change);
  const next = judged.find((node) => node.ply > parseInt(view.node.address, 10)) ?? judged[0];
  if (next) go(next);
};

const last = () => {
  let { node } = view;
  while (node.next) node = node.next;
  return node;
};

/** Goes to a ply of the main line, or to the last one before it that was played. */
const goToPly = (ply) => {
  let node = view.game.start;
  while (node.next && node.next.ply <= ply) node = node.next;
  go(node);
};

const flip = () => {
  parts.board.flipped = !parts.board.flipped;
  byId("board-frame").classList.toggle("flipped", parts.board.flipped);
  if (!view.game) return;
  if (view.game.board) parts.board.begin(view.game.board);
  go(view.node);
};

const toggle = (id, change) => {
  const pressed = byId(id).getAttribute("aria-pressed") !== "true";
  byId(id).setAttribute("aria-pressed", pressed);
  change(pressed);
};

const toggleArrows = () => toggle("arrows", (pressed) => {
  view.arrows = pressed;
  if (view.game?.board) drawMarks();
});

const toggleCoordinates = () => toggle("coordinates", (pressed) => byId("board").classList.toggle("bare", !pressed));

/** Returns the address of the page of the next or the previous game of a report in a folder. */
const neighbour = (step) => page.links[step > 0 ? "next" : "previous"];

const updateNeighbours = (head) => {
  const exists = (step) => Boolean(page.links.index ? neighbour(step) : games[head.index + step]);
  byId("previous-game").disabled = !exists(-1);
  byId("next-game").disabled = !exists(1);
};

const openNeighbour = (step) => {
  if (!page.links.index) open((view.game?.head.index ?? -1) + step);
  else if (neighbour(step)) location.assign(neighbour(step));
};

const toggleTheme = () => {
  const root = document.documentElement;
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
};

const copyFen = async () => {
  const fen = byId("fen");
  fen.select();
  const copied = await navigator.clipboard?.writeText(fen.value).then(() => true, () => false);
  if (!copied) document.execCommand("copy");
  byId("copy").textContent = text("copied");
  setTimeout(() => { byId("copy").textContent = text("copy"); }, 1500);
};

const setListOpen = (isOpen) => {
  byId("page").classList.toggle("list-open", isOpen);
  byId("open-list").setAttribute("aria-expanded", isOpen);
};

const closeList = () => setListOpen(false);

const downloadGame = () => save(`game-${numberOfGame(view.game.head)}.pdn`, `${view.game.source().trim()}\n`);

const downloadAll = () => save("games.pdn", games.map((head) => `${load(head).source().trim()}\n`).join("\n"));

const KEYS = {
  ArrowLeft: () => view.node.previous && go(view.node.previous),
  ArrowRight: () => view.node.next && go(view.node.next),
  Home: () => go(view.game.start),
  End: () => go(last()),
  ArrowUp: () => openNeighbour(-1),
  ArrowDown: () => openNeighbour(1),
  f: flip,
  c: toggleCoordinates,
  a: toggleArrows,
};

const onKey = (event) => {
  if (event.key === "Escape") closeList();
  const typing = event.target.matches("input:not([readonly])");
  if (!view.game || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
};

/** Turns a swipe over the board into a step, and a tap on a half of it. */
const watchSwipes = (root) => {
  let start;
  root.addEventListener("pointerdown", (event) => { start = [event.clientX, event.clientY]; });
  root.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
    start = undefined;
    const box = root.getBoundingClientRect();
    const forward = Math.abs(dx) > 30 ? dx < 0 : event.clientX > box.left + box.width / 2;
    if (Math.abs(dy) < 40) KEYS[forward ? "ArrowRight" : "ArrowLeft"]();
  });
};

/** Shows what the address of the page names: `#game=3&ply=20`. */
const followAddress = () => {
  const named = new URLSearchParams(location.hash.slice(1));
  const number = page.links.index ? 1 : Number(named.get("game") ?? 1);
  open(games[number - 1] ? number - 1 : 0, named.get("ply") ?? "0");
};

const listen = () => {
  const actions = {
    first: KEYS.Home, previous: KEYS.ArrowLeft, next: KEYS.ArrowRight, last: KEYS.End, flip,
    arrows: toggleArrows, coordinates: toggleCoordinates, theme: toggleTheme, copy: copyFen, download: downloadGame,
    "download-all": downloadAll, "previous-game": KEYS.ArrowUp, "next-game": KEYS.ArrowDown,
    "open-list": () => setListOpen(!byId("page").classList.contains("list-open")),
  };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  watchSwipes(byId("board"));
};

const begin = () => {
  translate();
  byId("title").textContent = document.title;
  const isIndex = Boolean(page.links.games);
  document.body.classList.add(isIndex ? "index" : games.length > 1 ? "many" : "single");
  parts.board = new BoardView(byId("board"));
  parts.graph = new Graph(byId("graph-frame"), byId("graph"), goToPly);
  parts.moves = new MoveList(byId("moves"), go);
  if (isIndex || games.length > 1) parts.list = new GameList();
  if (page.links.index) {
    byId("to-index").href = page.links.index;
    byId("to-index").hidden = false;
  }
  listen();
  if (isIndex) return;
  window.addEventListener("hashchange", followAddress);
  followAddress();
};

begin();
