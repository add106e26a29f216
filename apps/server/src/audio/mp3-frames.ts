import { mp3FrameSeconds, mp3Length } from "./sniff-audio.ts";

/** Bytes of a header that say how long its frame is. */
const HEADER_BYTES = 4;
const TAG_BYTES = 10;
/** Encoders may forget the padding of the last frame. */
const FRAME_SLACK_BYTES = 4;

/** What the frames of an MP3 hold together. */
export interface Mp3Frames {
  /** Length of their sound; 0 where there are none. */
  readonly seconds: number;
  /** The last one is not whole. */
  readonly isCut: boolean;
}

/**
 * Counts the layer III frames of a file by their headers, from its beginning to its end; nothing is decoded. Bytes that are no
 * frame are skipped.
 */
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

/** Bytes of the ID3v2 tag at the beginning of a file; 0 where there is none. */
function tagLength(bytes: Buffer): number {
  if (bytes.toString("latin1", 0, 3) !== "ID3") return 0;
  return TAG_BYTES + ((bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!);
}
