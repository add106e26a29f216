import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** Location metadata that must not appear in any response. */
export const CANARY = "GPS-CANARY-52.5200N";

/** Encodes a gray PNG with a text chunk. */
export function png(width = 2, height = 2): Buffer {
  return pngOf(width, height, 8, deflateSync(Buffer.alloc((width + 1) * height)));
}

function pngOf(width: number, height: number, bits: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from(`Comment\0${CANARY}`)),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Image twice as wide as high, with a red left half and a blue right half. */
async function halves(width: number): Promise<Sharp> {
  const side = width / 2;
  const half = (background: string) => sharp({ create: { width: side, height: side, channels: 3, background } });
  const input = await half("blue").png().toBuffer();
  const whole = half("red").extend({ right: side, background: "red" });
  return sharp(
    await whole
      .composite([{ input, left: side, top: 0 }])
      .png()
      .toBuffer(),
  );
}

/** Images of every supported type, with location metadata if the type has any. */
export const SAMPLES: Readonly<Record<string, (width?: number) => Promise<Buffer>>> = {
  png: async (width = 200) => (await halves(width)).withExif(EXIF).png().toBuffer(),
  jpeg: async (width = 200) => (await halves(width)).withExif(EXIF).jpeg().toBuffer(),
  webp: async (width = 200) => (await halves(width)).withExif(EXIF).webp().toBuffer(),
  avif: async (width = 200) => (await halves(width)).withExif(EXIF).avif({ effort: 0 }).toBuffer(),
  tiff: async (width = 200) => Buffer.concat([await (await halves(width)).tiff().toBuffer(), Buffer.from(CANARY)]),
  gif: async (width = 200) => withComment(await (await halves(width)).gif().toBuffer()),
  svg: async (width = 200) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width / 2}"><desc>${CANARY}</desc>` +
        `<rect width="50%" height="100%" fill="red"/><rect x="50%" width="50%" height="100%" fill="blue"/></svg>`,
    ),
};

const EXIF = { IFD0: { Copyright: CANARY }, IFD3: { GPSLatitudeRef: "N", GPSProcessingMethod: CANARY } };

/** JPEG of a phone that was held upright: rotated pixels with an EXIF orientation. */
export async function turnedJpeg(): Promise<Buffer> {
  const lying = await (await halves(200)).rotate(-90).png().toBuffer();
  return sharp(lying).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

/** Encodes a black PNG with very many pixels in very few bytes. @param side a multiple of 8 */
export function hugePng(side: number): Buffer {
  return pngOf(side, side, 1, deflateSync(Buffer.alloc(side * (1 + side / 8)), { level: 9 }));
}

function withComment(gif: Buffer): Buffer {
  const palette = gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0;
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, CANARY.length]), Buffer.from(CANARY), Buffer.from([0])]);
  return Buffer.concat([gif.subarray(0, 13 + palette), comment, gif.subarray(13 + palette)]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** Returns the largest difference between two color channels of any pixel, 0 to 255. */
export async function widestColour(picture: Buffer): Promise<number> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  let widest = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const rgb = data.subarray(at, at + 3);
    widest = Math.max(widest, Math.max(...rgb) - Math.min(...rgb));
  }
  return widest;
}
