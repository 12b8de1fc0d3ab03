// The players of a game, how well they played, and what else its tags have.

const POINTS = { W: [1, 0], B: [0, 1], draw: [0.5, 0.5] };

const tagOf = (game, name) => game.tags?.find(([known]) => known === name)?.[1];

/** Shows the name, the rating and the clock of a side beside the board. */
const showPlayer = (root, game, side, clock) => {
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

const clockText = (seconds) => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return [hours, minutes, Math.floor(seconds % 60)].map((part) => `${part}`.padStart(2, "0")).join(":").replace(/^00:/, "");
};

/** Shows the event, the date and the result. */
const showFacts = (root, game) => {
  const { head } = game;
  const facts = [head.event, head.round && `(${head.round})`, head.date].filter((fact) => fact && !/^[?.*()-]*$/.test(fact));
  const result = /^[?*\s]*$/.test(head.result) ? "" : record(head.result, "result");
  root.replaceChildren(html("p", { class: "event" }, ...facts.flatMap((fact) => [record(fact), " "])), result);
};

/** Shows accuracy, average loss and judgements of both sides; each count leads to the next such move. */
const showSides = (table, game, seek) => {
  const { sides } = game;
  table.hidden = !sides;
  if (!sides) return;
  const number = (value, digits) => (value === null ? "–" : value.toFixed(digits));
  const row = (name, cells, kind = "") =>
    html("tr", { class: kind }, html("td", {}, cells[0]), html("th", { scope: "row" }, name), html("td", {}, cells[1]));
  const counts = (kind, name) => row(text(name), sides.map((side, n) => {
    const button = html("button", { class: "count", "aria-label": `${text(n ? "black" : "white")}: ${text(name)} ${side[name]}` }, `${side[name]}`);
    button.disabled = side[name] === 0;
    button.addEventListener("click", () => seek(kind, n === 0));
    return button;
  }), kind);
  table.replaceChildren(html("tbody", {},
    html("tr", { class: "names" }, ...["white", "black"].map((side) =>
      html("th", { scope: "col" }, record(game.head[side] || text(side)))).toSpliced(1, 0, html("td", {}))),
    row(text("accuracy"), sides.map((side) => (side.accuracy === null ? "–" : `${number(side.accuracy, 1)} %`)), "strong"),
    row(text("averageLoss"), sides.map((side) => (side.average_loss_cm === null ? "–" : number(side.average_loss_cm / 100, 2)))),
    counts("inaccuracy", "inaccuracies"),
    counts("mistake", "mistakes"),
    counts("blunder", "blunders"),
  ));
};

