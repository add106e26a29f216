/**
 * A room: eight combs beside each other and four all-passes after each other on each side (Schroeder 1962, Moorer 1979; delays
 * in samples at 44.1 kHz as Freeverb has them, which Jezar gave to the public domain).
 */
const COMBS = [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617];
const ALL_PASSES = [556, 441, 341, 225];
/** The right side is this much longer. */
const SPREAD = 23;
const FEEDBACK = 0.82;
const DAMPING = 0.28;
const LEVEL = 0.11;

export function reverberated(dry: Float32Array): { readonly left: Float32Array; readonly right: Float32Array } {
  return { left: side(dry, 0), right: side(dry, SPREAD) };
}

function side(dry: Float32Array, spread: number): Float32Array {
  const wet = new Float32Array(dry.length);
  for (const length of COMBS) addComb(dry, wet, length + spread);
  for (const length of ALL_PASSES) passAll(wet, length + spread);
  return wet;
}

function addComb(dry: Float32Array, wet: Float32Array, length: number): void {
  const line = new Float32Array(length);
  let damped = 0;
  for (let i = 0, at = 0; i < dry.length; i++, at = at + 1 === length ? 0 : at + 1) {
    const out = line[at]!;
    damped = out * (1 - DAMPING) + damped * DAMPING;
    line[at] = dry[i]! + damped * FEEDBACK;
    wet[i]! += LEVEL * out;
  }
}

function passAll(samples: Float32Array, length: number): void {
  const line = new Float32Array(length);
  for (let i = 0, at = 0; i < samples.length; i++, at = at + 1 === length ? 0 : at + 1) {
    const out = line[at]!;
    line[at] = samples[i]! + out * 0.5;
    samples[i] = out - samples[i]!;
  }
}
