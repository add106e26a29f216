import { open, rm } from "node:fs/promises";
import { publishFile, temporaryPath } from "../../platform/files/atomic-file.ts";
import { isDiskFull } from "../../platform/files/disk.ts";
import { plainEnvironment } from "../../platform/process/programs.ts";
import { AudioError } from "./audio-error.ts";
import { infoFrame, infoFrameBytes } from "./mp3-info-frame.ts";
import { startOwnProgram, startProgram, type ChildProgram } from "./child-program.ts";

export interface EncodeOptions {
  readonly sampleRate: number;
  /** Distinguishes two writers of one file. */
  readonly attempt: string;
  /** Path of ffmpeg; our own encoder program is used if omitted. */
  readonly ffmpeg?: string | undefined;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** An MP3 file (192 kbit/s, stereo) during its writing; it is renamed to its name when it is closed. */
export class Mp3Writer {
  readonly #path: string;
  readonly #temporary: string;
  readonly #program: ChildProgram;
  readonly #sampleRate: number;
  readonly #saved: Promise<number>;
  #samples = 0;

  constructor(path: string, options: EncodeOptions) {
    this.#path = path;
    this.#temporary = temporaryPath(path, options.attempt);
    const env = plainEnvironment();
    const limits = { timeoutMs: options.timeoutMs ?? 30 * 60_000, signal: options.signal, helper: {}, env };
    this.#program = options.ffmpeg
      ? startProgram(options.ffmpeg, ffmpegArguments(options.sampleRate), limits)
      : startOwnProgram(new URL("./encode-mp3-child.ts", import.meta.url), [String(options.sampleRate)], limits);
    this.#sampleRate = options.sampleRate;
    this.#saved = save(this.#program, this.#temporary, infoFrameBytes(options.sampleRate));
    this.#saved.catch(() => this.#program.kill());
  }

  /** Adds samples; resolves when the encoder can accept more. @throws AudioError if it has stopped */
  async write(left: Float32Array, right: Float32Array): Promise<void> {
    this.#samples += left.length;
    const frames = new Float32Array(left.length * 2);
    for (let i = 0; i < left.length; i++) {
      frames[2 * i] = left[i]!;
      frames[2 * i + 1] = right[i]!;
    }
    const { stdin } = this.#program.process;
    if (stdin.destroyed) throw await this.#failure();
    if (stdin.write(new Uint8Array(frames.buffer))) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        stdin.off("drain", goOn).off("close", goOn);
        resolve();
      };
      stdin.on("drain", goOn).on("close", goOn);
    });
  }

  /**
   * Finishes the file, flushes it to the disk and renames it to its name. @throws AudioError if it is incomplete, or a
   * disk-full error
   */
  async close(): Promise<void> {
    this.#program.process.stdin.end();
    const bytes = await this.#saved.catch(() => 0);
    const { code } = await this.#program.done;
    if (code !== 0 || bytes === 0) {
      await rm(this.#temporary, { force: true });
      throw await this.#failure();
    }
    await writeInfoFrame(this.#temporary, infoFrame(this.#sampleRate, bytes, this.#samples));
    await publishFile(this.#temporary, this.#path);
  }

  /** Stops without a file. */
  async abort(): Promise<void> {
    this.#program.kill();
    await Promise.allSettled([this.#program.done, this.#saved]);
    await rm(this.#temporary, { force: true });
  }

  /** Returns the error; a full disk is not a fault of the encoder. */
  async #failure(): Promise<unknown> {
    const [{ complaint }, saved] = await Promise.all([
      this.#program.done,
      this.#saved.catch((error: unknown) => error),
    ]);
    if (isDiskFull(saved)) return saved;
    return new AudioError("encoder_failed", new Error(complaint.slice(0, 1000)));
  }
}

/** Encodes a whole song. @throws AudioError if it cannot be written */
export async function encodeMp3(
  pcm: { readonly left: Float32Array; readonly right: Float32Array },
  path: string,
  options: EncodeOptions,
): Promise<void> {
  const writer = new Mp3Writer(path, options);
  try {
    for (let at = 0; at < pcm.left.length; at += 65_536) {
      await writer.write(pcm.left.subarray(at, at + 65_536), pcm.right.subarray(at, at + 65_536));
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** @param room bytes reserved at the beginning @returns bytes that the encoder wrote after that */
async function save(program: ChildProgram, temporary: string, room: number): Promise<number> {
  const file = await open(temporary, "w");
  let bytes = 0;
  try {
    await file.writeFile(Buffer.alloc(room));
    for await (const chunk of program.process.stdout as AsyncIterable<Buffer>) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

async function writeInfoFrame(temporary: string, frame: Buffer): Promise<void> {
  const file = await open(temporary, "r+");
  try {
    await file.write(frame, 0, frame.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

function ffmpegArguments(sampleRate: number): string[] {
  return [
    ...["-v", "error", "-protocol_whitelist", "pipe"],
    ...["-f", "f32le", "-ar", String(sampleRate), "-ac", "2", "-i", "pipe:0"],
    // The frame with the song's length can only be written at the end, into the file.
    ...["-c:a", "libmp3lame", "-b:a", "192k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3", "pipe:1"],
  ];
}
