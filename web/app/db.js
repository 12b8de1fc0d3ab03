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

/** Pages from a disk share their storage with every other one: they keep no records. */
const isShared = location.protocol === "file:";

/** Stores a value under a key. A browser without storage, or with full storage, stores nothing: nothing depends on it.
 * @type {(key: string, value: any) => Promise<boolean>} */
const keep = async (key, value) => !isShared && transact("readwrite", (store) => store.put(value, key)).then(() => true, () => false);

/** @param {string} key */
const forget = (key) => transact("readwrite", (store) => store.delete(key)).catch(() => undefined);

/** Number of tabs whose files, and whose unfinished work, are kept. */
const MOST_TABS = 4;

/** Returns the name of this tab, which stays when it is reloaded; a duplicate of a tab gets another one.
 * @type {Promise<string>} */
const tab = (async () => {
  try {
    const own = sessionStorage.getItem("pdn-tab");
    const isFree = (/** @type {string} */ name) => new Promise((done) => {
      if (!navigator.locks) return done(true);
      return navigator.locks.request(`pdn-tab-${name}`, { ifAvailable: true }, (lock) => {
        done(Boolean(lock));
        // It is held as long as the page is open.
        return lock ? new Promise(() => {}) : undefined;
      });
    });
    if (own && await isFree(own)) return own;
    const name = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    sessionStorage.setItem("pdn-tab", name);
    await isFree(name);
    return name;
  } catch {
    return "tab";
  }
})();

/** Returns what all tabs keep of a kind, that of this tab first and then the newest.
 * @param {string} kind
 * @returns {Promise<{ tab: string, time: number, value: any }[]>} */
export const keptOf = async (kind) => {
  const own = await tab;
  const all = await transact("readonly", (store) => store.getAll(IDBKeyRange.bound(`${kind}-`, `${kind}.`))).catch(() => []);
  return all.sort((/** @type {any} */ a, /** @type {any} */ b) => Number(b.tab === own) - Number(a.tab === own) || b.time - a.time);
};

/** Keeps a value of this tab, or nothing, beside those of other tabs, of which the oldest go. Returns false if that is impossible.
 * @type {(kind: string, value: any) => Promise<boolean>} */
export const keepOwn = async (kind, value) => {
  const own = await tab;
  if (value === undefined) return forget(`${kind}-${own}`).then(() => true);
  const others = (await keptOf(kind)).filter((one) => one.tab !== own);
  for (const one of others.slice(MOST_TABS - 1)) await forget(`${kind}-${one.tab}`);
  return keep(`${kind}-${own}`, { tab: own, time: Date.now(), value });
};

/** Forgets what another tab kept; that of this tab stays.
 * @type {(kind: string, other: string) => Promise<any>} */
export const forgetOf = async (kind, other) => other !== await tab && forget(`${kind}-${other}`);

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
