import { mkdir, mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { temporaryPath } from "../../platform/atomic-file.ts";
import { DECODED_RATE } from "../decode-audio.ts";

const HEADER_BYTES = 44;
const FRAME_BYTES = 4;

/**
 * A song as an engine gets it: `song.wav` (44.1 kHz, stereo, 16 bits) in a scratch folder that is
 * the engine's working folder and goes away with the answer.
 */
export class EngineSong {
  readonly folder: string;
  readonly wav: string;
  readonly #file: FileHandle;
  #frames = 0;

  private constructor(folder: string, wav: string, file: FileHandle) {
    this.folder = folder;
    this.wav = wav;
    this.#file = file;
  }

  /** @param parent the song's folder, where interrupted attempts are cleared up; without it the system's */
  static async create(parent: string | undefined, attempt: string): Promise<EngineSong> {
    const folder = parent
      ? temporaryPath(join(resolve(parent), "engine"), attempt)
      : await mkdtemp(join(tmpdir(), "engine-"));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const wav = join(folder, "song.wav");
    const file = await open(wav, "w");
    await file.write(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return new EngineSong(folder, wav, file);
  }

  get samples(): number {
    return this.#frames;
  }

  get seconds(): number {
    return this.#frames / DECODED_RATE;
  }

  async write(left: Float32Array, right: Float32Array): Promise<void> {
    const frames = new Int16Array(2 * left.length);
    for (let i = 0; i < left.length; i++) {
      frames[2 * i] = toInt16(left[i]!);
      frames[2 * i + 1] = toInt16(right[i]!);
    }
    const at = HEADER_BYTES + this.#frames * FRAME_BYTES;
    await this.#file.write(new Uint8Array(frames.buffer), 0, frames.byteLength, at);
    this.#frames += left.length;
  }

  /** The file is whole; engines may read it. */
  async close(): Promise<void> {
    await this.#file.write(wavHeader(this.#frames), 0, HEADER_BYTES, 0);
    await this.#file.close();
  }

  /** Throw the folder and everything engines wrote there away. */
  async remove(): Promise<void> {
    await this.#file.close().catch(() => undefined); // closed before, when all went well
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What is not a number becomes silence, as in the features. */
function toInt16(level: number): number {
  return level - level === 0 ? Math.round(Math.max(-1, Math.min(1, level)) * 32_767) : 0;
}

function wavHeader(frames: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(frames * FRAME_BYTES + HEADER_BYTES - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(DECODED_RATE, 24);
  header.writeUInt32LE(DECODED_RATE * FRAME_BYTES, 28);
  header.writeUInt16LE(FRAME_BYTES, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(frames * FRAME_BYTES, 40);
  return header;
}
