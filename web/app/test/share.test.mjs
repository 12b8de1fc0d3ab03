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
