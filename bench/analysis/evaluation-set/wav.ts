import { wavFile } from "../../../apps/server/src/songs/audio/wav.ts";
import { RATE, type Stereo } from "./synth.ts";

/** 16-bit stereo WAV. */
export function encodeWav({ left, right }: Stereo): Buffer {
  return wavFile(left, right, RATE);
}
