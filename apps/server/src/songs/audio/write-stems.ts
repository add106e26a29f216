import { join } from "node:path";
import { BUILT_IN_STEMS, STEM_NAMES, StemSeparator } from "@followspot/analysis";
import type { EngineName, StemName, Stems } from "@followspot/analysis";
import type { SongAnalysis } from "@followspot/contract";
import { AudioError } from "./audio-error.ts";
import { decodeAudio } from "./decode-audio.ts";
import { DECODED_RATE } from "./decoded-sound.ts";
import { Mp3Writer, type EncodeOptions } from "./encode-mp3.ts";
import { orRefused, Refusal } from "./engines/ask-engines.ts";
import { engineTitle, type Engines } from "./engines/engine-choice.ts";
import { EngineSong } from "./engines/engine-song.ts";
import { separateSong, type SeparatedSong } from "./engines/separate-song.ts";

/** File names of the stems, beside hybrid.json. MP3 with or without ffmpeg, because every browser plays it. */
export const STEM_FILES: Readonly<Record<StemName, string>> = {
  drums: "drums.mp3",
  bass: "bass.mp3",
  vocals: "vocals.mp3",
  other: "other.mp3",
};

export interface WriteStemsOptions {
  /** The song's folder, in which the stems are written. */
  readonly folder: string;
  readonly attempt: string;
  readonly ffmpeg?: string | undefined;
  readonly engines: Engines;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (share: number, note: string) => void;
}

/** Engine that separated the song, and why it was not the configured one. */
export interface WrittenStems {
  readonly by: EngineName;
  readonly refused?: string;
}

const OWN_STEMS: WrittenStems = { by: BUILT_IN_STEMS };
/** Shares of the work with an engine: decoding, the engine's answer, encoding its stems. */
const DECODED = 0.1;
const ANSWERED = 0.8;
/** Largest difference in length between a stem and its song, seconds: codecs pad. */
const LENGTH_SECONDS = 0.5;

/**
 * Writes four stem files of an audio file, with the configured engine or our own separator.
 * @throws AudioError with a message for users
 */
export async function writeStems(path: string, options: WriteStemsOptions): Promise<WrittenStems> {
  if (options.engines.stems.kind === "built-in") return writeOwnStems(path, options, 0);
  const { attempt, ffmpeg, signal, engines, onProgress } = options;
  const song = await EngineSong.create(options.folder, attempt);
  try {
    await decodeAudio(path, {
      ffmpeg,
      signal,
      onSamples: (left, right) => song.write(left, right),
      onProgress: (seconds, expected) =>
        onProgress?.(DECODED * Math.min(1, seconds / (expected ?? 300)), "reading the sound"),
    });
    await song.close();
    const answer = await orRefused(engines.stems, "stems", signal, async () => {
      const separated = await separateSong(engines.stems, song, {
        timeoutMs: engines.timeoutMs,
        signal,
        onProgress: (share, note) => onProgress?.(DECODED + share * (ANSWERED - DECODED), note),
      });
      onProgress?.(ANSWERED, `writing the stems of ${engineTitle(engines.stems)}`);
      await moveStems(separated, song.samples, options);
      return separated.by;
    });
    if ("value" in answer) return { by: answer.value };
    return { ...(await writeOwnStems(path, options, DECODED)), refused: answer.refused };
  } finally {
    await song.remove();
  }
}

/** Returns the analysis with its stem files and the engine that made them. */
export function namesStems(analysis: SongAnalysis, { by, refused }: WrittenStems = OWN_STEMS): SongAnalysis {
  const { stems: _earlier, ...reasoning } = analysis.insights.pattern_reasoning;
  return {
    ...analysis,
    stems: STEM_FILES,
    insights: {
      ...analysis.insights,
      pattern_reasoning: refused ? { ...reasoning, stems: refused } : reasoning,
      engines: { ...analysis.insights.engines, stems: by },
    },
  };
}

