import type { FileHandle } from "node:fs/promises";
import { mp3Length, type AudioFormat } from "./sniff-audio.ts";

/**
 * Seconds the container says it holds, to tell a truncated file from a short one.
 * @returns undefined where the format does not say (plain AAC, Ogg, MP3 without a Xing header)
 */
export async function containerDuration(file: FileHandle, format: AudioFormat): Promise<number | undefined> {
  const head = Buffer.alloc(65_536);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const bytes = head.subarray(0, bytesRead);
  try {
    if (format === "wav") return wavDuration(bytes);
    if (format === "flac") return flacDuration(bytes);
    if (format === "mp3") return await mp3Duration(file, bytes);
    if (format === "m4a") return await mp4Duration(file);
    if (format === "webm") return webmDuration(bytes);
  } catch (error) {
    // Reading past a header that lies: the container says nothing we can use.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function wavDuration(bytes: Buffer): number | undefined {
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const id = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (id === "fmt ") rate = bytes.readUInt32LE(at + 16);
    if (id === "data") return rate > 0 && size < 0xffff_0000 ? size / rate : undefined;
    at += 8 + size + (size & 1);
  }
  return undefined;
}

function flacDuration(bytes: Buffer): number | undefined {
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

/** The movie header inside `moov`, wherever that lies in the file. */
async function mp4Duration(file: FileHandle): Promise<number | undefined> {
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  for (let at = 0; at + 16 <= size;) {
    await file.read(head, 0, 16, at);
    const short = head.readUInt32BE(0);
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short;
    if (length < 8) return undefined;
    if (head.toString("latin1", 4, 8) === "moov") {
      const moov = Buffer.alloc(Math.min(length, 4096));
      await file.read(moov, 0, moov.length, at);
      const mvhd = moov.indexOf("mvhd", 8, "latin1");
      if (mvhd < 0) return undefined;
      const isLong = moov[mvhd + 4] === 1;
      const scale = moov.readUInt32BE(mvhd + (isLong ? 24 : 16));
      const units = isLong ? Number(moov.readBigUInt64BE(mvhd + 28)) : moov.readUInt32BE(mvhd + 20);
      return scale > 0 && units > 0 && units < 0xffff_ffff ? units / scale : undefined;
    }
    at += length;
  }
  return undefined;
}

/** The Duration element of the segment's Info, in units of TimestampScale (1 ms unless written). */
function webmDuration(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(Buffer.from([0x44, 0x89]));
  if (at < 0) return undefined;
  const scaleAt = bytes.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]));
  const scale = scaleAt > 0 ? bytes.readUIntBE(scaleAt + 4, bytes[scaleAt + 3]! & 7) : 1_000_000;
  const width = bytes[at + 2]! & 15;
  const units = width === 4 ? bytes.readFloatBE(at + 3) : width === 8 ? bytes.readDoubleBE(at + 3) : NaN;
  return units > 0 && units < 1e9 ? (units * scale) / 1e9 : undefined;
}
