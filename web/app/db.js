// Data that the browser keeps between visits: the files opened last, unfinished work, and settings. It never leaves the machine.

const STORE = "kept";

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

const database = () => {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open("pdn", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  return opened;
};

/** @type {(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest) => Promise<any>} */
const transact = async (mode, work) => {
  const store = (await database()).transaction(STORE, mode).objectStore(STORE);
  return new Promise((done, fail) => {
    const request = work(store);
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
};

/** Stores a value under a key. A browser without storage, or with full storage, stores nothing: nothing depends on it.
 * @type {(key: string, value: any) => Promise<boolean>} */
export const keep = (key, value) => transact("readwrite", (store) => store.put(value, key)).then(() => true, () => false);

/** @param {string} key
 * @returns {Promise<any>} */
export const kept = (key) => transact("readonly", (store) => store.get(key)).catch(() => undefined);

/** @param {string} key */
export const forget = (key) => transact("readwrite", (store) => store.delete(key)).catch(() => undefined);

/** A setting, which a browser without storage forgets. */
export const setting = {
  get: (/** @type {string} */ name) => {
    try {
      return localStorage.getItem(`pdn-${name}`);
    } catch {
      return null;
    }
  },
  set: (/** @type {string} */ name, /** @type {string} */ value) => {
    try {
      localStorage.setItem(`pdn-${name}`, value);
    } catch {
      // Nothing depends on it.
    }
  },
};
