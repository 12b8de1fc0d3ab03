// Walks of people at every size of window: on a phone, with the keyboard alone, and with a screen reader.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { nativeCalls, packageAt } from "./native.mjs";

const SIZES = [[390, 844, true], [844, 390, true], [820, 1180, true], [1280, 720, false], [1440, 900, false]];
const AXE = process.env.PDN_AXE ?? join(WEB, "app/node_modules/axe-core/axe.min.js");
const skip = findBrowser() ? false : "no browser";

/** A game in which White gives a man away. */
const MAILED = "[Event \"Club\"]\n[White \"Anna\"]\n[Black \"Bram\"]\n[Result \"*\"]\n[GameType \"20\"]\n\n1. 33-29 19-23 2. 34-30 23x25 3. 31-27 18-22 *\n";

const club = (date) => `[Event "Club"]\n[White "Anna"]\n[Black "Bram"]\n[Date "${date}"]\n[Result "*"]\n[GameType "20"]\n\n1. 32-28 19-23 *\n`;
/** Ten games, one of which has its date in another form. */
const TEN = Array.from({ length: 10 }, (_, n) => club(n === 6 ? "25/12/2025" : `2025.11.${10 + n}`)).join("\n");

const puzzle = (fen, moves) => `[Event "Puzzle"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n[GameType "20"]\n[SetUp "1"]\n[FEN "${fen}"]\n[Goal "material"]\n\n${moves} *\n`;
const PUZZLES = Array.from({ length: 10 }, (_, n) => (n % 2
  ? puzzle("W:W27,28,30,32,33,35,37,39,46,47,48,49,50:B1,2,3,4,5,9,13,15,16,17,18,19,20,24", "1. 28-22 17x28 2. 32x25")
  : puzzle("B:W28,31,35,37,38,39,40,43,44,45,46,47,48,49,50:B1,2,3,4,5,7,8,9,10,11,12,15,16,20,24,29", "1... 29-33 2. 38x29 24x22"))).join("\n");

let server;
const calls = nativeCalls();
before(async () => {
  server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/") }, { api: calls.api });
});
after(async () => {
  server?.close();
  await calls.stop();
});

const open = async (browser, name, content) => {
  await browser.open(`${server.address}/index.html#open`);
  await browser.until("document.querySelector('#chooser')");
  await browser.choose([[name, content]]);
  await browser.opened();
  await browser.until("document.querySelector('#moves') && document.querySelector('#legal-moves option')");
};
const type = async (browser, move) => {
  await browser.until(`[...document.querySelectorAll('#legal-moves option')].some((option) => option.value === '${move}')`);
  await browser.fill("#typed-move", move);
  await browser.press("Enter");
};
const fits = async (browser, selectors, below = 54) => {
  const [width, height, bar] = await browser.value(`[innerWidth, innerHeight, matchMedia('(max-width: 760px)').matches ? ${below} : 0]`);
  for (const selector of selectors) {
    const box = await browser.value(`(() => { const { left, top, right, bottom } = document.querySelector('${selector}').getBoundingClientRect(); return [left, top, right, bottom]; })()`);
    assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= height - bar, `${selector}: ${box} in ${width} × ${height}`);
  }
  assert.ok(await browser.value("document.documentElement.scrollWidth <= innerWidth"));
};

