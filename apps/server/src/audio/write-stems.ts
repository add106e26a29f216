import { join } from "node:path";
import { STEM_NAMES, StemSeparator, type StemName, type Stems } from "@followspot/analysis";
import { Mp3Writer, type EncodeOptions } from "./encode-mp3.ts";

/** Stem → file name beside hybrid.json. MP3 with or without ffmpeg: every browser plays it. */
export const STEM_FILES: Readonly<Record<StemName, string>> = {
  drums: "drums.mp3",
  bass: "bass.mp3",
  vocals: "vocals.mp3",
  other: "other.mp3",
};

/** The four stem files of a song that is being decoded; four encoders run beside each other. */
export class StemFiles {
  readonly #separator: StemSeparator;
  readonly #writers: readonly (readonly [StemName, Mp3Writer])[];

  constructor(folder: string, options: EncodeOptions) {
    this.#separator = new StemSeparator(options.sampleRate);
    this.#writers = STEM_NAMES.map((name) => [name, new Mp3Writer(join(folder, STEM_FILES[name]), options)] as const);
  }

  async push(left: Float32Array, right: Float32Array): Promise<void> {
    await this.#write(this.#separator.push(left, right));
  }

  /** Finish all four and give them their names. @throws AudioError when one cannot be written */
  async close(): Promise<void> {
    await this.#write(this.#separator.finish());
    await Promise.all(this.#writers.map(([, writer]) => writer.close()));
  }

  /** Stop without files. */
  async abort(): Promise<void> {
    await Promise.all(this.#writers.map(([, writer]) => writer.abort()));
  }

  async #write(blocks: readonly Stems[]): Promise<void> {
    for (const block of blocks) {
      await Promise.all(this.#writers.map(([name, writer]) => writer.write(block[name].left, block[name].right)));
    }
  }
}
