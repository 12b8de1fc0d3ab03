// The board in a real browser: its size in windows of every kind, and what a hand does on it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { nativeCalls, packageAt } from "./native.mjs";

const SIZES = [[390, 844, true], [844, 390, true], [820, 1180, true], [1280, 720, false], [1440, 900, false]];
const skip = findBrowser() ? false : "no browser";

const game = (fen) => `[Event "?"]\n[Result "*"]\n[GameType "20"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n*\n`;
/** A man that must capture in one of two ways, which part at the end, beside one that may not move. */
const TWO_WAYS = game("W:W31,47:B27,17,28,19,18,8");

let server;
const calls = nativeCalls();
before(async () => {
  server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/") }, { api: calls.api });
});
after(async () => {
  server?.close();
  await calls.stop();
});

const boxes = (...selectors) => `(${JSON.stringify(selectors)}).map((one) => { const box = document.querySelector(one).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })`;

/** Returns where a square of the board with 50 squares is. */
const square = (browser, name) => {
  const [row, column] = [Math.floor((name - 1) / 5), (name - 1) % 5];
  return browser.point("#board", (2 * column + (row % 2 ? 0 : 1) + 0.5) / 10, (row + 0.5) / 10);
};

const mouse = (browser, type, [x, y], button = "left") =>
  browser.call("Input.dispatchMouseEvent", { type, x, y, button, buttons: button === "left" ? 1 : 2, clickCount: 1 });

const drag = async (browser, from, to, button) => {
  const [start, end] = [await square(browser, from), await square(browser, to)];
  await mouse(browser, "mouseMoved", start, "none");
  await mouse(browser, "mousePressed", start, button);
  await mouse(browser, "mouseMoved", [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2], button);
  await mouse(browser, "mouseMoved", end, button);
  await mouse(browser, "mouseReleased", end, button);
};

const open = async (browser, record) => {
  await browser.open(`${server.address}/index.html#open`);
  await browser.until("document.querySelector('#chooser')");
  await browser.choose([["game.pdn", record]]);
  await browser.opened();
  await browser.until("document.querySelector('#legal-moves option')");
};

for (const [width, height, mobile] of SIZES) {
  describe(`${width} × ${height}`, { skip }, () => {
    let browser;
    before(async () => { browser = await Browser.start({ width, height, mobile }); });
    after(() => browser?.stop());

    test("board, best line and controls are in one view", async () => {
      await browser.openSample(server.address, "annotated");
      await browser.until("document.querySelector('#moves .row')");
      await browser.click("#next");
      await browser.click("#engine");
      for (const name of ["games", "analyse"]) {
        await browser.click(`[data-view=${name}]`);
        await browser.until("document.querySelector('#best-line strong')");
        await browser.value("document.querySelectorAll('.detail, .analyse').forEach((node) => { node.scrollTop = 0; })");
        const bottom = width <= 760 ? height - 54 : height;
        for (const box of await browser.value(boxes("#board", "#best-line", ".controls", ".controls .icon:last-child", ".status"))) {
          assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= bottom, `${name}: ${box}`);
        }
        assert.ok(await browser.value("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the window");
        const pixels = await browser.value("parseFloat(getComputedStyle(document.querySelector('#board .names text')).fontSize) * document.querySelector('#board').getBoundingClientRect().width / document.querySelector('#board').viewBox.baseVal.width");
        assert.ok(pixels >= 9, `square numbers of ${pixels} pixels`);
      }
      await browser.click("#engine");
      assert.deepEqual(browser.complaints, []);
    });

    test("at least twelve rows of moves are in view", { skip: width < 1200 }, async () => {
      await browser.openSample(server.address, "annotated");
      await browser.click("[data-view=games]");
      await browser.until("document.querySelector('#moves .row')");
      await browser.value("document.querySelectorAll('#moves .between').forEach((node) => node.remove())");
      const rows = await browser.value("(() => { const { top, bottom } = document.querySelector('#moves').getBoundingClientRect(); return [...document.querySelectorAll('#moves .row')].map((row) => row.getBoundingClientRect()).filter((box) => box.top >= top && box.bottom <= bottom).length; })()");
      assert.ok(rows >= 12, `${rows} rows`);
    });

    test("square numbers have a contrast of at least 4.5", async () => {
      await browser.openSample(server.address, "annotated");
      await browser.until("document.querySelector('#board .dark')");
      for (const theme of ["light", "dark"]) {
        await browser.value(`document.documentElement.style.colorScheme = '${theme}'`);
        const [back, front] = await browser.value("['.dark', '.names text'].map((one) => getComputedStyle(document.querySelector(`#board ${one}`)).fill.match(/[\\d.]+/g).slice(0, 3).map(Number))");
        const light = (colour) => colour.map((value) => (value > 10.31475 ? ((value / 255 + 0.055) / 1.055) ** 2.4 : value / 255 / 12.92)).reduce((sum, value, n) => sum + value * [0.2126, 0.7152, 0.0722][n], 0);
        const [dark, bright] = [light(back), light(front)].sort((a, b) => a - b);
        assert.ok((bright + 0.05) / (dark + 0.05) >= 4.5, `${theme}: ${back} ${front}`);
      }
    });

    test("a long name harms no layout", async () => {
      await open(browser, `[Event "${"E".repeat(3000)}"]\n[White "${"W".repeat(3000)}"]\n[Black "Long ${"name ".repeat(600)}"]\n[Result "*"]\n[GameType "20"]\n\n1. 32-28 ${"(1. 31-27 ".repeat(40)}${")".repeat(40)} 19-23 *\n`);
      for (const name of ["games", "analyse", "check", "collection", "open"]) {
        await browser.click(`[data-view=${name}]`);
        await browser.still();
        assert.ok(await browser.value("document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"), name);
      }
      await browser.click("[data-view=games]");
      const [board] = await browser.value(boxes("#board"));
      assert.ok(board[2] - board[0] > 250 && board[2] <= width, `${board}`);
    });
  });
}

