// The viewer in a real browser: as its sources and as one file, with games of a report and with PDN.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Browser, WEB, findBrowser, serve } from "../../app/test/browser.mjs";
import { nativeCalls, packageAt } from "../../app/test/native.mjs";
import { viewer } from "../build.mjs";

const PROGRAM = process.env.PDN_BINARY ?? join(WEB, "../target/debug/pdn");
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; require-trusted-types-for 'script'";
/** The most that the viewer may weigh, compressed with gzip. */
const LARGEST = 60_000;

const GAMES = `[Event "Cup <b>"]
[White "Anna"]
[Black "<img src=x onerror=alert(1)>"]
[Result "2-0"]
[GameType "20"]

1. 32-28 {[%eval 0.10]} 19-23 {[%eval 0.12]} 2. 28x19 {[%eval 0.11]} 14x23 $4 {[%eval 0.90] </script><b>} (2... 13x24 {[%eval 0.1]}) *

[White "Clara"]
[Black "Daan"]
[GameType "20"]

1. 31-27 20-24 *
`;

let server;
const calls = nativeCalls();
const pages = {};
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

before(async () => {
  const script = await viewer();
  const answer = (type, content) => (request, response) => {
    response.writeHead(200, { "content-type": type, "content-security-policy": POLICY });
    response.end(typeof content === "function" ? content() : content);
  };
  const handlers = { api: calls.api, "/games.pdn": answer("text/plain", GAMES), "/one/pdn-viewer.js": answer("text/javascript", script) };
  const named = GAMES.replace("Anna", "René");
  const files = { "latin.pdn": Buffer.from(named, "latin1"), "wide.pdn": Buffer.from(`\ufeff${named}`, "utf16le"), "games.pdn.gz": gzipSync(named) };
  for (const [name, content] of Object.entries(files)) handlers[`/${name}`] = answer("application/octet-stream", content);
  for (const name of ["sources", "one"]) {
    const address = name === "one" ? "/one/pdn-viewer.js" : "/viewer/viewer.js";
    handlers[`/${name}.html`] = answer("text/html", () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><script type="module" src="${address}"></script>
      <link rel="icon" href="data:,">${pages.body}</html>`);
  }
  server = await serve({ "/viewer/": join(WEB, "viewer"), "/app/": join(WEB, "app"), ...packageAt("/viewer/pdn/"), ...packageAt("/one/pdn/") }, handlers);
});
after(async () => {
  server?.close();
  await calls.stop();
});

const shadow = (id, selector) => `document.getElementById('${id}')?.shadowRoot?.querySelector(${JSON.stringify(selector)})`;

test("the viewer is small", async () => {
  assert.ok(gzipSync(await viewer()).length < LARGEST);
});

for (const [name, size] of [["sources", { width: 1200, height: 900 }], ["one", { width: 1200, height: 900 }], ["one", { width: 390, height: 844, mobile: true }]]) {
  describe(`${name}, ${size.width} wide`, { skip: findBrowser() ? false : "no browser" }, () => {
    let browser;
    before(async () => { browser = await Browser.start(size); });
    after(() => browser?.stop());

    const open = async (body) => {
      pages.body = body;
      await browser.open(`${server.address}/${name}.html`);
    };
    const isQuiet = () => {
      assert.deepEqual(browser.complaints.filter((words) => !/data:,/.test(words)), []);
      assert.deepEqual(browser.requests.filter((address) => !address.startsWith(server.address) && !address.startsWith("data:")), []);
    };

    test("two viewers show PDN, in two languages, with links and events", async () => {
      await open(`<pdn-viewer id="a" src="games.pdn" game="1" ply="3"></pdn-viewer>
        <pdn-viewer id="b" lang="nl" game="2">${escaped(GAMES)}</pdn-viewer><a id="link" href="#b/1/4.1.1">variation</a>`);
      await browser.until(`${shadow("a", ".status")}?.textContent.includes('28x19') && ${shadow("b", ".status")}?.textContent.includes('Wit aan zet')`);
      assert.equal(await browser.value(`${shadow("a", "select")}.options.length`), 2);
      await browser.value("document.addEventListener('pdn-move', (event) => { window.last = event.detail; })");
      await browser.value("document.getElementById('link').click()");
      await browser.until(`${shadow("b", ".status")}.textContent.includes('13x24')`);
      assert.equal(await browser.value("window.last.address"), "4.1.1");
      await browser.value(`${shadow("a", "[aria-label='Next move']")}.click()`);
      await browser.until(`${shadow("a", ".status")}.textContent.includes('Blunder')`);
      await browser.value("document.getElementById('a').setAttribute('game', '2')");
      await browser.until(`${shadow("a", ".player")} && ${shadow("a", ".status")}.textContent.includes('White to move')`);
      assert.ok(await browser.value("document.documentElement.scrollWidth <= innerWidth"));
      isQuiet();
    });

    test("the blocks of a report need no package, and nothing in them is run", async () => {
      const report = spawnSync(PROGRAM, ["report", "-"], { input: GAMES, encoding: "utf8" }).stdout;
      const blocks = report.match(/<script type="application\/json" class="(board|game)">[^<]*<\/script>/g).join("\n");
      browser.requests.length = 0;
      await open(`<pdn-viewer id="a" ply="4">${blocks}</pdn-viewer>`);
      await browser.until(`${shadow("a", ".status")}?.textContent.includes('14x23')`);
      assert.equal(await browser.value(`${shadow("a", ".comment")}.textContent`), "</script><b>");
      assert.equal(await browser.value("document.getElementById('a').shadowRoot.querySelectorAll('img, b, script').length"), 0);
      assert.ok(!browser.requests.some((address) => address.endsWith("pdn.js")));
      await browser.value("document.getElementById('a').flip()");
      await browser.until("document.getElementById('a').shadowRoot.querySelector('.flipped')");
      isQuiet();
    });

    test("files have any encoding, and may be compressed", async () => {
      await open(["latin.pdn", "wide.pdn", "games.pdn.gz"].map((file, n) => `<pdn-viewer id="v${n}" src="${file}"></pdn-viewer>`).join(""));
      for (const n of [0, 1, 2]) await browser.until(`${shadow(`v${n}`, ".viewer")}?.textContent.includes('René')`);
      isQuiet();
    });

    test("what cannot be read is reported", async () => {
      await open("<pdn-viewer id=\"a\" src=\"missing.pdn\"></pdn-viewer>");
      await browser.until(`${shadow("a", "[role=alert]")}?.textContent.includes('404')`);
    });
  });
}