/** Returns the analysis of a song whose stem files were removed. */
export function withoutStems(analysis: SongAnalysis): SongAnalysis {
  const { stems: _refused, ...reasoning } = analysis.insights.pattern_reasoning;
  const { stems: _by, ...engines } = analysis.insights.engines;
  return {
    ...analysis,
    stems: { drums: "", bass: "", vocals: "", other: "" },
    insights: { ...analysis.insights, pattern_reasoning: reasoning, engines },
  };
}

async function writeOwnStems(path: string, options: WriteStemsOptions, from: number): Promise<WrittenStems> {
  const { folder, attempt, ffmpeg, signal } = options;
  const stems = new StemFiles(folder, { sampleRate: DECODED_RATE, attempt, ffmpeg, signal });
  try {
    await decodeAudio(path, {
      ffmpeg,
      signal,
      onSamples: (left, right) => stems.push(left, right),
      onProgress: (seconds, expected) =>
        options.onProgress?.(from + (1 - from) * Math.min(1, seconds / (expected ?? 300)), "writing stems"),
    });
    await stems.close();
  } catch (error) {
    await stems.abort();
    throw error;
  }
  return OWN_STEMS;
}

/**
 * Converts an engine's stems to our files, padded or cut to the song's length. @throws Refusal if one is not a stem of
 * it
 */
async function moveStems(separated: SeparatedSong, samples: number, options: WriteStemsOptions): Promise<void> {
  const { folder, attempt, ffmpeg, signal } = options;
  const writers: Mp3Writer[] = [];
  try {
    for (const name of STEM_NAMES) {
      const writer = new Mp3Writer(join(folder, STEM_FILES[name]), {
        sampleRate: DECODED_RATE,
        attempt,
        ffmpeg,
        signal,
      });
      writers.push(writer);
      let written = 0;
      const { seconds } = await decodeAudio(separated.files[name], {
        ffmpeg,
        signal,
        onSamples: (left, right) => {
          const count = Math.min(left.length, samples - written);
          written += count;
          return writer.write(left.subarray(0, count), right.subarray(0, count));
        },
      }).catch((error: unknown) => {
        if (signal?.aborted || !(error instanceof AudioError) || error.code === "encoder_failed") throw error;
        throw new Refusal(`its file for ${name} cannot be read`, { cause: error });
      });
      if (Math.abs(seconds - samples / DECODED_RATE) > LENGTH_SECONDS)
        throw new Refusal(`its file for ${name} is ${seconds.toFixed(1)} seconds long and the song is not`);
      const silence = new Float32Array(samples - written);
      await writer.write(silence, silence);
    }
    for (const writer of writers) await writer.close();
  } catch (error) {
    await Promise.all(writers.map((writer) => writer.abort()));
    throw error;
  }
}

/** The four stem files of a song during its decoding; four encoders run in parallel. */
export class StemFiles {
  readonly #separator: StemSeparator;
  readonly #writers: readonly (readonly [StemName, Mp3Writer])[];

  constructor(folder: string, options: EncodeOptions) {
    this.#separator = new StemSeparator();
    this.#writers = STEM_NAMES.map((name) => [name, new Mp3Writer(join(folder, STEM_FILES[name]), options)] as const);
  }

  async push(left: Float32Array, right: Float32Array): Promise<void> {
    await this.#write(this.#separator.push(left, right));
  }

  /** Finishes all four and renames them to their names. @throws AudioError if one cannot be written */
  async close(): Promise<void> {
    await this.#write(this.#separator.finish());
    await Promise.all(this.#writers.map(([, writer]) => writer.close()));
  }

  /** Stops without files. */
  async abort(): Promise<void> {
    await Promise.all(this.#writers.map(([, writer]) => writer.abort()));
  }

  async #write(blocks: readonly Stems[]): Promise<void> {
    for (const block of blocks) {
      await Promise.all(this.#writers.map(([name, writer]) => writer.write(block[name].left, block[name].right)));
    }
  }
}
