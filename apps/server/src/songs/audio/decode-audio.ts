import { open, type FileHandle } from "node:fs/promises";
import { AudioError, unreadable } from "./audio-error.ts";
import { builtInDecoder, ffmpegDecoder, listen, type DecoderFailure, type Heard } from "./decode-programs.ts";
import { DECODED_RATE } from "./decoded-sound.ts";
import type { Container } from "./container.ts";
import { readContainer } from "./read-container.ts";
import { SNIFF_BYTES, sniffAudio, type AudioFormat } from "./sniff-audio.ts";

export const MAX_SONG_SECONDS = 3 * 3600;
const SHORTEST_SECONDS = 1;
/** Shortest playable length of a truncated file, seconds. */
const SHORTEST_REST_SECONDS = 5;
/** Length below which beat, key and structure are guesses, seconds. */
const SHORT_SECONDS = 5;
const SILENCE_MS = 60_000;

export interface DecodeOptions {
  /** Path of ffmpeg; without it, or if it fails, our own WASM decoders read the file. */
  readonly ffmpeg?: string | undefined;
  readonly maxSeconds?: number;
  readonly timeoutMs?: number;
  /** Longest time without output from ffmpeg before the built-in decoder takes over, ms. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives each block; `left` and `right` of the result are then empty. */
  readonly onSamples?: (left: Float32Array, right: Float32Array) => void | Promise<void>;
  /** Receives the seconds decoded so far, and the length in the container if it has one. */
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
 * Decodes a file to 44.1 kHz stereo floats, whatever its name. The samples themselves are checked, because decoders
 * exit successfully even on half a file.
 *
 * @throws AudioError if it is not audio, shorter than one second, truncated to less than five, longer than allowed, was
 * stopped, or if no decoder on this machine works
 */
export async function decodeAudio(path: string, options: DecodeOptions = {}): Promise<DecodedAudio> {
  const maxSeconds = options.maxSeconds ?? MAX_SONG_SECONDS;
  const { format, container } = await inspect(path);
  const expected = container.seconds;
  // Checked before hours are decoded. A truncated file is judged by its playable part.
  if (expected !== undefined && expected > maxSeconds && !container.isCut) throw new AudioError("too_long");
  const limits = {
    timeoutMs: options.timeoutMs ?? 15 * 60_000,
    silenceMs: options.silenceMs ?? SILENCE_MS,
    signal: options.signal,
  };
  const kept: { left: Float32Array; right: Float32Array }[] = [];
  const take = options.onSamples ?? ((left, right) => void kept.push({ left, right }));
  const heard: Heard = { samples: 0, isSound: false };
  const own = builtInDecoder(format, path, maxSeconds + 1, limits);
  const decoders = options.ffmpeg ? [ffmpegDecoder(options.ffmpeg, path, maxSeconds + 1, limits), own] : [own];
  const failures: DecoderFailure[] = [];
  let isWhole = false;
  for (const decoder of decoders) {
    const failure = await listen(decoder, heard, async (left, right) => {
      await take(left, right);
      options.onProgress?.(heard.samples / DECODED_RATE, expected);
    });
    isWhole = failure === undefined;
    if (isWhole && heard.samples > 0) break;
    if (failure) failures.push(failure);
    if (failure && decoder !== own) reportHelper(failure);
  }
  if (heard.samples === 0) throw nothingHeard(container, failures, isWhole);
  if (!heard.isSound) throw new AudioError("unreadable");
  const decoded = heard.samples / DECODED_RATE;
  if (decoded > maxSeconds) throw new AudioError("too_long");
  const missing = expected === undefined ? 0 : expected - decoded;
  const isGivenUp = !isWhole && failures.at(-1)?.isBroken === true;
  const isTruncated = isGivenUp || container.isCut === true || missing > 3 || missing > 0.02 * (expected ?? 0) + 0.1;
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

/** Returns why there are no samples. A file contains no audio only if a working decoder has read it to its end. */
function nothingHeard(container: Container, failures: readonly DecoderFailure[], isWhole: boolean): AudioError {
  const cause = new Error(failures.map(({ title, complaint }) => `${title}: ${complaint}`).join("\n"));
  if (container.isCut) return new AudioError("cut_short", cause);
  const broken = failures.filter(({ isBroken }) => isBroken);
  const { undecodable } = container;
  if (undecodable !== undefined && broken.length === 0) return new AudioError("undecodable", cause, undecodable);
  if (isWhole || broken.length === 0) return new AudioError("unreadable", cause);
  const detail = broken.map(({ title, why }) => `${title} does not work on the server (${why})`).join(" and ");
  return new AudioError("decoder_failed", cause, detail);
}

/** Logs a failure; the song continues with the built-in decoder. */
function reportHelper({ title, why, complaint }: DecoderFailure): void {
  process.stderr.write(`${title} failed, because ${why}; the built-in decoder goes on\n${complaint}\n`);
}

async function inspect(path: string): Promise<{ format: AudioFormat; container: Container }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const head = new Uint8Array(SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const format = sniffAudio(head.subarray(0, bytesRead));
    if (!format) throw unreadable(head.subarray(0, bytesRead));
    const container = await readContainer(file, format);
    if (container.isHopeless) throw new AudioError("cut_short");
    return { format, container };
  } catch (error) {
    if (error instanceof AudioError) throw error;
    throw new AudioError((error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unreadable", error);
  } finally {
    await file?.close();
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
