/** Rate of the onset spectrogram, hops per second. */
export const HOP_RATE = 100;
/** Rate of slow features (chroma, dynamics), steps per second. */
export const SLOW_RATE = 10;
/** Chroma bins per octave: three per semitone, so that the tuning can be determined afterward. */
export const CHROMA_BINS = 36;