for (const [width, height, mobile] of SIZES) {
  describe(`${width} × ${height}`, { skip }, () => {
    let browser;
    before(async () => { browser = await Browser.start({ width, height, mobile }); });
    after(() => browser?.stop());

    const isQuiet = () => assert.deepEqual(browser.complaints, []);
    const picture = async (name) => {
      if (process.env.PDN_PICTURES) await browser.picture(join(process.env.PDN_PICTURES, `app-${name}.png`), width > 1000 ? 0.58 : width < 500 ? 0.8 : 1);
    };

    test("a game from a mail is annotated, and shows where its player went wrong", async () => {
      await open(browser, "mail.pdn", MAILED);
      await browser.click("[data-view=analyse]");
      await browser.value("(() => { const select = document.querySelectorAll('.panel select')[2]; select.value = '10000'; select.dispatchEvent(new Event('change')); })()");
      await browser.click("#annotate");
      await browser.until("/1 game annotated/.test(document.querySelector('#annotation').innerText) && document.querySelector('#lesson [data-side=W]')");
      await browser.value("document.querySelector('.analyse').scrollTop = 0");
      await browser.click("#next-mistake");
      await browser.until("document.querySelector('.status strong')?.innerText.startsWith('2. 34-30')");
      await browser.value("document.querySelector('.analyse').scrollTop = 0");
      await fits(browser, ["#board", "#lesson", ".controls", ".status"]);
      if (width === 844) await picture("landscape");
      if (width === 390) await picture("phone");
      await browser.click("#lesson [data-side=W]");
      await browser.until("document.querySelector('#question').innerText.includes('Find a better move than 2. 34-30')");
      assert.equal(await browser.value("document.querySelector('#question .whole').getClientRects().length"), 1, "a move is not broken");
      isQuiet();
    });

    test("one date of ten games is repaired, and one line differs", async () => {
      await open(browser, "ten.pdn", TEN);
      await browser.click("[data-view=check]");
      await browser.until("[...document.querySelectorAll('.diagnostic')].some((row) => row.innerText.includes('25/12/2025'))");
      await browser.value("[...document.querySelectorAll('.diagnostic')].find((row) => row.innerText.includes('25/12/2025')).click()");
      await browser.click("#repair");
      await browser.click("#apply-repair");
      await browser.until("!document.querySelector('#undo').hidden");
      await browser.click("#save-files");
      const { content } = await browser.download(() => browser.value("document.querySelector('dialog .button.strong').click()"));
      const [before, after] = [TEN, content].map((text) => text.split("\n"));
      assert.deepEqual(after.flatMap((line, n) => (line === before[n] ? [] : [line])), ["[Date \"2025.12.25\"]"]);
      isQuiet();
    });

    test("a position is set up, analysed and printed", async () => {
      await open(browser, "mail.pdn", MAILED);
      await browser.click("[data-view=analyse]");
      await browser.click("#set-up");
      await browser.until("document.querySelector('#set-up-fen')");
      await browser.fill("#set-up-fen", "W:W28,K31:B23");
      await browser.press("Enter");
      await browser.until("document.querySelectorAll('dialog .set-up .piece').length === 3");
      await browser.value("document.querySelector('dialog').scrollTop = 0");
      if (width === 1440) await picture("set-up");
      await fits(browser, ["dialog .set-up"], 0);
      if (height !== 844) await fits(browser, ["dialog .actions"], 0);
      const place = () => browser.value("document.querySelector('dialog .set-up').getBoundingClientRect().top");
      const top = await place();
      await browser.click("dialog [data-piece=w]");
      await browser.click("dialog .set-up .board", 0.15, 0.05);
      await browser.until("document.querySelector('#set-up-problem').innerText.includes('promotion row')");
      assert.equal(await place(), top, "the board stays under the hand");
      await browser.click("dialog .set-up .board", 0.15, 0.05);
      await browser.until("document.querySelector('#set-up-problem').innerText === ''");
      await browser.value("document.querySelector('dialog .button.strong').click()");
      await browser.until("document.querySelector('#fen').value === 'W:W28,K31:B23'");
      await browser.click("#engine");
      await browser.until("document.querySelector('#best-line strong')");
      await browser.value("document.querySelector('.analyse').scrollTop = 0");
      await fits(browser, ["#board", "#best-line", ".controls", ".status"]);
      await browser.click("#engine");
      const { data } = await browser.call("Page.printToPDF", {});
      assert.equal(Buffer.from(data, "base64").toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
      isQuiet();
    });

    test("ten puzzles are solved", async () => {
      await open(browser, "ten-puzzles.pdn", PUZZLES);
      for (let n = 1; n <= 10; n += 1) {
        await browser.until(`document.querySelector('#question').innerText.startsWith('${n} of 10')`);
        const [first, last] = n % 2 ? ["29-33", "24x22"] : ["28-22", "32x25"];
        await type(browser, first);
        await type(browser, last);
        await browser.until(`document.querySelector('#question').innerText.includes('${last}: right! · ${n} of 10 solved')`);
        await browser.press("Enter");
      }
      await browser.until("document.querySelector('#question').innerText === '10 of 10 solved'");
      await browser.value("localStorage.clear()");
      isQuiet();
    });

    test("an English game is played", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.click("#play-engine");
      await browser.until("document.querySelectorAll('#play-form option').length > 20");
      await browser.value("['english', '1', 'B'].forEach((value, n) => { const select = document.querySelectorAll('#play-form select')[n]; select.value = value; select.dispatchEvent(new Event('change')); })");
      await browser.click("#play-new");
      for (const plies of [2, 4]) {
        await browser.until("document.querySelector('#turn').innerText === 'Your move' && document.querySelector('#legal-moves option')");
        await type(browser, await browser.value("document.querySelector('#legal-moves option').value"));
        await browser.until(`document.querySelectorAll('#moves .row .move').length === ${plies}`);
      }
      // Black moves first, and with White's answer shares a number.
      assert.equal(await browser.value("document.querySelectorAll('#moves .row').length"), 2);
      await browser.click("#resign");
      await browser.until("document.querySelector('#turn').innerText === 'White has won'");
      isQuiet();
    });

    test("everybody can use its dialogs and its board", { skip: existsSync(AXE) ? false : "no axe-core" }, async () => {
      await open(browser, "mail.pdn", MAILED);
      await browser.value(`${readFileSync(AXE, "utf8")};1`);
      const look = async (place) => {
        await browser.still();
        const found = await browser.value("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(' | ')}`))");
        assert.deepEqual(found, [], place);
      };
      for (const theme of ["light", "dark"]) {
        await browser.value(`document.documentElement.style.colorScheme = '${theme}'`);
        await browser.click("[data-view=games]");
        await look(`games, ${theme}`);
        await browser.click("#share");
        await browser.until("document.querySelector('#share-link')");
        await look(`share, ${theme}`);
        await browser.value("document.querySelector('dialog').close()");
        await browser.click("[data-view=analyse]");
        await browser.click("#set-up");
        await browser.until("document.querySelector('#set-up-fen')");
        await look(`set up, ${theme}`);
        await browser.value("document.querySelector('dialog').close()");
        await browser.click("[data-view=collection]");
        await browser.click("[data-page=players]");
        await browser.until("document.querySelector('#players')");
        await look(`players, ${theme}`);
      }
      isQuiet();
    });
  });
}

