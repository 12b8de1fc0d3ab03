// Walks through the application in a real browser, at the sizes of a desktop and of a phone.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { PROGRAM, isBuilt, nativeCalls, packageAt } from "./native.mjs";

const SIZES = { desktop: { width: 1400, height: 900 }, phone: { width: 390, height: 844, mobile: true } };

/** The checks of axe-core, where it is installed: `npm install` in this folder, or its path in `PDN_AXE`. */
const AXE = process.env.PDN_AXE ?? join(WEB, "app/node_modules/axe-core/axe.min.js");

const skip = findBrowser() ? false : "no browser";

let server;
const calls = nativeCalls();
before(async () => {
  server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/") }, { api: calls.api });
});
after(async () => {
  server?.close();
  await calls.stop();
});

const withSample = (browser, sample) => browser.openSample(server.address, sample);

/** Returns a ZIP archive with the same content, compressed or not, under each name. */
const zipped = (names, content) => {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, method] of names) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const fields = (size) => Buffer.alloc(size);
    const local = fields(30);
    local.writeUInt32LE(0x04034b50, 0);
    const central = fields(46);
    central.writeUInt32LE(0x02014b50, 0);
    for (const [header, at] of [[local, 8], [central, 10]]) {
      header.writeUInt16LE(method, at);
      header.writeUInt32LE(packed.length, at + 10);
      header.writeUInt32LE(content.length, at + 14);
      header.writeUInt16LE(name.length, at + 18);
    }
    central.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
};

/** Chooses the first game of the list, which the game on the board covers on a phone. */
const chooseFirst = async (browser) => {
  if (await browser.value("document.querySelector('#game .back').getBoundingClientRect().width > 0")) await browser.click("#game .back");
  await browser.click(".game[role=option]");
};

const view = (browser, name) => browser.click(`[data-view="${name}"]`);

