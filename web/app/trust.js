// URLs of scripts that the page starts.

/** The policy that the page's Content-Security-Policy names: only scripts of the application, or of the page itself, are started. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("pdn", {
  createScriptURL: (/** @type {string} */ address) => {
    const url = new URL(address, location.href);
    if (url.origin !== location.origin && url.protocol !== "blob:") throw new TypeError(address);
    return url.href;
  },
});

/** Returns a URL from which a worker may be started.
 * @param {string | URL} address
 * @returns {any} */
export const scriptAddress = (address) => policy?.createScriptURL(String(address)) ?? address;
