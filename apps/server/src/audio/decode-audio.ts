import { open, type FileHandle } from "node:fs/promises";
import { AudioError } from "./audio-error.ts";
import { startOwnProgram, startProgram, type ChildProgram } from "./child-program.ts";
import { readContainer, type Container } from "./read-container.ts";
import { SNIFF_BYTES, sniffAudio, type AudioFormat } from "./sniff-audio.ts";
import { toStereo } from "./to-stereo.ts";

/** Every song is decoded to this rate and two channels. */
export const DECODED_RATE = 44_100;
export const MAX_SONG_SECONDS = 3 * 3600;
const SHORTEST_SECONDS = 1;
/** Of a file that was cut at least this must be left. */
const SHORTEST_REST_SECONDS = 5;
/** Below this the beat, key and structure are guesses. */
const SHORT_SECONDS = 5;

export interface DecodeOptions {
  /** Path of ffmpeg; without it our own WASM decoders read the file. */
  readonly ffmpeg?: string | undefined;
  readonly maxSeconds?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Given each block instead of keeping it: then `left` and `right` of the answer are empty. */
  readonly onSamples?: (left: Float32Array, right: Float32Array) => void | Promise<void>;
  /** Seconds decoded so far, and the length the container claims if it does. */
  readonly onProgress?: (seconds: number, expected: number | undefined) => void;
}

export interface DecodedAudio {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly sampleRate: typeof DECODED_RATE;
  readonly seconds: number;
  /** "truncated", "short" */
  readonly warnings: readonly string[];
}

/**
 * Decode a file to 44.1 kHz stereo floats, whatever its name says. An exit code proves nothing
 * (decoders end happily on half a file), so the samples themselves are judged.
 *
 * @throws AudioError when it is no audio, shorter than a second, cut to less than five, longer than
 * allowed, or was stopped
 */
export async function decodeAudio(path: string, options: DecodeOptions = {}): Promise<DecodedAudio> {
  const maxSeconds = options.maxSeconds ?? MAX_SONG_SECONDS;
  const { format, container } = await inspect(path);
  const expected = container.seconds;
  const limits = { timeoutMs: options.timeoutMs ?? 15 * 60_000, signal: options.signal };
  const seconds = String(maxSeconds + 1);
  const program = options.ffmpeg
    ? startProgram(options.ffmpeg, ffmpegArguments(path, seconds), limits)
    : startOwnProgram("./decode-audio-child.ts", [format, seconds, path], limits);

  const kept: { left: Float32Array; right: Float32Array }[] = [];
  const keep = (left: Float32Array, right: Float32Array) => void kept.push({ left, right });
  const { samples, isSound } = await readSamples(
    program,
    options.ffmpeg ? auLayout : () => BARE_STEREO,
    options.onSamples ?? keep,
    (count) => options.onProgress?.(count / DECODED_RATE, expected),
  );
  const { complaint } = await program.done;
  const decoded = samples / DECODED_RATE;
  if (samples === 0 && container.isCut) throw new AudioError("cut_short", new Error(complaint.slice(0, 1000)));
  if (samples === 0 || !isSound) throw new AudioError("unreadable", new Error(complaint.slice(0, 1000)));
  if (decoded > maxSeconds) throw new AudioError("too_long");
  const missing = expected === undefined ? 0 : expected - decoded;
  const isTruncated = container.isCut === true || missing > 3 || missing > 0.02 * (expected ?? 0) + 0.1;
  if (isTruncated && decoded < SHORTEST_REST_SECONDS) throw new AudioError("cut_short");
  if (decoded < SHORTEST_SECONDS) throw new AudioError("too_short");

  const warnings: string[] = [];
  if (isTruncated) warnings.push("truncated");
  if (decoded < SHORT_SECONDS) warnings.push("short");
  return {
    left: join(kept.map((b) => b.left)),
    right: join(kept.map((b) => b.right)),
    sampleRate: DECODED_RATE,
    seconds: decoded,
    warnings,
  };
}

async function inspect(path: string): Promise<{ format: AudioFormat; container: Container }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const head = new Uint8Array(SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const format = sniffAudio(head.subarray(0, bytesRead));
    if (!format) throw new AudioError("unreadable");
    const container = await readContainer(file, format);
    if (container.isHopeless) throw new AudioError("cut_short");
    return { format, container };
  } catch (error) {
    throw error instanceof AudioError ? error : new AudioError("unreadable", error);
  } finally {
    await file?.close();
  }
}

function ffmpegArguments(path: string, seconds: string): string[] {
  return [
    ...["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe", "-vn", "-t", seconds],
    ...["-i", `file:${path}`, "-map", "0:a:0", "-ar", String(DECODED_RATE), "-c:a", "pcm_f32be", "-f", "au", "pipe:1"],
  ];
}

/** What a decoder writes: our own bare stereo, ffmpeg the channels the file has behind an AU header. */
interface Layout {
  readonly channels: number;
  readonly isBigEndian: boolean;
  /** Bytes before the first sample. */
  readonly headerBytes: number;
}

const BARE_STEREO: Layout = { channels: 2, isBigEndian: false, headerBytes: 0 };
const AU_BYTES = 24;
const MAX_CHANNELS = 64;

/** The header of Sun's AU format; undefined until it is there. @throws AudioError when it is none */
function auLayout(bytes: Buffer): Layout | undefined {
  if (bytes.length < AU_BYTES) return undefined;
  const headerBytes = bytes.readUInt32BE(4);
  const channels = bytes.readUInt32BE(20);
  if (bytes.toString("latin1", 0, 4) !== ".snd" || channels < 1 || channels > MAX_CHANNELS)
    throw new AudioError("unreadable", new Error("the decoder wrote no AU header"));
  return bytes.length < headerBytes ? undefined : { channels, isBigEndian: true, headerBytes };
}

/**
 * Part the interleaved floats into two channels; reading waits for `onSamples`.
 * @returns samples per channel, and whether any of them is a number
 */
async function readSamples(
  program: ChildProgram,
  layoutOf: (start: Buffer) => Layout | undefined,
  onSamples: (left: Float32Array, right: Float32Array) => void | Promise<void>,
  onCount: (count: number) => void,
): Promise<{ samples: number; isSound: boolean }> {
  let layout: Layout | undefined;
  let isSound = false;
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  try {
    for await (const chunk of program.process.stdout as AsyncIterable<Buffer>) {
      let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      rest = bytes;
      if (!layout) {
        layout = layoutOf(bytes);
        if (!layout) continue;
        bytes = bytes.subarray(layout.headerBytes);
      }
      const frames = Math.floor(bytes.length / (4 * layout.channels));
      const [left, right] = toStereo(part(bytes, frames, layout));
      isSound ||= left.some(Number.isFinite) || right.some(Number.isFinite);
      rest = bytes.subarray(frames * 4 * layout.channels);
      count += frames;
      if (frames > 0) await onSamples(left, right);
      onCount(count);
    }
    return { samples: count, isSound };
  } catch (error) {
    program.kill();
    throw error;
  }
}

function part(bytes: Buffer, frames: number, { channels, isBigEndian }: Layout): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let i = 0, at = 4 * channel; i < frames; i++, at += 4 * channels)
      samples[i] = view.getFloat32(at, !isBigEndian);
    return samples;
  });
}

function join(blocks: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(blocks.reduce((sum, b) => sum + b.length, 0));
  let at = 0;
  for (const block of blocks) {
    out.set(block, at);
    at += block.length;
  }
  return out;
}
