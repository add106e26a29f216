import { crc32, deflateSync } from "node:zlib";

/** A text no answer may carry: where a picture was taken. */
export const CANARY = "GPS-CANARY-52.5200N";

/** A grey PNG with a text chunk. */
export function png(width = 2, height = 2): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  // Only as many rows as a small picture has: a reader must judge by the header.
  const pixels = deflateSync(Buffer.alloc((Math.min(width, 64) + 1) * Math.min(height, 64)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from(`Comment\0${CANARY}`)),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The segments of a JPEG that lies on its side, with Exif and a comment. */
export function jpeg(width = 2, height = 2): Buffer {
  const exif = Buffer.alloc(26);
  exif.write("II*\0", 0, "latin1");
  exif.writeUInt32LE(8, 4);
  exif.writeUInt16LE(1, 8);
  exif.writeUInt16LE(0x0112, 10);
  exif.writeUInt16LE(3, 12);
  exif.writeUInt32LE(1, 14);
  exif.writeUInt16LE(6, 18);
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exif, Buffer.from(CANARY)])),
    segment(0xfe, Buffer.from(CANARY)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0x34, 0xff, 0xd9]),
    Buffer.from(CANARY),
  ]);
}

export function webp(): Buffer {
  const picture = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");
  const extra = Buffer.concat([Buffer.from("EXIF"), u32(CANARY.length + 1), Buffer.from(`${CANARY} `)]);
  const whole = Buffer.concat([picture, extra]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

export function gif(): Buffer {
  const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, CANARY.length]), Buffer.from(CANARY), Buffer.from([0])]);
  return Buffer.concat([picture.subarray(0, 19), comment, picture.subarray(19), Buffer.from(CANARY)]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