describe("a hand", { skip }, () => {
  let browser;
  before(async () => { browser = await Browser.start({ width: 1280, height: 720 }); });
  after(() => browser?.stop());

  test("pieces are dragged, and those that cannot move say why", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.until("document.querySelector('#legal-moves option')");
    await drag(browser, 32, 28);
    await browser.until("document.querySelector('#tried .move[aria-current]')?.innerText.includes('32-28') && document.querySelector('#legal-moves option')");
    await drag(browser, 19, 33);
    await browser.until("document.querySelector('.choices').innerText === 'The piece on 19 cannot move to 33'");
    await browser.clickAt(await square(browser, 31));
    await browser.until("document.querySelector('.choices').innerText === 'Black to move'");
    await browser.clickAt(await square(browser, 1));
    await browser.until("document.querySelector('.choices').innerText === 'The piece on 1 cannot move'");
    assert.equal(await browser.text("#announcer"), "The piece on 1 cannot move");
    assert.deepEqual(browser.complaints, []);
  });

  test("a capture is chosen step by step, and must be made", async () => {
    await open(browser, TWO_WAYS);
    assert.equal(await browser.value("document.querySelectorAll('#board .must').length"), 1);
    await browser.clickAt(await square(browser, 47));
    await browser.until("document.querySelector('.choices').innerText === 'White must capture, but not with the piece on 47'");
    await browser.clickAt(await square(browser, 31));
    await browser.clickAt(await square(browser, 22));
    assert.equal(await browser.value("document.querySelector('#tried .move')"), null);
    await drag(browser, 22, 13);
    assert.equal(await browser.value("document.querySelector('#tried .move')"), null);
    await browser.clickAt(await square(browser, 24));
    await browser.until("document.querySelector('#tried .move[aria-current]')?.innerText.includes('31x24')");
    assert.deepEqual(browser.complaints, []);
  });

  test("circles and arrows are drawn with the right button", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.until("document.querySelector('#legal-moves option')");
    await drag(browser, 28, 28, "right");
    await drag(browser, 32, 23, "right");
    await browser.until("document.querySelectorAll('#board .circle').length === 1 && document.querySelectorAll('#board .arrow').length === 1");
    await drag(browser, 28, 28, "right");
    await browser.until("document.querySelectorAll('#board .circle').length === 0");
    await browser.click("#next");
    await browser.until("document.querySelectorAll('#board .arrow:not(.best, .reply)').length === 0");
    assert.deepEqual(browser.complaints, []);
  });

  test("what is drawn is kept in the record when that is asked", async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.choose([["drawn.pdn", "[Event \"e\"]\n\n1. 32-28 {[%csl R18] good} 19-23 *\n"]]);
    await browser.opened();
    await browser.click("#next");
    await browser.until("document.querySelector('#moves .move[aria-current]')?.innerText.includes('32-28') && document.querySelector('#legal-moves option[value=\"19-23\"]')");
    await drag(browser, 28, 28, "right");
    await drag(browser, 19, 23, "right");
    await browser.until("document.querySelectorAll('#board .arrow:not(.best, .reply)').length === 1");
    await browser.click("#keep-drawing");
    await browser.until("!document.querySelector('#undo').hidden && !document.querySelector('#keep-drawing')");
    const record = (await browser.download(() => browser.click("#save-game"))).content;
    assert.match(record, /^1\. 32-28 \{\[%csl R18,Y28\] \[%cal Y19-23\] good\} 19-23 \*$/m);
    assert.deepEqual(browser.complaints, []);
  });

  test("the wheel steps through the game", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.until("document.querySelector('#legal-moves option')");
    const [x, y] = await square(browser, 28);
    await browser.call("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: 100 });
    await browser.until("document.querySelector('.status strong')?.innerText.startsWith('1.')");
    await browser.call("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: -100 });
    await browser.until("!document.querySelector('.status strong')");
  });

  test("a position is set up, and what cannot be played stays with its reason", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.click("[data-view=analyse]");
    await browser.click("#set-up");
    await browser.until("document.querySelector('#set-up-fen')");
    await browser.fill("#set-up-fen", "W:W6,1,31:BK46,20");
    await browser.press("Enter");
    await browser.until("document.querySelector('#set-up-problem').innerText.includes('promotion row')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    assert.equal(await browser.value("document.querySelectorAll('dialog .board .piece').length - 4"), 5);
    const at = (name) => [(2 * ((name - 1) % 5) + (Math.floor((name - 1) / 5) % 2 ? 0 : 1) + 0.5) / 10, (Math.floor((name - 1) / 5) + 0.5) / 10];
    await browser.click("dialog [data-piece=W]");
    await browser.click("dialog .set-up .board", ...at(1));
    await browser.until("document.querySelector('#set-up-problem').innerText === '' && document.querySelector('#set-up-fen').value === 'W:WK1,6,31:B20,K46'");
    await browser.fill("#set-up-fen", "no position");
    await browser.press("Enter");
    await browser.until("document.querySelector('#set-up-problem').innerText === 'This is not a position in FEN'");
    await browser.click("dialog .button.strong");
    assert.ok(await browser.value("Boolean(document.querySelector('dialog'))"), "what cannot be read is not analysed");
    await browser.click("#set-up-start");
    await browser.until("document.querySelectorAll('dialog .set-up .piece').length === 40");
    await browser.fill("#set-up-fen", "B:W28,31-33:BK3");
    await browser.press("Enter");
    await browser.until("document.querySelectorAll('dialog .set-up .piece').length === 5 && document.querySelector('#set-up-problem').innerText === ''");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("document.querySelector('#fen').value === 'B:W28,31,32,33:BK3'");
    assert.deepEqual(browser.complaints, []);
  });
});

