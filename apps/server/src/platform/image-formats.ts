import { crc32 } from "node:zlib";

export interface CleanImage {
  readonly mimeType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
  readonly bytes: Buffer;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly image: CleanImage;
}

/** The picture without what it says about its maker or place; undefined unless it is whole and of a type we serve. */
export function readPicture(bytes: Buffer): Picture | undefined {
  try {
    if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(bytes);
    if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
    if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return readWebp(bytes);
    if (/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return readGif(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // a read past the end: the file is cut short
  }
  return undefined;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks that change how the picture looks; everything else (text, Exif, time) is dropped. */
const PNG_KEPT = new Set("IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs acTL fcTL fdAT cICP".split(" "));

function readPng(bytes: Buffer): Picture | undefined {
  const kept: Buffer[] = [PNG_SIGNATURE];
  let hasPixels = false;
  for (let at = 8; ;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (at === 8 && (type !== "IHDR" || length !== 13)) return undefined;
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined;
    if (PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end));
    hasPixels ||= type === "IDAT" && length > 0;
    if (type === "IEND") break;
    at = end;
  }
  if (!hasPixels) return undefined;
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    image: { mimeType: "image/png", bytes: Buffer.concat(kept) },
  };
}

/** JFIF, Adobe colour transform and ICC profile are needed to draw; Exif, XMP, IPTC and comments are not. */
const JPEG_KEPT_APPS = new Set([0xe0, 0xe2, 0xee]);

function readJpeg(bytes: Buffer): Picture | undefined {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill byte
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || end < at + 4) return undefined;
    const segment = bytes.subarray(at, end);
    if (marker === 0xe1) orientation = exifOrientation(segment) ?? orientation;
    const isStartOfFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isStartOfFrame) size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    const isApp = marker >= 0xe0 && marker <= 0xef;
    const isComment = marker === 0xfe;
    if ((!isApp || JPEG_KEPT_APPS.has(marker)) && !isComment) kept.push(segment);
    at = end;
    if (marker === 0xda) {
      const last = bytes.lastIndexOf(Buffer.from([0xff, 0xd9]));
      if (last < at || !size) return undefined;
      kept.push(bytes.subarray(at, last + 2));
      break;
    }
  }
  if (orientation !== 1) kept.splice(1, 0, exifWithOrientation(orientation));
  return { ...size, image: { mimeType: "image/jpeg", bytes: Buffer.concat(kept) } };
}

const ORIENTATION_TAG = 0x0112;

/** Which way up a phone held the picture, 1..8. */
function exifOrientation(segment: Buffer): number | undefined {
  if (segment.toString("latin1", 4, 10) !== "Exif\0\0") return undefined;
  const tiff = segment.subarray(10);
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  try {
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    for (let i = 0; i < u16(directory); i++) {
      const entry = directory + 2 + i * 12;
      const value = u16(entry + 8);
      if (u16(entry) === ORIENTATION_TAG) return value >= 1 && value <= 8 ? value : undefined;
    }
  } catch {
    // Broken Exif is dropped like all of it.
  }
  return undefined;
}

/** An Exif segment that says the orientation and nothing else. */
function exifWithOrientation(orientation: number): Buffer {
  const segment = Buffer.alloc(36);
  segment.writeUInt16BE(0xffe1, 0);
  segment.writeUInt16BE(34, 2);
  segment.write("Exif\0\0MM\0*", 4, "latin1");
  segment.writeUInt32BE(8, 14); // the directory follows the header
  segment.writeUInt16BE(1, 18);
  segment.writeUInt16BE(ORIENTATION_TAG, 20);
  segment.writeUInt16BE(3, 22); // SHORT
  segment.writeUInt32BE(1, 24);
  segment.writeUInt16BE(orientation, 28);
  return segment;
}

function readWebp(bytes: Buffer): Picture | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const kept: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  let hasPixels = false;
  for (let at = 12; at + 8 <= end;) {
    const type = bytes.toString("latin1", at, at + 4);
    const next = at + 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2);
    if (next > end + 1) return undefined;
    const chunk = Buffer.from(bytes.subarray(at, next));
    if (type === "VP8X") {
      chunk[8] = chunk.readUInt8(8) & ~0b1100; // neither Exif nor XMP follows
      size = { width: chunk.readUIntLE(12, 3) + 1, height: chunk.readUIntLE(15, 3) + 1 };
    } else if (type === "VP8 ") {
      if (chunk.readUIntBE(11, 3) !== 0x9d012a) return undefined;
      size ??= { width: chunk.readUInt16LE(14) & 0x3fff, height: chunk.readUInt16LE(16) & 0x3fff };
      hasPixels = true;
    } else if (type === "VP8L") {
      if (chunk.readUInt8(8) !== 0x2f) return undefined;
      const bits = chunk.readUInt32LE(9);
      size ??= { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      hasPixels = true;
    } else if (type === "ANMF") hasPixels = true;
    if (type !== "EXIF" && type !== "XMP ") kept.push(chunk);
    at = next;
  }
  if (!size || !hasPixels) return undefined;
  const body = Buffer.concat([Buffer.from("WEBP"), ...kept]);
  const header = Buffer.from("RIFF\0\0\0\0");
  header.writeUInt32LE(body.length, 4);
  return { ...size, image: { mimeType: "image/webp", bytes: Buffer.concat([header, body]) } };
}

function readGif(bytes: Buffer): Picture | undefined {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + colours(bytes.readUInt8(10));
  const kept: Buffer[] = [bytes.subarray(0, at)];
  let hasPixels = false;
  for (;;) {
    const start = at;
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b) break;
    if (kind === 0x2c) {
      at = skipBlocks(bytes, at + 10 + colours(bytes.readUInt8(at + 9)) + 1);
      hasPixels = true;
      kept.push(bytes.subarray(start, at));
    } else if (kind === 0x21) {
      const label = bytes.readUInt8(at + 1);
      at = skipBlocks(bytes, at + 2);
      const isLooping = label === 0xff && bytes.toString("latin1", start + 3, start + 14) === "NETSCAPE2.0";
      if (label === 0xf9 || isLooping) kept.push(bytes.subarray(start, at));
    } else return undefined;
  }
  if (!hasPixels) return undefined;
  return {
    width: bytes.readUInt16LE(6),
    height: bytes.readUInt16LE(8),
    image: { mimeType: "image/gif", bytes: Buffer.concat([...kept, Buffer.from([0x3b])]) },
  };
}

function skipBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
  return at + 1;
}
