// A page of exercises as `pdn report --solve` writes it, from a file: solved by mouse, touch and keys.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, WEB, findBrowser } from "./browser.mjs";
import { PROGRAM } from "./native.mjs";

const AXE = process.env.PDN_AXE ?? join(WEB, "app/node_modules/axe-core/axe.min.js");

/** Ten positions and their solutions, from the games in `samples`. */
const PUZZLES = [
  ["B:W28,31,35,37,38,39,40,43,44,45,46,47,48,49,50:B1,2,3,4,5,7,8,9,10,11,12,15,16,20,24,29", "1... 29-33 2. 38x29 24x22"],
  ["W:W27,28,30,32,33,35,37,39,46,47,48,49,50:B1,2,3,4,5,9,13,15,16,17,18,19,20,24", "1. 28-22 17x28 2. 32x25"],
  ["B:W23,25,29,30,34,37,42,50:B1,2,4,10,14,17,22,27", "1... 27-32 2. 37x28 22x35"],
  ["B:W27,28,30,32,35,38,39,41,42,43,45,47,48,49,50:B1,2,4,5,7,8,9,10,12,13,14,17,18,19,24", "1... 18-22 2. 27x18 13x44 3. 50x39"],
  ["W:W26,28,30,32,33,34,35,38,42,43,47,48,49,50:B2,5,6,7,9,10,12,13,14,17,19,22,23,24", "1. 26-21 17x26 2. 28x8"],
  ["B:W25,27,37,39,46,47,48,49:B2,3,4,12,14,19,23,28", "1... 28-33 2. 39x28 23x21"],
  ["W:W23,24,25,29,34,37,47,50:B1,2,4,10,14,21,22,27", "1. 37-31 27x36 2. 23-19 14x23 3. 29x16"],
  ["W:W26,35,36,37,38,39,40,42,45,47,48,49:B3,4,6,8,9,11,12,19,23,24,27,28,29", "1. 38-33 29x38 2. 42x31"],
  ["W:W16,27,28,32,34,37,40:B7,8,9,17,18,20,25", "1. 28-22 17x28 2. 32x14 20x9"],
  ["W:W32,37,41:B14,21,23", "1. 32-27 21x32 2. 37x10"],
];

const record = ([fen, moves], n) => `[White "First ${n}"]\n[Black "Second"]\n[Result "*"]\n[GameType "20"]\n[FEN "${fen}"]\n[Goal "material"]\n\n${moves} *\n`;

const WAYS = {
  mouse: { width: 1280, height: 800 },
  touch: { width: 390, height: 844, mobile: true },
  keys: { width: 820, height: 1180 },
};

