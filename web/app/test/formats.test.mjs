// Games of any format, variant and encoding in the application without its views: on the board, edited, annotated, and after they left
// their files. The package runs in the place of the workers.

import assert from "node:assert/strict";
import { openAsBlob } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, describe, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WEB } from "./browser.mjs";
import { BUILT, isBuilt } from "./native.mjs";

const accepted = (name) => readFile(join(WEB, "../samples/accept", name));

/** Runs the calls of a worker in this process. */
class WorkerHere {
  running = new Map();

  terminate() {}

  async postMessage({ abort, id, name, args, events = [] }) {
    if (abort) return this.running.get(abort)?.abort();
    const pdn = await import(pathToFileURL(join(BUILT, "pdn.js")));
    const controller = new AbortController();
    this.running.set(id, controller);
    const send = (message) => this.onmessage({ data: { id, ...message } });
    const listeners = events.map((event) => [event, (value) => send({ event, value: event === "write" ? value.slice() : value })]);
    const given = events.length > 0 ? [...args.slice(0, -1), { ...args.at(-1), signal: controller.signal, ...Object.fromEntries(listeners) }] : args;
    try {
      const result = await pdn[name](...given);
      const isStream = typeof result?.[Symbol.asyncIterator] === "function";
      if (isStream) for await (const row of result) send({ items: [row] });
      send({ result: isStream ? null : result });
    } catch (error) {
      send({ error: { kind: error.kind ?? "crashed", message: error.message } });
    }
    return undefined;
  }
}

