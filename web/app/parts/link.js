// Addresses that have a record in themselves.

/** Passes bytes through a stream, and returns what comes out.
 * @type {(bytes: BlobPart, stream: any) => Promise<Uint8Array<ArrayBuffer>>} */
const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Returns the address of the application with a record in it, which no server receives, at a move.
 * @type {(app: string, record: BlobPart, address: string) => Promise<string>} */
export const linkTo = async (app, record, address) => {
  const packed = await through(record, new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return `${app.split(/[?#]/)[0]}#record/${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}/${address}`;
};

/** Returns the record of such an address.
 * @param {string} letters */
export const linkedRecord = async (letters) => {
  const packed = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new Blob([await through(packed, new DecompressionStream("deflate-raw"))]);
};
