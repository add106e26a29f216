/** Audio files with known contents, generated for tests. */

/** WAV of one second whose samples are all NaN. */
export const NAN_WAV: Buffer = (() => {
  const bytes = Buffer.alloc(44 + 4 * 44_100);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(3, 20); // IEEE float samples
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(44_100, 24);
  bytes.writeUInt32LE(4 * 44_100, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(32, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(4 * 44_100, 40);
  for (let i = 0; i < 44_100; i++) bytes.writeFloatLE(Number.NaN, 44 + 4 * i);
  return bytes;
})();

/** Smallest PNG, padded with zeros. */
export const PNG: Buffer = Buffer.concat([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  Buffer.alloc(5000),
]);

/** Samples at 44.1 kHz, or silence of any length in a few bytes. */
type FlacSound = Float32Array | { readonly seconds: number; readonly rate: 8000 };

/** Encodes mono FLAC of 16 bits: samples verbatim, silence as constant blocks. */
export function flac(sound: FlacSound): Buffer {
  const isSound = sound instanceof Float32Array;
  const rate = isSound ? 44_100 : sound.rate;
  const total = isSound ? sound.length : sound.seconds * sound.rate;
  const block = isSound ? 4096 : 65_535;
  const frames: Buffer[] = [];
  for (let at = 0; at < total; at += block) {
    const count = Math.min(block, total - at);
    const header = [
      0xff,
      0xf8,
      0x70 | (isSound ? 9 : 4),
      0x08,
      ...utf8(at / block),
      (count - 1) >> 8,
      (count - 1) & 255,
    ];
    const body = isSound ? verbatim(sound.subarray(at, at + count)) : [0, 0, 0];
    const frame = Buffer.from([...header, crc(header, 8, 0x07), ...body]);
    const sum = crc(frame, 16, 0x8005);
    frames.push(frame, Buffer.from([sum >> 8, sum & 255]));
  }
  const info = Buffer.alloc(42);
  info.write("fLaC", 0);
  info.writeUInt32BE(0x80_00_00_22, 4);
  info.writeUInt16BE(block, 8);
  info.writeUInt16BE(block, 10);
  // 20 bits sample rate, 3 bits channels - 1, 5 bits sample size - 1, 36 bits total samples.
  info.writeUIntBE(rate * 16, 18, 3);
  info.writeUInt8(0xf0, 21);
  info.writeUInt32BE(total, 22);
  return Buffer.concat([info, ...frames]);
}

function verbatim(samples: Float32Array): number[] {
  const bytes = [0x02];
  for (const level of samples) {
    const value = Math.round(level * 32_767) & 0xffff;
    bytes.push(value >> 8, value & 255);
  }
  return bytes;
}

function utf8(n: number): number[] {
  if (n < 0x80) return [n];
  if (n < 0x800) return [0xc0 | (n >> 6), 0x80 | (n & 63)];
  return [0xe0 | (n >> 12), 0x80 | ((n >> 6) & 63), 0x80 | (n & 63)];
}

function crc(bytes: Iterable<number>, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  const mask = 2 ** bits - 1;
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (bits - 8);
    for (let i = 0; i < 8; i++) sum = (sum & top ? (sum << 1) ^ polynomial : sum << 1) & mask;
  }
  return sum;
}

/** Encodes mono M4A of 16-bit samples at 44.1 kHz, one second per chunk, with its index before or after the samples. */
export function m4a(samples: Float32Array, index: "front" | "end"): Buffer {
  const sound = Buffer.alloc(2 * samples.length);
  samples.forEach((level, n) => sound.writeInt16LE(Math.round(level * 32_767), 2 * n));
  const ftyp = box("ftyp", Buffer.from("qt  \0\0\0\0qt  "));
  const mdat = box("mdat", sound);
  const indexBytes = movie(samples.length, 0).length;
  const moov = movie(samples.length, ftyp.length + 8 + (index === "front" ? indexBytes : 0));
  return Buffer.concat(index === "front" ? [ftyp, moov, mdat] : [ftyp, mdat, moov]);
}

function movie(total: number, soundAt: number): Buffer {
  const rate = 44_100;
  const chunks = Math.ceil(total / rate);
  const entry = box("sowt", Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(1, 16, 0, 0), u32(rate << 16));
  const table = box(
    "stbl",
    box("stsd", u32(0, 1), entry),
    box("stts", u32(0, 1, total, 1)),
    box("stsc", u32(0, 1, 1, rate, 1)),
    box("stsz", u32(0, 2, total)),
    box("stco", u32(0, chunks, ...Array.from({ length: chunks }, (_, i) => soundAt + 2 * rate * i))),
  );
  const reference = box("dinf", box("dref", u32(0, 1), box("url ", u32(1))));
  const media = box(
    "mdia",
    box("mdhd", u32(0, 0, 0, rate, total), u16(0, 0)),
    box("hdlr", u32(0), Buffer.from("mhlrsoun"), Buffer.alloc(13)),
    box("minf", box("smhd", u32(0, 0)), reference, table),
  );
  const unity = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
  return box(
    "moov",
    box("mvhd", u32(0, 0, 0, rate, total, 0x1_0000), u16(0x100), Buffer.alloc(10), unity, Buffer.alloc(24), u32(2)),
    box("trak", box("tkhd", u32(7, 0, 0, 1, 0, total), Buffer.alloc(8), u16(0, 0, 0x100, 0), unity, u32(0, 0)), media),
  );
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body]);
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value >>> 0, 4 * i));
  return bytes;
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => bytes.writeUInt16BE(value, 2 * i));
  return bytes;
}