describe("without a mouse", { skip }, () => {
  let browser;
  before(async () => { browser = await Browser.start({ width: 1280, height: 720 }); });
  after(() => browser?.stop());

  /** Presses Tab until an element has the focus, which must be visible all the way. */
  const tabTo = async (selector) => {
    for (let n = 0; n < 120; n += 1) {
      await browser.press("Tab");
      const [isThere, isSeen, node] = await browser.value(`(() => { const node = document.activeElement; const { outlineStyle, outlineWidth } = getComputedStyle(node);
        return [node.matches(${JSON.stringify(selector)}), node === document.body || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0), node.outerHTML.slice(0, 120)]; })()`);
      assert.ok(isSeen, `the focus cannot be seen: ${node}`);
      if (isThere) return;
    }
    assert.fail(`${selector} is not reached`);
  };

  test("a game is annotated by keyboard alone", async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('[data-sample=annotated]')");
    await tabTo("[data-sample=annotated]");
    await browser.press("Enter");
    await browser.until("document.querySelectorAll('.game[role=option]').length === 4 && document.querySelector('#legal-moves option')");
    await tabTo("#game-list");
    await browser.press("ArrowDown");
    await browser.until("document.querySelectorAll('.game[role=option]')[1].getAttribute('aria-selected') === 'true' && /Second Look/.test(document.querySelector('.left').innerText)");
    await browser.until("document.querySelector('#legal-moves option')");
    // The keys move in the game that was chosen in the list.
    await browser.press("ArrowRight");
    await browser.until("document.querySelector('.status strong')?.innerText.startsWith('1.')");
    const address = await browser.value("location.hash");
    await tabTo("[data-nag='1']");
    await browser.press("Enter");
    await browser.until("document.querySelector('#moves [aria-current] .marks')?.innerText === '!'");
    await tabTo("#comment");
    await browser.enter("by keyboard");
    await tabTo("#save-game");
    await browser.until("document.querySelector('#moves .comment')?.innerText.includes('by keyboard')");
    const { content } = await browser.download(() => browser.press("Enter"));
    assert.match(content, /^1\. \S+ \$1 \{\[%eval [^\]]*\] by keyboard\}/m);
    assert.equal(await browser.value("location.hash"), address);
    await browser.press("z", 2);
    await browser.until("!document.querySelector('#moves .comment')?.innerText.includes('by keyboard')");
    assert.deepEqual(browser.complaints, []);
  });

  test("a game is read aloud", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.until("document.querySelector('#legal-moves option')");
    await browser.click("#next");
    await browser.until("document.querySelector('.status strong')");
    await browser.call("Accessibility.enable");
    const { nodes } = await browser.call("Accessibility.getFullAXTree");
    const spoken = nodes.filter((node) => !node.ignored && node.role.value !== "InlineTextBox").map(({ role, name, description }) => [role.value, name?.value, description?.value].filter(Boolean).join(": "));
    if (process.env.PDN_SPOKEN) console.log(spoken.join("\n"));
    const has = (pattern) => assert.ok(spoken.some((line) => pattern.test(line)), `${pattern}`);
    has(/^listbox: Games/);
    has(/^(img|image): Board: B:W.*: White: 29, 31, .*\. Black: 1, 2, /);
    has(/^button: Next move/);
    has(/^status/);
    has(/^button: 33-29 −0\.01/);
    has(/^slider: Evaluation/);
    has(/^button: Mark \?\?/);
    has(/^textbox: Comment on this move/);
    // Nothing that is pressed is nameless.
    assert.deepEqual(nodes.filter(({ ignored, role, name }) => !ignored && ["button", "combobox", "textbox", "checkbox"].includes(role.value) && !name?.value).length, 0);
  });
});

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(findBrowser());
});
