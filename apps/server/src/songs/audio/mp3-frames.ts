import { mp3FrameSeconds, mp3Length } from "./sniff-audio.ts";

/** Header bytes that determine the length of a frame. */
const HEADER_BYTES = 4;
const TAG_BYTES = 10;
/** Encoders may omit the padding of the last frame. */
const FRAME_SLACK_BYTES = 4;

/** Sum of the frames of an MP3. */
export interface Mp3Frames {
  /** Duration of their audio; 0 if there are none. */
  readonly seconds: number;
  /** Whether the last frame is truncated. */
  readonly isCut: boolean;
}

/** Counts the layer III frames of a file by their headers, without decoding. Bytes that are not a frame are skipped. */
export async function countMp3Frames(chunks: AsyncIterable<Buffer>): Promise<Mp3Frames> {
  let [seconds, skip, isBegun] = [0, 0, false];
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    if (!isBegun && bytes.length >= TAG_BYTES) {
      isBegun = true;
      skip = tagLength(bytes);
    }
    while (isBegun) {
      const skipped = Math.min(skip, bytes.length - at);
      at += skipped;
      skip -= skipped;
      if (at + HEADER_BYTES > bytes.length) break;
      const isHeader = bytes[at] === 0xff && (bytes[at + 1]! & 0xe0) === 0xe0;
      const length = isHeader ? mp3Length(bytes, at) : 0;
      if (length > 0) seconds += mp3FrameSeconds(bytes, at);
      skip = Math.max(1, length);
    }
    held = bytes.subarray(at);
  }
  return { seconds, isCut: skip > FRAME_SLACK_BYTES };
}

/** Returns the length of the ID3v2 tag at the beginning of a file, bytes; 0 if there is none. */
function tagLength(bytes: Buffer): number {
  if (bytes.toString("latin1", 0, 3) !== "ID3") return 0;
  return TAG_BYTES + ((bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!);
}
