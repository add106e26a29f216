// Constants shared by our decoder program and its callers. There are no imports, so that the program starts fast.

/** Sample rate of every decoded song, Hz; it has two channels. */
export const DECODED_RATE = 44_100;
/** Exit code of our decoder for a file it cannot decode; any other code is its own failure. */
export const CANNOT_DECODE = 65;
