import { CALIBRATION_SECONDS, CALIBRATION_TIMES } from "@followspot/lighting";
import { clickShape } from "../sound-input/click-shape.ts";

const SAMPLE_RATE = 24_000;
const HEADER_BYTES = 44;

/** Renders the calibration track as a WAV file: a click at each of `CALIBRATION_TIMES`, silence in between. */
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
