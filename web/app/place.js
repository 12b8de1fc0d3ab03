// The location of the application's files: beside it. The one-page application contains them (`onefile.mjs`).

/** Returns the address of the worker.
 * @returns {string | URL} */
export const workerAddress = () => new URL("./worker.js", import.meta.url);

/** Returns the files of the package by their names, if the worker cannot fetch them.
 * @returns {Promise<Record<string, Blob>> | undefined} */
export const packageFiles = () => undefined;

/** Returns a sample.
 * @param {string} name
 * @returns {Promise<Blob>} */
export const sample = async (name) => (await fetch(new URL(`./samples/${name}.pdn`, import.meta.url))).blob();

/** The folder of a server, which `native/place.js` has.
 * @type {undefined | typeof import("./native/place.js").folder} */
export const folder = undefined;

/** The service worker, if pages can have one.
 * @returns {string | undefined} */
export const serviceWorker = () => (location.protocol.startsWith("http") && navigator.serviceWorker ? "sw.js" : undefined);
