import { RATE, type Stereo } from "./synth.ts";

/** 16-bit stereo WAV. */
export function encodeWav({ left, right }: Stereo): Buffer {
  const out = Buffer.alloc(44 + 4 * left.length);
  out.write("RIFF");
  out.writeUInt32LE(36 + 4 * left.length, 4);
  out.write("WAVEfmt ", 8);
  out.writeUInt32LE(16, 16);
  out.writeUInt16LE(1, 20);
  out.writeUInt16LE(2, 22);
  out.writeUInt32LE(RATE, 24);
  out.writeUInt32LE(4 * RATE, 28);
  out.writeUInt16LE(4, 32);
  out.writeUInt16LE(16, 34);
  out.write("data", 36);
  out.writeUInt32LE(4 * left.length, 40);
  const toInteger = (v: number) => Math.round(32_767 * Math.max(-1, Math.min(1, v)));
  for (let i = 0; i < left.length; i++) {
    out.writeInt16LE(toInteger(left[i]!), 44 + 4 * i);
    out.writeInt16LE(toInteger(right[i]!), 46 + 4 * i);
  }
  return out;
}
