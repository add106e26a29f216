import { wavHeader } from "../../../apps/server/src/audio/wav-header.ts";
import { RATE, type Stereo } from "./synth.ts";

/** 16-bit stereo WAV. */
export function encodeWav({ left, right }: Stereo): Buffer {
  const samples = Buffer.alloc(4 * left.length);
  const toInteger = (v: number) => Math.round(32_767 * Math.max(-1, Math.min(1, v)));
  for (let i = 0; i < left.length; i++) {
    samples.writeInt16LE(toInteger(left[i]!), 4 * i);
    samples.writeInt16LE(toInteger(right[i]!), 4 * i + 2);
  }
  return Buffer.concat([wavHeader(left.length, RATE), samples]);
}
