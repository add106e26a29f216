/** A complex transform of one fixed length, in place on two arrays it owns. */
export interface Fft {
  readonly size: number;
  /** Real parts: written by the caller, replaced by `transform`. */
  readonly re: Float64Array;
  /** Imaginary parts: written by the caller, replaced by `transform`. */
  readonly im: Float64Array;
  /** X[k] = Σ_n x[n] e^(-2πi kn / size), unscaled. */
  readonly transform: () => void;
}

/**
 * Plan a complex FFT: Stockham autosort, radix 4 with one radix-2 step where the length needs it.
 * Two real signals cost one transform: put one in `re` and the other in `im` (see `splitPair`).
 *
 * @param size power of two, >= 4
 * @throws RangeError if size is not a power of two >= 4
 */
export function createFft(size: number): Fft {
  if (size < 4 || (size & (size - 1)) !== 0) {
    throw new RangeError(`FFT size ${size} is not a power of two >= 4`);
  }
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  const spareRe = new Float64Array(size);
  const spareIm = new Float64Array(size);
  const cosTable = Float64Array.from({ length: size }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sinTable = Float64Array.from({ length: size }, (_, k) => -Math.sin((2 * Math.PI * k) / size));

  function transform(): void {
    let xr = re;
    let xi = im;
    let yr = spareRe;
    let yi = spareIm;
    let n = size;
    let stride = 1;
    for (; n >= 4; n >>= 2, stride <<= 2) {
      radix4Step(xr, xi, yr, yi, n, stride, cosTable, sinTable);
      [xr, yr] = [yr, xr];
      [xi, yi] = [yi, xi];
    }
    if (n === 2) {
      const half = size >> 1;
      for (let q = 0; q < half; q++) {
        const ar = xr[q]!,
          ai = xi[q]!,
          br = xr[q + half]!,
          bi = xi[q + half]!;
        yr[q] = ar + br;
        yi[q] = ai + bi;
        yr[q + half] = ar - br;
        yi[q + half] = ai - bi;
      }
      [xr, yr] = [yr, xr];
      [xi, yi] = [yi, xi];
    }
    if (xr !== re) {
      re.set(xr);
      im.set(xi);
    }
  }
  return { size, re, im, transform };
}

function radix4Step(
  xr: Float64Array,
  xi: Float64Array,
  yr: Float64Array,
  yi: Float64Array,
  n: number,
  stride: number,
  cosTable: Float64Array,
  sinTable: Float64Array,
): void {
  const quarter = n >> 2;
  const leap = stride * quarter;
  for (let p = 0; p < quarter; p++) {
    const t = p * stride;
    const w1r = cosTable[t]!,
      w1i = sinTable[t]!;
    const w2r = cosTable[2 * t]!,
      w2i = sinTable[2 * t]!;
    const w3r = cosTable[3 * t]!,
      w3i = sinTable[3 * t]!;
    const from = stride * p;
    const to = 4 * stride * p;
    for (let q = 0; q < stride; q++) {
      const i0 = from + q,
        i1 = i0 + leap,
        i2 = i1 + leap,
        i3 = i2 + leap;
      const ar = xr[i0]!,
        ai = xi[i0]!,
        br = xr[i1]!,
        bi = xi[i1]!;
      const cr = xr[i2]!,
        ci = xi[i2]!,
        dr = xr[i3]!,
        di = xi[i3]!;
      const apcR = ar + cr,
        apcI = ai + ci,
        amcR = ar - cr,
        amcI = ai - ci;
      const bpdR = br + dr,
        bpdI = bi + di;
      // i (b - d)
      const jR = di - bi,
        jI = br - dr;
      const o0 = to + q,
        o1 = o0 + stride,
        o2 = o1 + stride,
        o3 = o2 + stride;
      yr[o0] = apcR + bpdR;
      yi[o0] = apcI + bpdI;
      const uR = amcR - jR,
        uI = amcI - jI;
      yr[o1] = w1r * uR - w1i * uI;
      yi[o1] = w1r * uI + w1i * uR;
      const vR = apcR - bpdR,
        vI = apcI - bpdI;
      yr[o2] = w2r * vR - w2i * vI;
      yi[o2] = w2r * vI + w2i * vR;
      const zR = amcR + jR,
        zI = amcI + jI;
      yr[o3] = w3r * zR - w3i * zI;
      yi[o3] = w3r * zI + w3i * zR;
    }
  }
}

/** Symmetric-periodic Hann window of `size` points, 0..1. */
export function hannWindow(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}
