import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { analyseFeatures, FeatureExtractor } from "@followspot/analysis";
import { songAnalysisSchema, type SongAnalysis } from "@followspot/contract";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { decodeAudio } from "./decode-audio.ts";
import { DECODED_RATE } from "./decoded-sound.ts";
import { askEngines } from "./engines/ask-engines.ts";
import { BUILT_IN, type Engines } from "./engines/engine-choice.ts";
import { EngineSong } from "./engines/engine-song.ts";
import { namesStems, StemFiles, writeStems } from "./write-stems.ts";

export const ANALYSIS_FILE = "hybrid.json";

export interface AnalyseFileOptions {
  readonly path: string;
  readonly songId: string;
  /** Folder of hybrid.json and the stems, created if missing; nothing is written if omitted. */
  readonly outDir?: string | undefined;
  /** Distinguishes two runs for one song. */
  readonly attempt: string;
  readonly ffmpeg?: string | undefined;
  /** Whether to write the four stems as well; needs `outDir`. */
  readonly stems: boolean;
  /** Engines for beats, tags and stems; built-in by default. */
  readonly engines?: Engines;
  readonly signal?: AbortSignal | undefined;
  /** Receives the share done, 0..1, and the stage. */
  readonly onProgress?: (share: number, stage: string) => void;
}

/** Share of the work before the recipe's stages, and the part of it before the engines run. */
const DECODED = 0.7;
const DECODED_BEFORE_ENGINES = 0.3;

/**
 * Analyzes an audio file and writes hybrid.json (and stems). The song is decoded once and never held whole: samples are
 * streamed through the features and the stem masks, so an hour needs the memory of its features. Engines receive the
 * samples as a file in addition, and answer before the recipe begins.
 *
 * @throws AudioError with a message for users
 */
export async function analyseFile(
  options: AnalyseFileOptions,
): Promise<{ analysis: SongAnalysis; warnings: string[] }> {
  const { outDir, attempt, ffmpeg, signal, engines = BUILT_IN, onProgress } = options;
  if (outDir) await mkdir(outDir, { recursive: true });
  const hasOwnStems = options.stems && engines.stems.kind === "built-in";
  const stems =
    hasOwnStems && outDir ? new StemFiles(outDir, { sampleRate: DECODED_RATE, attempt, ffmpeg, signal }) : undefined;
  const isAsking = engines.beats.kind !== "built-in" || engines.tags.kind !== "built-in";
  const song = isAsking ? await EngineSong.create(outDir, attempt) : undefined;
  try {
    const extractor = new FeatureExtractor(DECODED_RATE);
    const decodedShare = song ? DECODED_BEFORE_ENGINES : DECODED;
    const decoded = await decodeAudio(options.path, {
      ffmpeg,
      signal,
      onSamples: async (left, right) => {
        extractor.push(left, right);
        await song?.write(left, right);
        await stems?.push(left, right);
      },
      onProgress: (seconds, expected) =>
        onProgress?.(decodedShare * Math.min(1, seconds / (expected ?? 300)), "reading the sound"),
    });
    await stems?.close();
    await song?.close();
    const given =
      song &&
      (await askEngines(song, engines, {
        timeoutMs: engines.timeoutMs,
        signal,
        onProgress: (share, note) => onProgress?.(decodedShare + share * (DECODED - decodedShare), note),
      }));
    await song?.remove();

    const found = analyseFeatures(extractor.finish(), {
      songId: options.songId,
      warnings: decoded.warnings,
      ...(given && { given }),
      ...(onProgress && { onProgress }),
    });
    const analysis = songAnalysisSchema.parse(await withStems(found));
    if (outDir) await writeFileAtomic(join(outDir, ANALYSIS_FILE), JSON.stringify(analysis), attempt);
    return { analysis, warnings: analysis.insights.warnings };
  } catch (error) {
    await stems?.abort();
    await song?.remove();
    throw error;
  }

  async function withStems(found: SongAnalysis): Promise<SongAnalysis> {
    if (stems) return namesStems(found);
    if (!options.stems || !outDir) return found;
    return namesStems(found, await writeStems(options.path, { folder: outDir, attempt, ffmpeg, engines, signal }));
  }
}