describe("formats, variants and encodings", { skip: isBuilt ? false : "the package was not built" }, async () => {
  Object.assign(globalThis, { Worker: WorkerHere, location: { protocol: "file:", href: "file:///index.html" }, document: { documentElement: { lang: "en" } } });
  globalThis.CustomEvent ??= class extends Event {
    constructor(name, { detail }) {
      super(name);
      this.detail = detail;
    }
  };
  const { store } = await import("../store.js");
  const { Annotation } = await import("../annotation.js");
  const { shortcutOf } = await import("../parts/dom.js");
  const { CheckView, saveInFolder } = await import("../views/check.js");
  const { CollectionView } = await import("../views/collection.js");
  const { Lesson, puzzleNames } = await import("../views/learn.js");
  const { altDigitOf } = await import("../ui.js");
  const { bulk } = await import("../client.js");
  document.createElement = () => ({ children: [], setAttribute() {}, click() {}, append(...children) { this.children.push(...children); } });
  afterEach(() => store.files.forEach((file) => store.close(file)));

  const open = (...files) => store.open(files.map(([name, content]) => ({ name, blob: new Blob([content]) })));
  const names = (entries) => entries.map(({ head }) => `${head.white} ${head.plies}`);
  /** Opens a file that the application wrote, and returns its games. */
  const reopened = async (blob) => {
    const entries = await open(["again.pdn", blob]);
    assert.deepEqual(store.diagnostics.filter((one) => one.file === entries[0]?.file.name && one.severity === "error"), []);
    return entries;
  };
  const game = (white, moves = "1. 32-28 19-23", tags = "[GameType \"20\"]\n") => `[White "${white}"]\n[Black "B"]\n${tags}\n${moves} *\n`;
  const online = (white) => JSON.stringify({
    id: "abcd1234", variant: "standard", status: "resign", winner: "white", moves: "32-28 19-23 28x19 14x23",
    players: { white: { user: { name: white } }, black: { user: { name: "Olga" } } },
  });
  const allFormats = async () => [
    ["lines.ndjson", `${online("Anna")}\n${online("Berta")}\n`], ["list.json", `[${online("Clara")},${online("Dora")}]`],
    ["texts.json", JSON.stringify([game("Emma", "1. 32-28 {a \\ \"b\"} 19-23"), game("Fenna")])], ["board.ldf", await accepted("board.ldf")],
    ["turbo.txt", await accepted("turbo.txt")], ["round.json", await accepted("round.json")], ["club.pdn", `${game("Greta")}\n${game("Hanna")}`],
  ];

  test("games of all formats are on the board, and leave their files, as they are in the list", async () => {
    const entries = await open(...await allFormats());
    assert.ok(entries.length >= 12);
    for (const order of [entries, entries.toReversed()]) {
      const again = await reopened(await store.together(order));
      assert.deepEqual(names(again), names(order));
      store.close(again[0].file);
    }
    for (const entry of entries) {
      const shown = ({ white, black, result, plies }) => [white, black || "?", result, plies];
      assert.deepEqual(shown((await store.row(entry)).head), shown(entry.head));
      const alone = await store.alone(entry);
      assert.doesNotMatch(await alone.text(), /^\s*[{(]|"players"|\[S,/);
      const again = await reopened(alone);
      assert.deepEqual(names(again), names([entry]));
      store.close(again[0].file);
    }
    assert.equal(store.files.length, 7, "nothing that is only read is converted in the list");
  });

  test("a file of another format that is edited becomes PDN under another name, with all its games", async () => {
    const [, entry] = await open(["lines.ndjson", `${online("Anna")}\n${online("Berta")}\n`]);
    const words = await store.text(entry);
    assert.match(words, /\[White "Berta"\]/);
    const edited = await store.edit(entry, [{ text: { text: words.trimEnd().replace(/\*$/, "{good} *") } }], "editText");
    assert.equal(edited.entry.head.white, "Berta");
    assert.deepEqual(store.files.map(({ name }) => name), ["lines.pdn"]);
    assert.deepEqual(names(store.games), ["Anna 4", "Berta 4"]);
    assert.match(await store.files[0].blob.text(), /^[^{]*"Berta"[^{]*\{good\}[^{]*$/);
    await store.undo();
    assert.deepEqual(names(store.games), ["Anna 4", "Berta 4"]);
    assert.doesNotMatch(await store.files[0].blob.text(), /good|"players"/);
  });

  /** Annotates games: each gets a comment in the place of what an engine says. */
  const annotated = async (entries) => {
    const annotation = new Annotation(entries, {});
    const call = async (name, [{ data }, { encoding }]) => {
      const record = new TextDecoder(encoding).decode(await data.arrayBuffer());
      return { text: record.replace("\n\n", "\n\n{ok} ") };
    };
    for (const [index, task] of annotation.tasks.entries()) annotation.done.set(index, await annotation.one({ call }, task, () => {}));
    const [{ file, blob }] = await annotation.results();
    return { file, words: new TextDecoder("utf-8", { fatal: true }).decode(await blob.arrayBuffer()) };
  };

  test("files of other formats are annotated as PDN", async () => {
    for (const format of await allFormats()) {
      const before = await open(format);
      await store.toPdn(before);
      assert.deepEqual(names(store.games), names(before));
      const { file, words } = await annotated(store.games.slice(-1));
      assert.match(file.name, /^\w+\.pdn$/);
      const again = await reopened(words);
      assert.deepEqual(names(again), names(before));
      assert.equal(words.match(/\{ok\}/g).length, 1);
      store.files.forEach((one) => store.close(one));
    }
  });

  test("games keep the variant that their file decides", async () => {
    const brazilian = (white, tags = "[GameType \"26\"]\n") => game(white, "1. c3-d4 d6-c5 2. b2-c3 f6-g5", tags);
    const club = [brazilian("A"), brazilian("B"), brazilian("C"), brazilian("D", ""), brazilian("E", "")].join("\n");
    const frisian = Array.from({ length: 10 }, (_, n) => game(`F${n}`, undefined, "[GameType \"40\"]\n")).join("\n");
    const entries = await open(["club.pdn", club], ["frisian.pdn", `${frisian}\n${game("G", "1. 32-28 19-23 2. 28x19 14x23", "")}`], ["plain.pdn", game("H", undefined, "")]);
    const variants = (some) => some.map(({ head }) => head.variant);
    assert.deepEqual([3, 4, 15, 16].map((n) => variants(entries)[n]), ["brazilian", "brazilian", "frisian", "international"]);
    for (const some of [entries, entries.slice(3, 5), entries.slice(5), entries.slice(15)]) {
      const again = await reopened(await store.together(some));
      assert.deepEqual(variants(again), variants(some));
      store.close(again[0].file);
    }
    for (const entry of entries) {
      const again = await reopened(await store.alone(entry));
      assert.deepEqual(variants(again), variants([entry]));
      store.close(again[0].file);
    }
    assert.equal(await (await store.alone(entries[0])).text(), await store.slice(entries[0]).text());
    assert.equal(await (await store.alone(entries[16])).text(), await store.slice(entries[16]).text(), "what the game decides itself needs no tag");
  });

  /** Returns the number of calls of the worker for collections during some work. */
  const bulkCalls = async (work) => {
    let count = 0;
    bulk.call = (...args) => {
      count += 1;
      return Object.getPrototypeOf(bulk).call.apply(bulk, args);
    };
    try {
      await work();
    } finally {
      delete bulk.call;
    }
    return count;
  };

  test("games are not read again for their variants if tags name these, and one game is read beside a collection", async () => {
    const entries = await open(["a.pdn", [game("A"), game("B", undefined, "[GameType \"20,W,10,10,N2,0\"]\n"), game("C", undefined, "[Variant \"Killer\"]\n")].join("\n")],
      ["b.pdn", game("D", undefined, "")]);
    assert.equal(await bulkCalls(() => store.together(entries.slice(0, 3))), 0);
    assert.ok(await bulkCalls(() => store.together(entries)) > 0);
    for (const entry of entries) assert.equal(await bulkCalls(() => store.alone(entry)), 0);
    await assert.rejects(store.together(entries.slice(0, 3), AbortSignal.abort()), { kind: "aborted" });
  });

  test("the games of a variant are asked for again after a failure", async () => {
    await open(["a.pdn", `${game("A")}\n${game("F", undefined, "[GameType \"40\"]\n")}`]);
    const view = { parts: new Map() };
    const inputs = () => CollectionView.prototype.inputsOf.call(view, "frisian");
    store.together = () => Promise.reject(new Error("memory"));
    try {
      await assert.rejects(inputs(), /memory/);
    } finally {
      delete store.together;
    }
    const [{ data }] = await inputs();
    assert.match(await data.text(), /"F"/);
  });

  const letters = new Map(Array.from({ length: 128 }, (_, n) => [new TextDecoder("cp1251").decode(Uint8Array.of(n + 128)), n + 128]));
  const cp1251 = (words) => Uint8Array.from(words, (letter) => letters.get(letter) ?? letter.charCodeAt(0));

  test("text between annotated games keeps its letters", async () => {
    const words = `Турнир памяти Шварцмана\n\n${game("Иванов")}\nВторой тур, примечания судьи\n\n${game("Сидоров")}\nКонец.\n`;
    for (const content of [cp1251(words), Buffer.from(`\ufeff${words}`, "utf16le"), words]) {
      await open(["m.pdn", content]);
      const found = await annotated(store.games.slice(0, 1));
      for (const part of ["Турнир памяти Шварцмана", "Иванов", "Второй тур, примечания судьи", "Сидоров", "Конец."]) {
        assert.ok(found.words.includes(part), `${part} in ${found.words}`);
      }
      store.files.forEach((file) => store.close(file));
    }
  });

  test("the text around a diagnostic has its letters", async () => {
    const record = (text) => `[Event "Чемпионат"]\n[White "Иванов"]\n[Date "2024.13.45"]\n[GameType "25"]\n\n1. c3-d4 {${text}} d6-c5 2. b2-c3 f6-h4 1-0\n`;
    const utf16 = (text) => Buffer.from(`\ufeff${text}`, "utf16le");
    const long = "Белые играют в центре, и чёрные должны отвечать. ".repeat(9);
    const encoded = ["", "x", "xx", "я"].flatMap((pad) => [record(`ход${pad}`), record(long + pad)]).flatMap((text) =>
      [text, cp1251(text), utf16(text), utf16(text).swap16()].map((content) => ({ text, content })));
    for (const { text, content } of encoded) {
      const [{ file }] = await open(["m.pdn", content]);
      assert.ok(store.diagnostics.some(({ code }) => code === "move/illegal"));
      for (const one of store.diagnostics) {
        const [, { children: [before, { children: [marked] }, after] }] = (await CheckView.prototype.excerpt(file, one)).children;
        assert.ok(text.includes(before + marked + after), `${one.code}: ${before}>${marked}<${after}`);
      }
      store.close(file);
    }
  });

  test("files are read as they were opened, and one that cannot be read is not saved", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pdn-app-"));
    try {
      const path = join(folder, "a.pdn");
      await writeFile(path, game("A"));
      const [entry] = await store.open([new File([await openAsBlob(path)], "a.pdn")]);
      await writeFile(path, `${game("Z")}\n${game("Y")}`);
      const edited = await store.edit(entry, [{ comment: { at: "1", text: "good" } }], "comment");
      assert.match(await edited.entry.file.blob.text(), /"A"[^]*\{good\}/);
    } finally {
      await rm(folder, { recursive: true });
    }
    const blob = { size: 1, arrayBuffer: () => Promise.reject(new Error("changed")) };
    const file = { name: "b.pdn", blob };
    await assert.rejects(CheckView.prototype.write.call({ host: { announce() {} } }, [file]), /changed/);
    assert.equal(file.saved, undefined);
  });

  test("the question before a guessed encoding is written names what is written", async () => {
    const questions = [];
    globalThis.confirm = (words) => questions.push(words);
    store.save = async (file, certain) => certain || Promise.reject(Object.assign(new Error("unsure"), { status: 409 }));
    try {
      for (const content of [cp1251(game("Иванов")), game("Иванов")]) await saveInFolder({ name: "a.pdn", blob: new Blob([content]) }, () => {});
    } finally {
      delete store.save;
    }
    assert.deepEqual(questions, ["saveGuessed", "saveUnsure"]);
  });

  test("repairs that are stopped are none, and those that cannot be made are named", async () => {
    const latin = (words) => Buffer.from(words, "latin1");
    const dated = (white, text = "a") => game(white, `1. 32-28 {${text}} 19-23`, "[Date \"13/5/2024\"]\n[GameType \"20\"]\n");
    await open(["latin.pdn", latin(`${dated("é", "a &#1080; b")}\n${dated("B")}`)], ["b.pdn", dated("C")]);
    const { repaired, refused } = await store.repairs();
    assert.deepEqual(repaired.map(({ file }) => file.name), ["latin.pdn", "b.pdn"]);
    assert.equal(refused.length, 1);
    assert.match(refused[0], /^latin\.pdn: game 1.*the encoding lacks one of its characters/);
    store.addEventListener("progress", () => store.work?.abort(), { once: true });
    assert.equal(await store.repairs(), undefined);
  });

  test("what is said about a file stays after an edit", async () => {
    const said = () => store.diagnostics.map(({ code, game: number, offset, line }) => [code, number, offset, line]);
    const latin = (words) => Buffer.from(words, "latin1");
    const files = [
      [`${game("A", undefined, "")}\n${game("B", undefined, "")}`, { comment: { at: "1", text: "good" } }],
      [latin(`${game("Müller")}\n${game("Böhm")}`), { comment: { at: "1", text: "good" } }],
      [latin(`${game("Müller")}\n${game("Böhm")}`), { setTag: { name: "White", value: "Jan" } }],
      [latin(`${game("Jan")}\n${game("Böhm")}`), { setTag: { name: "White", value: "Müller" } }],
      [latin(`${game("Jan", "1. 32-28 {a")}\n${game("Böhm")}`), { setTag: { name: "Black", value: "Kees" } }],
    ];
    for (const [content, change] of files) {
      const [entry] = await open(["a.pdn", content]);
      const edited = await store.edit(entry, [change], "tags");
      const [after, encodings] = [said(), store.games.map(({ encoding }) => encoding ?? null)];
      await store.reread(edited.entry.file);
      assert.deepEqual(after, said());
      assert.deepEqual(encodings, store.games.map(({ encoding }) => encoding ?? null));
      store.close(edited.entry.file);
    }
  });

  test("a puzzle is known by its position", async () => {
    const puzzle = (fen) => game("A", "1. 28-22 17x28 *", `[GameType "20"]\n[SetUp "1"]\n[FEN "${fen}"]\n[Goal "material"]\n`);
    const [one, two] = ["W:W28,32:B17", "W:W28,33:B17"];
    const namesIn = async (content) => [...(await puzzleNames((await open(["puzzles.pdn", content]))[0].file)).values()];
    const names = await namesIn(`${puzzle(one)}\n${puzzle(two)}`);
    assert.equal(new Set(names).size, 2);
    assert.deepEqual(await namesIn(`${puzzle(two)}\n${puzzle(one)}`), names.toReversed());
    assert.ok(names.every((name) => /^[0-9a-z]{1,7}$/.test(name)));
    // The names are those of the games, even while an edit is undone.
    const [entry] = await open(["edited.pdn", `${puzzle(one)}\n${puzzle(two)}`]);
    const { file } = entry;
    await store.edit(entry, [{ comment: { at: "1", text: "long ".repeat(60) } }], "comment");
    const undone = store.undo();
    await Promise.resolve();
    assert.deepEqual([...(await puzzleNames(file)).values()], names);
    await undone;
    assert.deepEqual([...(await puzzleNames(file)).values()], names);
  });

  test("puzzles that could not be read are read later, and none without a name is solved", async () => {
    const [{ file }] = await open(["puzzles.pdn", game("A")]);
    file.blob.arrayBuffer = () => Promise.reject(new Error("memory"));
    await assert.rejects(puzzleNames(file), /memory/);
    delete file.blob.arrayBuffer;
    assert.equal((await puzzleNames(file)).size, 1);
    const done = new Set();
    const solved = (entry) => Lesson.prototype.keep.call({ done, file, pane: { entry } });
    await solved(undefined);
    assert.equal(done.size, 0);
    await solved(store.games[0]);
    assert.equal(done.size, 1);
  });

  test("shortcuts are on the keys of any keyboard", () => {
    const pressed = { z: ["я", "KeyZ"], f: ["F", "KeyF"], m: ["m", "Semicolon"], ",": [",", "KeyM"], a: ["a", "KeyQ"], "¡": ["¡", "Digit1"], ArrowLeft: ["ArrowLeft", "ArrowLeft"] };
    for (const [name, [key, code]] of Object.entries(pressed)) assert.equal(shortcutOf({ key, code }), name);
    const digit = (key, code, isText, ctrlKey = false) => altDigitOf({ key, code, altKey: true, ctrlKey }, isText);
    assert.deepEqual([digit("1", "Digit1", true), digit("&", "Digit1", false), digit("1", "Numpad1", false), digit("2", "", true)], ["1", "1", "1", "2"]);
    for (const one of [digit("&", "Digit1", true), digit("1", "Numpad1", true), digit("1", "Digit1", false, true), digit("a", "KeyA", false)]) assert.equal(one, undefined);
  });
});
