export { analyseFeatures, analyseSong } from "./analyse-song.ts";
export type { AnalysisOptions, Pcm } from "./analyse-song.ts";
export type { EngineName, GivenAnswers, GivenBeats, GivenTags } from "./basics/given.ts";
export { FeatureExtractor } from "./hear/features.ts";
export type { SongFeatures } from "./hear/features.ts";
export { BUILT_IN_STEMS, STEM_NAMES, StemSeparator } from "./stems/stems.ts";
export type { StemName, Stems, StereoBlock } from "./stems/stems.ts";
export { LiveEar } from "./live/live-ear.ts";
