import { closeSync, openSync, writeSync } from "node:fs";
import { WAV_HEADER_BYTES } from "../../songs/audio/wav.ts";
import type { SoundSink } from "./sound-sink.ts";

/** Two channels of 32 bits. */
const FRAME_BYTES = 8;
const FLOAT = 3;
/** Interval at which the length in the header is updated, seconds of sound; a truncated file is off by at most this. */
const LENGTH_EVERY = 1;

/**
 * Writes sound to a WAV file of 32-bit floats, at playback speed.
 * @param onEnd called if it cannot be written any more, for example on a full disk
 * @throws Error if it cannot be opened
 */
export function openWavSink(
  path: string,
  rate: number,
  onEnd: (why: string) => void,
  nowMs = () => performance.now(),
): SoundSink {
  const file = openSync(path, "w", 0o600);
  const startedMs = nowMs();
  let frames = 0;
  let told = 0;
  const tellLength = () => {
    writeSync(file, header(frames, rate), 0, WAV_HEADER_BYTES, 0);
    told = frames;
  };
  const keep = (bytes: Uint8Array) => {
    writeSync(file, bytes, 0, bytes.length, WAV_HEADER_BYTES + frames * FRAME_BYTES);
    frames += bytes.length / FRAME_BYTES;
    if (frames - told >= LENGTH_EVERY * rate) tellLength();
  };
  try {
    tellLength();
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    write(bytes) {
      if (frames > ((nowMs() - startedMs) / 1000) * rate) return false;
      try {
        keep(bytes);
      } catch (error) {
        onEnd((error as Error).message);
        return false;
      }
      return true;
    },
    close() {
      try {
        tellLength();
      } catch {
        // Readers use the file's actual length.
      }
      closeSync(file);
    },
  };
}

function header(frames: number, rate: number): Buffer {
  const bytes = Buffer.alloc(WAV_HEADER_BYTES);
  bytes.write("RIFF", 0);
  // Four gigabytes are three hours: a longer file has the maximum length here, and readers use the actual length.
  bytes.writeUInt32LE(Math.min(0xffffffff, frames * FRAME_BYTES + WAV_HEADER_BYTES - 8), 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(FLOAT, 20);
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * FRAME_BYTES, 28);
  bytes.writeUInt16LE(FRAME_BYTES, 32);
  bytes.writeUInt16LE(32, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(Math.min(0xffffffff, frames * FRAME_BYTES), 40);
  return bytes;
}