/** Sound of a WAV file, by format tag. */
export interface WaveData {
  readonly tag: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
  /** Bytes of one sample of all channels, or of a block. */
  readonly blockBytes: number;
  /** Bytes behind the 16 bytes of every format chunk. */
  readonly more?: Buffer;
  readonly samples: Buffer;
  /** Samples per channel, for the chunk `fact`. */
  readonly frames?: number;
}

function formatOf({ tag, channels, rate, bits, blockBytes, more = Buffer.alloc(0) }: WaveData): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * blockBytes, 8);
  format.writeUInt16LE(blockBytes, 12);
  format.writeUInt16LE(bits, 14);
  return Buffer.concat([format, more]);
}

function riffChunk(name: string, body: Buffer, length = body.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(length);
  return Buffer.concat([Buffer.from(name, "latin1"), size, body, Buffer.alloc(body.length % 2)]);
}

/** Writes a WAV file, or one of its forms for large files, which declare their length in the chunk `ds64`. */
export function waveFile(sound: WaveData, magic: "RIFF" | "RF64" | "BW64" = "RIFF"): Buffer {
  const isLarge = magic !== "RIFF";
  const ds64 = Buffer.alloc(28);
  ds64.writeBigUInt64LE(BigInt(sound.samples.length), 8);
  const facts = Buffer.alloc(4);
  facts.writeUInt32LE(sound.frames ?? 0);
  const chunks = [
    ...(isLarge ? [riffChunk("ds64", ds64)] : []),
    riffChunk("fmt ", formatOf(sound)),
    ...(sound.frames === undefined ? [] : [riffChunk("fact", facts)]),
    riffChunk("data", sound.samples, isLarge ? 0xffff_ffff : sound.samples.length),
  ];
  return riffChunk(magic, Buffer.concat([Buffer.from("WAVE"), ...chunks]));
}