for (const [way, window] of Object.entries(WAYS)) {
  describe(way, { skip: !findBrowser() ? "no browser" : !existsSync(PROGRAM) && "no program" }, () => {
    let browser;
    let folder;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "pdn-solve-"));
      await writeFile(join(folder, "puzzles.pdn"), PUZZLES.map(record).join("\n"));
      execFileSync(PROGRAM, ["report", "--quiet", "--solve", "--title", "Lesson <1>", join(folder, "puzzles.pdn"), "-o", join(folder, "page.html")]);
      browser = await Browser.start(window);
      await browser.open(`file://${folder}/page.html`);
    });
    after(async () => {
      await browser?.stop();
      if (folder) await rm(folder, { recursive: true });
    });

    const exercise = (n) => browser.value(`JSON.parse(document.querySelectorAll('script.exercise')[${n}].textContent)`);
    const isAsking = "document.querySelector('#hint:enabled')?.checkVisibility()";
    const isDone = "!document.querySelector('#line').hidden";
    const says = (words) => browser.until(`document.querySelector('#answer').innerText.includes(${JSON.stringify(words)})`);
    /** Returns the point of the window in the middle of a square, as the board shows it. */
    const square = (place) => browser.value(`(() => { const board = document.querySelector('#board'); board.scrollIntoView({ block: 'nearest' });
      const rect = board.querySelectorAll('.squares .dark')[${place}].getBoundingClientRect(); return [rect.x + rect.width / 2, rect.y + rect.height / 2]; })()`);
    const mouse = (type, [x, y]) => browser.call("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1 });
    const touch = (type, points) => browser.call("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    const tap = async (place) => {
      const at = await square(place);
      await touch("touchStart", [at]);
      await touch("touchEnd", []);
    };
    const drag = async (from, to) => {
      const [start, end] = [await square(from), await square(to)];
      const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
      if (way === "touch") {
        await touch("touchStart", [start]);
        for (const point of [middle, end]) await touch("touchMove", [point]);
        await touch("touchEnd", []);
      } else {
        await mouse("mousePressed", start);
        for (const point of [middle, end]) await mouse("mouseMoved", point);
        await mouse("mouseReleased", end);
      }
    };
    /** Goes to a square of the board by arrow keys, by what the page says of each. */
    const reach = async (name) => {
      const here = async () => Number((await browser.value("document.querySelector('#cursor').textContent")).split(":")[0]);
      await browser.value("document.querySelector('#board').focus()");
      if (!await browser.value("Boolean(document.querySelector('#board .cursor'))")) await browser.press("ArrowUp");
      const flipped = await browser.value("document.querySelector('#board .names text').textContent === '1' && document.querySelector('#board .names text').getAttribute('y') > 500");
      const [row, column] = [(place) => Math.floor((place - 1) / 5), (place) => (place - 1) % 5];
      for (let left = 40; left > 0 && await here() !== name; left -= 1) {
        const at = await here();
        const [down, right] = [row(name) - row(at), column(name) - column(at)].map((value) => (flipped ? -value : value));
        await browser.press(down > 0 ? "ArrowDown" : down < 0 ? "ArrowUp" : right > 0 ? "ArrowRight" : "ArrowLeft");
      }
      assert.equal(await here(), name);
      await browser.press("Enter");
    };
    /** Plays a move: dragged, tapped square by square, typed, or by keys on the board. */
    const play = async ({ notation, paths: [path] }, n) => {
      await browser.until(isAsking);
      const ends = [path[0], path[path.length - 1]];
      if (way === "keys" && n % 2 === 0) {
        await browser.fill("#typed-move", notation);
        await browser.press("Enter");
      } else if (way === "keys") {
        for (const place of ends) await reach(place + 1);
      } else if (n % 3 === 0) {
        await drag(...ends);
      } else {
        for (const place of n % 3 === 1 ? ends : path) await (way === "touch" ? tap(place) : browser.clickAt(await square(place)));
      }
    };

    test("ten puzzles are solved", async () => {
      await browser.until(isAsking);
      assert.equal(await browser.text("#title"), "Lesson <1>");
      for (const [n] of PUZZLES.entries()) {
        assert.equal(await browser.text("#place"), `${n + 1} of 10`);
        const { line, steps } = await exercise(n);
        const choices = line.filter((_, ply) => ply % 2 === 0).map(([, , change], step) => steps[step].find((choice) => choice.change === change));
        // A wrong try first, for some: it is answered on the board and taken back.
        if (n % 4 === 1) {
          const wrong = steps[0].find((choice) => choice.answer);
          await play(wrong, n);
          await says(`${wrong.notation} fails: ${wrong.answer[0][0]}`);
          await browser.until("!document.querySelector('#again').hidden");
          await browser.click("#again");
        }
        if (n === 2) {
          await browser.click("#hint");
          await says("Move the piece on 27");
        }
        for (const choice of choices) await play(choice, n);
        await browser.until(isDone);
        if (n < PUZZLES.length - 1) await browser.click("#go-on");
      }
      assert.equal(await browser.text("#score"), "10 of 10 solved");
      const results = await browser.value("[...document.querySelectorAll('#results td:last-child')].map((cell) => cell.textContent).join()");
      assert.equal(results, "at once,after wrong tries,with a hint,at once,at once,after wrong tries,at once,at once,at once,after wrong tries");
    });

    test("the result is kept, and printed", async () => {
      await browser.open(`file://${folder}/page.html#10`);
      await browser.until("document.querySelector('#score')?.innerText === '10 of 10 solved'");
      await browser.call("Emulation.setEmulatedMedia", { media: "print" });
      assert.equal(await browser.value("document.querySelector('#result').checkVisibility() && !document.querySelector('#lesson').checkVisibility()"), true);
      await browser.call("Emulation.setEmulatedMedia", { media: "" });
    });

    test("the solution is shown, and the page fits", async () => {
      await browser.click("#restart");
      await browser.until(isAsking);
      await browser.click("#solution");
      await says("The solution: 29-33 38x29 24x22");
      await browser.until(isDone);
      assert.equal(await browser.text("#score"), "0 of 10 solved");
      await browser.press("ArrowLeft");
      await browser.click("#line .move");
      assert.equal(await browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
      const board = await browser.value("(() => { scrollTo(0, 0); const box = document.querySelector('#board').getBoundingClientRect(); return [box.top, box.bottom]; })()");
      assert.ok(board[0] >= 0 && board[1] <= window.height, `the board fits: ${board}`);
    });

    test("nothing is requested, and readers are served", async () => {
      assert.deepEqual(browser.complaints, []);
      assert.deepEqual(browser.requests.filter((address) => !address.startsWith("data:") && !address.startsWith(`file://${folder}/page.html`)), []);
      assert.match(await browser.value("document.querySelector('#described').textContent"), /^White: .*Black: /);
      if (!existsSync(AXE)) return;
      await browser.value(readFileSync(AXE, "utf8"));
      const found = await browser.value("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join()}`))");
      assert.deepEqual(found, []);
    });
  });
}
