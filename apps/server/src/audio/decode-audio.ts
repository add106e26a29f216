import { open, type FileHandle } from "node:fs/promises";
import { AudioError } from "./audio-error.ts";
import { startOwnProgram, startProgram, type ChildProgram } from "./child-program.ts";
import { containerDuration } from "./container-duration.ts";
import { SNIFF_BYTES, sniffAudio, type AudioFormat } from "./sniff-audio.ts";

/** Every song is decoded to this rate and two channels. */
export const DECODED_RATE = 44_100;
export const MAX_SONG_SECONDS = 3 * 3600;
const SHORTEST_SECONDS = 1;
/** Below this the beat, key and structure are guesses. */
const SHORT_SECONDS = 5;
const FRAME_BYTES = 8;

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
 * @throws AudioError when it is no audio, shorter than a second, longer than allowed, or was stopped
 */
export async function decodeAudio(path: string, options: DecodeOptions = {}): Promise<DecodedAudio> {
  const maxSeconds = options.maxSeconds ?? MAX_SONG_SECONDS;
  const { format, expected } = await inspect(path);
  const limits = { timeoutMs: options.timeoutMs ?? 15 * 60_000, signal: options.signal };
  const seconds = String(maxSeconds + 1);
  const program = options.ffmpeg
    ? startProgram(options.ffmpeg, ffmpegArguments(path, seconds), limits)
    : startOwnProgram("./decode-audio-child.ts", [format, seconds, path], limits);

  const kept: { left: Float32Array; right: Float32Array }[] = [];
  const keep = (left: Float32Array, right: Float32Array) => void kept.push({ left, right });
  const samples = await readSamples(program, options.onSamples ?? keep, (count) =>
    options.onProgress?.(count / DECODED_RATE, expected),
  );
  const { complaint } = await program.done;
  const decoded = samples / DECODED_RATE;
  if (samples === 0) throw new AudioError("unreadable", new Error(complaint.slice(0, 1000)));
  if (decoded > maxSeconds) throw new AudioError("too_long");
  const missing = expected === undefined ? 0 : expected - decoded;
  const isTruncated = missing > 3 || missing > 0.02 * (expected ?? 0) + 0.1;
  if (decoded < SHORTEST_SECONDS) throw new AudioError(isTruncated ? "unreadable" : "too_short");

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

async function inspect(path: string): Promise<{ format: AudioFormat; expected: number | undefined }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const head = new Uint8Array(SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const format = sniffAudio(head.subarray(0, bytesRead));
    if (!format) throw new AudioError("unreadable");
    return { format, expected: await containerDuration(file, format) };
  } catch (error) {
    throw error instanceof AudioError ? error : new AudioError("unreadable", error);
  } finally {
    await file?.close();
  }
}

function ffmpegArguments(path: string, seconds: string): string[] {
  return [
    ...["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe", "-vn", "-t", seconds],
    ...["-i", `file:${path}`, "-map", "0:a:0", "-ac", "2", "-ar", String(DECODED_RATE), "-f", "f32le", "pipe:1"],
  ];
}

/** Part the interleaved floats into channels; reading waits for `onSamples`. @returns samples per channel */
async function readSamples(
  program: ChildProgram,
  onSamples: (left: Float32Array, right: Float32Array) => void | Promise<void>,
  onCount: (count: number) => void,
): Promise<number> {
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  try {
    for await (const chunk of program.process.stdout as AsyncIterable<Buffer>) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const frames = Math.floor(bytes.length / FRAME_BYTES);
      const left = new Float32Array(frames);
      const right = new Float32Array(frames);
      for (let i = 0; i < frames; i++) {
        left[i] = bytes.readFloatLE(i * FRAME_BYTES);
        right[i] = bytes.readFloatLE(i * FRAME_BYTES + 4);
      }
      rest = bytes.subarray(frames * FRAME_BYTES);
      count += frames;
      if (frames > 0) await onSamples(left, right);
      onCount(count);
    }
    return count;
  } catch (error) {
    program.kill();
    throw error;
  }
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
