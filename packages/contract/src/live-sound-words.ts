/* Apart from the shapes of messages: a page that shows who leads reads this without the library that checks shapes. */

/** Where sound comes from: a browser's microphone, or a device of the machine the stage runs on. */
export const SOUND_SOURCES = ["microphone", "device"] as const;
export type SoundSource = (typeof SOUND_SOURCES)[number];

/** Samples a second that may be sent over a connection; multiples of 100, as the analysis counts hops. */
export const SOUND_RATE = { least: 8000, most: 192_000, step: 100 } as const;
/** Bytes before the samples of a block: the number of its first sample since `start`, 32 bits, little-endian. */
export const SOUND_HEADER_BYTES = 4;
/** Most samples of one block, 16-bit mono, little-endian. */
export const MAX_BLOCK_SAMPLES = 8000;
