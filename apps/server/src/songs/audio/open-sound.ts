import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { indexFirst, readAacTrack, type AacTrack } from "./mp4-boxes.ts";
import { readWave, WAVE_CODEC, type Wave } from "./read-wave.ts";
import { mp3LeadBytes, SNIFF_BYTES } from "./sniff-audio.ts";
import { splitFlac } from "./split-flac.ts";

/** Bytes per call. 14 bytes of FLAC may contain 1.5 s: 64 kB of it would become gigabytes. */
const FLAC_BLOCK_BYTES = 4096;
const BLOCK_BYTES = 65_536;
const ID3V1_BYTES = 128;

/** Encoded sound as a decoder of its codec reads it from the first byte to the last. */
export interface OpenSound {
  /** Name of a decoder. */
  readonly codec: string;
  readonly source: AsyncIterable<Uint8Array>;
  /** Samples that the decoder drops at the start and players do not, at its output rate. */
  readonly droppedAt?: (sampleRate: number) => number;
}

/** Samples by which our AAC decoder starts after the first frame; with SBR it also skips the delay of the filter bank. */
const AAC_DROPPED = 1024;
const SBR_DROPPED = 2 * 1024 - 962;
/** Marks in the header of a WebM or Matroska file: an AAC track, and its priming. */
const WEBM_AAC = "A_AAC";
const WEBM_CODEC_DELAY = Buffer.from([0x56, 0xaa]);

/** Opens the sound of a file for the built-in decoders. @param format from `sniffAudio` */
export async function openSound(format: string, path: string): Promise<OpenSound> {
  if (format === "m4a") {
    const track = await readAacTrack(path);
    return { codec: format, source: indexFirst(path), ...(track && { droppedAt: droppedOf(track) }) };
  }
  const file = await open(path, "r");
  try {
    if (format === "wav" || format === "caf") return waveSound(path, await readWave(file));
    const head = await headOf(file);
    if (format === "mp3") return { codec: format, source: bytesFrom(path, mp3LeadBytes(head)) };
    if (format === "flac") return { codec: format, source: splitFlac(bytesFrom(path, 0, await flacBytes(file), FLAC_BLOCK_BYTES)) }; // prettier-ignore
    const isOggFlac = format === "ogg" && head.toString("latin1", 28, 33) === "\x7fFLAC";
    if (isOggFlac) return { codec: "flac", source: bytesFrom(path, 0, undefined, FLAC_BLOCK_BYTES) };
    const isAac =
      format === "aac" || (format === "webm" && head.includes(WEBM_AAC) && !head.includes(WEBM_CODEC_DELAY));
    return { codec: format, source: bytesFrom(path, 0), ...(isAac && { droppedAt: () => AAC_DROPPED }) };
  } finally {
    await file.close();
  }
}

/** Priming that the file declares is dropped by players as well. */
const droppedOf =
  ({ rate, startSeconds }: AacTrack) =>
  (sampleRate: number) => {
    const dropped = sampleRate > 1.5 * rate ? SBR_DROPPED : AAC_DROPPED;
    return Math.max(0, dropped - Math.round(startSeconds * sampleRate));
  };

/** Gives the decoder the samples behind a plain WAV header, whichever file they are in. */
function waveSound(path: string, wave: Wave | undefined): OpenSound {
  if (!wave) return { codec: "wav", source: bytesFrom(path, 0) };
  const samples = bytesFrom(path, wave.dataAt, wave.dataBytes);
  if (wave.codec === WAVE_CODEC.mp3) return { codec: "mp3", source: samples };
  return { codec: "wav", source: withHeader(wave, samples) };
}

async function* withHeader(
  { format, reversedBytes }: Wave,
  samples: AsyncIterable<Buffer>,
): AsyncGenerator<Uint8Array> {
  const head = Buffer.alloc(20);
  head.write("RIFF\xff\xff\xff\xffWAVEfmt ", "latin1");
  head.writeUInt32LE(format.length, 16);
  yield Buffer.concat([head, format, Buffer.from("data\xff\xff\xff\xff", "latin1")]);
  if (reversedBytes === 1) return yield* samples;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of samples) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % reversedBytes);
    for (let at = 0; at < whole; at += reversedBytes) bytes.subarray(at, at + reversedBytes).reverse();
    rest = bytes.subarray(whole);
    yield bytes.subarray(0, whole);
  }
}

function bytesFrom(
  path: string,
  start: number,
  length?: number,
  highWaterMark: number = BLOCK_BYTES,
): AsyncIterable<Buffer> {
  const end = length === undefined ? Infinity : Math.max(start, start + length - 1);
  return createReadStream(path, { highWaterMark, start, end });
}

/** Returns the length of a FLAC file without a tag behind its last frame, which the decoder would take for damage. */
async function flacBytes(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(ID3V1_BYTES);
  await file.read(tail, 0, tail.length, Math.max(0, size - ID3V1_BYTES));
  return tail.toString("latin1", 0, 3) === "TAG" ? size - ID3V1_BYTES : size;
}

async function headOf(file: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return head.subarray(0, bytesRead);
}
