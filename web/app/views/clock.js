// The clocks of a game that is played.

/** Milliseconds between two looks at the clock. */
const TICK = 100;

export class Clock {
  /** @type {string | undefined} */ side = undefined;
  /** @type {any} */ timer = undefined;
  at = 0;
  plies = 0;

  /**
   * @param {{ minutes: number, increment: number }} time minutes for the game, and seconds for each move
   * @param {(left: { W: number, B: number }) => void} onTick receives the seconds that both sides have left
   * @param {(side: string) => void} onFlag is called when a side has no time left
   */
  constructor({ minutes, increment }, onTick, onFlag) {
    this.increment = increment * 1000;
    this.onTick = onTick;
    this.onFlag = onFlag;
    this.left = { W: minutes * 60_000, B: minutes * 60_000 };
  }

  /** Runs the clock of a side, or stops both. A side that has moved gets its increment.
   * @type {(side: string | undefined, plies?: number) => void} */
  run(side, plies = this.plies) {
    this.spend();
    const before = side === "W" ? "B" : "W";
    if (side && plies > this.plies) this.left[before] += this.increment;
    this.plies = plies;
    this.side = side;
    clearInterval(this.timer);
    if (side) this.timer = setInterval(() => this.tick(), TICK);
    this.onTick(this.seconds);
  }

  /** Seconds, of which the last one is shown until it is over. */
  get seconds() {
    const { W, B } = this.left;
    return { W: Math.ceil(W / 1000), B: Math.ceil(B / 1000) };
  }

  /** Returns the time that a side will have left if it moves now, as records have it.
   * @param {string} side */
  afterMove(side) {
    this.spend();
    const seconds = Math.floor((this.left[/** @type {"W"} */ (side)] + this.increment) / 1000);
    return [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part, n) => `${Math.floor(part)}`.padStart(n ? 2 : 1, "0")).join(":");
  }

  /** Takes the time that has passed from the side whose clock runs. */
  spend() {
    const now = performance.now();
    const side = /** @type {"W" | undefined} */ (this.side);
    if (side) this.left[side] = Math.max(0, this.left[side] - (now - this.at));
    this.at = now;
  }

  tick() {
    const { side } = this;
    this.spend();
    this.onTick(this.seconds);
    if (!side || this.left[/** @type {"W"} */ (side)] > 0) return;
    this.run(undefined);
    this.onFlag(side);
  }
}
