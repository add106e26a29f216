export const WAV_HEADER_BYTES = 44;
/** Two channels of 16 bits. */
const FRAME_BYTES = 4;

/**
 * The head of a WAV file of 16-bit stereo; samples follow it, left and right in turn, little-endian.
 * @param frames     samples per channel
 * @param sampleRate Hz
 */
export function wavHeader(frames: number, sampleRate: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + frames * FRAME_BYTES, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * FRAME_BYTES, 28);
  header.writeUInt16LE(FRAME_BYTES, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(frames * FRAME_BYTES, 40);
  return header;
}
