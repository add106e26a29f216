import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import type { Container } from "./container.ts";

/** A box at the top level of an MP4 file. */
interface Box {
  readonly type: string;
  readonly at: number;
  /** Declared length; it may exceed the end of a truncated file. */
  readonly length: number;
}

/** Size limit of an index that is read (a song of three hours has 2 MB). */
const MAX_INDEX_BYTES = 64_000_000;
const HEADER_BYTES = 16;
/** Boxes that contain the tables of sample positions. */
const BRANCHES = ["trak", "mdia", "minf", "stbl"];

/** Reads the movie header inside `moov`, wherever that is in the file, and whether the file is complete. */
export async function readMp4(file: FileHandle): Promise<Container> {
  const { size } = await file.stat();
  const boxes = await topBoxes(file, size);
  const last = boxes.at(-1);
  const isCut = last !== undefined && last.at + last.length > size;
  const moov = boxes.find(({ type }) => type === "moov");
  if (!moov || moov.at + moov.length > size) {
    const isHopeless = moov !== undefined || boxes.some(({ type }) => type === "mdat");
    return { isCut: isHopeless, isHopeless };
  }
  return { seconds: await movieSeconds(file, moov), isCut };
}

/**
 * Yields the bytes of an MP4 file with its index first, for a streaming decoder: with the index at the end it would
 * have to buffer the whole song.
 */
export async function* indexFirst(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const boxes = await topBoxes(file, size);
    const moov = boxes.find(({ type }) => type === "moov");
    const isBehind = moov !== undefined && boxes.some(({ type, at }) => type === "mdat" && at < moov.at);
    if (!isBehind || moov.length > MAX_INDEX_BYTES || moov.at + moov.length > size) {
      yield* createReadStream(path, { highWaterMark: 65_536 });
      return;
    }
    const index = Buffer.alloc(moov.length);
    await file.read(index, 0, moov.length, moov.at);
    // Data before the index moves back by its length; data after it stays.
    moveSamples(index, 8, index.length, (at) => (at < moov.at ? at + moov.length : at));
    yield index;
    yield* createReadStream(path, { highWaterMark: 65_536, end: moov.at - 1 });
    if (moov.at + moov.length < size)
      yield* createReadStream(path, { highWaterMark: 65_536, start: moov.at + moov.length });
  } finally {
    await file.close();
  }
}

/** Facts of the first AAC track. */
export interface AacTrack {
  /** Sample rate in its description, Hz. */
  readonly rate: number;
  /** Media time at which the presentation starts, seconds: the encoder's priming, or a cut. */
  readonly startSeconds: number;
}

/** Reads the AAC track of an MP4 file; undefined without one, or if a tag of iTunes declares the priming instead. */
export async function readAacTrack(path: string): Promise<AacTrack | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const moov = (await topBoxes(file, size)).find(({ type }) => type === "moov");
    if (!moov || moov.length > MAX_INDEX_BYTES || moov.at + moov.length > size) return undefined;
    const bytes = Buffer.alloc(moov.length);
    await file.read(bytes, 0, bytes.length, moov.at);
    for (const track of boxesIn(bytes.subarray(8), "trak")) {
      const [entry] = boxesIn(track, "mdia", "minf", "stbl", "stsd");
      if (entry?.toString("latin1", 12, 16) === "mp4a") return aacTrack(track, entry, bytes);
    }
    return undefined;
  } finally {
    await file.close();
  }
}

/** Object type of MPEG-4 audio in the descriptor of a decoder. */
const MPEG4_AUDIO = 0x40;
/** Object types of AAC in MPEG-2. */
const MPEG2_AAC = [0x66, 0x67, 0x68];