/** Writes a file of Sony Wave64. */
export function wave64File(sound: WaveData): Buffer {
  const chunk = (name: string, guidEnd: string, body: Buffer): Buffer => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(24 + body.length));
    const head = Buffer.concat([Buffer.from(name), Buffer.from(guidEnd, "hex"), size]);
    return Buffer.concat([head, body, Buffer.alloc((8 - (body.length % 8)) % 8)]);
  };
  const wave = Buffer.concat([Buffer.from("wave"), Buffer.from("f3acd3118cd100c04f8edb8a", "hex")]);
  const acid = "f3acd3118cd100c04f8edb8a";
  const body = [wave, chunk("fmt ", acid, formatOf(sound)), chunk("data", acid, sound.samples)];
  return chunk("riff", "2e91cf11a5d628db04c10000", Buffer.concat(body));
}

/** Writes a CAF file. @param codec "lpcm", or a codec that is not read @param isLittleEndian byte order of `samples` */
export function cafFile(
  { channels, rate, bits, blockBytes, samples }: WaveData,
  codec: string,
  isFloat: boolean,
  isLittleEndian: boolean,
): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const size = Buffer.alloc(8);
    size.writeBigInt64BE(BigInt(body.length));
    return Buffer.concat([Buffer.from(name), size, body]);
  };
  const rateBytes = Buffer.alloc(8);
  rateBytes.writeDoubleBE(rate);
  const flags = (isFloat ? 1 : 0) | (isLittleEndian ? 2 : 0);
  const desc = Buffer.concat([rateBytes, Buffer.from(codec), u32(flags, blockBytes, 1, channels, bits)]);
  return Buffer.concat([Buffer.from("caff"), u16(1, 0), chunk("desc", desc), chunk("data", Buffer.concat([u32(0), samples]))]); // prettier-ignore
}

/** Puts a FLAC file into Ogg: its headers on pages of their own, then one frame per page. */
export function oggFlac(file: Buffer): Buffer {
  const info = file.subarray(0, 42);
  const first = Buffer.concat([Buffer.from([0x7f]), Buffer.from("FLAC"), Buffer.from([1, 0, 0, 1]), info]);
  const comment = Buffer.concat([Buffer.from([0x84, 0, 0, 8]), Buffer.alloc(8)]);
  first[9 + 4]! &= 0x7f; // the comment is the last header
  const frames = flacFrames(file.subarray(42));
  const block = info.readUInt16BE(8);
  const total = info.readUInt32BE(22);
  return Buffer.concat([
    oggPage(first, 0, 0, 2),
    oggPage(comment, 1, 0, 0),
    ...frames.map((frame, i) =>
      oggPage(frame, 2 + i, Math.min(total, (i + 1) * block), i === frames.length - 1 ? 4 : 0),
    ),
  ]);
}

/** Splits the frames of a file written by `flac`, by their sync codes and numbers. */
function flacFrames(bytes: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = 0; (at = bytes.indexOf(Buffer.from([0xff, 0xf8, 0x79, 0x08, ...utf8(starts.length)]), at)) >= 0; at++)
    starts.push(at);
  return starts.map((start, i) => bytes.subarray(start, starts[i + 1]));
}

function oggPage(body: Buffer, number: number, position: number, flags: number): Buffer {
  const lacing = [...Array<number>(Math.floor(body.length / 255)).fill(255), body.length % 255];
  const head = Buffer.alloc(27);
  head.write("OggS");
  head[5] = flags;
  head.writeBigUInt64LE(BigInt(position), 6);
  head.writeUInt32LE(1, 14);
  head.writeUInt32LE(number, 18);
  head[26] = lacing.length;
  const page = Buffer.concat([head, Buffer.from(lacing), body]);
  page.writeUInt32LE(crc32(page), 22);
  return page;
}

/** Checksum of an Ogg page. */
function crc32(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let i = 0; i < 8; i++) sum = sum < 0 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1;
  }
  return sum >>> 0;
}

/** Samples per frame of AAC. */
export const AAC_FRAME = 1024;

/** Encodes mono frames of AAC at 44.1 kHz: silence, and noise from one frame on. */
export function aacFrames(count: number, noiseFrom: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => (i < noiseFrom ? SILENT_AAC : NOISY_AAC));
}

