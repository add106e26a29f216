import type { FileHandle } from "node:fs/promises";
import type { Container } from "./container.ts";
import { readMp4 } from "./mp4-boxes.ts";
import { READABLE_CODECS, readWave, type Wave } from "./read-wave.ts";
import { mp3Length, type AudioFormat } from "./sniff-audio.ts";

/** Consecutive frames that prove an MP3's frame headers are no coincidence. */
const FRAMES_IN_A_ROW = 3;
const MP3_TAIL_BYTES = 16_384;
/** Encoders may omit the padding of the last frame. */
const FRAME_SLACK_BYTES = 4;
/** Share of its audio that a WAV may lack. */
const WAV_SLACK = 0.02;
/** Enough for the last page of an Ogg file and a tag after it. */
const TAIL_BYTES = 131_072;

/** Reads the container of a file, to distinguish a truncated file from a short one. */
export async function readContainer(file: FileHandle, format: AudioFormat): Promise<Container> {
  const head = Buffer.alloc(65_536);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const bytes = head.subarray(0, bytesRead);
  try {
    if (format === "wav" || format === "caf") return waveFacts(await readWave(file), (await file.stat()).size);
    if (format === "flac") return { seconds: flacDuration(bytes) };
    if (format === "mp3") return { seconds: await mp3Duration(file, bytes), isCut: await isMp3Cut(file) };
    if (format === "m4a") return await readMp4(file);
    if (format === "webm") return { seconds: webmDuration(bytes) };
    if (format === "ogg" || format === "opus") return { isCut: await isOggCut(file) };
    if (format === "aiff") return { isCut: 8 + bytes.readUInt32BE(4) > (await file.stat()).size };
  } catch (error) {
    // A wrong header leads beyond the data: the container has no usable facts.
    if (!(error instanceof RangeError)) throw error;
  }
  return {};
}

function waveFacts(wave: Wave | undefined, fileBytes: number): Container {
  if (!wave) return {};
  const { seconds, dataAt, dataBytes = 0, codec = 0, kind } = wave;
  const isCut = dataAt + dataBytes - fileBytes > WAV_SLACK * dataBytes;
  return { seconds, isCut, ...(!READABLE_CODECS.includes(codec) && { undecodable: kind }) };
}

function flacDuration(bytes: Buffer): number | undefined {
  // Every FLAC begins with this block; without it the length is unknown.
  if ((bytes[4]! & 0x7f) !== 0 || bytes.readUIntBE(5, 3) !== 34) return undefined;
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes[21]! & 15) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate > 0 && samples > 0 ? samples / rate : undefined;
}

async function mp3Duration(file: FileHandle, head: Buffer): Promise<number | undefined> {
  let start = 0;
  let bytes = head;
  if (head.toString("latin1", 0, 3) === "ID3") {
    start = 10 + ((head[6]! << 21) | (head[7]! << 14) | (head[8]! << 7) | head[9]!);
    bytes = Buffer.alloc(4096);
    await file.read(bytes, 0, bytes.length, start);
  }
  for (let at = 0; at < 1024; at++) {
    if (bytes[at] !== 0xff || mp3Length(bytes, at) === 0) continue;
    const isMpeg1 = ((bytes[at + 1]! >> 3) & 3) === 3;
    const isMono = bytes[at + 3]! >> 6 === 3;
    const tag = at + 4 + (isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
    const name = bytes.toString("latin1", tag, tag + 4);
    if ((name !== "Xing" && name !== "Info") || (bytes[tag + 7]! & 1) === 0) return undefined;
    const rate = [44_100, 48_000, 32_000][(bytes[at + 2]! >> 2) & 3]! / (isMpeg1 ? 1 : 2);
    return (bytes.readUInt32BE(tag + 8) * (isMpeg1 ? 1152 : 576)) / rate;
  }
  return undefined;
}

/** Whether the last frame of an MP3 file is truncated; a tag after the frames is a proper end. */
async function isMp3Cut(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, MP3_TAIL_BYTES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const frameAt = (at: number) => (tail[at] === 0xff && at + 4 <= tail.length ? mp3Length(tail, at) : 0);
  for (let start = 0; start < tail.length; start++) {
    let at = start;
    let frames = 0;
    for (; at < tail.length && frameAt(at) > 0; frames++) at += frameAt(at);
    if (frames > FRAMES_IN_A_ROW) return at > tail.length + FRAME_SLACK_BYTES;
  }
  return false;
}

/** Whether the last page of an Ogg file is truncated, or not marked as the last. */
async function isOggCut(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const page = tail.lastIndexOf("OggS", undefined, "latin1");
  if (page < 0 || page + 27 > tail.length) return true;
  const isLast = (tail[page + 5]! & 4) !== 0;
  const body = page + 27 + tail[page + 26]!;
  const bodyBytes = tail.subarray(page + 27, body).reduce((sum, lacing) => sum + lacing, 0);
  return !isLast || body + bodyBytes > tail.length;
}

/** Reads the Duration element of the segment's Info, in units of TimestampScale (1 ms by default). */
function webmDuration(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(Buffer.from([0x44, 0x89]));
  if (at < 0) return undefined;
  const scaleAt = bytes.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]));
  const scale = scaleAt > 0 ? bytes.readUIntBE(scaleAt + 4, bytes[scaleAt + 3]! & 7) : 1_000_000;
  const width = bytes[at + 2]! & 15;
  const units = width === 4 ? bytes.readFloatBE(at + 3) : width === 8 ? bytes.readDoubleBE(at + 3) : NaN;
  return units > 0 && units < 1e9 ? (units * scale) / 1e9 : undefined;
}
