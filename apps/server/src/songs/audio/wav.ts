/** Size of `wavHeader`, bytes; the samples follow. */
export const WAV_HEADER_BYTES = 44;
/** Bytes per frame: two channels of 16 bits. */
export const WAV_FRAME_BYTES = 4;

/**
 * Returns the header of a 16-bit stereo WAV file.
 * @param frames samples per channel
 * @param rate sample rate, Hz
 */
export function wavHeader(frames: number, rate: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(frames * WAV_FRAME_BYTES + WAV_HEADER_BYTES - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * WAV_FRAME_BYTES, 28);
  header.writeUInt16LE(WAV_FRAME_BYTES, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(frames * WAV_FRAME_BYTES, 40);
  return header;
}

/** Returns samples as the body of such a file; levels beyond -1..1 are clipped, NaN becomes silence. */
export function wavBody(left: Float32Array, right: Float32Array): Uint8Array {
  const frames = new Int16Array(2 * left.length);
  for (let i = 0; i < left.length; i++) {
    frames[2 * i] = toInt16(left[i]!);
    frames[2 * i + 1] = toInt16(right[i]!);
  }
  return new Uint8Array(frames.buffer);
}

/** Returns a whole 16-bit stereo WAV file. @param rate sample rate, Hz */
export function wavFile(left: Float32Array, right: Float32Array, rate: number): Buffer {
  return Buffer.concat([wavHeader(left.length, rate), wavBody(left, right)]);
}

function toInt16(level: number): number {
  return Number.isFinite(level) ? Math.round(Math.max(-1, Math.min(1, level)) * 32_767) : 0;
}
