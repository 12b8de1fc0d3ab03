// Five walks of people who have a browser and nothing else. `PDN_PICTURES=docs` writes the pictures of docs/app.md.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, WEB, findBrowser, serve } from "./browser.mjs";
import { nativeCalls, packageAt } from "./native.mjs";
import { viewer } from "../../viewer/build.mjs";

const GAMES = readFileSync(join(WEB, "../samples/games/international.pdn"), "utf8");

/** A record with a date in another form, and with a letter in place of a digit. */
const CLUB_RECORD = `[Event "Club evening"]
[Date "25/12/2025"]
[White "Anna"]
[Black "Bram"]
[Result "*"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 3. 37-32 l0-14 4. 41-37 14-19 *
`;

/** The page of a club, with a game. */
const CLUB = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Club</title>
<link rel="icon" href="data:,"><script type="module" src="pdn-viewer.js"></script><h1>Game of the week</h1>
<p>White found <a href="#week/1/9">the exchange</a> at once.</p><pdn-viewer id="week" src="games.pdn" game="1" ply="8"></pdn-viewer></html>`;

describe("walks", { skip: findBrowser() ? false : "no browser" }, () => {
  let browser;
  let server;
  const calls = nativeCalls();

  before(async () => {
    const script = await viewer();
    const answer = (type, content) => (_, response) => response.writeHead(200, { "content-type": type }).end(content);
    server = await serve({ "/": join(WEB, "app"), ...packageAt("/pdn/"), ...packageAt("/club/pdn/") }, {
      api: calls.api, "/club/page.html": answer("text/html", CLUB), "/club/games.pdn": answer("text/plain", GAMES),
      "/club/pdn-viewer.js": answer("text/javascript", script),
    });
    browser = await Browser.start({ width: 1240, height: 760 });
  });
  after(async () => {
    await browser?.stop();
    server?.close();
    await calls.stop();
  });

  const view = (name) => browser.click(`[data-view="${name}"]`);
  const ends = async (name) => {
    const folder = process.env.PDN_PICTURES;
    if (folder) await browser.picture(join(folder, `app-${name}.png`), 0.56);
    assert.deepEqual(browser.complaints, []);
    assert.ok(browser.requests.every((address) => address.startsWith(server.address) || /^(blob|data):/.test(address)), browser.requests.join(" "));
  };

  test("a file is repaired, but for one repair, and saved", async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["club.pdn", CLUB_RECORD]]);
    await browser.opened();
    await view("check");
    await browser.until("document.querySelectorAll('.diagnostic').length === 3");
    await browser.value("[...document.querySelectorAll('.diagnostic')].find((row) => row.innerText.includes('l0-14')).click()");
    await browser.click("#repair");
    await browser.until("document.querySelectorAll('.choices-of-repairs input').length > 1");
    const visible = "[...document.querySelectorAll('.repair ins')].filter((node) => node.offsetParent).length";
    const before = await browser.value(visible);
    await browser.value("[...document.querySelectorAll('.choices-of-repairs li')].find((item) => item.innerText.includes('25/12/2025')).querySelector('input').click()");
    assert.ok(await browser.value(visible) < before);
    await ends("check");
    await browser.click("#apply-repair");
    await browser.until("document.querySelectorAll('.diagnostic').length === 1");
    await browser.click("#save-files");
    await browser.until("document.querySelector('dialog ins')");
    const { content } = await browser.download(() => browser.value("document.querySelector('dialog .button.strong').click()"));
    assert.equal(content, CLUB_RECORD.replace("l0-14", "10-14"));
    await browser.click("#undo");
    await browser.until("document.querySelectorAll('.diagnostic').length === 3");
  });

  test("the worst moves of a game are found, and a better one is played", async () => {
    await browser.openSample(server.address, "annotated");
    await view("games");
    await browser.value("(() => { const select = [...document.querySelectorAll('.filters select')][1]; select.value = 'blunders'; select.dispatchEvent(new Event('change')); })()");
    await browser.until("document.querySelector('#progress').hidden && document.querySelector('.game[role=option]')");
    await browser.click(".game[role=option]");
    const blunder = "[...document.querySelectorAll('#moves .row .move')].find((move) => move.querySelector('.marks')?.textContent === '??')";
    await browser.until(blunder);
    await browser.value(`${blunder}.click()`);
    await browser.until(`${blunder}.hasAttribute('aria-current')`);
    const played = await browser.value(`${blunder}.querySelector('bdi').textContent`);
    await browser.value("document.querySelector('#board').focus()");
    await browser.press("ArrowLeft");
    await browser.until(`!${blunder}.hasAttribute('aria-current') && document.querySelector('#legal-moves option')`);
    const own = await browser.value(`[...document.querySelectorAll('#legal-moves option')].map((option) => option.value).find((move) => move !== '${played}')`);
    await browser.fill("#typed-move", own);
    await browser.press("Enter");
    await browser.until("document.querySelector('#tried .move[aria-current]')");
    await browser.click("#tried .keep");
    await browser.until("document.querySelector('#moves .variation .move[aria-current]')");
    await browser.fill("#comment", "Better.");
    await browser.value("document.querySelector('#comment').blur()");
    await browser.until("document.querySelector('.variation .comment')?.textContent.includes('Better.')");
    await ends("games");
  });

  test("a game is embedded in a page", async () => {
    const inside = (selector) => `document.querySelector('#week')?.shadowRoot?.querySelector(${JSON.stringify(selector)})`;
    await browser.open(`${server.address}/club/page.html`);
    await browser.until(`${inside(".status strong")}?.textContent.startsWith('4')`);
    const ply = await browser.value(`${inside(".status strong")}.textContent`);
    await browser.value("document.querySelector('a').click()");
    await browser.until(`${inside(".status strong")}.textContent !== ${JSON.stringify(ply)}`);
    await ends("viewer");
  });

  test("a position is found in 20,000 games", async () => {
    const [first] = GAMES.split("\n\n[Event");
    const others = GAMES.slice(first.length + 2).trimEnd();
    const many = `${`${others}\n\n`.repeat(Math.ceil(20_000 / 7)).split("\n\n[Event").slice(0, 19_999).join("\n\n[Event")}\n\n${first}\n`;
    await browser.open(`${server.address}/index.html#open`);
    await browser.until("document.querySelector('#chooser')");
    await browser.choose([["many.pdn", many]]);
    await browser.opened();
    await view("games");
    await browser.until("document.querySelector('#count').innerText.startsWith('20,000')");
    await browser.value("document.querySelector('#game-list').focus()");
    await browser.press("End");
    await browser.press("Enter");
    await browser.until("document.querySelector('#moves .row')");
    await browser.idle();
    await browser.value("document.querySelector('#board').focus()");
    for (let ply = 0; ply < 24; ply += 1) await browser.press("ArrowRight");
    await browser.until("document.querySelector('.status strong')?.innerText.startsWith('12…')");
    await browser.value("document.querySelector('details.more').open = true");
    await browser.click("#position-search");
    await browser.until("document.querySelector('dialog .set-up')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("/^\\d+ of 20,000/.test(document.querySelector('#count').innerText) && document.querySelector('#progress').hidden");
    await ends("search");
    const found = await browser.text("#count");
    assert.match(found, /^1 of 20,000/);
  });

  test("somebody plays against the engine", async () => {
    await browser.open(`${server.address}/index.html#open`);
    await browser.click("#play-engine");
    await browser.until("document.querySelectorAll('#play-form option').length > 20");
    await browser.click("#play-new");
    await browser.until("document.querySelector('#turn').innerText === 'Your move'");
    for (const [number, move] of [[1, "32-28"], [2, "37-32"], [3, "41-37"]]) {
      await browser.until("document.querySelector('#legal-moves option')");
      const moves = await browser.value("[...document.querySelectorAll('#legal-moves option')].map((option) => option.value)");
      await browser.fill("#typed-move", moves.includes(move) ? move : moves[0]);
      await browser.press("Enter");
      await browser.until(`document.querySelector('.status strong')?.innerText.startsWith('${number}…')`);
    }
    await browser.click("#engine");
    await browser.until("document.querySelector('#lines li')");
    await browser.value("document.querySelector('.analyse').scrollTop = 0");
    await ends("play");
    await browser.click("#engine");
  });
});