describe("a position", { skip }, () => {
  let browser;
  before(async () => { browser = await Browser.start({ width: 1280, height: 720 }); });
  after(() => browser?.stop());

  test("it is read in every form that the program reads", async () => {
    const setUp = async (type) => {
      await open(browser, game("W:W28:B23").replace("\"20\"", `"${type}"`).replace(/\[SetUp.*\n\[FEN.*\n/, ""));
      await browser.click("[data-view=analyse]");
      await browser.click("#set-up");
      await browser.until("document.querySelector('#set-up-fen')");
    };
    const reads = async (fen, shown) => {
      await browser.fill("#set-up-fen", fen);
      await browser.press("Enter");
      await browser.until(`document.querySelector('#set-up-fen').value === '${shown}' && document.querySelector('#set-up-problem').innerText === ''`);
    };
    await setUp("20");
    await reads("W:W31-33:BK4,5:H0:F1", "W:W31,32,33:BK4,5");
    await reads("[FEN \"B:W28:B23\"]", "B:W28:B23");
    await browser.fill("#set-up-fen", "W:W1,31:B20:H0:F1");
    await browser.press("Enter");
    await browser.until("document.querySelector('#set-up-problem').innerText.includes('promotion row')");
    await setUp("25");
    await reads("W:W21,22:B1,2", "W:Wa3,c3:Bb8,d8");
    await reads("W:Wa1,C3:Bb8", "W:Wa1,c3:Bb8");
    assert.deepEqual(browser.complaints, []);
  });
});

describe("a finger", { skip }, () => {
  let browser;
  before(async () => { browser = await Browser.start({ width: 390, height: 844, mobile: true }); });
  after(() => browser?.stop());

  const touch = (type, ...points) => browser.call("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });

  test("it drags pieces, draws when it rests, and swipes", async () => {
    await browser.openSample(server.address, "annotated");
    await browser.until("document.querySelector('#legal-moves option')");
    const [from, to, empty, other] = [await square(browser, 32), await square(browser, 28), await square(browser, 23), await square(browser, 24)];
    await touch("touchStart", from);
    await touch("touchMove", [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
    await touch("touchMove", to);
    await touch("touchEnd");
    await browser.until("document.querySelector('#tried .move[aria-current]')?.innerText.includes('32-28') && document.querySelector('#legal-moves option')");
    await touch("touchStart", empty);
    await browser.until("document.querySelector('#board .circle')");
    await touch("touchEnd");
    await touch("touchStart", empty);
    await browser.until("document.querySelectorAll('#board .circle').length === 2");
    await touch("touchMove", [(empty[0] + other[0]) / 2, empty[1]]);
    await touch("touchMove", other);
    await touch("touchEnd");
    await browser.until("document.querySelectorAll('#board .arrow:not(.best, .reply)').length === 1 && document.querySelectorAll('#board .circle').length === 1");
    await touch("touchStart", await square(browser, 21));
    await touch("touchMove", await square(browser, 22));
    await touch("touchEnd");
    // To the right is back, to the start of the game.
    await browser.until("!document.querySelector('.status strong')");
    assert.deepEqual(browser.complaints, []);
  });
});

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(findBrowser());
});