for (const [size, window] of Object.entries(SIZES)) {
  describe(size, { skip }, () => {
    let browser;
    before(async () => { browser = await Browser.start(window); });
    after(() => browser?.stop());

    const isQuiet = async () => {
      assert.deepEqual(browser.complaints, []);
      const others = browser.requests.filter((address) => !address.startsWith(server.address) && !address.startsWith("blob:") && !address.startsWith("data:"));
      assert.deepEqual(others, []);
      assert.ok(await browser.value("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the window");
    };

    test("a record is repaired and saved", async () => {
      await withSample(browser, "mistakes");
      await view(browser, "check");
      await browser.until("document.querySelectorAll('.diagnostic').length === 10");
      assert.match(await browser.text(".check .summary"), /4 errors.*6 warnings/s);
      await browser.value("[...document.querySelectorAll('.diagnostic')].find((row) => row.innerText.includes('l0-14')).click()");
      await browser.until("document.querySelector('mark')?.textContent === 'l0-14'");
      await browser.click("#repair");
      await browser.until("document.querySelector('.repair ins')");
      assert.match(await browser.text(".repair .changed-line"), /^− .*37-32 l0-14/);
      await browser.click("#apply-repair");
      await browser.until("document.querySelectorAll('.diagnostic').length === 8");
      assert.equal(await browser.value("document.querySelector('#undo').hidden"), false);
      await browser.click("#save-files");
      await browser.until("document.querySelector('dialog ins')?.textContent === '10'");
      const { name, content } = await browser.download(() => browser.value("document.querySelector('dialog .button.strong').click()"));
      assert.equal(name, "mistakes.pdn");
      const sample = readFileSync(join(WEB, "app/samples/mistakes.pdn"), "utf8");
      assert.equal(content, sample.replace("l0-14", "10-14"));
      await browser.click("#undo");
      await browser.until("document.querySelectorAll('.diagnostic').length === 10");
      await browser.click("#repair-all");
      await browser.until("document.querySelector('dialog .difference')");
      await browser.value("document.querySelector('dialog .button.strong').click()");
      await browser.until("document.querySelectorAll('.diagnostic').length < 10 && document.querySelector('#progress').hidden");
      await isQuiet();
    });

    test("a diagnostic leads to its place on the board", async () => {
      await withSample(browser, "mistakes");
      await view(browser, "check");
      await browser.until("document.querySelectorAll('.diagnostic').length === 10");
      await browser.value("[...document.querySelectorAll('.diagnostic')].find((row) => row.innerText.includes('1-2')).click()");
      await browser.until("document.querySelector('mark')?.textContent === '1-2'");
      await browser.click("#to-board");
      await browser.until("document.querySelector('.status strong')?.innerText.startsWith('7… 18-22')");
      await isQuiet();
    });

    test("a click is not lost when the list is drawn between press and release", async () => {
      await withSample(browser, "mistakes");
      await view(browser, "check");
      await browser.until("document.querySelectorAll('.diagnostic').length === 10");
      const [x, y] = await browser.point(".diagnostic");
      const button = { x, y, button: "left", buttons: 1, clickCount: 1 };
      await browser.call("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
      await browser.value("document.querySelector('#diagnostics').dispatchEvent(new Event('scroll'))");
      await browser.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...button });
      await browser.until("document.querySelector('mark')");
      await isQuiet();
    });

    test("the repair of a diagnostic stays when the diagnostic is chosen again", async () => {
      await withSample(browser, "mistakes");
      await view(browser, "check");
      await browser.click(".diagnostic");
      await browser.click("#repair");
      await browser.until("document.querySelector('.repair .difference')");
      await browser.click(".diagnostic");
      // By then it would have been drawn again.
      await browser.value("new Promise((done) => setTimeout(done, 300))");
      assert.ok(await browser.value("Boolean(document.querySelector('.repair .difference'))"));
    });

    test("own moves become variations, with comments and marks", async () => {
      await withSample(browser, "annotated");
      await view(browser, "games");
      await browser.until("document.querySelectorAll('.game[role=option]').length === 4");
      await chooseFirst(browser);
      await browser.until("document.querySelector('#moves .row')");
      await browser.until("document.querySelector('#legal-moves option')");
      // White's second man of the fourth row moves, by two presses on the board.
      const places = await browser.value("[...document.querySelectorAll('#legal-moves option')].map((option) => option.value)");
      const first = await browser.text("#moves .row .move bdi");
      const own = places.find((move) => move !== first);
      const [from, to] = own.split("-");
      const square = (name) => `(() => { const text = [...document.querySelectorAll('#board .names text')].find((node) => node.textContent === '${name}');
        const box = document.querySelector('#board').getBoundingClientRect(); const scale = box.width / 1000;
        return [box.left + (Number(text.getAttribute('x')) + 45) * scale, box.top + (Number(text.getAttribute('y')) + 26) * scale]; })()`;
      await browser.value("document.querySelector('#board').scrollIntoView({ block: 'center' })");
      await browser.clickAt(await browser.value(square(from)));
      await browser.clickAt(await browser.value(square(to)));
      await browser.until(`document.querySelector('.status strong')?.innerText.includes('${own}')`);
      await browser.until("document.querySelector('#tried .move[aria-current]')");
      assert.equal(await browser.value("document.querySelector('#undo').hidden"), true, "trying a move changes nothing");
      await browser.until("document.querySelector('#legal-moves option')");
      const reply = await browser.value("document.querySelector('#legal-moves option').value");
      await browser.fill("#typed-move", reply);
      await browser.press("Enter");
      await browser.until(`document.querySelector('.status strong')?.innerText.includes('${reply}')`);
      await browser.click("#tried .keep");
      await browser.until(`document.querySelector('#moves .variation .move[aria-current]')?.innerText.includes('${reply}')`);
      await browser.fill("#comment", "my own idea } <b>");
      await browser.click("#previous");
      await browser.until("document.querySelector('.variation .comment')?.textContent.includes('my own idea ) <b>')");
      await browser.click("#next");
      await browser.click("[data-nag='1']");
      await browser.until("document.querySelector('.variation .move[aria-current] .marks')?.textContent === '!'");
      const { content } = await browser.download(() => browser.click("#save-game"));
      assert.match(content, new RegExp(`\\(1\\. ${own} ${reply}(!|\\s\\$1) \\{my own idea \\) <b>\\}\\)`));
      await browser.click("#promote");
      await browser.until(`document.querySelector('#moves .row .move bdi').textContent === '${own}'`);
      await browser.value("document.querySelector('#board').focus()");
      await browser.press("z", 2);
      await browser.until(`document.querySelector('#moves .row .move bdi').textContent === '${first}'`);
      await browser.until(`document.querySelector('.status strong')?.innerText.includes('${reply}')`);
      await browser.click("#redo");
      await browser.until(`document.querySelector('#moves .row .move bdi').textContent === '${own}'`);
      await isQuiet();
    });

    test("moves that are typed while others are written are not lost", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.click("#new-game");
      await browser.opened();
      await browser.until("document.querySelector('#legal-moves option')");
      const type = async (...moves) => {
        await browser.value("document.querySelector('#typed-move').focus()");
        for (const move of moves) {
          await browser.enter(move);
          await browser.press("Enter");
        }
      };
      await browser.hold("play");
      await type("32-28", "19-23", "28x19", "14x23", "37-32", "10-14");
      await browser.release("play");
      await browser.until("document.querySelectorAll('#moves .row .move').length === 6");
      await browser.idle();
      // What cannot be played comes back, with what was typed after it.
      await browser.hold("play");
      await type("1-2", "41-37");
      await browser.release("play");
      await browser.until("document.querySelector('#typed-move').value === '1-2 41-37'");
      assert.equal(await browser.value("Boolean(document.querySelector('.choices .problem'))"), true);
      const { content } = await browser.download(() => browser.click("#save-game"));
      assert.match(content, /\n1\. 32-28 19-23 2\. 28x19 (2\.\.\. )?14x23 3\. 37-32 10-14 \*\n?$/);
      await isQuiet();
    });

    test("a line that is not a tag is reported, and tags with other names stay", async () => {
      const record = "[Event \"Club\"]\n[White \"René\"]\n[GameType \"20\"]\n[My-Tag \"y\"]\n\n1. 32-28 *\n";
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["tags.pdn", record]]);
      await browser.opened();
      const write = async (before, after) => {
        await browser.value(`(() => { const area = document.querySelector('#tag-lines'); area.value = area.value.replace(${JSON.stringify(before)}, ${JSON.stringify(after)}); })()`);
        await browser.click("dialog .button.strong");
      };
      const says = (words) => browser.until(`document.querySelector('dialog .problem').innerText.includes(${JSON.stringify(words)})`);
      await browser.click("#tags");
      await browser.until("document.querySelector('#tag-lines')");
      await write("White = René", "White: Renée\n[Site \"Le \\\"Lyon\\\"\"]");
      await says("White: Renée");
      await write("White: ", "1x = 3\nWhite = ");
      await says("a name of a tag");
      await write("1x = 3\n", "");
      await browser.until("!document.querySelector('dialog') && !document.querySelector('#undo').hidden");
      const saved = async () => (await browser.download(() => browser.click("#save-game"))).content;
      const changed = await saved();
      assert.deepEqual(changed.split("\n\n")[0].split("\n").sort(),
        ["[Event \"Club\"]", "[GameType \"20\"]", "[My-Tag \"y\"]", "[Site \"Le \\\"Lyon\\\"\"]", "[White \"Renée\"]"]);
      await browser.click("#tags");
      await browser.until("document.querySelector('#tag-lines')");
      await write("My-Tag = y", "My-Tag = z");
      await browser.until("!document.querySelector('dialog')");
      assert.equal(await saved(), changed.replace("\"y\"", "\"z\""));
      await isQuiet();
    });

    test("a comment that the encoding cannot hold is not lost", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["latin.pdn", Buffer.from("[Event \"Club\"]\n[White \"Ren\xe9\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n", "latin1")]]);
      await browser.opened();
      await browser.click("#next");
      await browser.fill("#comment", "28 → 19");
      await browser.click("#next");
      await browser.until("!document.querySelector('#failure').hidden");
      assert.equal(await browser.value("document.querySelector('#comment').value"), "");
      await browser.click("#previous");
      assert.equal(await browser.value("document.querySelector('#comment').value"), "28 → 19");
      await browser.fill("#comment", "très bien");
      await browser.click("#next");
      await browser.until("!document.querySelector('#undo').hidden");
      await browser.click("#previous");
      assert.equal(await browser.value("document.querySelector('#comment').value"), "très bien");
      await isQuiet();
    });

    test("a game prints on a few pages", async () => {
      await withSample(browser, "annotated");
      await browser.until("document.querySelector('#moves .row')");
      const { data } = await browser.call("Page.printToPDF", {});
      const pages = Buffer.from(data, "base64").toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
      assert.ok(pages.length <= 4, `${pages.length} pages`);
    });

    test("a game and its move are in the address, and stay on the board", async () => {
      await withSample(browser, "annotated");
      await browser.until("document.querySelector('#moves .row')");
      await browser.value("document.querySelector('#board').focus()");
      for (let ply = 0; ply < 3; ply += 1) await browser.press("ArrowRight");
      await browser.until("location.hash === '#games/annotated.pdn/1/3'");
      await browser.until("import('./db.js').then(({ keptOf }) => keptOf('open')).then(([kept]) => kept?.value[0].name === 'annotated.pdn')");
      await browser.open(`${server.address}/index.html?again#games/annotated.pdn/1/3`);
      await browser.until("/^2\\./.test(document.querySelector('.status strong')?.innerText)");
      await isQuiet();
    });

    test("the opening has its name beside the board, also on a line that is tried", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.choose([["named.pdn", "[Event \"?\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 *\n"]]);
      await browser.opened();
      await browser.idle();
      assert.equal(await browser.text("#opening"), "");
      await browser.click("#last");
      await browser.until("document.querySelector('#opening').innerText === 'Glasgow'");
      await browser.click("#previous");
      await browser.click("#previous");
      await browser.fill("#typed-move", "9-13");
      await browser.press("Enter");
      await browser.until("document.querySelector('#opening').innerText === 'Laird and Lady'");
      await browser.click("#first");
      await browser.until("document.querySelector('#opening').innerText === ''");
      await isQuiet();
    });

    test("a comment belongs to its move, whatever is clicked next", async () => {
      await withSample(browser, "annotated");
      await browser.until("document.querySelector('#moves .row')");
      await browser.value("document.querySelector('#board').focus()");
      await browser.press("ArrowRight");
      await browser.until("/^1\\./.test(document.querySelector('.status strong')?.innerText)");
      await browser.value("document.querySelector('#comment').focus()");
      await browser.enter("of the first move");
      // Another game is shown before the field has lost the focus.
      await browser.value("document.querySelectorAll('.game[role=option]')[1]?.click(); document.querySelector('#end')?.click()");
      await browser.value("document.querySelector('#comment').blur()");
      await browser.until("!document.querySelector('#undo').hidden");
      await view(browser, "check");
      await browser.click("#save-files");
      await browser.until("document.querySelector('dialog ins')?.textContent.includes('of the first move')");
      const { content } = await browser.download(() => browser.value("document.querySelector('dialog .button.strong').click()"));
      const sample = readFileSync(join(WEB, "app/samples/annotated.pdn"), "utf8");
      assert.equal(content, sample.replace("{[%eval -0.01]} 19-23", "{[%eval -0.01] of the first move} 19-23"));
      await isQuiet();
    });

    test("a game is followed by keyboard alone", async () => {
      await withSample(browser, "annotated");
      await browser.press("3", 1);
      await browser.until("document.querySelectorAll('.game[role=option]').length === 4");
      await browser.value("document.querySelector('#game-list').focus()");
      await browser.press("ArrowDown");
      await browser.press("Enter");
      await browser.until("document.querySelector('#moves .row')");
      await browser.idle();
      await browser.value("document.querySelector('#board').focus()");
      await browser.press("ArrowRight");
      await browser.until("/^1\\./.test(document.querySelector('.status strong')?.innerText)");
      await browser.press("End");
      assert.equal(await browser.value("document.querySelector('#next').disabled"), true);
      assert.match(await browser.value("document.querySelector('#described').textContent"), /^White: .*\. Black: /);
      await isQuiet();
    });

    test("games are sorted and found", async () => {
      await withSample(browser, "annotated");
      await view(browser, "games");
      await browser.value("document.querySelector('#game')?.parentElement.classList.remove('detail-open')");
      await browser.until("document.querySelectorAll('.game[role=option]').length === 4");
      await browser.fill("#filter", "second look");
      await browser.until("document.querySelectorAll('.game[role=option]').length < 4");
      await browser.fill("#filter", "");
      await browser.press("Delete");
      await browser.until("document.querySelectorAll('.game[role=option]').length === 4");
      await browser.value("document.querySelector('details.more').open = true");
      await browser.fill("#where", "winner = W");
      await browser.press("Enter");
      await browser.until("document.querySelectorAll('.game[role=option]').length < 4 && document.querySelector('#progress').hidden");
      await browser.fill("#where", "winner = = W");
      await browser.press("Enter");
      await browser.until("!document.querySelector('.games .problem').hidden");
      await browser.click("#clear");
      await browser.until("document.querySelectorAll('.game[role=option]').length === 4");
      await isQuiet();
    });

    test("archives are unpacked, and broken ones are reported", async () => {
      const content = readFileSync(join(WEB, "app/samples/mistakes.pdn"));
      await browser.open(`${server.address}/index.html#open`);
      await browser.until("document.querySelector('#chooser')");
      await browser.choose([["a.pdn.gz", gzipSync(content)], ["b.zip", zipped([["in/c.pdn", 8], ["d.pdn", 0], ["e.doc", 8], ["f.pdn", 99]], content)],
        ["broken.gz", gzipSync(content).subarray(0, 60)], ["g.zip", "PK\x03\x04 and no more"], ["h.zip", zipped([["readme.md", 0]], content)]]);
      await browser.until("document.querySelectorAll('.files li').length === 7 && document.querySelector('#progress').hidden");
      const files = await browser.value("[...document.querySelectorAll('.files li')].map((item) => [...item.children].slice(0, 2).map((node) => node.innerText))");
      assert.deepEqual(files.slice(0, 4).map(([name, state]) => [name, /^3 games · 4 errors/.test(state)]),
        [["a.pdn.gz", true], ["b.zip/in/c.pdn", true], ["b.zip/d.pdn", true], ["b.zip/f.pdn", false]]);
      assert.match(files[3][1], /method 99/);
      assert.ok(files.slice(4).every(([, state]) => !state.includes("games")), JSON.stringify(files));
      assert.deepEqual(files.at(-1), ["h.zip", "No game was found in this file"]);
      await isQuiet();
    });

    test("a dropped folder without records says so", async () => {
      const folder = await mkdtemp(join(tmpdir(), "pdn-dropped-"));
      await writeFile(join(folder, "readme.md"), "text");
      await browser.open(`${server.address}/index.html#open`);
      await browser.until("document.querySelector('#chooser')");
      const data = { items: [], files: [folder], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) await browser.call("Input.dispatchDragEvent", { type, x: 100, y: 100, data });
      await browser.until("document.querySelector('#failure').innerText.includes('No games found')");
      await rm(folder, { recursive: true });
      await isQuiet();
    });

    test("the engine thinks about what is shown, and annotates", async () => {
      await withSample(browser, "mistakes");
      await view(browser, "analyse");
      await browser.until("document.querySelector('#moves .row')");
      await browser.click("#engine");
      await browser.until("document.querySelectorAll('#lines li').length === 3");
      assert.match(await browser.text("#verdict"), /Evaluation/);
      await browser.click("#engine");
      await browser.value("[['all', 1], ['10000', 2], ['2', 3]].forEach(([value, n]) => { const select = document.querySelectorAll('.panel select')[n]; select.value = value; select.dispatchEvent(new Event('change')); })");
      await browser.click("#annotate");
      await browser.until("/annotated/.test(document.querySelector('#annotation').innerText)");
      await browser.until("!document.querySelector('.graph-frame').hidden");
      await view(browser, "check");
      await browser.click("#save-files");
      const { content } = await browser.download(() => browser.value("document.querySelector('dialog .button.strong').click()"));
      assert.equal(content, spawnSync(PROGRAM, ["annotate", "--nodes", "10000", join(WEB, "app/samples/mistakes.pdn")], { encoding: "utf8" }).stdout);
      await isQuiet();
    });

    const annotation = async (scope) => {
      await view(browser, "analyse");
      await browser.until("document.querySelector('#moves .row')");
      await browser.value(`[['${scope}', 1], ['10000', 2], ['1', 3]].forEach(([value, n]) => { const select = document.querySelectorAll('.panel select')[n]; select.value = value; select.dispatchEvent(new Event('change')); })`);
      await browser.click("#annotate");
    };
    const savedFiles = async () => {
      await view(browser, "check");
      await browser.click("#save-files");
      return browser.download(() => browser.value("document.querySelector('dialog .button.strong').click()"));
    };

    test("annotated games keep the letters of files that are not UTF-8", async () => {
      const game = (white) => `[White "${white}"]\n[GameType "20"]\n\n1. 32-28 19-23 *\n`;
      const polish = { Ż: 0xaf, ó: 0xf3, ł: 0xb3, Ł: 0xa3, ś: 0x9c };
      const words = `${game("Żółkiewski Łukasz")}\n${game("Jaś")}`;
      const cp1250 = Buffer.from(Array.from(words, (letter) => polish[letter] ?? letter.charCodeAt(0)));
      for (const [content, scope] of [[cp1250, "all"], [cp1250, "game"], [Buffer.from(`\ufeff${words}`, "utf16le"), "game"]]) {
        await browser.open(`${server.address}/index.html#open`);
        await browser.until("document.querySelector('#chooser')");
        await browser.choose([["pl.pdn", content]]);
        await browser.opened();
        await annotation(scope);
        await browser.until("/annotated/.test(document.querySelector('#annotation').innerText)");
        const { bytes } = await savedFiles();
        const saved = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        assert.match(saved, /^[^\0]*"Żółkiewski Łukasz"\][^\0]*%eval[^\0]*"Jaś"\][^\0]*$/);
        assert.equal(/Jaś[^]*%eval/.test(saved), scope === "all");
      }
      await isQuiet();
    });

    test("what is written while games are annotated stays", async () => {
      await browser.open(`${server.address}/index.html#open`);
      await browser.until("document.querySelector('#chooser')");
      await browser.choose([["club.pdn", "[White \"Anna\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n"]]);
      await browser.opened();
      await browser.hold("annotate");
      await annotation("all");
      await browser.until("window.held.annotate");
      await browser.fill("#comment", "meanwhile");
      await browser.release("annotate");
      await browser.until("document.querySelector('#annotation').innerText === 'club.pdn was changed meanwhile; the annotated games are in club.annotated.pdn'");
      await browser.still();
      const list = await browser.value("[...document.querySelectorAll('.files .name')].map((node) => node.textContent)");
      assert.deepEqual(list, ["club.pdn", "club.annotated.pdn"]);
      await view(browser, "games");
      const { content } = await browser.download(() => browser.value("document.querySelector('#save-list').click()"));
      const [own, annotated] = content.split("[White").slice(1);
      assert.match(own, /\{meanwhile\}/);
      assert.doesNotMatch(own, /%eval/);
      assert.match(annotated, /%eval/);
      await isQuiet();
    });

    test("annotation explains in the language of the page", async () => {
      await withSample(browser, "mistakes");
      await browser.until("document.querySelector('#moves .row') && /^#games\\/mis/.test(location.hash)");
      await browser.value("(() => { const select = document.querySelector('#language'); select.value = 'nl'; select.dispatchEvent(new Event('change')); })()");
      await browser.until("document.documentElement.lang === 'nl' && document.querySelector('#moves .row')");
      await view(browser, "analyse");
      await browser.value("[['10000', 2]].forEach(([value, n]) => { const select = document.querySelectorAll('.panel select')[n]; select.value = value; select.dispatchEvent(new Event('change')); })");
      await browser.click("#annotate-words");
      await browser.click("#annotate-shots");
      await browser.click("#annotate");
      await browser.until("/^1 partij van commentaar voorzien/.test(document.querySelector('#annotation').innerText)");
      const { content } = await browser.download(() => browser.click("#save-game"));
      const made = spawnSync(PROGRAM, ["annotate", "--nodes", "10000", "--words", "--shots", "--lang", "nl", join(WEB, "app/samples/mistakes.pdn")], { encoding: "utf8" }).stdout;
      assert.ok(made.startsWith(content.trim()), content);
      await browser.value("localStorage.clear()");
      await isQuiet();
    });

    test("a collection has openings, statistics, tables and outputs", async () => {
      await withSample(browser, "annotated");
      await view(browser, "collection");
      await browser.until("document.querySelector('#moves-of-openings [data-move]')");
      const move = await browser.value("document.querySelector('#moves-of-openings [data-move]').dataset.move");
      await browser.click("#moves-of-openings [data-move]");
      await browser.until(`document.querySelector('.line')?.innerText.includes('${move}')`);
      for (const [page, found] of [["statistics", "#facts-of-all"], ["tournament", "#standings"], ["players", "#players"]]) {
        await browser.click(`[data-page="${page}"]`);
        await browser.until(`document.querySelector('${found} tbody tr')`);
      }
      await browser.click('[data-page="tournament"]');
      await browser.until("document.querySelector('#standings tbody tr')");
      const sheet = await browser.download(() => browser.click("[data-output='event.xlsx']"));
      assert.match(sheet.content, /^PK/);
      await browser.click("[data-page='saveAs']");
      const { content } = await browser.download(() => browser.click("[data-output='games.csv']"));
      assert.match(content, /^schema_version,/);
      if (isBuilt) {
        const parquet = await browser.download(() => browser.click("[data-output='moves.parquet']"));
        assert.match(parquet.content, /^PAR1/);
      }
      await isQuiet();
    });

    test("hostile records are only shown, in every view and language", async () => {
      const attack = "<img src=x onerror='window.reached=1'></script><script>window.reached=2</script>";
      const record = `[Event "${attack}"]\n[White "${attack}"]\n[Black "javascript:window.reached=3"]\n[Date "${attack}"]\n[Result "2-0"]\n[GameType "20"]\n\n{${attack}} 1. 32-28 {${attack}} ({${attack}} 1. 31-27) 1-2 l0-14 *\n`;
      await browser.open(`${server.address}/index.html#open`);
      await browser.until("document.querySelector('#chooser')");
      await browser.choose([["<b onclick=alert(1)>.pdn", record]]);
      await browser.until("document.querySelectorAll('.files li').length === 1 && document.querySelector('#progress').hidden");
      await view(browser, "check");
      await browser.until("document.querySelector('.diagnostic')");
      await browser.click(".diagnostic");
      await browser.until("document.querySelector('mark')");
      await browser.click("#repair");
      await view(browser, "games");
      await chooseFirst(browser);
      await browser.until("document.querySelector('#moves .comment')");
      assert.ok((await browser.text("#moves .comment")).includes(attack));
      await view(browser, "analyse");
      await view(browser, "collection");
      await browser.until("document.querySelector('#moves-of-openings')");
      for (const page of ["statistics", "tournament", "players"]) {
        await browser.click(`[data-page="${page}"]`);
        await browser.until("document.querySelector('#collection table') && !document.querySelector('#collection').hasAttribute('aria-busy')");
      }
      assert.equal(await browser.value("window.reached ?? null"), null);
      assert.equal(await browser.value("document.querySelectorAll('img, iframe, object, [onclick], [onerror], body script').length"), 0);
      const inject = "(() => { try { document.body.innerHTML = '<b>'; return false; } catch { return true; } })()";
      assert.equal(await browser.value(inject), true);
      const request = "fetch('https://example.com/').then(() => false, () => true)";
      assert.equal(await browser.value(request), true);
      browser.complaints.length = 0;
      browser.requests.length = 0;
      for (const language of ["nl", "fr", "it", "pt", "ru", "en"]) {
        await browser.value(`(() => { const select = document.querySelector('#language'); select.value = '${language}'; select.dispatchEvent(new Event('change')); })()`);
        await browser.until(`document.documentElement.lang === '${language}' && document.querySelector('.tab')`);
        assert.doesNotMatch(await browser.text("body"), /undefined|\{\}/);
      }
    });

    test("every view can be used by everybody", { skip: existsSync(AXE) ? false : "no axe-core" }, async () => {
      await withSample(browser, "mistakes");
      await browser.value(readFileSync(AXE, "utf8") + ";1");
      const look = async (place) => {
        await browser.still();
        const found = await browser.value("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120) + ' ' + (node.any[0]?.message ?? '')).slice(0, 3).join(' | ')}`))");
        assert.deepEqual(found, [], place);
      };
      for (const theme of ["light", "dark"]) {
        await browser.value(`document.documentElement.style.colorScheme = '${theme}'`);
        await view(browser, "open");
        await look(`open, ${theme}`);
        await view(browser, "check");
        await browser.value("document.querySelector('.diagnostic').click()");
        await browser.click("#repair");
        await browser.until("document.querySelector('.repair .difference')");
        await look(`check, ${theme}`);
        await view(browser, "games");
        if (await browser.value("!document.querySelector('.games').classList.contains('detail-open')")) {
          await look(`list of games, ${theme}`);
          await browser.click(".game[role=option]");
        }
        await browser.until("document.querySelector('#moves .row')");
        await look(`games, ${theme}`);
        await view(browser, "analyse");
        await browser.click("#engine");
        await browser.until("document.querySelector('#lines li')");
        await look(`analyse, ${theme}`);
        await browser.click("#engine");
        await view(browser, "collection");
        for (const [page, shown] of [["openings", "#moves-of-openings"], ["statistics", "#facts-of-all"], ["players", "#players"]]) {
          await browser.click(`[data-page="${page}"]`);
          await browser.until(`document.querySelector('${shown}')`);
          await look(`${page}, ${theme}`);
        }
      }
    });

    test("what was open last is offered again, also without a connection", async () => {
      await withSample(browser, "annotated");
      await browser.until("navigator.serviceWorker.controller");
      await browser.call("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
      await browser.open(`${server.address}/index.html#open`);
      await browser.until("document.querySelector('.tab')");
      await browser.call("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
      await browser.click("#open-last");
      await browser.until("document.querySelectorAll('.files li').length === 1 && document.querySelector('#progress').hidden");
    });
  });
}

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(existsSync(findBrowser()));
});
