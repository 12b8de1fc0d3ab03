// Where the files of the application are: beside it. The application as one page has them in itself (`onefile.mjs`).

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

/** The service worker, where pages can have one.
 * @returns {string | undefined} */
export const serviceWorker = () => (location.protocol.startsWith("http") && navigator.serviceWorker ? "sw.js" : undefined);
