export { FrameClock } from "./frame-clock.ts";
export { EDGE, fallen, gainOfVolume, levelOf, risen } from "./levels.ts";
export { levelsOfBlock, LoudestLevels } from "./loudest-levels.ts";
export { Mixer, type MixedSong, type Pcm } from "./mixer.ts";
export { SoundEngine, type Card, type PlayedSong, type Shelf, type SongStart } from "./sound-engine.ts";
export { SteadyClock } from "./steady-clock.ts";
