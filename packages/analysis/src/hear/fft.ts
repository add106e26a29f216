// @ts-expect-error: the package has no types
import loadPffft from "@echogarden/pffft-wasm/simd";

/** A complex transform of fixed length, in place. */
export interface Fft {
  readonly size: number;
  /** Interleaved real and imaginary parts, shape [2 × size]: written by the caller, replaced by `transform`. */
  readonly values: Float32Array;
  /** X[k] = Σ_n x[n] e^(-2πi kn / size), unscaled. */
  readonly transform: () => void;
}

/** Address in the module's memory. */
type Pointer = number;
interface Pffft {
  readonly HEAPF32: Float32Array<ArrayBuffer>;
  readonly _pffft_aligned_malloc: (bytes: number) => Pointer;
  readonly _pffft_new_setup: (size: number, kind: number) => Pointer;
  /** Frequencies in the usual order; from and to may be the same. */
  readonly _pffft_transform_ordered: (setup: Pointer, from: Pointer, to: Pointer, spare: Pointer, way: number) => void;
}

const SHORTEST = 16;
/** PFFFT's constants for complex numbers and for the forward direction. */
const COMPLEX = 1;
const FORWARD = 0;

const pffft = (await loadPffft()) as Pffft;
const plans = new Map<number, Fft>();

/**
 * Returns the complex FFT of a length, by PFFFT compiled to WebAssembly with SIMD: single precision, with identical
 * results on every machine. All callers with the same length share a plan, so they must write, transform and read
 * without interruption. Two real signals need one transform: one in the real parts, the other in the imaginary parts.
 *
 * @param size power of two, >= 16
 * @throws RangeError if size is not a power of two >= 16
 */
export function fftOf(size: number): Fft {
  if (size < SHORTEST || (size & (size - 1)) !== 0) {
    throw new RangeError(`FFT size ${size} is not a power of two >= ${SHORTEST}`);
  }
  const fft = plans.get(size) ?? plan(size);
  plans.set(size, fft);
  return fft;
}

function plan(size: number): Fft {
  const bytes = 2 * size * Float32Array.BYTES_PER_ELEMENT;
  const [at, spare] = [pffft._pffft_aligned_malloc(bytes), pffft._pffft_aligned_malloc(bytes)];
  const setup = pffft._pffft_new_setup(size, COMPLEX);
  return {
    size,
    values: new Float32Array(pffft.HEAPF32.buffer, at, 2 * size),
    transform: () => pffft._pffft_transform_ordered(setup, at, at, spare, FORWARD),
  };
}

/** Returns a periodic Hann window of `size` points, 0..1. */
export function hannWindow(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}
