import { mean } from "../basics/maths.ts";

/** Loudness of silence, for which the standard's logarithm is undefined. */
export const SILENCE_LUFS = -70;

type Coefficients = readonly [b0: number, b1: number, b2: number, a1: number, a2: number];

/**
 * K-weighting filter of ITU-R BS.1770-4 for one channel, at any sample rate: the analog prototypes of its two tables
 * (which are for 48 kHz), with the bilinear transform. The filter state persists between calls.
 */
export class KWeighting {
  readonly #shelf: Coefficients;
  readonly #highPass: Coefficients;
  readonly #state = new Float64Array(8);

  constructor(sampleRate: number) {
    this.#shelf = highShelf(sampleRate);
    this.#highPass = highPass(sampleRate);
  }

  /** @returns sum of the squared weighted samples of y[from, to) */
  energy(y: Float32Array, from: number, to: number): number {
    const [b0, b1, b2, a1, a2] = this.#shelf;
    const [d0, d1, d2, c1, c2] = this.#highPass;
    const s = this.#state;
    let x1 = s[0]!,
      x2 = s[1]!,
      u1 = s[2]!,
      u2 = s[3]!,
      v1 = s[4]!,
      v2 = s[5]!;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const x = y[i]!;
      const u = b0 * x + b1 * x1 + b2 * x2 - a1 * u1 - a2 * u2;
      const v = d0 * u + d1 * u1 + d2 * u2 - c1 * v1 - c2 * v2;
      x2 = x1;
      x1 = x;
      u2 = u1;
      u1 = u;
      v2 = v1;
      v1 = v;
      sum += v * v;
    }
    // Denormals make the filter hundreds of times slower in digital silence.
    s.set([x1, x2, flush(u1), flush(u2), flush(v1), flush(v2)]);
    return sum;
  }
}

/**
 * Returns the integrated loudness by ITU-R BS.1770-4: 400 ms blocks with 75 % overlap, absolute gate at -70 LUFS,
 * relative gate 10 LU below the mean of the remaining blocks.
 *
 * @param power mean square of the K-weighted signal summed over channels, one value per 100 ms
 * @returns LUFS, SILENCE_LUFS if no block passes the gates
 */
export function integratedLoudness(power: Float32Array): number {
  const blocks: number[] = [];
  for (let i = 0; i + 4 <= power.length; i++) blocks.push(mean(power, i, i + 4));
  if (blocks.length === 0 && power.length > 0) blocks.push(mean(power));
  const audible = blocks.filter((p) => lufs(p) > SILENCE_LUFS);
  const gate = lufs(mean(audible)) - 10;
  const gated = audible.filter((p) => lufs(p) > gate);
  return gated.length === 0 ? SILENCE_LUFS : lufs(mean(gated));
}

/** Converts the mean square of a K-weighted signal to loudness, at least SILENCE_LUFS. */
export function lufs(power: number): number {
  return power > 0 ? Math.max(SILENCE_LUFS, -0.691 + 10 * Math.log10(power)) : SILENCE_LUFS;
}

function flush(x: number): number {
  return Math.abs(x) < 1e-20 ? 0 : x;
}

function highShelf(sampleRate: number): Coefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const vh = 10 ** (3.999843853973347 / 20);
  const vb = vh ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return [
    (vh + (vb * k) / q + k * k) / a0,
    (2 * (k * k - vh)) / a0,
    (vh - (vb * k) / q + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / q + k * k) / a0,
  ];
}

function highPass(sampleRate: number): Coefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0];
}