/** Writes a block with one long window; with noise its bands have no coefficients but an energy. */
function aacBlock(bands: number): Buffer {
  const gain = 150;
  // One section of the codebook for noise, whose length takes two numbers.
  const noise = ["1101", "11111", (bands - 31).toString(2).padStart(5, "0")];
  const energies = [(256 + 90 + 60 - gain).toString(2).padStart(9, "0"), "0".repeat(Math.max(0, bands - 1))];
  const bits = [
    "0000000", // a single channel, the first one
    gain.toString(2).padStart(8, "0"),
    "0000", // a long sine window
    bands.toString(2).padStart(6, "0"),
    "0", // no prediction
    ...(bands > 0 ? [...noise, ...energies] : []),
    "000111", // no pulses, no noise shaping, no gain control; end
  ].join("");
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  return Buffer.from(padded.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}
const SILENT_AAC = aacBlock(0);
const NOISY_AAC = aacBlock(40);

/** Writes frames of AAC as ADTS. */
export function adtsFile(frames: readonly Buffer[]): Buffer {
  return Buffer.concat(
    frames.flatMap((frame) => {
      const length = 7 + frame.length;
      const head = [0xff, 0xf1, 0x50, 0x40 | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc];
      return [Buffer.from(head), frame];
    }),
  );
}

/** Writes frames of AAC as M4A. @param start media time of the edit list; none by default */
export function aacFile(frames: readonly Buffer[], start?: number): Buffer {
  const rate = 44_100;
  const total = frames.length * AAC_FRAME;
  const descriptor = (tag: number, ...parts: readonly Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([tag, body.length]), body]);
  };
  const config = descriptor(5, Buffer.from([0x12, 0x08])); // AAC-LC, 44.1 kHz, one channel
  const decoder = descriptor(4, Buffer.from([0x40, 0x15, 0, 0, 0]), u32(64_000, 64_000), config);
  const esds = box("esds", u32(0), descriptor(3, u16(1), Buffer.from([0]), decoder, descriptor(6, Buffer.from([2]))));
  const entry = box("mp4a", Buffer.alloc(6), u16(1), Buffer.alloc(8), u16(1, 16, 0, 0), u32(rate * 65_536), esds);
  const ftyp = box("ftyp", Buffer.from("M4A \0\0\0\0M4A "));
  const movieAt = (soundAt: number) => {
    const table = box(
      "stbl",
      box("stsd", u32(0, 1), entry),
      box("stts", u32(0, 1, frames.length, AAC_FRAME)),
      box("stsc", u32(0, 1, 1, frames.length, 1)),
      box("stsz", u32(0, 0, frames.length, ...frames.map(({ length }) => length))),
      box("stco", u32(0, 1, soundAt)),
    );
    const edits = start === undefined ? [] : [box("edts", box("elst", u32(0, 1, total - start, start, 0x1_0000)))];
    const reference = box("dinf", box("dref", u32(0, 1), box("url ", u32(1))));
    const media = box(
      "mdia",
      box("mdhd", u32(0, 0, 0, rate, total), u16(0, 0)),
      box("hdlr", u32(0), Buffer.from("\0\0\0\0soun"), Buffer.alloc(13)),
      box("minf", box("smhd", u32(0, 0)), reference, table),
    );
    const unity = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
    const seen = total - (start ?? 0);
    return box(
      "moov",
      box("mvhd", u32(0, 0, 0, rate, seen, 0x1_0000), u16(0x100), Buffer.alloc(10), unity, Buffer.alloc(24), u32(2)),
      box(
        "trak",
        box("tkhd", u32(7, 0, 0, 1, 0, seen), Buffer.alloc(8), u16(0, 0, 0x100, 0), unity, u32(0, 0)),
        ...edits,
        media,
      ),
    );
  };
  const moov = movieAt(ftyp.length + movieAt(0).length + 8);
  return Buffer.concat([ftyp, moov, box("mdat", ...frames)]);
}
