// Pictures of a board as an animated GIF (version 89a).

/** The most colours that a GIF has. */
const COLOURS = 256;
/** The most codes of its compression. */
const CODES = 4096;

/** Returns a colour with five or six bits for each part: boards have few colours, and their edges have many.
 * @type {(data: Uint8ClampedArray, at: number) => number} */
const coarse = (data, at) => data[at] >> 3 << 11 | data[at + 1] >> 2 << 5 | data[at + 2] >> 3;

/** @type {(colour: number) => number[]} */
const partsOf = (colour) => [colour >> 11 << 3, (colour >> 5 & 63) << 2, (colour & 31) << 3].map((part) => part | part >> 5);

/** Bytes in blocks of at most 255, each with its length before it.
 * @param {number[]} bytes */
const blocks = (bytes) => {
  const all = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    all.push(block.length, ...block);
  }
  return [...all, 0];
};

/** Compresses indices of colours: strings that came before have codes of their own, with as many bits as the last of them needs.
 * @param {Uint8Array} indices */
const compressed = (indices) => {
  const clear = COLOURS;
  /** @type {number[]} */
  const bytes = [];
  let bits = 0;
  let held = 0;
  let size = 9;
  const put = (/** @type {number} */ code) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  /** @type {Map<number, number>} */
  const codes = new Map();
  let next = clear + 2;
  put(clear);
  let prefix = indices[0];
  for (const index of indices.subarray(1)) {
    const key = prefix * COLOURS + index;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    prefix = index;
    if (next === CODES) {
      put(clear);
      codes.clear();
      next = clear + 2;
      size = 9;
      continue;
    }
    if (next === 1 << size) size += 1;
    codes.set(key, next);
    next += 1;
  }
  put(prefix);
  put(clear + 1);
  if (bits > 0) bytes.push(held & 255);
  return blocks(bytes);
};

/** Two bytes of a number, the lower one first.
 * @param {number} value */
const two = (value) => [value & 255, value >> 8];

/** An animation of pictures of the same size, which repeats for ever. */
export class Animation {
  /** How often each colour occurs.
   * @type {Map<number, number>} */ counts = new Map();
  /** The pictures, each with a colour of 16 bits a pixel.
   * @type {Uint16Array[]} */ pictures = [];

  /** @param {number} width pixels
   * @param {number} height pixels */
  constructor(width, height) {
    this.width = width;
    this.height = height;
  }

  /** @param {ImageData} picture */
  add({ data }) {
    const pixels = Uint16Array.from({ length: this.width * this.height }, (_, n) => coarse(data, n * 4));
    for (const colour of pixels) this.counts.set(colour, (this.counts.get(colour) ?? 0) + 1);
    this.pictures.push(pixels);
  }

  /** Returns the file.
   * @param {number} delay hundredths of a second that each picture is shown, the last one three times as long */
  finish(delay) {
    const palette = [...this.counts].sort((a, b) => b[1] - a[1]).slice(0, COLOURS).map(([colour]) => colour);
    const parts = palette.map(partsOf);
    /** @type {Map<number, number>} */
    const nearest = new Map(palette.map((colour, n) => [colour, n]));
    const indexOf = (/** @type {number} */ colour) => {
      const known = nearest.get(colour);
      if (known !== undefined) return known;
      const own = partsOf(colour);
      const far = parts.map((other) => other.reduce((sum, part, n) => sum + (part - own[n]) ** 2, 0));
      const index = far.indexOf(Math.min(...far));
      nearest.set(colour, index);
      return index;
    };
    const { width, height, pictures } = this;
    const colours = Array.from({ length: COLOURS }, (_, n) => parts[n] ?? [0, 0, 0]).flat();
    const bytes = [[...new TextEncoder().encode("GIF89a"), ...two(width), ...two(height), 0xf7, 0, 0, ...colours,
      0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0]];
    pictures.forEach((picture, n) => {
      const [left, top, right, bottom] = this.changed(picture, pictures[n - 1]);
      const indices = new Uint8Array((right - left) * (bottom - top));
      for (let y = top, at = 0; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1, at += 1) indices[at] = indexOf(picture[y * width + x]);
      }
      const time = n + 1 === pictures.length ? delay * 3 : delay;
      bytes.push([0x21, 0xf9, 4, 4, ...two(time), 0, 0, 0x2c, ...[left, top, right - left, bottom - top].flatMap(two), 0, 8], compressed(indices));
    });
    return new Blob([...bytes.map((part) => Uint8Array.from(part)), Uint8Array.of(0x3b)], { type: "image/gif" });
  }

  /** Returns the sides of the part of a picture that differs from the one before it: left, top, right, bottom; at least one pixel.
   * @type {(picture: Uint16Array, before?: Uint16Array) => number[]} */
  changed(picture, before) {
    const { width, height } = this;
    if (!before) return [0, 0, width, height];
    let [left, top, right, bottom] = [width, height, 0, 0];
    picture.forEach((colour, at) => {
      if (colour === before[at]) return;
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    });
    return right > left ? [left, top, right, bottom] : [0, 0, 1, 1];
  }
}
