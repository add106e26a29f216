import { mkdir, mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { temporaryPath } from "../../../platform/files/atomic-file.ts";
import { DECODED_RATE } from "../decoded-sound.ts";
import { WAV_FRAME_BYTES, WAV_HEADER_BYTES, wavBody, wavHeader } from "../wav.ts";

/**
 * A song as input of an engine: `song.wav` (44.1 kHz, stereo, 16 bits) in a scratch folder, which is the engine's
 * working folder and is deleted after the answer.
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

  /**
   * @param parent the song's folder, where interrupted attempts are cleaned up; the system's temporary folder if
   * omitted
   */
  static async create(parent: string | undefined, attempt: string): Promise<EngineSong> {
    const folder = parent
      ? temporaryPath(join(resolve(parent), "engine"), attempt)
      : await mkdtemp(join(tmpdir(), "engine-"));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const wav = join(folder, "song.wav");
    const file = await open(wav, "w");
    await file.write(Buffer.alloc(WAV_HEADER_BYTES), 0, WAV_HEADER_BYTES, 0);
    return new EngineSong(folder, wav, file);
  }

  get samples(): number {
    return this.#frames;
  }

  get seconds(): number {
    return this.#frames / DECODED_RATE;
  }

  async write(left: Float32Array, right: Float32Array): Promise<void> {
    const body = wavBody(left, right);
    await this.#file.write(body, 0, body.length, WAV_HEADER_BYTES + this.#frames * WAV_FRAME_BYTES);
    this.#frames += left.length;
  }

  /** Completes the file, so that engines may read it. */
  async close(): Promise<void> {
    await this.#file.write(wavHeader(this.#frames, DECODED_RATE), 0, WAV_HEADER_BYTES, 0);
    await this.#file.close();
  }

  /** Deletes the folder with everything that engines wrote there. */
  async remove(): Promise<void> {
    await this.#file.close().catch(() => undefined); // closed before, on success
    await rm(this.folder, { recursive: true, force: true });
  }
}
