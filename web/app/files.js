// Files that are dropped, chosen or pasted: folders, and archives, which are unpacked here.

import { text } from "./parts/dom.js";

/** @typedef {{ name: string, blob: Blob, changed?: boolean, source?: { path: string, version: string } }} RecordFile a file, whether it has
 *   changes of the last visit that were not saved, and where a server has it */

/** The file names of records, whose formats the package recognises. */
const RECORDS = /\.(pdn|pgn|txt|pt|ldf)(\.(gz|bz2|xz|zst))?$/i;
/** Maximum size of an archive member to unpack: 64 kB can expand to 64 MB of zeros. */
const LARGEST = 1 << 30;
/** Maximum size of a file that is copied: browsers refuse to read others after another program has changed them. */
const COPIED = 300 << 20;

/** Returns the dropped files, including all files below dropped folders.
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>} */
export const droppedFiles = async (transfer) => {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map((entry) => filesOf(entry)))).flat();
};

/** Returns the files that another application shared, which the service worker keeps until they are taken.
 * @returns {Promise<File[]>} */
export const sharedFiles = async () => {
  if (!globalThis.caches) return [];
  const cache = await caches.open("shared-records").catch(() => undefined);
  const requests = await cache?.keys() ?? [];
  return Promise.all(requests.map(async (request) => {
    const blob = await (await cache?.match(request))?.blob();
    await cache?.delete(request);
    return new File([blob ?? ""], decodeURIComponent(request.url.split("/").at(-1) ?? ""));
  }));
};

/** @param {any} entry
 * @returns {Promise<File[]>} */
const filesOf = async (entry) => {
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
  const reader = entry.createReader();
  /** @type {File[]} */
  const files = [];
  for (;;) {
    // A reader gives a hundred entries at a time.
    const entries = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (entries.length === 0) return files;
    for (const inner of entries) {
      if (inner.isDirectory || RECORDS.test(inner.name) || /\.zip$/i.test(inner.name)) files.push(...await filesOf(inner));
    }
  }
};

/** Unpacks archives and compressed files; other files are left unchanged.
 * @param {Iterable<File | RecordFile>} files
 * @param {(blob: Blob) => Promise<Blob>} decompress unpacks what browsers cannot
 * @returns {AsyncGenerator<RecordFile | { name: string, error: string }>} */
export async function* unpacked(files, decompress) {
  for (const file of files) {
    const name = (file instanceof File && file.webkitRelativePath) || file.name;
    try {
      const isCopied = file instanceof File && file.size <= COPIED;
      const blob = isCopied ? new Blob([await file.arrayBuffer()]) : file instanceof File ? file : file.blob;
      const start = new Uint8Array(await blob.slice(0, 6).arrayBuffer());
      const begins = (/** @type {number[]} */ ...bytes) => bytes.every((byte, n) => start[n] === byte);
      if (begins(0x50, 0x4b, 3, 4)) yield* members(name, blob, decompress);
      else if (begins(0x1f, 0x8b)) yield { name, blob: await inflate(blob, "gzip") };
      else if (begins(0x42, 0x5a, 0x68) || begins(0xfd, 0x37, 0x7a) || begins(0x28, 0xb5, 0x2f, 0xfd)) yield { name, blob: await decompress(blob) };
      else yield file instanceof File ? { name, blob } : file;
    } catch (error) {
      yield { name, error: String(/** @type {any} */ (error)?.message ?? error) };
    }
  }
}

/** @type {(blob: Blob, format: CompressionFormat) => Promise<Blob>} */
const inflate = async (blob, format) => {
  const reader = blob.stream().pipeThrough(new DecompressionStream(format)).getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new Error(`larger than ${LARGEST >> 20} MB`);
    }
    parts.push(value);
  }
};

/** Yields the records in a ZIP archive, using the directory at its end.
 * @param {string} archive
 * @param {Blob} blob
 * @param {(blob: Blob) => Promise<Blob>} decompress
 * @returns {AsyncGenerator<RecordFile | { name: string, error: string }>} */
async function* members(archive, blob, decompress) {
  // The end record is the last one; a comment of at most 64 kB follows it.
  const from = Math.max(0, blob.size - 65557);
  const tail = new DataView(await blob.slice(from).arrayBuffer());
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error("not a ZIP archive");
  const [count, size, offset] = [tail.getUint16(end + 10, true), tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const directory = new DataView(await blob.slice(offset, offset + size).arrayBuffer());
  let isEmpty = true;
  for (let at = 0, n = 0; n < count && at + 46 <= directory.byteLength; n += 1) {
    const [flags, method, packed] = [directory.getUint16(at + 8, true), directory.getUint16(at + 10, true), directory.getUint32(at + 20, true)];
    const [names, extra, comment] = [28, 30, 32].map((field) => directory.getUint16(at + field, true));
    const local = directory.getUint32(at + 42, true);
    const bytes = new Uint8Array(directory.buffer, at + 46, names);
    const name = `${archive}/${new TextDecoder(flags & 0x800 ? "utf-8" : "windows-1252").decode(bytes)}`;
    at += 46 + names + extra + comment;
    if (!RECORDS.test(name)) continue;
    isEmpty = false;
    try {
      if (flags & 1) throw new Error("encrypted");
      if (method !== 0 && method !== 8) throw new Error(`compressed by method ${method}`);
      const header = new DataView(await blob.slice(local, local + 30).arrayBuffer());
      const start = local + 30 + header.getUint16(26, true) + header.getUint16(28, true);
      const content = blob.slice(start, start + packed);
      yield* unpacked([{ name, blob: method === 8 ? await inflate(content, "deflate-raw") : content }], decompress);
    } catch (error) {
      yield { name, error: String(/** @type {any} */ (error)?.message ?? error) };
    }
  }
  if (isEmpty) yield { name: archive, error: text("noRecords") };
}

/** Returns the encoding of a file in UTF-16, by its mark or by two ASCII characters as the package does, or nothing.
 * @param {Blob} blob */
export const utf16Of = async (blob) => {
  const [a, b, c, d] = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return "utf-16le";
  return (a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d) ? "utf-16be" : undefined;
};

/** Returns true if a file is UTF-8.
 * @param {Blob} blob */
export const isUtf8 = async (blob) => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(await blob.arrayBuffer());
    return true;
  } catch {
    return false;
  }
};

/** Returns the whole letters of bytes that may begin and end within a letter.
 * @type {(bytes: Uint8Array<ArrayBuffer>, label: string, fatal?: boolean) => string} */
const lettersOf = (bytes, label, fatal = false) => {
  let start = 0;
  while (label === "utf-8" && start < 3 && (bytes[start] & 0xc0) === 0x80) start += 1;
  // In a stream, the rest of the last letter may follow.
  return new TextDecoder(label, { fatal }).decode(bytes.subarray(start), { stream: true });
};

/** Returns a part of a record as text: as UTF-8 if the bytes around it are, or else in an encoding. Windows-1252, which accepts any
 * bytes, is in the place of encodings that browsers do not have.
 * @type {(bytes: Uint8Array<ArrayBuffer>, encoding?: string | null, around?: Uint8Array<ArrayBuffer>) => string} */
export const decoded = (bytes, encoding, around = bytes) => {
  const own = encoding ?? "windows-1252";
  for (const label of own.startsWith("utf-16") ? [own] : ["utf-8", own]) {
    try {
      if (label === "utf-8") lettersOf(around, label, true);
      return lettersOf(bytes, label);
    } catch {
      // It is not UTF-8, or an encoding of DOS.
    }
  }
  return lettersOf(bytes, "windows-1252");
};
