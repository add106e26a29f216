/** Sample rate of the synthesized sounds, Hz; their range is ±1. */
export const TEST_RATE = 44_100;

/**
 * Synthesizes a kick on every beat, a snare on every other, hats in between, and a bass. @param from seconds of silence
 * before
 */
export function drumLoop(bpm: number, seconds: number, from = 0): { y: Float32Array; beats: number[] } {
  const y = new Float32Array(Math.round(seconds * TEST_RATE));
  const beat = 60 / bpm;
  const beats: number[] = [];
  for (let i = 0; from + i * beat < seconds; i++) {
    const t = from + i * beat;
    beats.push(t);
    strike(y, t, 0.25, (s) => Math.sin(2 * Math.PI * (50 * s + 6 * (1 - Math.exp(-s * 40)))) * Math.exp(-s * 14) * 0.7);
    if (i % 2 === 1) strike(y, t, 0.15, (s, n) => noiseAt(n) * Math.exp(-s * 25) * 0.4);
    strike(y, t + beat / 2, 0.05, (s, n) => noiseAt(n * 3) * Math.exp(-s * 90) * 0.15);
    const pitch = [55, 55, 65.4, 49][i & 3]!;
    strike(y, t, beat, (s) => Math.sin(2 * Math.PI * pitch * s) * 0.15);
  }
  return { y, beats };
}

/** Synthesizes clicks of one sample at a rate. */
export function clicks(hz: number, seconds: number): Float32Array {
  return Float32Array.from({ length: seconds * TEST_RATE }, (_, n) => (n % Math.round(TEST_RATE / hz) < 40 ? 1 : 0));
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * TEST_RATE));
}

/** Synthesizes full-scale noise for a part of each period. */
export function noiseBursts(hz: number, seconds: number, part = 0.5): Float32Array {
  const turn = TEST_RATE / hz;
  return Float32Array.from({ length: seconds * TEST_RATE }, (_, n) => (n % turn < turn * part ? noiseAt(n) : 0));
}

/** Synthesizes a full-scale square wave that is switched on and off. */
export function square(hz: number, gateHz: number, seconds: number): Float32Array {
  return Float32Array.from({ length: seconds * TEST_RATE }, (_, n) => {
    const isOn = (n * gateHz) % TEST_RATE < TEST_RATE / 2;
    return isOn ? ((n * hz) % TEST_RATE < TEST_RATE / 2 ? 1 : -1) : 0;
  });
}

export function constant(value: number, seconds: number): Float32Array {
  return new Float32Array(seconds * TEST_RATE).fill(value);
}

function strike(y: Float32Array, at: number, length: number, of: (seconds: number, n: number) => number): void {
  const first = Math.round(at * TEST_RATE);
  for (let n = 0; n < length * TEST_RATE && first + n < y.length; n++) y[first + n]! += of(n / TEST_RATE, n);
}

/** Returns the same noise in every run. */
function noiseAt(n: number): number {
  const x = Math.sin(n * 12.9898) * 43_758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}
