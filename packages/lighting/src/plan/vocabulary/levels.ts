/** A singer is never darker than this, and a wave of a quarter of it still leaves enough to be seen by. */
export const SINGER_FLOOR = 0.42;
/** The light that is put on a singer. */
export const SINGER_LEVEL = 0.65;
