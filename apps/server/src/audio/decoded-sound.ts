// What our decoder program and its callers agree on. Nothing is imported here, so that the program begins at once.

/** Every song is decoded to this rate and two channels. */
export const DECODED_RATE = 44_100;
/** Exit code of our decoder for a file it cannot decode; any other one is its own failure. */
export const CANNOT_DECODE = 65;