function aacTrack(track: Buffer, entry: Buffer, moov: Buffer): AacTrack | undefined {
  const esds = entry.indexOf("esds", 0, "latin1");
  const decoder = esds < 0 ? -1 : entry.indexOf(4, esds + 8);
  // A descriptor's length has up to four bytes; all but the last have their upper bit set.
  let at = decoder + 1;
  while (decoder >= 0 && (entry[at] ?? 0) >= 0x80) at++;
  const type = entry[at + 1] ?? 0;
  const [mdhd] = boxesIn(track, "mdia", "mdhd");
  const [elst] = boxesIn(track, "edts", "elst");
  if (decoder < 0 || !mdhd || (type !== MPEG4_AUDIO && !MPEG2_AAC.includes(type))) return undefined;
  const media = elst ? editStarts(elst) : [];
  if (media.length === 0 && moov.includes("iTunSMPB", 0, "latin1")) return undefined;
  const timescale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12);
  // Several edits are not applied: the sound starts with the media.
  const start = media.length === 1 ? media[0]! : 0;
  return { rate: entry.readUInt16BE(40), startSeconds: timescale > 0 ? start / timescale : 0 };
}

/** Returns the media times of the edits that play media. */
function editStarts(elst: Buffer): number[] {
  const isLong = elst[0] === 1;
  const bytes = isLong ? 20 : 12;
  const count = Math.min(elst.readUInt32BE(4), Math.floor((elst.length - 8) / bytes));
  const starts = Array.from({ length: count }, (_, i) =>
    isLong ? Number(elst.readBigInt64BE(16 + bytes * i)) : elst.readInt32BE(12 + bytes * i),
  );
  return starts.filter((start) => start >= 0);
}

/** Returns the bodies of the boxes at a path. */
function boxesIn(bytes: Buffer, type: string, ...path: readonly string[]): Buffer[] {
  const bodies: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > bytes.length) break;
    if (bytes.toString("latin1", at + 4, at + 8) === type) bodies.push(bytes.subarray(at + 8, at + length));
    at += length;
  }
  const [next, ...rest] = path;
  return next === undefined ? bodies : bodies.flatMap((body) => boxesIn(body, next, ...rest));
}

async function topBoxes(file: FileHandle, size: number): Promise<Box[]> {
  const boxes: Box[] = [];
  const head = Buffer.alloc(HEADER_BYTES);
  for (let at = 0; at + 8 <= size;) {
    const { bytesRead } = await file.read(head, 0, HEADER_BYTES, at);
    const short = head.readUInt32BE(0);
    if (short === 1 && bytesRead < HEADER_BYTES) break;
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short;
    if (length < 8) break;
    boxes.push({ type: head.toString("latin1", 4, 8), at, length });
    at += length;
  }
  return boxes;
}

async function movieSeconds(file: FileHandle, { at, length }: Box): Promise<number | undefined> {
  const moov = Buffer.alloc(Math.min(length, 4096));
  await file.read(moov, 0, moov.length, at);
  const mvhd = moov.indexOf("mvhd", 8, "latin1");
  if (mvhd < 0) return undefined;
  const isLong = moov[mvhd + 4] === 1;
  const scale = moov.readUInt32BE(mvhd + (isLong ? 24 : 16));
  const units = isLong ? Number(moov.readBigUInt64BE(mvhd + 28)) : moov.readUInt32BE(mvhd + 20);
  return scale > 0 && units > 0 && units < 0xffff_ffff ? units / scale : undefined;
}

/** Rewrites every position in the tables `stco` and `co64` below a box. */
function moveSamples(bytes: Buffer, from: number, to: number, move: (at: number) => number): void {
  for (let at = from; at + 8 <= to;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (length < 8 || at + length > to) return;
    if (BRANCHES.includes(type)) moveSamples(bytes, at + 8, at + length, move);
    const isWide = type === "co64";
    if (isWide || type === "stco") {
      const entry = isWide ? 8 : 4;
      const count = Math.min(bytes.readUInt32BE(at + 12), Math.floor((length - 16) / entry));
      for (let i = 0; i < count; i++) {
        const place = at + 16 + i * entry;
        if (isWide) bytes.writeBigUInt64BE(BigInt(move(Number(bytes.readBigUInt64BE(place)))), place);
        else bytes.writeUInt32BE(move(bytes.readUInt32BE(place)), place);
      }
    }
    at += length;
  }
}
