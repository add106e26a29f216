import { CALIBRATION_SECONDS, CALIBRATION_TIMES } from "@followspot/lighting";

const SAMPLE_RATE = 24_000;
/** A sweep: short for the ear, and of a shape that is found in noise. */
const CLICK_SECONDS = 0.008;
const FROM_HZ = 1500;
const TO_HZ = 6000;
const HEADER_BYTES = 44;

/** The click as samples, −1..1; it begins at the first of them. */
export function clickShape(sampleRate: number): Float32Array {
  const length = Math.round(CLICK_SECONDS * sampleRate);
  return Float32Array.from({ length }, (_, i) => {
    const t = i / sampleRate;
    const turns = FROM_HZ * t + ((TO_HZ - FROM_HZ) / (2 * CLICK_SECONDS)) * t * t;
    return Math.sin(2 * Math.PI * turns) * Math.sin((Math.PI * i) / length);
  });
}

/** The calibration as a WAV file: a click at each of its times, silence between. */
export function clickTrack(): Blob {
  const count = CALIBRATION_SECONDS * SAMPLE_RATE;
  const bytes = new ArrayBuffer(HEADER_BYTES + count * 2);
  const view = new DataView(bytes);
  const text = (at: number, word: string) => [...word].forEach((ch, i) => view.setUint8(at + i, ch.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, bytes.byteLength - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // one channel
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, count * 2, true);
  const click = clickShape(SAMPLE_RATE);
  for (const time of CALIBRATION_TIMES) {
    const first = time * SAMPLE_RATE;
    for (const [i, y] of click.entries()) view.setInt16(HEADER_BYTES + (first + i) * 2, Math.round(y * 30_000), true);
  }
  return new Blob([bytes], { type: "audio/wav" });
}
