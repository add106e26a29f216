import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { analyseFeatures, FeatureExtractor } from "@followspot/analysis";
import { songAnalysisSchema, type SongAnalysis } from "@followspot/contract";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { DECODED_RATE, decodeAudio } from "./decode-audio.ts";
import { STEM_FILES, StemFiles } from "./write-stems.ts";

export const ANALYSIS_FILE = "hybrid.json";

export interface AnalyseFileOptions {
  readonly path: string;
  readonly songId: string;
  /** Folder of hybrid.json and the stems, made when missing; without it nothing is written. */
  readonly outDir?: string | undefined;
  /** Tells two runs for one song apart. */
  readonly attempt: string;
  readonly ffmpeg?: string | undefined;
  /** Write the four stems as well; needs `outDir`. */
  readonly stems: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Share done 0..1 and the stage. */
  readonly onProgress?: (share: number, stage: string) => void;
}

/**
 * Audio file → hybrid.json (and stems). The song is decoded once and never held whole: samples
 * flow through the features and the stem masks, so an hour needs the memory of its features.
 *
 * @throws AudioError with a message for a person
 */
export async function analyseFile(
  options: AnalyseFileOptions,
): Promise<{ analysis: SongAnalysis; warnings: string[] }> {
  const { outDir, attempt, ffmpeg, signal } = options;
  if (outDir) await mkdir(outDir, { recursive: true });
  const stems =
    options.stems && outDir ? new StemFiles(outDir, { sampleRate: DECODED_RATE, attempt, ffmpeg, signal }) : undefined;
  try {
    const extractor = new FeatureExtractor(DECODED_RATE);
    const decoded = await decodeAudio(options.path, {
      ffmpeg,
      signal,
      onSamples: (left, right) => {
        extractor.push(left, right);
        return stems?.push(left, right);
      },
      onProgress: (seconds, expected) => options.onProgress?.(0.7 * Math.min(1, seconds / (expected ?? 300)), "decode"),
    });
    await stems?.close();
    const found = analyseFeatures(extractor.finish(), {
      songId: options.songId,
      warnings: decoded.warnings,
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    const analysis = songAnalysisSchema.parse(stems ? { ...found, stems: STEM_FILES } : found);
    if (outDir) await writeFileAtomic(join(outDir, ANALYSIS_FILE), JSON.stringify(analysis), attempt);
    return { analysis, warnings: analysis.insights.warnings };
  } catch (error) {
    await stems?.abort();
    throw error;
  }
}
