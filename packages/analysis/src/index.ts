export { analyseFeatures, analyseSong, ANALYSIS_VERSION } from "./analyse-song.ts";
export type { AnalysisOptions, Pcm } from "./analyse-song.ts";
export { FeatureExtractor } from "./features.ts";
export type { SongFeatures } from "./features.ts";
