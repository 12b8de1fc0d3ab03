// Inputs of all kinds as bytes that a module reads on demand.

import { PdnError } from "./functions.js";

const encoder = new TextEncoder();

/** Number of bytes that an input must have before it is opened: enough to recognise its format. */
const FIRST = 64 * 1024;

/** Minimum number of bytes to wait for when a step has run out of them. */
const MORE = 64 * 1024;

const isSource = (data) =>
  typeof data === "string" ||
  data instanceof ArrayBuffer ||
  ArrayBuffer.isView(data) ||
  data instanceof Blob ||
  typeof data?.[Symbol.asyncIterator] === "function" ||
  typeof data?.[Symbol.iterator] === "function" ||
  typeof data?.getReader === "function";

/** Returns inputs with their names. An array is a list of inputs. */
export function inputsOf(inputs) {
  return (Array.isArray(inputs) ? inputs : [inputs]).map((input) => {
    if (isSource(input)) return { name: typeof input.name === "string" ? input.name : "-", data: input };
    if (isSource(input?.data)) return { name: String(input.name ?? "-"), data: input.data };
    throw new TypeError("an input is text, bytes, a Blob, a stream, or an object with `name` and `data`");
  });
}

/** Returns a source as bytes or as an iterator of them. */
function opened(data) {
  if (typeof data === "string") return { bytes: encoder.encode(data) };
  if (data instanceof ArrayBuffer) return { bytes: new Uint8Array(data) };
  if (ArrayBuffer.isView(data)) return { bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  if (data instanceof Blob) return { later: iterated(data.stream()), size: data.size };
  if (typeof data.getReader === "function") return { later: iterated(data) };
  if (typeof data[Symbol.asyncIterator] === "function") return { later: data[Symbol.asyncIterator]() };
  return { now: data[Symbol.iterator]() };
}

/** Iterates over a stream: not all browsers have streams that are iterable, and a generator could not end while it waits. */
function iterated(stream) {
  const reader = stream.getReader();
  return { next: () => reader.read(), return: () => reader.cancel() };
}

const bytesOf = (piece) => opened(piece).bytes ?? new Uint8Array();

/** Returns true if bytes are compressed or UTF-16: their readers cannot wait for more. */
function isWhole([a, b, c, d]) {
  const magic = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return (
    magic >>> 16 === 0x1f8b ||
    magic === 0x28b52ffd ||
    (magic & 0xf0ffffff) >>> 0 === 0x502a4d18 ||
    magic >>> 8 === 0x425a68 ||
    magic === 0xfd377a58 ||
    magic >>> 16 === 0xfffe ||
    magic >>> 16 === 0xfeff
  );
}

export class Reader {
  #pieces = [];
  #buffered = 0;
  #later = null;
  #now = null;
  #wanted = MORE;
  /** What the source threw.
   * @type {{ cause: any } | null} */
  thrown = null;
  /** Number of bytes read. */
  taken = 0;
  /** Total number of bytes, if known. */
  size = null;

  constructor(name, data) {
    this.name = name;
    const { bytes, later = null, now = null, size = null } = opened(data);
    this.#later = later;
    this.#now = now;
    this.size = bytes ? bytes.length : size;
    if (bytes) this.#push(bytes);
  }

  /** Returns all bytes of the input. */
  async all() {
    while (this.#now) this.#pull();
    await this.#fill(Infinity);
    if (this.thrown) throw this.failure();
    if (this.#pieces.length === 1) return this.#pieces[0];
    const all = new Uint8Array(this.#buffered);
    this.read(all);
    return all;
  }

  /** The error of a call whose source failed. */
  failure() {
    const { cause } = this.thrown;
    return new PdnError("unavailable", `${this.name}: ${cause?.message ?? cause}`, { cause });
  }

  #push(bytes) {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#buffered += bytes.length;
  }

  /** Takes a piece of a source that has them at once. */
  #pull() {
    try {
      const { done, value } = this.#now.next();
      if (done) this.#now = null;
      else this.#push(bytesOf(value));
    } catch (error) {
      this.thrown = { cause: error };
      this.#now = null;
    }
  }

  /** Waits until there are this many bytes. */
  async #fill(wanted) {
    while (this.#later && this.#buffered < wanted) {
      try {
        const { done, value } = await this.#later.next();
        if (done) this.#later = null;
        else this.#push(bytesOf(value));
      } catch (error) {
        this.thrown = { cause: error };
        this.#later = null;
      }
    }
  }

  /** Waits for the bytes needed to open the input. */
  async prime(wide) {
    await this.#fill(FIRST);
    if (!this.#later) return;
    const head = new Uint8Array(4);
    let at = 0;
    for (const piece of this.#pieces) for (let n = 0; n < piece.length && at < 4; n += 1) head[at++] = piece[n];
    if (wide || isWhole(head)) await this.#fill(Infinity);
  }

  /** Waits for more bytes after a step has run out of them; each time for twice as many, since a game may be large. After a step that
   * had enough, `isFirst` is true. */
  async more(isFirst) {
    this.#wanted = isFirst ? MORE : 2 * this.#wanted;
    await this.#fill(this.#wanted);
  }

  /** Reads into memory: the number of bytes, 0 at the end, -1 if there are none now, -2 after a failure. */
  read(into) {
    let at = 0;
    while (at < into.length) {
      if (this.#pieces.length === 0) {
        if (this.#now === null) break;
        this.#pull();
        continue;
      }
      const piece = this.#pieces[0];
      const part = piece.subarray(0, into.length - at);
      into.set(part, at);
      at += part.length;
      this.#buffered -= part.length;
      if (part.length === piece.length) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(part.length);
    }
    this.taken += at;
    if (at > 0 || into.length === 0) return at;
    return this.thrown ? -2 : this.#later ? -1 : 0;
  }

  cancel() {
    this.#later?.return?.()?.catch?.(() => {});
    this.#now?.return?.();
    this.#later = null;
    this.#now = null;
  }
}
