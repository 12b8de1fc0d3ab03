// Games against the engine in a real browser, at the sizes of a desktop and of a phone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { nativeCalls, packageAt } from "./native.mjs";

const SIZES = { desktop: { width: 1280, height: 720 }, phone: { width: 390, height: 844, mobile: true } };

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

    const says = (words) => browser.until(`document.querySelector('#turn').innerText.includes(${JSON.stringify(words)})`);
    /** Chooses the variant, the level and the colour. */
    const choose = async (...values) => {
      await browser.until("document.querySelectorAll('#play-form option').length > 20");
      await browser.value(`[...document.querySelectorAll('#play-form select')].forEach((select, n) => {
        select.value = ${JSON.stringify(values)}[n]; select.dispatchEvent(new Event('change')); })`);
    };
    const plies = () => browser.value("document.querySelectorAll('#moves .row .move').length");
    /** Plays the first legal move, which the engine answers unless the game is over. */
    const move = async () => {
      const before = await plies();
      await browser.until("document.querySelector('#legal-moves option')");
      await browser.fill("#typed-move", await browser.value("document.querySelector('#legal-moves option').value"));
      await browser.press("Enter");
      await browser.until(`document.querySelectorAll('#moves .row .move').length === ${before + 2} && document.querySelector('#turn').innerText === 'Your move'`);
    };
    const saved = async () => (await browser.download(() => browser.click("#save-game"))).content;
    const start = async (...values) => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.click("#play-engine");
      await choose(...values);
      await browser.click("#play-new");
    };
    const isQuiet = () => assert.deepEqual(browser.complaints, []);

    test("an English game is played, with a move taken back, and resigned", async () => {
      await start("english", "1", "B");
      await says("Your move");
      assert.equal(await browser.value("document.activeElement.id"), "board");
      await move();
      await move();
      assert.equal(await plies(), 4);
      const ends = await browser.value("(() => { document.querySelector('.analyse').scrollTop = 0; const box = (name) => document.querySelector(name).getBoundingClientRect(); return [box('#board').top, box('#match').bottom, document.documentElement.scrollWidth]; })()");
      assert.ok(ends[0] >= 0 && ends[1] <= window.height - (size === "phone" ? 54 : 0) && ends[2] <= window.width, `board and buttons fit: ${ends}`);
      await browser.click("#take-back");
      await browser.until("document.querySelectorAll('#moves .row .move').length === 2");
      await says("Your move");
      await move();
      await browser.click("#resign");
      await says("White has won");
      const record = await saved();
      assert.match(record, /\[White "pdn, level 1"\]\n\[Black "You"\]\n\[Result "0-1"\]\n\[GameType "21"\]/);
      assert.match(record, /\n1\. \S+ \S+ 2\. \S+ (2\.\.\. )?\S+ \*\n?$/);
      // A resignation can be taken back.
      await browser.click("#take-back");
      await says("Your move");
      assert.equal(await plies(), 4);
      assert.match(await saved(), /\[Result "\*"\][^]* \*\n?$/);
      isQuiet();
    });

    test("a draw is offered, declined at first and accepted in a drawn position", async () => {
      await start("international", "2", "W");
      await says("Your move");
      await browser.click("#offer-draw");
      await says("The engine declines the draw");
      await move();
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["end.pdn", "[Event \"?\"]\n[Result \"*\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:WK46:BK6,K16\"]\n\n*\n"]]);
      await browser.opened();
      await browser.click("[data-view=analyse]");
      await choose("international", "3", "W");
      await browser.until("document.querySelector('#legal-moves option')");
      await browser.click("#play-here");
      await says("Your move");
      await browser.click("#offer-draw");
      await says("The engine accepts the draw · Draw");
      assert.match(await saved(), /\[Result "1-1"\][^]*\[FEN "W:WK46:BK6,K16"\][^]*\n\*\n?$/);
      isQuiet();
    });

    test("a game that ends on the board gets its result, and another one is started", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["end.pdn", "[Event \"?\"]\n[Result \"*\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:W28:B23\"]\n\n*\n"]]);
      await browser.opened();
      await browser.click("[data-view=analyse]");
      await choose("international", "8", "W");
      await browser.until("document.querySelector('#legal-moves option')?.value === '28x19'");
      await browser.click("#play-here");
      await says("Your move");
      await browser.until("document.querySelector('#legal-moves option')?.value === '28x19'");
      await browser.fill("#typed-move", "28x19");
      await browser.press("Enter");
      await says("White has won");
      assert.match(await saved(), /\[Result "2-0"\][^]*1\. 28x19 \*\n?$/);
      // Taken back, the move can be played again.
      await browser.click("#take-back");
      await says("Your move");
      assert.equal(await plies(), 0);
      await browser.until("document.querySelector('#legal-moves option')?.value === '28x19'");
      await browser.fill("#typed-move", "28x19");
      await browser.press("Enter");
      await says("White has won");
      await browser.click("#play-again");
      await says("White has won");
      isQuiet();
    });

    test("a reply belongs to its game, also if another one was asked for", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["other.pdn", "[Event \"?\"]\n[GameType \"20\"]\n\n1. 33-29 19-23 *\n"]]);
      await browser.opened();
      await browser.click("[data-view=analyse]");
      await choose("international", "1", "W");
      await browser.click("#play-new");
      await says("Your move");
      await browser.until("document.querySelector('#legal-moves option')");
      await browser.hold("analyse");
      await browser.fill("#typed-move", "33-29");
      await browser.press("Enter");
      await browser.until("window.held.analyse");
      await browser.hold("reportRows");
      await browser.value("location.hash = '#games/other.pdn/1/1'");
      await browser.until("window.held.reportRows");
      await browser.release("analyse");
      const changed = "import('./store.js').then(({ store }) => store.changes.map(({ file }) => file.name).join())";
      await browser.until(`${changed}.then((names) => names.includes(','))`);
      await browser.release("reportRows");
      await browser.until("location.hash === '#games/other.pdn/1/1' && document.querySelectorAll('#moves .row .move').length === 2");
      assert.equal(await browser.value(changed), "play.pdn,play.pdn");
      await browser.value("location.hash = '#games/play.pdn/1/2'");
      await says("Your move");
      assert.equal(await plies(), 2);
      isQuiet();
    });

    test("clocks run, and a fallen flag ends the game", async () => {
      await start("english", "1", "B", "3+2");
      await says("Your move");
      const clocks = () => browser.value("[...document.querySelectorAll('.player .clock')].map((node) => node.innerText)");
      assert.deepEqual((await clocks())[0], "03:00");
      await browser.until("document.querySelectorAll('.player .clock')[1].innerText === '02:59'");
      await move();
      await says("Your move");
      // The move added two seconds.
      assert.match((await clocks())[1], /^03:0[01]$/);
      await browser.value("(() => { const now = performance.now.bind(performance); performance.now = () => now() + 200_000; })()");
      await says("Black has run out of time · White has won");
      assert.equal((await clocks())[1], "00:00");
      const record = await saved();
      assert.match(record, /\[Result "0-1"\]/);
      assert.match(record, /\[TimeControl "180\+2"\]/);
      // A move has the time that its player had left, with the increment.
      assert.match(record, /1\. \S+ \{\[%clk 0:03:0[01]\]\} (1\.\.\. )?\S+ \{\[%clk 0:0[23]:\d\d\]\}/);
      isQuiet();
    });

    test("the end of a game on the board is said, and its result is offered", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["end.pdn", "[Event \"?\"]\n[Result \"*\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:W28:B23\"]\n\n1. 28x19 *\n"]]);
      await browser.opened();
      await browser.until("document.querySelector('#legal-moves option')");
      await browser.click("#last");
      await browser.until("document.querySelector('.choices').innerText.startsWith('White has won')");
      assert.equal(await browser.text("#announcer"), "White has won");
      await browser.click("#write-result");
      await browser.until("document.querySelector('.facts .result')?.innerText === '2-0'");
      await browser.until("document.querySelector('.choices').innerText === 'White has won'");
      isQuiet();
    });

    test("a draw by the rules ends the game, and is taken back with the move", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["end.pdn", "[Event \"?\"]\n[Result \"*\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:WK46:BK6,K16\"]\n\n*\n"]]);
      await browser.opened();
      await browser.click("[data-view=analyse]");
      await choose("international", "4", "W");
      await browser.until("document.querySelector('#legal-moves option')");
      await browser.click("#play-here");
      await says("Your move");
      // Whatever the engine plays, five moves by each side end it.
      for (let n = 0; n < 40; n += 1) {
        await browser.idle();
        const moves = await browser.value("[...document.querySelectorAll('#legal-moves option')].map((option) => option.value)");
        if (/Draw/.test(await browser.text("#turn"))) break;
        const count = await plies();
        await browser.fill("#typed-move", moves.find((move) => n % 2 ? /-46$/.test(move) : /^46-/.test(move)) ?? moves[0] ?? "");
        await browser.press("Enter");
        // The rules are asked after a move is shown: a move that is tried while they end the game is not written into it.
        await browser.until(`/Draw/.test(document.querySelector('#turn').innerText) || (document.querySelectorAll('#moves .row .move').length > ${count} && /Your move/.test(document.querySelector('#turn').innerText) && document.querySelector('#legal-moves option'))`);
      }
      await says("Draw");
      const count = await plies();
      await browser.click("#take-back");
      await browser.until(`document.querySelectorAll('#moves .row .move').length < ${count}`);
      await says("Your move");
      isQuiet();
    });

    test("every variant can be played", { skip: size === "phone" && "done at the other size" }, async () => {
      await browser.open(`${server.address}/index.html#analyse`);
      await browser.until("document.querySelectorAll('#play-form option').length > 20");
      const variants = await browser.value("[...document.querySelector('#play-form select').options].map((option) => option.value)");
      assert.equal(variants.length, 20);
      const names = await browser.value("[...document.querySelector('#play-form select').options].map((option) => option.text)");
      assert.deepEqual(variants.filter((variant, n) => names[n] === variant), []);
      for (const variant of variants) {
        await choose(variant, "1", "W");
        await browser.value("document.querySelector('.facts').replaceChildren()");
        await browser.click("#play-new");
        await browser.until("document.querySelector('.facts').textContent && document.querySelector('#turn').innerText === 'Your move'");
        await move();
      }
      isQuiet();
    });

    test("a variant without a number is read back from its records", { skip: size === "phone" && "done at the other size" }, async () => {
      await start("killer", "1", "W");
      await says("Your move");
      const begun = await saved();
      await move();
      for (const [plies, record] of [begun, await saved()].entries()) {
        assert.match(record, /\[Variant "killer"\]/);
        await browser.open(`${server.address}/index.html#open`);
        await browser.until("document.querySelector('#chooser')");
        await browser.choose([["killer.pdn", record]]);
        await browser.opened();
        await browser.click("[data-view=collection]");
        await browser.until("document.querySelector('.explorer select')?.value === 'killer'");
        assert.equal(await browser.value("document.querySelectorAll('#moves-of-openings tbody tr').length"), plies);
      }
      isQuiet();
    });
  });
}

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(findBrowser());
});
