/** A sweep: short for the ear, and of a shape that is found in noise. */
const CLICK_SECONDS = 0.008;
const FROM_HZ = 1500;
const TO_HZ = 6000;

/** The click as samples, −1..1; it begins at the first of them. */
export function clickShape(sampleRate: number): Float32Array<ArrayBuffer> {
  const length = Math.round(CLICK_SECONDS * sampleRate);
  return Float32Array.from({ length }, (_, i) => {
    const t = i / sampleRate;
    const turns = FROM_HZ * t + ((TO_HZ - FROM_HZ) / (2 * CLICK_SECONDS)) * t * t;
    return Math.sin(2 * Math.PI * turns) * Math.sin((Math.PI * i) / length);
  });
}
