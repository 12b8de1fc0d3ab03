// What leaves the application and what comes in, and what it keeps: links, pictures, shared files, tabs, and visits without a connection.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { isBuilt, nativeCalls, packageAt } from "./native.mjs";

const GAME = `[Event "Club"]\n[White "Anna"]\n[Black "Zoë"]\n[Result "*"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n`;

describe("sharing", { skip: findBrowser() ? false : "no browser" }, () => {
  let browser;
  let server;
  const calls = nativeCalls();
  before(async () => {
    server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/") }, { api: calls.api });
    browser = await Browser.start();
  });
  after(async () => {
    await browser?.stop();
    server?.close();
    await calls.stop();
  });

  const isQuiet = () => assert.deepEqual(browser.complaints, []);
  const withGame = async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["club.pdn", GAME]]);
    await browser.opened();
    await browser.until("document.querySelector('#legal-moves option')");
  };
  const shows = (words) => browser.until(`document.querySelector('.status strong')?.innerText.startsWith(${JSON.stringify(words)})`);

  test("a link contains the game, and leads to its move", async () => {
    await withGame();
    await browser.click("#next");
    await browser.click("#next");
    await browser.click("#share");
    await browser.until("document.querySelector('#share-link')");
    const link = await browser.value("document.querySelector('#share-link').value");
    assert.match(link, /#record\/[\w-]+\/2$/);
    await browser.open(link);
    await shows("1… 19-23");
    assert.match(await browser.text(".player .name"), /Zoë/);
    const { content } = await browser.download(() => browser.click("#save-game"));
    assert.equal(content.trim(), GAME.trim());
    isQuiet();
  });

  test("the way back from a link leads to the page before it, and a link without its end says so", async () => {
    await withGame();
    await browser.click("#share");
    await browser.until("document.querySelector('#share-link')");
    const link = await browser.value("document.querySelector('#share-link').value");
    await browser.open(link);
    await browser.until("location.hash.startsWith('#games/shared.pdn')");
    await browser.value("history.back()");
    await browser.until("location.hash.startsWith('#games/club.pdn')");
    for (const cut of [link.slice(0, -20), link.replace(/record.*/, "record/")]) {
      await browser.open(cut);
      await browser.until("document.querySelector('#failure').innerText.includes('The link is incomplete') && document.querySelector('.view.open:not([hidden])')");
      assert.equal(await browser.value("location.hash"), "#open");
    }
    isQuiet();
  });

  test("games of several encodings leave with their letters", async () => {
    const game = (white, black) => `[Event "Open"]\n[White "${white}"]\n[Black "${black}"]\n[Result "2-0"]\n[GameType "20"]\n\n1. 32-28 19-23 2-0\n`;
    const polish = { Ż: 0xaf, ó: 0xf3, ł: 0xb3, Ł: 0xa3, ś: 0x9c };
    const cp1250 = (words) => Buffer.from(Array.from(words, (letter) => polish[letter] ?? letter.charCodeAt(0)));
    const files = [["club.pdn", GAME], ["latin.pdn", Buffer.from(game("René François", "André"), "latin1")],
      ["pl.pdn", cp1250(`${game("Żółkiewski Łukasz", "?")}\n${game("Jaś", "Jan")}`)], ["wide.pdn", Buffer.from(`\ufeff${game("Zoë", "Šarūnas")}`, "utf16le")]];
    const names = ["Anna", "René François", "André", "Żółkiewski Łukasz", "Jaś", "Zoë", "Šarūnas"];
    const isWhole = ({ bytes }) => {
      const words = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      for (const name of names) assert.ok(words.includes(`"${name}"]`), `${name} in ${words}`);
      assert.ok(!words.includes("\0"));
      return words;
    };
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose(files);
    await browser.opened(4);
    const list = isWhole(await browser.download(() => browser.click("#save-list")));
    assert.ok(list.startsWith(GAME), "the bytes of a game in UTF-8 stay");
    await browser.click("[data-view=collection]");
    await browser.click("[data-page=tournament]");
    await browser.until("/Jaś/.test(document.querySelector('.collection').innerText)");
    assert.match(await browser.text(".collection"), /René François[^]*Żółkiewski Łukasz|Żółkiewski Łukasz[^]*René François/);
    // Alone, this game would be read in another encoding.
    await browser.value("location.hash = '#games/pl.pdn/2/1'");
    await browser.until("document.querySelector('.left').innerText.includes('Jaś')");
    const saved = await browser.download(() => browser.click("#save-game"));
    assert.match(saved.content, /"Jaś"/);
    await browser.value("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (words) => { window.copied = words; } } })");
    await browser.click("#share");
    await browser.click("[data-share=sharePdn]");
    await browser.until("window.copied?.includes('\"Jaś\"')");
    await browser.open(await browser.value("document.querySelector('#share-link').value"));
    await browser.until("location.hash.startsWith('#games/shared.pdn')");
    assert.match(await browser.text(".left"), /Jaś/);
    isQuiet();
  });

  /** Opens three games that differ in their players. */
  const withThree = async () => {
    const three = ["Anna", "Olga", "Ewa"].map((white) => GAME.replace("Anna", white)).join("\n");
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["three.pdn", three]]);
    await browser.opened();
    return three;
  };
  const showsGame = async (number, white) => {
    await browser.value(`location.hash = '#games/three.pdn/${number}/1'`);
    await browser.until(`document.querySelector('.left').innerText.includes('${white}')`);
    await browser.idle();
  };
  const files = () => browser.value("[...document.querySelectorAll('.files li')].map((item) => [...item.children].slice(0, 2).map((node) => node.textContent))");

  test("a file is read again to its end after a change, whatever is done meanwhile", async () => {
    for (const meanwhile of [() => browser.value("document.querySelector('#cancel').click()"), () => browser.choose([["other.pdn", GAME]])]) {
      const three = await withThree();
      await browser.fill("#comment", "a comment that is longer than the tags of a game ".repeat(9));
      await browser.press("Tab");
      await browser.until("!document.querySelector('#undo').hidden");
      await showsGame(3, "Ewa");
      await browser.hold("reportRows");
      await browser.value("document.querySelector('#undo').click()");
      await browser.until("window.held.reportRows");
      await meanwhile();
      // An edit waits for it.
      await browser.value("document.querySelector('[data-nag=\"1\"]').click()");
      await browser.release("reportRows");
      await browser.until("/: Mark$/.test(document.querySelector('#undo').title)");
      await browser.still();
      await browser.click("[data-view=check]");
      await browser.click("#save-files");
      const { content } = await browser.download(() => browser.click("dialog .button.strong"));
      assert.equal(content, three.replace(/(.*)32-28/s, "$132-28!"));
      await showsGame(2, "Olga");
      await showsGame(3, "Ewa");
    }
    isQuiet();
  });

  test("files are read to their end while others are opened and games are searched", async () => {
    await withGame();
    await browser.click("[data-view=games]");
    await browser.value("document.querySelector('details.more').open = true");
    await browser.hold("reportRows");
    await browser.choose([["first.pdn", GAME]]);
    await browser.until("window.held.reportRows");
    await browser.choose([["second.pdn", GAME]]);
    await browser.fill("#where", "white = \"Anna\"");
    await browser.press("Enter");
    await browser.release("reportRows");
    await browser.until("/^3 games/.test(document.querySelector('#count').innerText) && document.querySelector('#progress').hidden");
    assert.deepEqual((await files()).map(([name, state]) => [name, /^1 game ·/.test(state)]), [["club.pdn", true], ["first.pdn", true], ["second.pdn", true]]);
    // Only the user stops that, and the file says so.
    await browser.hold("reportRows");
    await browser.choose([["third.pdn", GAME]]);
    await browser.until("window.held.reportRows");
    await browser.click("#cancel");
    await browser.release("reportRows");
    await browser.until("document.querySelector('#progress').hidden");
    assert.deepEqual((await files()).at(-1), ["third.pdn", "Cancelled: this file was not read"]);
    isQuiet();
  });

  test("repairs replace no file that has changed since they were shown", async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["wrong.pdn", GAME.replace("[Result", "[Date \"1995.1.2\"]\n[Result")]]);
    await browser.opened();
    await browser.click("[data-view=check]");
    await browser.click("#repair-all");
    await browser.until("document.querySelector('dialog .difference')");
    // A game against the engine goes on, for example.
    await browser.value("import('./store.js').then(({ store }) => store.edit(store.games[0], [{ comment: { at: '2', text: 'late' } }], 'comment'))");
    await browser.click("dialog .button.strong");
    await browser.until("document.querySelector('#undo').title.includes('omment')");
    await browser.until("document.querySelector('dialog .difference')");
    await browser.click("dialog .button.strong");
    await browser.until("/Repair/.test(document.querySelector('#undo').title)");
    await browser.still();
    await browser.click("#save-files");
    const { content } = await browser.download(() => browser.click("dialog .button.strong"));
    assert.match(content, /1995\.01\.02[^]*\{late\}/);
    isQuiet();
  });

  test("the board is saved as SVG and as PNG", async () => {
    await withGame();
    await browser.click("#share");
    const svg = await browser.download(() => browser.click("[data-share=shareSvg]"));
    assert.match(svg.name, /\.svg$/);
    assert.match(svg.content, /^<svg [^]*<\/svg>$/);
    assert.doesNotMatch(svg.content, /class=|var\(|url\((?!#)/);
    // It looks the same alone: a man on square 31, the dark square below it, and its number.
    const colours = await browser.value(`(async () => { const image = new Image(); image.src = 'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(svg.content)});
      await image.decode(); const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1000; const context = canvas.getContext('2d', { willReadFrequently: true }); context.drawImage(image, 0, 0);
      return [[150, 650], [150, 550], [50, 550]].map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3).reduce((sum, value) => sum + value)); })()`);
    assert.ok(colours[0] > 600 && colours[2] < 480 && colours[1] > 600, `${colours}`);
    const png = await browser.download(() => browser.click("[data-share=sharePng]"));
    assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    isQuiet();
  });

  test("the game is saved as an animated GIF", async () => {
    await withGame();
    await browser.click("#next");
    await browser.click("#share");
    const gif = await browser.download(() => browser.click("[data-share=shareGif]"));
    assert.equal(gif.name, "game-1.gif");
    // Its positions are those of the game, and the browser reads them: the man that left square 32 stands on 28, and then on 19.
    const frames = await browser.value(`(async () => { const bytes = Uint8Array.from(atob(${JSON.stringify(gif.bytes.toString("base64"))}), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type: 'image/gif' }); await decoder.tracks.ready; const { frameCount, repetitionCount } = decoder.tracks.selectedTrack; const seen = [];
      for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) { const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight); const context = canvas.getContext('2d', { willReadFrequently: true }); context.drawImage(image, 0, 0);
        seen.push([image.duration / 1e6, canvas.width, canvas.height, ...[[140, 260], [180, 220], [260, 140]].map(([x, y]) => context.getImageData(x, y, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part) > 600 ? 'w' : '.')]); }
      return [repetitionCount === Infinity, seen]; })()`);
    assert.deepEqual(frames, [true, [
      [1, 400, 400, "w", ".", "."], [1, 400, 400, ".", "w", "."], [1, 400, 400, ".", "w", "."], [1, 400, 400, ".", ".", "w"], [3, 400, 400, ".", ".", "."],
    ]]);
    assert.equal(await browser.value("document.querySelectorAll('.board.unseen').length"), 0);
    isQuiet();
  });

  test("files that another application shares are opened", async () => {
    await withGame();
    await browser.until("navigator.serviceWorker.controller");
    const manifest = JSON.parse(await readFile(join(WEB, "app/manifest.webmanifest"), "utf8"));
    const { action, params } = manifest.share_target;
    const field = params.files[0].name;
    const path = await browser.value(`(async () => { const form = new FormData(); form.append('${field}', new File([${JSON.stringify(GAME)}], 'from mail.pdn')); form.append('${params.text}', '');
      const answer = await fetch('${action}', { method: 'POST', body: form }); return new URL(answer.url).pathname; })()`);
    assert.equal(path, "/index.html");
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('.files .name')?.innerText === 'from mail.pdn' && document.querySelector('#moves .row')");
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#open-last')");
    assert.equal(await browser.value("document.querySelectorAll('.files li').length"), 0);
    isQuiet();
  });

  test("two tabs keep their own files", async () => {
    await withGame();
    const first = browser.session;
    const { targetId } = await browser.call("Target.createTarget", { url: "about:blank" });
    browser.session = undefined;
    browser.session = (await browser.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "DOM"]) await browser.call(`${domain}.enable`);
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["other.pdn", GAME.replace("Anna", "Olga")]]);
    await browser.opened();
    await browser.until("/^#games\\/other/.test(location.hash)");
    browser.session = first;
    await browser.call("Page.bringToFront");
    await browser.call("Page.reload");
    await browser.until("/Anna/.test(document.querySelector('.left').innerText)");
    assert.match(await browser.value("location.hash"), /^#games\/club.pdn\/1/);
    isQuiet();
  });

  test("the engine works offline after one visit", { skip: !isBuilt && "the package is not built" }, async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("navigator.serviceWorker.controller && caches.keys().then((names) => names.length > 0)");
    await browser.until("(async () => { for (const name of await caches.keys()) if (await (await caches.open(name)).match('pdn/data/turkish.pdnw')) return true; return false; })()");
    server.close();
    await browser.call("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["end.pdn", "[Event \"?\"]\n[Result \"*\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:WK10,K11:BK2\"]\n\n*\n"]]);
    await browser.opened();
    await browser.until("document.querySelector('#legal-moves option')");
    await browser.click("#engine");
    await browser.until("/Endgame database: White wins/.test(document.querySelector('#best-line').innerText)");
  });
});

test("the walks were with a browser", { skip: process.env.PDN_REQUIRE_BROWSER !== "1" && "a browser is not required" }, () => {
  assert.ok(findBrowser());
});
