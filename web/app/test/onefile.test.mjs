// The application as one page, from a file, without a server.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Browser, WEB, findBrowser } from "./browser.mjs";
import { onePage } from "../onefile.mjs";

const PACKAGE = process.env.PDN_PACKAGE ?? join(WEB, "wasm");
const built = existsSync(join(PACKAGE, "pdn-engine.wasm"));

test("one page does everything from a disk", { skip: !findBrowser() ? "no browser" : !built && "the package is not built" }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "pdn-page-"));
  await writeFile(join(folder, "pdn.html"), await onePage(PACKAGE));
  const browser = await Browser.start();
  try {
    await browser.open(`file://${folder}/pdn.html#open`);
    await browser.click("[data-sample='annotated']");
    await browser.until("document.querySelectorAll('.files li').length === 1 && document.querySelector('#progress').hidden");
    await browser.click("[data-view='analyse']");
    await browser.until("document.querySelector('#moves .row')");
    await browser.click("#engine");
    await browser.until("document.querySelectorAll('#lines li').length === 3");
    await browser.click("#engine");
    assert.deepEqual(browser.complaints, []);
    assert.deepEqual(browser.requests.filter((address) => !/^(data:|blob:)/.test(address) && !address.startsWith(`file://${folder}/pdn.html`)), []);
  } finally {
    await browser.stop();
    await rm(folder, { recursive: true });
  }
});
