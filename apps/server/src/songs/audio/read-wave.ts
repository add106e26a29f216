import type { FileHandle } from "node:fs/promises";

/** Codecs by their format tag in a WAV file. */
export const WAVE_CODEC = { pcm: 1, msAdpcm: 2, float: 3, aLaw: 6, muLaw: 7, imaAdpcm: 0x11, mp3: 0x55 } as const;
const NAMED_CODECS: Readonly<Record<number, string>> = {
  0x31: "GSM",
  0x50: "MPEG layer II",
  0xff: "AAC",
  0x161: "Windows Media",
  0x2000: "AC-3",
};
const EXTENSIBLE = 0xfffe;
/** Codecs with a constant number of bytes per second. */
const CONSTANT: readonly number[] = [WAVE_CODEC.pcm, WAVE_CODEC.float, WAVE_CODEC.aLaw, WAVE_CODEC.muLaw];
/** Codecs that our own decoders read. */
export const READABLE_CODECS: readonly number[] = Object.values(WAVE_CODEC);

/** Sound of a WAV file, of its forms for large files (RF64, BW64, Sony Wave64), or of a CAF file. */
export interface Wave {
  /** Name of the file's kind and its codec, for users: "a WAV file with GSM sound". */
  readonly kind: string;
  /** A `WAVE_CODEC`, or another format tag; undefined for a codec that WAV files do not have. */
  readonly codec: number | undefined;
  /** Body of the chunk `fmt ` of a WAV file with this sound. */
  readonly format: Buffer;
  /** Bytes per sample whose order is reversed; 1 if the file is little-endian. */
  readonly reversedBytes: number;
  readonly dataAt: number;
  /** Undefined if the file does not declare it, as after an interrupted recording. */
  readonly dataBytes: number | undefined;
  readonly seconds: number | undefined;
}

/** Layout of the chunks of a kind of file. */
interface Layout {
  readonly name: string;
  readonly firstAt: number;
  readonly headBytes: number;
  /** Length of a chunk's body. */
  readonly lengthOf: (head: Buffer) => number;
  readonly alignment: number;
}

const RIFF: Layout = {
  name: "WAV",
  firstAt: 12,
  headBytes: 8,
  lengthOf: (head) => head.readUInt32LE(4),
  alignment: 2,
};
const W64: Layout = {
  name: "Wave64",
  firstAt: 40,
  headBytes: 24,
  lengthOf: (head) => Number(head.readBigUInt64LE(16)) - 24,
  alignment: 8,
};
const CAF: Layout = {
  name: "CAF",
  firstAt: 8,
  headBytes: 12,
  lengthOf: (head) => Number(head.readBigInt64BE(4)),
  alignment: 1,
};
/** Chunks that are looked at, and the bytes of one that are read. */
const MOST_CHUNKS = 1000;
const MOST_CHUNK_BYTES = 4096;
/** Lengths from here on mean "unknown": programs that write into a pipe declare them. */
const UNKNOWN_BYTES = 0xffff_0000;

/** Reads the chunks up to the samples; undefined if there are none. */
export async function readWave(file: FileHandle): Promise<Wave | undefined> {
  const start = await bytesAt(file, 0, 12);
  const magic = start.toString("latin1", 0, 4);
  const layout = magic === "riff" ? W64 : magic === "caff" ? CAF : RIFF;
  const chunks = new Map<string, Buffer>();
  for (let at = layout.firstAt, n = 0; n < MOST_CHUNKS; n++) {
    const head = await bytesAt(file, at, layout.headBytes);
    if (head.length < layout.headBytes) return undefined;
    const name = head.toString("latin1", 0, 4);
    const length = layout.lengthOf(head);
    const bodyAt = at + layout.headBytes;
    if (name === "data" && layout === CAF) return cafWave(chunks.get("desc"), bodyAt, length);
    if (name === "data")
      return waveOf(layout === RIFF && magic !== "RIFF" ? magic : layout.name, chunks, bodyAt, length);
    if (length < 0) return undefined;
    chunks.set(name, await bytesAt(file, bodyAt, Math.min(length, MOST_CHUNK_BYTES)));
    at = bodyAt + Math.ceil(length / layout.alignment) * layout.alignment;
  }
  return undefined;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}

function waveOf(name: string, chunks: ReadonlyMap<string, Buffer>, dataAt: number, length: number): Wave | undefined {
  const format = chunks.get("fmt ");
  if (!format || format.length < 16) return undefined;
  const tag = format.readUInt16LE(0);
  const codec = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
  const isUnknown = length === 0 || (length >= UNKNOWN_BYTES && length <= 0xffff_ffff);
  // The chunk `ds64` has the length of a large file.
  const dataBytes = isUnknown ? lengthOf(chunks.get("ds64")) : length;
  const kind = `a ${name} file with ${NAMED_CODECS[codec] ?? `codec 0x${codec.toString(16)}`} sound`;
  const seconds = secondsOf(format, codec, dataBytes, chunks.get("fact"));
  return { kind, codec, format, reversedBytes: 1, dataAt, dataBytes, seconds };
}

const lengthOf = (ds64: Buffer | undefined): number | undefined =>
  ds64 && ds64.length >= 16 ? Number(ds64.readBigUInt64LE(8)) : undefined;

function secondsOf(
  format: Buffer,
  codec: number,
  dataBytes: number | undefined,
  fact: Buffer | undefined,
): number | undefined {
  const [rate, bytesPerSecond] = [format.readUInt32LE(4), format.readUInt32LE(8)];
  if (CONSTANT.includes(codec)) return dataBytes && bytesPerSecond > 0 ? dataBytes / bytesPerSecond : undefined;
  // Other codecs declare an average, which may be wrong by some percent.
  const frames = fact && fact.length >= 4 ? fact.readUInt32LE(0) : 0;
  return frames > 0 && rate > 0 ? frames / rate : undefined;
}

/** Describes a CAF file by the format chunk of a WAV file with the same sound. */
function cafWave(desc: Buffer | undefined, chunkAt: number, length: number): Wave | undefined {
  if (!desc || desc.length < 32) return undefined;
  const rate = desc.readDoubleBE(0);
  const name = desc.toString("latin1", 8, 12);
  const flags = desc.readUInt32BE(12);
  const packetBytes = desc.readUInt32BE(16);
  const channels = desc.readUInt32BE(24);
  const bits = desc.readUInt32BE(28);
  const isLittleEndian = (flags & 2) !== 0;
  const sampleCodec = (flags & 1) !== 0 ? WAVE_CODEC.float : WAVE_CODEC.pcm;
  const codec = name === "lpcm" && bits > 8 ? sampleCodec : undefined; // 8 bits are signed here and unsigned in WAV
  const format = Buffer.alloc(16);
  format.writeUInt16LE(codec ?? 0, 0);
  format.writeUInt16LE(channels & 0xffff, 2);
  format.writeUInt32LE(Math.round(rate) >>> 0, 4);
  format.writeUInt32LE((Math.round(rate) * packetBytes) >>> 0, 8);
  format.writeUInt16LE(packetBytes & 0xffff, 12);
  format.writeUInt16LE(bits & 0xffff, 14);
  const dataBytes = length < 0 ? undefined : length - 4; // the count of edits comes first
  const isRead = codec !== undefined && rate > 0 && packetBytes > 0;
  return {
    kind: `a CAF file with ${name.trim()} sound`,
    codec,
    format,
    reversedBytes: isLittleEndian ? 1 : bits / 8,
    dataAt: chunkAt + 4,
    dataBytes,
    seconds: isRead && dataBytes !== undefined ? dataBytes / (rate * packetBytes) : undefined,
  };
}
