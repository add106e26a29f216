import { open, rm } from "node:fs/promises";
import { publishFile, temporaryPath } from "../../platform/files/atomic-file.ts";

/** Bit rate of the files we write, constant, bits per second. */
export const MP3_BITRATE = 192_000;
/** Samples per frame of MPEG-1 Layer III (ISO/IEC 11172-3 section 2.4.2.1). */
const FRAME_SAMPLES = 1152;
/** Silence that LAME inserts before a song, samples; every player accounts for the decoder's own 529. */
const ENCODER_DELAY = 576;
/** End of the side information of two channels, where the tag follows (ISO/IEC 11172-3 section 2.4.1.7). */
const TAG_AT = 36;
const HAS_FRAMES_AND_BYTES = 3;
const MOST_PADDING = 0xfff;

const RATES: Readonly<Record<number, number>> = { 0: 44_100, 4: 48_000 };

/** Returns the size of the frame at the beginning of our files, bytes. */
export const infoFrameBytes = (sampleRate: number): number => Math.floor((144 * MP3_BITRATE) / sampleRate);

/**
 * Creates a silent frame that declares how much of the following audio is padding, in LAME's format ("MP3 Info Tag",
 * revision 1). Without it a player begins with 25 ms of silence, and light is 25 ms ahead of the sound.
 *
 * @param bytes size of all other frames @param samples length of the song itself; undefined if unknown
 */
export function infoFrame(sampleRate: number, bytes: number, samples?: number): Buffer {
  const frames = Math.round((bytes * 8 * sampleRate) / MP3_BITRATE / FRAME_SAMPLES);
  const frame = Buffer.alloc(infoFrameBytes(sampleRate));
  // MPEG-1 Layer III without CRC; 192 kbit/s; joint stereo.
  frame.writeUInt32BE(sampleRate === 48_000 ? 0xfffb_b464 : 0xfffb_b064);
  frame.write("Info", TAG_AT, "latin1");
  frame.writeUInt32BE(HAS_FRAMES_AND_BYTES, TAG_AT + 4);
  frame.writeUInt32BE(frames, TAG_AT + 8);
  frame.writeUInt32BE(bytes + frame.length, TAG_AT + 12);
  frame.write("LAME3.100", TAG_AT + 16, "latin1");
  const padding = samples === undefined ? 0 : frames * FRAME_SAMPLES - ENCODER_DELAY - samples;
  const told = Math.min(MOST_PADDING, Math.max(0, padding));
  frame.writeUIntBE(ENCODER_DELAY * 0x1000 + told, TAG_AT + 37, 3);
  return frame;
}

/** Bytes at the start of a file that {@link lacksInfoFrame} needs. */
export const INFO_HEAD_BYTES = TAG_AT + 4;

/** Whether a file begins like ours, but without that frame. Other files are left unchanged. */
export const lacksInfoFrame = (head: Buffer): boolean => rateWithoutFrame(head) !== undefined;

function rateWithoutFrame(head: Buffer): number | undefined {
  // Our files begin with a frame of 192 kbit/s.
  const isOurs = head[0] === 0xff && head[1] === 0xfb && (head[2]! & 0xf2) === 0xb0;
  return isOurs && !/Info|Xing/.test(head.toString("latin1", TAG_AT)) ? RATES[head[2]! & 0x0c] : undefined;
}

/**
 * Prepends the frame to a file that was written without it.
 * @returns whether it was missing
 */
export async function addInfoFrame(path: string): Promise<boolean> {
  const file = await open(path, "r");
  const temporary = temporaryPath(path, "info");
  try {
    const { buffer: head } = await file.read(Buffer.alloc(INFO_HEAD_BYTES), 0, INFO_HEAD_BYTES, 0);
    const sampleRate = rateWithoutFrame(head);
    if (sampleRate === undefined) return false;
    const { size } = await file.stat();
    const whole = await open(temporary, "w");
    try {
      await whole.writeFile(infoFrame(sampleRate, size));
      await whole.writeFile(file.createReadStream({ start: 0, autoClose: false }));
      await whole.sync();
    } finally {
      await whole.close();
    }
    await publishFile(temporary, path);
    return true;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
