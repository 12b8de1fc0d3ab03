// Learning from mistakes and solving puzzles, in a real browser, at the sizes of a desktop and of a phone.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { nativeCalls, packageAt } from "./native.mjs";

const SIZES = { desktop: { width: 1280, height: 720 }, phone: { width: 390, height: 844, mobile: true } };
const AXE = process.env.PDN_AXE ?? join(WEB, "app/node_modules/axe-core/axe.min.js");

/** Two puzzles as `pdn puzzles` writes them. */
const PUZZLES = `[Event "Winter self-play"]
[White "Second Look"]
[Black "Long Thought"]
[Result "*"]
[GameType "20,W,10,10,N2,0"]
[SetUp "1"]
[FEN "B:W28,31,35,37,38,39,40,43,44,45,46,47,48,49,50:B1,2,3,4,5,7,8,9,10,11,12,15,16,20,24,29"]
[Goal "material"]

1... 29-33 2. 38x29 24x22 *

[Event "Winter self-play"]
[White "Second Look"]
[Black "Long Thought"]
[Result "*"]
[GameType "20,W,10,10,N2,0"]
[SetUp "1"]
[FEN "W:W27,28,30,32,33,35,37,39,46,47,48,49,50:B1,2,3,4,5,9,13,15,16,17,18,19,20,24"]
[Goal "material"]

1. 28-22 17x28 2. 32x25 *
`;

for (const [size, window] of Object.entries(SIZES)) {
  describe(size, { skip: findBrowser() ? false : "no browser" }, () => {
    let browser;
    let server;
    const calls = nativeCalls();
    before(async () => {
      server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/") }, { api: calls.api });
      browser = await Browser.start(window);
    });
    after(async () => {
      await browser?.stop();
      server?.close();
      await calls.stop();
    });

    const visible = (selector) => browser.value(`Boolean(document.querySelector(${JSON.stringify(selector)})?.checkVisibility())`);
    const says = (words) => browser.until(`document.querySelector('#question').innerText.includes(${JSON.stringify(words)})`);
    const type = async (move) => {
      await browser.until("document.querySelector('#legal-moves option')");
      await browser.fill("#typed-move", move);
      await browser.press("Enter");
    };
    /** Clicks a square of the board of the variant with 50 squares. */
    const square = async (name) => {
      await browser.until("document.querySelector('#legal-moves option')");
      const [row, column] = [Math.floor((name - 1) / 5), (name - 1) % 5];
      await browser.click("#board", (2 * column + (row % 2 ? 0 : 1) + 0.5) / 10, (row + 0.5) / 10);
    };
    const fits = async () => {
      const ends = await browser.value("(() => { scrollTo(0, 0); const box = (name) => document.querySelector(name).getBoundingClientRect(); return [box('#board').top, Math.max(box('#board').bottom, box('#lesson').bottom), innerWidth, document.documentElement.scrollWidth]; })()");
      assert.ok(ends[0] >= 0 && ends[1] <= window.height - (size === "phone" ? 54 : 0) && ends[3] <= ends[2], `board and question fit: ${ends}`);
    };
    const isQuiet = () => assert.deepEqual(browser.complaints, []);

    test("the mistakes of a game are asked for", async () => {
      await browser.openSample(server.address, "annotated");
      await browser.until("document.querySelector('#lesson [data-side=W]')");
      await browser.click("#next-mistake");
      await browser.until("document.querySelector('.status strong')?.innerText.startsWith('2. 34-30')");
      await browser.click("#previous-mistake");
      await browser.until("document.querySelector('.status strong')?.innerText.startsWith('55. 4x22')");
      await browser.value("document.querySelector('#lesson [data-side=W]').click()");
      await says("1 of 2 · White to move. Find a better move than 2. 34-30");
      for (const hidden of ["#moves", ".graph-frame", "#sides", ".status", "#comment", "#next"]) assert.equal(await visible(hidden), false, hidden);
      assert.equal(await browser.value("document.querySelectorAll('#board .arrow').length"), 0);
      await fits();
      if (process.env.PDN_PICTURES && size === "desktop") await browser.picture(join(process.env.PDN_PICTURES, "app-learn.png"), 0.58);
      // Keys and other moves give nothing away.
      await browser.value("document.querySelector('#board').focus()");
      await browser.press("ArrowRight");
      await square(31);
      await square(27);
      await says("31-27 is not the best move. Try again.");
      await type("34-30");
      await says("34-30 is not the best move. Try again.");
      assert.equal(await browser.value("document.querySelectorAll('#board .coloured').length"), 0);
      await browser.click("#hint");
      await says("Move the piece on 32");
      assert.equal(await browser.value("document.querySelectorAll('#board .coloured').length"), 1);
      await square(32);
      await square(28);
      await says("32-28: right! · 1 of 2 solved");
      assert.ok(await visible("#moves"));
      await browser.click("#next-question");
      await says("2 of 2 · White to move. Find a better move than 55. 4x22");
      await browser.click("#solution");
      await says("The solution: 4x13 · 1 of 2 solved");
      await browser.click("#next-question");
      await says("1 of 2 solved");
      // What was solved is not asked for again.
      await browser.click("#lesson [data-side=W]");
      await says("2 of 2 · White to move.");
      await browser.click("#stop-learning");
      await browser.until("!document.querySelector('.pane').classList.contains('asking')");
      assert.ok(await visible("#moves"));
      isQuiet();
    });

    test("a move that is as good is accepted", async () => {
      await browser.openSample(server.address, "annotated");
      await browser.until("document.querySelector('#lesson [data-side=W]')");
      await browser.click("#lesson [data-side=W]");
      await says("1 of 2");
      await type("31-26");
      await browser.until("/31-26 is just as good as 32-28|31-26 is not the best/.test(document.querySelector('#question').innerText)");
      isQuiet();
    });

    test("a file of puzzles is solved, and what is solved is kept", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.until("document.querySelector('#chooser')");
      await browser.choose([["puzzles.pdn", PUZZLES]]);
      await says("1 of 2 · Black to move. Find the shot");
      assert.equal(await visible("#moves"), false);
      await type("12-17");
      await says("12-17 is not the best move. Try again.");
      await browser.click("#hint");
      await says("Move the piece on 29");
      await type("29-33");
      await browser.until("!document.querySelector('#question').innerText.includes('right')");
      await says("1 of 2 · Black to move. Find the shot");
      await type("24x22");
      await says("24x22: right! · 1 of 2 solved");
      await browser.press("Enter");
      await says("2 of 2 · White to move. Find the shot");
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["puzzles.pdn", PUZZLES]]);
      await says("1 of 2 · Black to move. Find the shot");
      await browser.click("#solution");
      await says("The solution: 29-33 38x29 24x22 · 1 of 2 solved");
      await browser.click("#next-question");
      await says("2 of 2 · White to move.");
      await browser.click("#stop-learning");
      await browser.until("document.querySelector('#solve')");
      assert.ok(await visible("#moves"));
      isQuiet();
    });

    test("everybody can use it", { skip: existsSync(AXE) ? false : "no axe-core" }, async () => {
      await browser.openSample(server.address, "annotated");
      await browser.value(`${readFileSync(AXE, "utf8")};1`);
      await browser.click("#lesson [data-side=W]");
      await says("1 of 2");
      for (const theme of ["light", "dark"]) {
        await browser.value(`document.documentElement.style.colorScheme = '${theme}'`);
        await browser.still();
        const found = await browser.value("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(' | ')}`))");
        assert.deepEqual(found, [], theme);
      }
    });
  });
}

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(findBrowser());
});
