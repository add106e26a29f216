/** Zero crossings of the kernel to each side, at the lower of the two rates. */
const HALF_CROSSINGS = 16;
const KAISER_BETA = 8;

/**
 * Streaming change of sample rate for one channel: a Kaiser-windowed sinc, one set of taps per
 * phase of the reduced ratio. Flat to 18 kHz at 44.1 kHz; what lies above the new rate's half is
 * 34 dB down at once and 80 dB from a few kHz further.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #phases: Float32Array[];
  readonly #reach: number;
  #history: Float32Array;
  /** Position of the next output, in input samples from the start of `#history`. */
  #at: number;
  #phase = 0;

  /** @throws RangeError unless both rates are whole numbers from 1000 to 768000 Hz */
  constructor(from: number, to: number) {
    for (const rate of [from, to]) {
      if (!Number.isInteger(rate) || rate < 1000 || rate > 768_000)
        throw new RangeError(`sample rate ${rate} is not in 1000..768000`);
    }
    const divisor = gcd(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    const cutoff = Math.min(1, to / from) * 0.96;
    this.#reach = Math.ceil(HALF_CROSSINGS / Math.min(1, to / from));
    this.#phases = Array.from({ length: this.#up }, (_, p) => kernel(p / this.#up, this.#reach, cutoff));
    this.#history = new Float32Array(this.#reach);
    this.#at = this.#reach;
  }

  push(input: Float32Array): Float32Array {
    const reach = this.#reach;
    const y = new Float32Array(this.#history.length + input.length);
    y.set(this.#history);
    y.set(input, this.#history.length);
    const out = new Float32Array(Math.max(0, Math.ceil(((y.length - this.#at) * this.#up) / this.#down) + 1));
    let count = 0;
    while (this.#at + reach < y.length) {
      const taps = this.#phases[this.#phase]!;
      const base = this.#at - reach + 1;
      let sum = 0;
      for (let n = 0; n < taps.length; n++) sum += taps[n]! * y[base + n]!;
      out[count++] = sum;
      this.#phase += this.#down;
      this.#at += Math.floor(this.#phase / this.#up);
      this.#phase %= this.#up;
    }
    const keep = Math.min(y.length, Math.max(0, this.#at - reach));
    this.#history = y.slice(keep);
    this.#at -= keep;
    return out.subarray(0, count);
  }

  /** The last samples, which wait for what follows them. */
  finish(): Float32Array {
    return this.push(new Float32Array(this.#reach));
  }
}

/** Taps for an output that lies `offset` (0..1) after an input sample: inputs 1 - reach .. reach. */
function kernel(offset: number, reach: number, cutoff: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * reach }, (_, n) => {
    const x = n - reach + 1 - offset;
    const sinc = Math.abs(x) < 1e-9 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    const r = Math.min(1, Math.abs(x) / reach);
    return sinc * (bessel(KAISER_BETA * Math.sqrt(1 - r * r)) / bessel(KAISER_BETA));
  });
  const sum = taps.reduce((a, b) => a + b, 0);
  return taps.map((v) => v / sum);
}

/** Modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let n = 1; n < 40; n++) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
