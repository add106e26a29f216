import { plainEnvironment } from "../platform/programs.ts";
import { AudioError } from "./audio-error.ts";
import { startOwnProgram, startProgram, type ChildProgram, type ProgramLimits } from "./child-program.ts";
import { programFault } from "./program-fault.ts";
import type { AudioFormat } from "./sniff-audio.ts";
import { toStereo } from "./to-stereo.ts";

/** Every song is decoded to this rate and two channels. */
export const DECODED_RATE = 44_100;
/** Exit code of our decoder for a file it cannot decode; any other one is its own failure. */
export const CANNOT_DECODE = 65;

/** A program that decodes a file, and how it writes its samples. */
export interface Decoder {
  readonly title: string;
  readonly start: () => ChildProgram;
  readonly layoutOf: (start: Buffer) => Layout | "wrong" | undefined;
  /** Longest time without a byte; a decoder that may hand over the whole song at once has none. */
  readonly silenceMs: number | undefined;
}

/** What has been heard of a file so far. */
export interface Heard {
  /** Per channel. */
  samples: number;
  /** Whether any of them is a number. */
  isSound: boolean;
}

export interface DecoderFailure {
  readonly title: string;
  /** A clause for a person. */
  readonly why: string;
  /** The program is at fault, not the file. */
  readonly isBroken: boolean;
  /** Its own words, for the log. */
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
    start: () => startProgram(ffmpeg, args, { ...limits, env: plainEnvironment() }),
    layoutOf: auLayout,
    silenceMs: limits.silenceMs,
  };
}

export function builtInDecoder(format: AudioFormat, path: string, seconds: number, limits: Limits): Decoder {
  const args = [format, String(seconds), path];
  return {
    title: "the built-in decoder",
    start: () => startOwnProgram("./decode-audio-child.ts", args, { ...limits, env: plainEnvironment() }),
    layoutOf: () => BARE_STEREO,
    silenceMs: undefined,
  };
}

/**
 * Run a decoder and hand on what it decodes behind the samples heard before, so that it can take
 * over from one that failed. Reading waits for `onSamples`.
 *
 * @returns why it failed; undefined when it ended well
 * @throws AudioError when it was cancelled or took too long; whatever `onSamples` throws
 */
export async function listen(
  decoder: Decoder,
  heard: Heard,
  onSamples: OnSamples,
): Promise<DecoderFailure | undefined> {
  const program = decoder.start();
  const known = heard.samples;
  let ownProblem: string | undefined;
  const giveUp = (why: string) => {
    ownProblem = why;
    program.stop(new AudioError("timed_out"));
  };
  let silence: NodeJS.Timeout | undefined;
  const expectBytes = () => {
    const ms = decoder.silenceMs;
    if (ms !== undefined) silence = setTimeout(() => giveUp(`it was silent for ${ms / 1000} seconds`), ms);
  };
  let layout: Layout | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  expectBytes();
  try {
    for await (const chunk of program.process.stdout as AsyncIterable<Buffer>) {
      clearTimeout(silence);
      let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      rest = bytes;
      if (!layout) {
        const found = decoder.layoutOf(bytes);
        if (found === "wrong") giveUp("it wrote something that is no sound");
        if (!found || found === "wrong") continue;
        layout = found;
        bytes = bytes.subarray(layout.headerBytes);
      }
      const frames = Math.floor(bytes.length / (4 * layout.channels));
      const fresh = Math.max(0, Math.min(frames, count + frames - known));
      const [left, right] = toStereo(part(bytes, frames, layout)).map((side) => side.subarray(frames - fresh));
      rest = bytes.subarray(frames * 4 * layout.channels);
      count += frames;
      if (fresh > 0 && left && right) {
        heard.isSound ||= left.some(Number.isFinite) || right.some(Number.isFinite);
        heard.samples += fresh;
        await onSamples(left, right);
      }
      expectBytes();
    }
  } catch (error) {
    // A pipe that was cut because the program is given up says nothing new.
    if (ownProblem === undefined) {
      program.kill();
      throw error;
    }
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

/** The header of Sun's AU format; undefined until it is there. */
function auLayout(bytes: Buffer): Layout | "wrong" | undefined {
  if (bytes.length < AU_BYTES) return undefined;
  const headerBytes = bytes.readUInt32BE(4);
  const channels = bytes.readUInt32BE(20);
  if (bytes.toString("latin1", 0, 4) !== ".snd" || channels < 1 || channels > MAX_CHANNELS) return "wrong";
  return bytes.length < headerBytes ? undefined : { channels, isBigEndian: true, headerBytes };
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
