// The list of games, in pages, and the search.

import { byId, html, record, text } from "../../../web/app/parts/dom.js";
import { POINTS, sidesOf } from "../../../web/app/parts/players.js";
import { games, page } from "./data.js";

const PAGE_SIZE = 50;

/** Returns a text without case and accents. */
const plain = (value) => value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export class GameList {
  constructor(select) {
    this.select = select;
    this.found = games;
    this.page = 0;
    byId("search").addEventListener("input", () => this.search());
    byId("previous-page").addEventListener("click", () => this.turn(this.page - 1));
    byId("next-page").addEventListener("click", () => this.turn(this.page + 1));
    this.fill();
  }

  /** Finds the games whose players and event have all words. */
  search() {
    const words = plain(byId("search").value).split(/\s+/).filter(Boolean);
    const searched = (game) => (game.searched ??= plain([game.white, game.black, game.event, game.date].join(" ")));
    this.found = words.length === 0 ? games : games.filter((game) => words.every((word) => searched(game).includes(word)));
    this.page = 0;
    this.fill();
  }

  turn(number) {
    this.page = number;
    this.fill();
    byId("games").scrollTop = 0;
  }

  pages() {
    return Math.max(1, Math.ceil(this.found.length / PAGE_SIZE));
  }

  fill() {
    const start = this.page * PAGE_SIZE;
    byId("games").replaceChildren(...this.found.slice(start, start + PAGE_SIZE).map((game) => this.item(game)));
    byId("games").setAttribute("start", start + 1);
    byId("no-games").hidden = this.found.length > 0;
    byId("previous-page").disabled = this.page === 0;
    byId("next-page").disabled = this.page + 1 >= this.pages();
    byId("page-number").textContent = text("page", this.page + 1, this.pages());
    this.mark();
  }

  item(game) {
    const [left, right] = sidesOf(game).map(([name, place]) => record(game[name] || text(name), POINTS[game.winner]?.[place] === 1 ? "winner" : ""));
    const link = html("a", { href: addressOf(game), "data-game": game.index },
      html("span", { class: "players" }, left, " – ", right),
      record(/^[?*\s]*$/.test(game.result) ? "" : game.result, "result"),
      html("span", { class: "event" }, record([game.event, game.date].filter((fact) => fact && !/^[?.*]*$/.test(fact)).join(" · "))));
    return html("li", {}, link);
  }

  /** Marks the game that is shown, on the page where it is. */
  show(game) {
    this.shown = game;
    const at = this.found.indexOf(game);
    if (at >= 0 && Math.floor(at / PAGE_SIZE) !== this.page) this.turn(Math.floor(at / PAGE_SIZE));
    else this.mark();
  }

  mark() {
    for (const link of byId("games").querySelectorAll("a")) {
      const shown = this.shown?.index === Number(link.dataset.game);
      if (shown) {
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest" });
      } else {
        link.removeAttribute("aria-current");
      }
    }
  }
}

const addressOf = (game) => (page.links.games ? `${page.links.games}${game.page}` : `#game=${game.index + 1}`);

