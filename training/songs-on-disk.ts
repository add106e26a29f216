import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FeatureExtractor, type SongFeatures } from "../packages/analysis/src/hear/features.ts";

const WAV_HEADER = 44;

/** What `Truth` in songs/truth.py writes, as far as it is read here; times are seconds. */
export interface Truth {
  readonly generator: string;
  readonly style: string;
  /** BPM. */
  readonly tempo: number;
  readonly beats_per_bar: number;
  /** "F# minor"; "" where the song has none. */
  readonly key: string;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  /** Start and label. */
  readonly sections: readonly (readonly [number, string])[];
  readonly drops: readonly number[];
}

/** Names of the rendered songs of a folder, in order. */
export function songsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

export function readTruth(folder: string, name: string): Truth {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Truth;
}

/** The product's own features of a WAV file of two channels and 16 bits. */
export function featuresOfWav(path: string): SongFeatures {
  const bytes = readFileSync(path);
  const frames = (bytes.length - WAV_HEADER) >> 2;
  const extractor = new FeatureExtractor(bytes.readUInt32LE(24));
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (let n = 0; n < frames; n++) {
    left[n] = bytes.readInt16LE(WAV_HEADER + 4 * n) / 32768;
    right[n] = bytes.readInt16LE(WAV_HEADER + 4 * n + 2) / 32768;
  }
  extractor.push(left, right);
  return extractor.finish();
}
