// The application as `pdn serve` serves it, with a folder of records and the native engine.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, WEB, findBrowser } from "./browser.mjs";
import { PROGRAM, startServer } from "./native.mjs";

const SAMPLE = join(WEB, "app/samples/mistakes.pdn");

describe("serve", { skip: findBrowser() ? false : "no browser" }, () => {
  let browser;
  let folder;
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pdn-served-"));
    await mkdir(join(folder, "club"));
    await writeFile(join(folder, "club/mistakes.pdn"), await readFile(SAMPLE));
    const games = await readFile(join(WEB, "../samples/games/international.pdn"), "utf8");
    const [first] = games.split("\n\n[Event");
    const others = games.slice(first.length + 2).trimEnd();
    await writeFile(join(folder, "many.pdn"), `${Array(2858).fill(others).join("\n\n")}\n\n${first}\n`);
    server = await startServer("--write", folder);
    browser = await Browser.start({ width: 1180, height: 760 });
  });
  after(async () => {
    await browser?.stop();
    assert.equal(await server?.stop(), 130);
    await rm(folder, { recursive: true, force: true });
  });

  const view = (name) => browser.click(`[data-view="${name}"]`);
  const isQuiet = () => {
    assert.deepEqual(browser.complaints, []);
    assert.ok(browser.requests.every((address) => address.startsWith(server.address) || /^(blob|data):/.test(address)), browser.requests.join(" "));
  };
  const openFile = async (path) => {
    await browser.open(server.url);
    await browser.click(`[data-path="${path}"] button`);
    await browser.opened();
  };

  test("a file of the folder is repaired and saved", async () => {
    await openFile("club/mistakes.pdn");
    assert.equal(await browser.value("location.search"), "", "the token is not in the address");
    await view("check");
    await browser.until("document.querySelectorAll('.diagnostic').length === 10");
    await browser.click("#repair-all");
    await browser.until("document.querySelector('dialog .difference')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("document.querySelectorAll('.diagnostic').length < 10 && document.querySelector('#progress').hidden");
    await browser.click("#save-files");
    await browser.until("document.querySelector('dialog .difference')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("document.querySelector('#announcer').textContent.includes('club/mistakes.pdn')");
    const repaired = spawnSync(PROGRAM, ["fmt", "--fix", "--only-repairs", SAMPLE], { encoding: "utf8" }).stdout;
    const saved = () => readFile(join(folder, "club/mistakes.pdn"), "utf8");
    assert.equal(await saved(), repaired);
    // What is undone after it was saved differs from what the folder has, and is saved again.
    const asked = "(() => { const event = new Event('beforeunload', { cancelable: true }); window.dispatchEvent(event); return event.defaultPrevented; })()";
    assert.equal(await browser.value(asked), false);
    await browser.click("#undo");
    await browser.until("document.querySelectorAll('.diagnostic').length === 10 && document.querySelector('#progress').hidden");
    assert.equal(await browser.value(asked), true);
    await browser.value("document.querySelector('#announcer').textContent = ''");
    await browser.click("#save-files");
    await browser.click("dialog .button.strong");
    await browser.until("document.querySelector('#announcer').textContent.includes('club/mistakes.pdn')");
    assert.equal(await saved(), await readFile(SAMPLE, "utf8"));
    isQuiet();
  });

  test("a file that changed on the disk is not overwritten", async () => {
    await writeFile(join(folder, "club/mistakes.pdn"), await readFile(SAMPLE));
    await openFile("club/mistakes.pdn");
    await view("check");
    await browser.until("document.querySelectorAll('.diagnostic').length === 10");
    await browser.click("#repair-all");
    await browser.until("document.querySelector('dialog .difference')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("document.querySelectorAll('.diagnostic').length < 10 && document.querySelector('#progress').hidden");
    const before = await readFile(join(folder, "club/mistakes.pdn"), "utf8");
    const other = Buffer.from(`[Event "Of somebody else"]\n[White "Ren\xe9e"]\n\n1. 32-28 *\n\n${before}`, "latin1");
    await writeFile(join(folder, "club/mistakes.pdn"), other);
    const saveAnyway = async () => {
      await browser.click("#save-files");
      await browser.until("document.querySelector('dialog .difference')");
      await browser.value("document.querySelector('dialog .button.strong').click()");
      await browser.until("document.querySelectorAll('dialog pre.version').length === 2");
    };
    await saveAnyway();
    assert.match(await browser.value("document.querySelector('dialog').innerText"), /line 1\b[^]*On the disk[^]*somebody else[^]*Renée/);
    await browser.value("document.querySelector('dialog').close()");
    assert.deepEqual(await readFile(join(folder, "club/mistakes.pdn")), other);
    await saveAnyway();
    await browser.value("[...document.querySelectorAll('dialog .button')].find((one) => one.innerText.startsWith('Save yours')).click()");
    await browser.until("/mistakes.own.pdn/.test(document.querySelector('#announcer').textContent)");
    assert.deepEqual(await readFile(join(folder, "club/mistakes.pdn")), other);
    assert.notEqual(await readFile(join(folder, "club/mistakes.own.pdn"), "utf8"), before);
    await rm(join(folder, "club/mistakes.own.pdn"));
    // The browser logs each answer that is a refusal.
    browser.complaints.length = 0;
  });

  test("a file that is gone is saved under another name, and others after it", async () => {
    await writeFile(join(folder, "club/mistakes.pdn"), await readFile(SAMPLE));
    await writeFile(join(folder, "club/other.pdn"), await readFile(SAMPLE));
    await openFile("club/mistakes.pdn");
    await view("open");
    await browser.click('[data-path="club/other.pdn"] button');
    await browser.opened(2);
    await view("check");
    await browser.until("document.querySelectorAll('.diagnostic').length > 10");
    await browser.click("#repair-all");
    await browser.until("document.querySelector('dialog .difference')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("!document.querySelector('dialog') && document.querySelector('#progress').hidden");
    await rm(join(folder, "club/mistakes.pdn"));
    await browser.click("#save-files");
    await browser.until("document.querySelector('dialog .difference')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("document.querySelector('#announcer').textContent.includes('club/other.pdn')");
    const repaired = await readFile(join(folder, "club/other.pdn"), "utf8");
    assert.notEqual(repaired, await readFile(SAMPLE, "utf8"));
    assert.equal(await readFile(join(folder, "club/mistakes.own.pdn"), "utf8"), repaired);
    for (const name of ["mistakes.own.pdn", "other.pdn"]) await rm(join(folder, "club", name));
    browser.complaints.length = 0;
  });

  test("a file that changed on the disk can be opened again", async () => {
    await writeFile(join(folder, "club/mistakes.pdn"), await readFile(SAMPLE));
    await openFile("club/mistakes.pdn");
    await writeFile(join(folder, "club/mistakes.pdn"), `${await readFile(SAMPLE, "utf8")}\n`);
    await view("open");
    await browser.until("/changed on the disk/.test(document.querySelector('[data-path=\"club/mistakes.pdn\"]').innerText)");
    await browser.click("[data-path='club/mistakes.pdn'] button");
    await browser.opened();
    browser.complaints.length = 0;
  });

  test("a file is saved in the folder after the page was loaded again", async () => {
    await writeFile(join(folder, "club/mistakes.pdn"), await readFile(SAMPLE));
    await openFile("club/mistakes.pdn");
    const reload = async () => {
      await browser.value("window.isLeft = true");
      await browser.call("Page.reload");
      await browser.until("!window.isLeft && document.querySelector('#moves .row') && document.querySelector('#progress').hidden");
      await browser.idle();
    };
    const changeAndSave = async (comment) => {
      await view("games");
      await browser.fill("#comment", comment);
      await browser.press("Tab");
      await browser.until("!document.querySelector('#undo').hidden");
      await view("check");
      await browser.click("#save-files");
      await browser.click("dialog .button.strong");
    };
    const saved = () => readFile(join(folder, "club/mistakes.pdn"), "utf8");
    await reload();
    await changeAndSave("after a reload");
    await browser.until("document.querySelector('#announcer').textContent.includes('club/mistakes.pdn')");
    assert.match(await saved(), /\{after a reload\}/);
    // What was not saved is kept too; another version on the disk is seen, and does not replace what was open.
    await view("games");
    await browser.fill("#comment", "not saved");
    await browser.press("Tab");
    await browser.until("document.querySelector('#moves').innerText.includes('not saved')");
    const other = `${await saved()}\n`;
    await writeFile(join(folder, "club/mistakes.pdn"), other);
    await reload();
    await browser.until("document.querySelector('#moves').innerText.includes('not saved')");
    await view("open");
    await browser.until("/changed on the disk/.test(document.querySelector('[data-path=\"club/mistakes.pdn\"]').innerText)");
    await changeAndSave("saved at last");
    await browser.until("document.querySelectorAll('dialog pre.version').length === 2");
    assert.equal(await saved(), other);
    await browser.value("document.querySelector('dialog').close()");
    browser.complaints.length = 0;
  });

  const annotateAll = async () => {
    await view("analyse");
    await browser.until("document.querySelector('#moves .row')");
    await browser.value("[['all', 1], ['10000', 2], ['2', 3]].forEach(([value, n]) => { const select = document.querySelectorAll('.panel select')[n]; select.value = value; select.dispatchEvent(new Event('change')); })");
    await browser.value("document.querySelector('#annotation').textContent = ''");
    await browser.click("#annotate");
    await browser.until("!document.querySelector('#annotate').disabled && document.querySelector('#annotation').innerText");
  };
  const annotation = () => browser.text("#annotation");
  const annotated = () => spawnSync(PROGRAM, ["annotate", "--nodes", "10000", SAMPLE], { encoding: "utf8" }).stdout;

  test("annotated games are saved beside their file", async () => {
    await writeFile(join(folder, "club/mistakes.pdn"), await readFile(SAMPLE));
    await openFile("club/mistakes.pdn");
    await view("analyse");
    await browser.until("document.querySelector('#moves .row')");
    await browser.click("#engine");
    await browser.until("document.querySelectorAll('#lines li').length === 3");
    await browser.click("#engine");
    await annotateAll();
    assert.match(await annotation(), /annotated/);
    assert.deepEqual((await readdir(join(folder, "club"))).sort(), ["mistakes.annotated.pdn", "mistakes.pdn"]);
    assert.equal(await readFile(join(folder, "club/mistakes.annotated.pdn"), "utf8"), annotated());
    assert.equal(await readFile(join(folder, "club/mistakes.pdn"), "utf8"), await readFile(SAMPLE, "utf8"));
    isQuiet();
  });

  test("annotated games replace no file that was not opened", async () => {
    await writeFile(join(folder, "club/mistakes.annotated.pdn"), "of somebody else");
    await openFile("club/mistakes.pdn");
    await annotateAll();
    assert.match(await annotation(), /annotated/);
    assert.equal(await readFile(join(folder, "club/mistakes.annotated.pdn"), "utf8"), "of somebody else");
    assert.equal(await readFile(join(folder, "club/mistakes.annotated-2.pdn"), "utf8"), annotated());
    // That file is open now: it is replaced, but not over a version that was not seen.
    await writeFile(join(folder, "club/mistakes.annotated-2.pdn"), `${annotated()}\n{ changed }\n`);
    await annotateAll();
    await browser.until("document.querySelectorAll('dialog pre.version').length === 2");
    await browser.value("document.querySelector('dialog').close()");
    assert.match(await readFile(join(folder, "club/mistakes.annotated-2.pdn"), "utf8"), /changed/);
    assert.deepEqual((await readdir(join(folder, "club"))).sort(), ["mistakes.annotated-2.pdn", "mistakes.annotated.pdn", "mistakes.pdn"]);
    browser.complaints.length = 0;
  });

  test("annotated games are saved and opened beside a file that was changed meanwhile", async () => {
    for (const name of ["mistakes.annotated-2.pdn", "mistakes.annotated.pdn"]) await rm(join(folder, "club", name));
    await openFile("club/mistakes.pdn");
    await browser.hold("annotate");
    const annotates = annotateAll();
    await browser.until("window.held.annotate");
    await browser.fill("#comment", "meanwhile");
    await browser.release("annotate");
    await annotates;
    await browser.until("document.querySelectorAll('.files li').length === 2 && document.querySelector('#progress').hidden");
    assert.equal(await annotation(), "club/mistakes.pdn was changed meanwhile; the annotated games are in club/mistakes.annotated.pdn");
    assert.equal(await readFile(join(folder, "club/mistakes.annotated.pdn"), "utf8"), annotated());
    assert.match(await browser.value("document.querySelector('#undo').title"), /: Comment/);
    await rm(join(folder, "club/mistakes.annotated.pdn"));
    isQuiet();
  });

  test("annotated games that cannot be saved are kept in the page", async () => {
    await openFile("club/mistakes.pdn");
    await browser.value("globalThis.usual = fetch; globalThis.fetch = (address, how) => (how?.method === 'PUT' ? Promise.resolve(new Response('{\"error\":{\"message\":\"the disk is full\"}}', { status: 500 })) : usual(address, how))");
    await annotateAll();
    assert.equal(await annotation(), "the disk is full");
    // The open file has them, and its change is not saved.
    assert.equal(await browser.value("document.querySelector('#undo').title"), "Undo the last change: Annotate");
    browser.complaints.length = 0;
  });

  test("records that are not listed are counted", { skip: process.platform !== "linux" }, async () => {
    await symlink("/etc/hostname", join(folder, "out.pdn"));
    await writeFile(join(folder, "aux.pdn"), await readFile(SAMPLE));
    await browser.open(server.url);
    await browser.until("document.querySelector('#left-out')?.innerText.startsWith('1 record is not listed')");
    await browser.until("document.querySelector('[data-path=\"aux.pdn\"]')");
    for (const name of ["out.pdn", "aux.pdn"]) await rm(join(folder, name));
    isQuiet();
  });

  test("people sign in with the password", async () => {
    await writeFile(join(folder, "password.txt"), "twenty men\n");
    const club = await startServer("--password-file", join(folder, "password.txt"), folder);
    const signIn = async (password) => {
      await browser.value(`document.querySelector('#password').value = ${JSON.stringify(password)}; window.isLeft = true; document.querySelector('form button').click()`);
      await browser.until("!window.isLeft && document.readyState === 'complete'");
    };
    try {
      await browser.open(club.url);
      await signIn("twenty kings");
      assert.match(await browser.text("form"), /The password is wrong/);
      await signIn("twenty men");
      await browser.until("document.querySelector('[data-path=\"club/mistakes.pdn\"]')");
      assert.equal(await browser.value("location.pathname"), "/");
    } finally {
      await club.stop();
      await rm(join(folder, "password.txt"));
    }
    browser.complaints.length = 0;
    browser.requests.length = 0;
  });

  test("a position is found in 20,000 games", async () => {
    await openFile("many.pdn");
    await view("games");
    await browser.until("document.querySelector('#count').innerText.startsWith('20,007')");
    await browser.value("document.querySelector('details.more').open = true");
    await browser.value("document.querySelector('#game-list').focus()");
    await browser.press("End");
    await browser.press("Enter");
    await browser.until("document.querySelector('#moves .row')");
    await browser.idle();
    await browser.value("document.querySelector('#board').focus()");
    for (let ply = 0; ply < 24; ply += 1) await browser.press("ArrowRight");
    await browser.until("document.querySelector('.status strong')?.innerText.startsWith('12…')");
    await browser.click("#position-search");
    await browser.until("document.querySelector('dialog .set-up')");
    await browser.value("document.querySelector('dialog .button.strong').click()");
    await browser.until("/^1 of 20,007/.test(document.querySelector('#count').innerText) && document.querySelector('#progress').hidden");
    await view("collection");
    await browser.until("document.querySelector('#moves-of-openings [data-move]')");
    isQuiet();
  });
});
