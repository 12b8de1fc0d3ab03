// Takes the place of `place.js` where `pdn serve` serves the application: the files are beside it, and there is a folder of records.

import { text } from "../parts/dom.js";

/** @typedef {{ path: string, size: number, modified: number, version: string }} FolderFile */

const address = (/** @type {string} */ path) => new URL(path, import.meta.url);

export const workerAddress = () => address("./worker.js");

export const packageFiles = () => undefined;

/** @param {string} name */
export const sample = async (name) => (await fetch(address(`./samples/${name}.pdn`))).blob();

export const serviceWorker = () => undefined;

/** @type {(path: string, init?: RequestInit) => Promise<Response>} */
const asked = async (path, init) => {
  const response = await fetch(address(`./api/${path}`), init).catch((cause) => {
    throw new Error(text("serverGone"), { cause });
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(error?.message ?? `the server answered ${response.status}`), { status: response.status });
};

const fileAt = (/** @type {string} */ path) => `file?path=${encodeURIComponent(path)}`;

/** The folder of the server. */
export const folder = {
  /** Returns what the folder has now.
   * @returns {Promise<{ folder: string, writable: boolean, engine: string | null, files: FolderFile[], leftOut: number }>} */
  list: async () => (await asked("files")).json(),

  /** Returns a record.
   * @param {string} path */
  open: async (path) => {
    const response = await asked(fileAt(path));
    const version = (response.headers.get("etag") ?? "").replaceAll('"', "");
    return { name: path, blob: await response.blob(), source: { path, version } };
  },

  /** Saves a record: replaces a version, or creates a file. Returns its version. A file that is not UTF-8 is only replaced if that is
   * certain; otherwise the status of the error is 409.
   * @type {(path: string, blob: Blob, version?: string, certain?: boolean) => Promise<string>} */
  save: async (path, blob, version, certain = false) => {
    const headers = version ? { "if-match": `"${version}"` } : undefined;
    return (await (await asked(fileAt(path) + (certain ? "&certain=1" : ""), { method: "PUT", body: blob, headers })).json()).version;
  },
};
