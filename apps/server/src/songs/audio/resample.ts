/** Taps to each side, in samples of the lower of the two rates. */
const REACH = 36;
/**
 * Kaiser window for a stopband of 95 dB: beta = 0.1102 (95 - 8.7); with 72 taps the transition takes 0.171 of the band
 * (J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", ISCAS 1974).
 */
const KAISER_BETA = 9.51;
/** Middle of the transition, as a share of half the lower rate: it ends at 1, so nothing aliases. */
const CUTOFF = 1 - 0.171 / 2;

/**
 * Streaming sample rate conversion of one channel: a Kaiser-windowed sinc, one set of taps per phase of the reduced
 * ratio. Flat to 0.83 of half the lower rate (18.2 kHz at 44.1 kHz), at least 90 dB down from that half on. Output m is
 * at the time of input m × from / to: no delay.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  /** Computed on first use: odd ratios have tens of thousands. */
  readonly #phases: (Float64Array | undefined)[];
  readonly #cutoff: number;
  readonly #reach: number;
  /** Samples that later outputs still need, at the start of a buffer that grows as needed. */
  #y: Float64Array;
  #length: number;
  /** Position of the next output, in input samples from the start of `#y`. */
  #at: number;
  #phase = 0;
  #received = 0;
  #emitted = 0;

  /** @throws RangeError unless both rates are whole numbers from 1000 to 768000 Hz */
  constructor(from: number, to: number) {
    for (const rate of [from, to]) {
      if (!Number.isInteger(rate) || rate < 1000 || rate > 768_000)
        throw new RangeError(`sample rate ${rate} is not in 1000..768000`);
    }
    const divisor = gcd(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    const ratio = Math.min(1, to / from);
    this.#cutoff = ratio * CUTOFF;
    this.#reach = Math.ceil(REACH / ratio);
    this.#phases = new Array<Float64Array | undefined>(this.#up);
    this.#y = new Float64Array(this.#reach);
    this.#length = this.#reach;
    this.#at = this.#reach;
  }

  /** @returns the outputs that `input` completes; the last ones wait for the samples after them */
  push(input: Float32Array): Float32Array {
    this.#received += input.length;
    return this.#feed(input);
  }

  /** @returns the last outputs; over all calls ⌈inputs × to / from⌉ */
  finish(): Float32Array {
    const missing = Math.ceil((this.#received * this.#up) / this.#down) - this.#emitted;
    return this.#feed(new Float32Array(this.#reach)).subarray(0, missing);
  }

  #feed(input: Float32Array): Float32Array {
    const reach = this.#reach;
    const up = this.#up;
    const length = this.#length + input.length;
    if (length > this.#y.length) {
      const larger = new Float64Array(length);
      larger.set(this.#y.subarray(0, this.#length));
      this.#y = larger;
    }
    const y = this.#y;
    y.set(input, this.#length);
    const out = new Float32Array(Math.max(0, Math.ceil(((length - this.#at) * up) / this.#down) + 1));
    const step = Math.floor(this.#down / up);
    const phaseStep = this.#down % up;
    let at = this.#at;
    let phase = this.#phase;
    let count = 0;
    while (at + reach < length) {
      const taps = (this.#phases[phase] ??= kernel(phase / up, reach, this.#cutoff));
      const base = at - reach + 1;
      // Two parallel sums, so that the processor does not wait for one addition before the next. The number of taps is
      // even.
      let even = 0;
      let odd = 0;
      for (let n = 0; n < taps.length; n += 2) {
        even += taps[n]! * y[base + n]!;
        odd += taps[n + 1]! * y[base + n + 1]!;
      }
      out[count++] = even + odd;
      phase += phaseStep;
      at += step;
      if (phase >= up) {
        phase -= up;
        at++;
      }
    }
    const drop = Math.min(length, Math.max(0, at - reach));
    y.copyWithin(0, drop, length);
    this.#length = length - drop;
    this.#at = at - drop;
    this.#phase = phase;
    this.#emitted += count;
    return out.subarray(0, count);
  }
}

/** Returns the taps for an output `offset` (0..1) after an input sample: inputs 1 - reach .. reach. */
function kernel(offset: number, reach: number, cutoff: number): Float64Array {
  const taps = Float64Array.from({ length: 2 * reach }, (_, n) => {
    const x = n - reach + 1 - offset;
    const sinc = Math.abs(x) < 1e-9 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    const r = Math.min(1, Math.abs(x) / reach);
    return sinc * (bessel(KAISER_BETA * Math.sqrt(1 - r * r)) / bessel(KAISER_BETA));
  });
  const sum = taps.reduce((a, b) => a + b, 0);
  return taps.map((v) => v / sum);
}

/** Computes the modified Bessel function of the first kind, order 0, by its series. */
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
