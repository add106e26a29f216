import { plainEnvironment } from "../../platform/process/programs.ts";
import { AudioError } from "./audio-error.ts";
import { startOwnProgram, startProgram, type ChildProgram, type ProgramLimits } from "./child-program.ts";
import { CANNOT_DECODE, DECODED_RATE } from "./decoded-sound.ts";
import { programFault } from "./program-fault.ts";
import type { AudioFormat } from "./sniff-audio.ts";
import { toStereo } from "./to-stereo.ts";

/** A program that decodes a file, and the layout of its samples. */
export interface Decoder {
  readonly title: string;
  readonly start: () => ChildProgram;
  readonly layoutOf: (start: Buffer) => Layout | "wrong" | undefined;
  /** Longest time without output, ms; undefined for a decoder that may return the whole song at once. */
  readonly silenceMs: number | undefined;
}

/** Progress of decoding a file. */
export interface Heard {
  /** Samples per channel. */
  samples: number;
  /** Whether any sample is a finite number. */
  isSound: boolean;
}

export interface DecoderFailure {
  readonly title: string;
  /** A clause for users. */
  readonly why: string;
  /** Whether the program is at fault, not the file. */
  readonly isBroken: boolean;
  /** Its own error output, for the log. */
  readonly complaint: string;
}

type Limits = Omit<ProgramLimits, "env"> & { readonly silenceMs: number };
type OnSamples = (left: Float32Array, right: Float32Array) => void | Promise<void>;

export function ffmpegDecoder(ffmpeg: string, path: string, seconds: number, limits: Limits): Decoder {
  const args = [
    ...["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe", "-vn", "-t", String(seconds)],
    ...["-i", `file:${path}`, "-map", "0:a:0", "-ar", String(DECODED_RATE), "-c:a", "pcm_f32be", "-f", "au", "pipe:1"],
  ];
  return {
    title: "ffmpeg",
    start: () => startProgram(ffmpeg, args, { ...limits, helper: { reads: [path] }, env: plainEnvironment() }),
    layoutOf: auLayout,
    silenceMs: limits.silenceMs,
  };
}

export function builtInDecoder(format: AudioFormat, path: string, seconds: number, limits: Limits): Decoder {
  const args = [format, String(seconds), path];
  return {
    title: "the built-in decoder",
    start: () =>
      startOwnProgram(new URL("./decode-audio-child.ts", import.meta.url), args, {
        ...limits,
        helper: { reads: [path] },
        env: plainEnvironment(),
      }),
    layoutOf: () => BARE_STEREO,
    silenceMs: undefined,
  };
}

/**
 * Runs a decoder and passes on the samples beyond those decoded before, so that it can replace one that failed. Reading
 * waits for `onSamples`.
 *
 * @returns why it failed; undefined on success
 * @throws AudioError if it was canceled or timed out; whatever `onSamples` throws
 */
export async function listen(
  decoder: Decoder,
  heard: Heard,
  onSamples: OnSamples,
): Promise<DecoderFailure | undefined> {
  const program = decoder.start();
  const reader = new FrameReader(decoder.layoutOf, heard.samples);
  let ownProblem: string | undefined;
  const giveUp = (why: string) => {
    ownProblem = why;
    program.stop(new AudioError("timed_out"));
  };
  const { silenceMs } = decoder;
  let silence: NodeJS.Timeout | undefined;
  const expectBytes = () => {
    if (silenceMs !== undefined)
      silence = setTimeout(() => giveUp(`it was silent for ${silenceMs / 1000} seconds`), silenceMs);
  };
  expectBytes();
  try {
    for await (const chunk of program.process.stdout as AsyncIterable<Buffer>) {
      clearTimeout(silence);
      const fresh = reader.push(chunk);
      if (fresh === "wrong") giveUp("it wrote something that is no sound");
      else if (fresh[0].length > 0) {
        heard.samples += fresh[0].length;
        heard.isSound ||= fresh.some((side) => side.some(Number.isFinite));
        await onSamples(...fresh);
      }
      expectBytes();
    }
  } catch (error) {
    program.kill();
    // A broken pipe of a stopped program is expected.
    if (ownProblem === undefined) throw error;
  } finally {
    clearTimeout(silence);
  }
  return failureOf(decoder, program, ownProblem);
}

async function failureOf(
  { title }: Decoder,
  program: ChildProgram,
  ownProblem: string | undefined,
): Promise<DecoderFailure | undefined> {
  const end = await program.done.catch((error: unknown) => {
    if (ownProblem === undefined) throw error;
    return { code: null, complaint: "" };
  });
  if (end.code === 0) return undefined;
  const fault = ownProblem ?? programFault(end);
  return {
    title,
    why: fault ?? `it ended with exit code ${end.code}`,
    isBroken: fault !== undefined || (title !== "ffmpeg" && end.code !== CANNOT_DECODE),
    complaint: end.complaint.slice(0, 1000),
  };
}

/** Layout of a decoder's output: bare stereo from our own, the file's channels with an AU header from ffmpeg. */
interface Layout {
  readonly channels: number;
  readonly isBigEndian: boolean;
  /** Bytes before the first sample. */
  readonly headerBytes: number;
}

const BARE_STEREO: Layout = { channels: 2, isBigEndian: false, headerBytes: 0 };
const AU_BYTES = 24;
const MAX_CHANNELS = 64;

/** Parses the header of Sun's AU format; undefined until it is complete. */
function auLayout(bytes: Buffer): Layout | "wrong" | undefined {
  if (bytes.length < AU_BYTES) return undefined;
  const headerBytes = bytes.readUInt32BE(4);
  const channels = bytes.readUInt32BE(20);
  if (bytes.toString("latin1", 0, 4) !== ".snd" || channels < 1 || channels > MAX_CHANNELS) return "wrong";
  return bytes.length < headerBytes ? undefined : { channels, isBigEndian: true, headerBytes };
}

type Stereo = [left: Float32Array, right: Float32Array];

/** Converts a byte stream to stereo samples, without those decoded before. */
class FrameReader {
  readonly #layoutOf: Decoder["layoutOf"];
  #layout: Layout | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #known: number;

  /** @param known number of samples to skip at the start */
  constructor(layoutOf: Decoder["layoutOf"], known: number) {
    this.#layoutOf = layoutOf;
    this.#known = known;
  }

  push(chunk: Buffer): Stereo | "wrong" {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    if (!this.#layout) {
      const found = this.#layoutOf(this.#rest);
      if (found === "wrong") return found;
      if (!found) return toStereo([]);
      this.#layout = found;
      this.#rest = this.#rest.subarray(found.headerBytes);
    }
    const frames = Math.floor(this.#rest.length / (4 * this.#layout.channels));
    const [left, right] = toStereo(part(this.#rest, frames, this.#layout));
    this.#rest = this.#rest.subarray(frames * 4 * this.#layout.channels);
    const skipped = Math.min(frames, this.#known);
    this.#known -= skipped;
    return [left.subarray(skipped), right.subarray(skipped)];
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
