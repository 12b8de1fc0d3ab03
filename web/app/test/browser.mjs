// A real browser without a window, driven through its debugging pipe, and a server of the folders of the application.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder `web`. */
export const WEB = fileURLToPath(new URL("../..", import.meta.url));

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".json": "application/json", ".webmanifest": "application/manifest+json", ".wasm": "application/wasm", ".pdn": "text/plain",
};

export const findBrowser = () =>
  (process.env.PATH ?? "").split(":").flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));

/** Serves folders: `{ "/": folder, "/pdn/": another }`; the longest prefix wins. `handlers.api` answers what has `/api/` in its path. */
export const serve = async (folders, handlers = {}) => {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    try {
      const handler = handlers[path] ?? (path.includes("/api/") ? handlers.api : undefined);
      if (handler) return await handler(request, response);
      const prefix = prefixes.find((start) => path.startsWith(start));
      const file = join(folders[prefix], path.slice(prefix.length));
      const content = await readFile(path.endsWith("/") ? join(file, "index.html") : file);
      response.writeHead(200, { "content-type": TYPES[extname(file) || ".html"] ?? "application/octet-stream" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
    return undefined;
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
};

export class Browser {
  static async start({ width = 1280, height = 860, mobile = false } = {}) {
    const browser = new Browser();
    browser.profile = await mkdtemp(join(tmpdir(), "pdn-browser-"));
    browser.downloads = await mkdtemp(join(tmpdir(), "pdn-downloads-"));
    const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
      `--user-data-dir=${browser.profile}`, "about:blank"];
    browser.process = spawn(findBrowser(), options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    Object.assign(browser, { count: 0, waiting: new Map(), requests: [], complaints: [], finished: [] });
    let rest = "";
    browser.process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
      const parts = (rest + chunk).split("\0");
      rest = parts.pop();
      parts.forEach((part) => browser.receive(JSON.parse(part)));
    });
    const { targetId } = await browser.call("Target.createTarget", { url: "about:blank" });
    browser.session = (await browser.call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network", "DOM"]) await browser.call(`${domain}.enable`);
    await browser.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: browser.downloads, eventsEnabled: true });
    await browser.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    if (mobile) await browser.call("Emulation.setTouchEmulationEnabled", { enabled: true });
    return browser;
  }

  receive(message) {
    if (message.id) {
      const { done, fail } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) fail(new Error(message.error.message));
      else done(message.result);
      return;
    }
    const { method, params } = message;
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled") this.complaints.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
    if (method === "Log.entryAdded") this.complaints.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    if (method === "Page.javascriptDialogOpening") this.call("Page.handleJavaScriptDialog", { accept: true });
    if (method === "Browser.downloadProgress" && params.state === "completed") this.finished.push(params.guid);
  }

  call(method, params = {}) {
    this.count += 1;
    const id = this.count;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail: (error) => fail(new Error(`${method}: ${error.message}`)) });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    });
  }

  async open(address) {
    // Another query loads the page again, where another place alone would not.
    const url = new URL(address);
    url.searchParams.set("visit", String(this.count));
    await this.value("window.isLeft = true");
    await this.call("Page.navigate", { url: url.href });
    await this.until("!window.isLeft && document.readyState === 'complete'");
  }

  async value(expression) {
    const result = await this.call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true, userGesture: true });
    if (result.exceptionDetails) throw new Error(`${expression}: ${result.exceptionDetails.exception?.description}`);
    return result.result.value;
  }

  text(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`);
  }

  /** Waits until a condition, or what it promises, holds, for at most half a minute. */
  async until(condition) {
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      // What a page promises may never come.
      const late = new Promise((done) => { setTimeout(done, 10_000, false).unref(); });
      const asked = this.value(`(async () => Boolean(await (${condition})))()`).catch(() => false);
      if (await Promise.race([asked, late])) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`never: ${condition}; ${this.complaints.join("; ")}; ${await this.value("document.body.innerText.slice(0, 600)")}`);
  }

  /** Waits until the page is complete: nothing is read or filled in, and nothing has moved for some frames. */
  async still() {
    await this.until("document.querySelector('#progress')?.hidden !== false && !document.querySelector('[aria-busy=true]')");
    await this.value(`(async () => {
      for (let frames = 0; frames < 5; frames += 1) {
        await new Promise((done) => requestAnimationFrame(done));
        if (document.getAnimations().some(({ playState }) => playState === "running")) frames = 0;
      }
    })()`);
  }

  /** Returns a point of an element that a hand could press now: the application waits for nothing, and the element is seen, is not
   * disabled, has not moved for a frame, and is in front of what else is there. */
  async point(selector, x = 0.5, y = 0.5) {
    const found = `(async () => { const node = document.querySelector(${JSON.stringify(selector)});
      if (!node || node.disabled || document.querySelector('[data-waits]')) return null;
      node.scrollIntoView({ block: "nearest", behavior: "instant" });
      const places = [];
      for (let frames = 0; frames < 2; frames += 1) {
        // A tab behind another one has no frames.
        await Promise.race([new Promise((done) => requestAnimationFrame(done)), new Promise((done) => setTimeout(done, 200))]);
        const { left, top, width, height } = node.getBoundingClientRect();
        if (width === 0 || height === 0) return null;
        places.push([left + ${x} * width, top + ${y} * height]);
      }
      const [[left, top], [x, y]] = places;
      const front = document.elementFromPoint(x, y);
      return left === x && top === y && node.contains(front) ? [x, y] : null; })()`;
    await this.until(`(async () => Boolean(globalThis.pressed = await ${found}))()`);
    return this.value("globalThis.pressed");
  }

  async clickAt([x, y]) {
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.call("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
    }
  }

  async click(selector, x, y) {
    await this.clickAt(await this.point(selector, x, y));
  }

  /** Presses a key; a letter is typed too. */
  async press(key, modifiers = 0) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const code = { Enter: 13, Tab: 9, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, Delete: 46 }[key];
    const event = { key, text, modifiers, windowsVirtualKeyCode: code };
    await this.call("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...event });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  enter(text) {
    return this.call("Input.insertText", { text });
  }

  /** Waits until the game on the board waits for no answer. */
  idle() {
    return this.until("!document.querySelector('[data-waits]')");
  }

  /** Holds the next call of a function of the package back, until it is released. */
  hold(name) {
    return this.value(`(() => { const send = Worker.prototype.postMessage; window.held ??= {};
      Worker.prototype.postMessage = function (...message) {
        if (message[0].name !== '${name}') return send.apply(this, message);
        Worker.prototype.postMessage = send;
        window.held['${name}'] = () => send.apply(this, message);
      }; })()`);
  }

  /** Waits until a call is held, and passes it on if it is to be released. */
  async release(name) {
    await this.until(`window.held['${name}']`);
    await this.value(`window.held['${name}']()`);
  }

  /** Fills in a field as typing would. */
  async fill(selector, text) {
    await this.idle();
    await this.value(`(() => { const field = document.querySelector(${JSON.stringify(selector)}); field.focus(); field.select?.(); })()`);
    await this.enter(text);
  }

  /** Opens the application at an address with a sample. */
  async openSample(address, sample) {
    await this.open(`${address}/index.html#open`);
    await this.click(`[data-sample="${sample}"]`);
    await this.opened();
  }

  /** Waits until one file, or more, is read, and its first game is on the board. */
  async opened(files = 1) {
    await this.until(`document.querySelectorAll('.files li').length === ${files} && document.querySelector('#progress').hidden`);
    await this.idle();
  }

  /** Gives the application files, as if they were chosen. */
  async choose(files) {
    await this.until("document.querySelector('#chooser')");
    const encoded = files.map(([name, content]) => [name, Buffer.from(content).toString("base64")]);
    return this.value(`(() => { const transfer = new DataTransfer();
      for (const [name, data] of ${JSON.stringify(encoded)}) {
        transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
      }
      const input = document.querySelector('#chooser'); input.files = transfer.files; input.dispatchEvent(new Event('change')); })()`);
  }

  /** Gives files to a field for files. */
  async files(selector, paths) {
    const { root } = await this.call("DOM.getDocument");
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.call("DOM.setFileInputFiles", { files: paths, nodeId });
  }

  /** Returns the name and the content of the last file that the page offered. */
  async download(action) {
    const before = this.finished.length;
    await action();
    for (let left = 600; left > 0 && this.finished.length === before; left -= 1) await new Promise((done) => setTimeout(done, 50));
    const [name] = await readdir(this.downloads);
    const content = await readFile(join(this.downloads, name));
    await rm(join(this.downloads, name));
    return { name, content: content.toString("utf8"), bytes: content };
  }

  /** Writes a picture of the window, for documents. */
  async picture(path, scale = 1) {
    const [width, height] = await this.value("[innerWidth, innerHeight]");
    const { data } = await this.call("Page.captureScreenshot", { format: "png", clip: { x: 0, y: 0, width, height, scale } });
    await writeFile(path, Buffer.from(data, "base64"));
  }

  async stop() {
    this.process.kill();
    await new Promise((done) => this.process.once("exit", done));
    await Promise.all([this.profile, this.downloads].map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  }
}
