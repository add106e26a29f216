/** Hops of the onset spectrogram per second. */
export const HOP_RATE = 100;
/** Slow features (chroma, dynamics) per second. */
export const SLOW_RATE = 10;
/** Chroma bins per octave: three to a semitone, so that the tuning can be found afterwards. */
export const CHROMA_BINS = 36;
