// Long lists and tables, what is said where nothing is found, and what is printed.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { nativeCalls, packageAt } from "./native.mjs";

describe("lists", { skip: findBrowser() ? false : "no browser" }, () => {
  let browser;
  let server;
  const calls = nativeCalls();
  before(async () => {
    server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/") }, { api: calls.api });
    browser = await Browser.start({ width: 1280, height: 720 });
  });
  after(async () => {
    await browser?.stop();
    server?.close();
    await calls.stop();
  });

  const isQuiet = () => assert.deepEqual(browser.complaints, []);
  const open = async (name, content) => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([[name, content]]);
    await browser.opened();
  };

  test("tables of any length are searched, sorted and shown to their end", async () => {
    const games = Array.from({ length: 300 }, (_, n) => `[Event "E${n % 3}"]\n[White "P${n}"]\n[Black "Zoë"]\n[Result "2-0"]\n[GameType "20"]\n\n1. 32-28 2-0\n`);
    await open("many.pdn", games.join("\n"));
    await browser.click("[data-view=collection]");
    await browser.click("[data-page=players]");
    await browser.until("document.querySelectorAll('#players tbody tr').length === 200");
    assert.match(await browser.text(".long-table .muted"), /^200 of 301 rows/);
    await browser.click(".long-table .muted .link");
    await browser.until("document.querySelectorAll('#players tbody tr').length === 301");
    // Percentages are numbers too, below their head.
    assert.deepEqual(await browser.value("['thead th:last-child', 'tbody td:last-child'].map((one) => getComputedStyle(document.querySelector(`#players ${one}`)).textAlign)"), ["right", "right"]);
    await browser.still();
    await browser.click("[data-sort='4']");
    await browser.until("document.querySelectorAll('#players thead th')[4].getAttribute('aria-sort') === 'descending'");
    assert.ok(await browser.value("document.querySelector('#players tbody tr').innerText.startsWith('Zoë')"));
    await browser.fill(".long-table input", "p299");
    await browser.until("document.querySelectorAll('#players tbody tr').length === 1");
    isQuiet();
  });

  test("the explorer counts the games of its variant only", async () => {
    const game = (type, moves) => `[Event "?"]\n[Result "*"]\n[GameType "${type}"]\n\n${moves} *\n`;
    await open("mixed.pdn", [game(20, "1. 32-28 19-23"), game(40, "1. 32-28 19-23"), game(20, "1. 31-26 19-23")].join("\n"));
    await browser.click("[data-view=collection]");
    await browser.until("document.querySelector('#moves-of-openings [data-move]')");
    assert.match(await browser.text(".explorer [role=status]"), /2 games$/);
    assert.equal(await browser.value("document.querySelector('[data-move=\"32-28\"]').closest('tr').children[1].innerText"), "1");
    isQuiet();
  });

  test("a filter that finds nothing says why, and an expression that cannot be read says where", async () => {
    await open("one.pdn", "[White \"Anna\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 2-0\n");
    await browser.click("[data-view=games]");
    await browser.fill("#filter", "Bram");
    await browser.until("document.querySelector('#why')?.innerText.startsWith('No game meets all conditions: Player or event: Bram')");
    await browser.value("document.querySelector('#why button').click()");
    await browser.until("document.querySelectorAll('.game[role=option]').length === 1 && document.querySelector('#why').hidden");
    await browser.value("document.querySelector('details.more').open = true");
    await browser.fill("#where", "white = = Anna");
    await browser.press("Enter");
    await browser.until("/white = = Anna\\n.*\\^/.test(document.querySelector('.games .problem').textContent)");
    assert.equal(await browser.value("document.querySelectorAll('.game[role=option]').length"), 1);
    await browser.click("#clear");
    await browser.click("#position-search");
    await browser.until("document.querySelector('#set-up-fen')");
    await browser.fill("#set-up-fen", "W:W31-50:B1-19");
    await browser.press("Enter");
    await browser.until("document.querySelectorAll('dialog .set-up .piece').length === 39");
    await browser.click("dialog .button.strong");
    await browser.until("document.querySelector('#why').innerText.includes('W:W31,32')");
    assert.ok(await browser.value("document.querySelector('#why').scrollWidth <= document.querySelector('#why').clientWidth"), "a long position stays in its column");
    isQuiet();
  });

  test("a file that is no record says so", async () => {
    await open("letter.txt", "Dear mother,\nno games today.\n");
    assert.match(await browser.text(".files li"), /No game was found in this file/);
    assert.match(await browser.value("location.hash"), /^#open/);
    isQuiet();
  });

  test("wins by the database are words, and numbers have the sign of the language", async () => {
    await open("won.pdn", "[GameType \"20\"]\n[Result \"*\"]\n\n1. 32-28 {[%eval 89.00]} 19-23 {[%eval 0.35]} 2. 28x19 14x23 {[%eval #1]} *\n");
    await browser.until("document.querySelector('#moves .row')");
    const values = () => browser.value("[...document.querySelectorAll('#moves .value')].map((node) => node.innerText)");
    assert.deepEqual(await values(), ["White wins", "+0.35", "#1"]);
    await browser.click("#last");
    await browser.until("document.querySelector('.status').innerText.includes('White wins in 1 ply ')");
    await browser.value("(() => { const select = document.querySelector('#language'); select.value = 'ru'; select.dispatchEvent(new Event('change')); })()");
    await browser.until("document.documentElement.lang === 'ru' && document.querySelector('#moves .value')");
    assert.deepEqual(await values(), ["Белые выигрывают", "+0,35", "#1"]);
    await browser.until("document.querySelector('.status').innerText.includes('за 1 полуход ')");
    await browser.value("localStorage.clear()");
    isQuiet();
  });

  test("moves without evaluations are gaps in the graph", async () => {
    await open("gaps.pdn", "[GameType \"20\"]\n[Result \"*\"]\n\n1. 32-28 {[%eval 0.10]} 19-23 {[%eval 0.20]} 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 *\n");
    await browser.until("document.querySelector('.black-share')");
    const ends = await browser.value("['white', 'black'].map((side) => { const { x, width } = document.querySelector(`.${side}-share`).getBBox(); return x + width; })");
    assert.ok(ends.every((end) => end > 100 && end < 200), `${ends}`);
    isQuiet();
  });

  test("a game is printed on a few pages", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.until("document.querySelector('#moves .row')");
    const { data } = await browser.call("Page.printToPDF", { paperWidth: 8.27, paperHeight: 11.69 });
    const pages = Buffer.from(data, "base64").toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    assert.ok(pages <= 4, `${pages} pages`);
    isQuiet();
  });
});

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(findBrowser());
});
