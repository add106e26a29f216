/** A singer is never darker than this, nor than the other where the light on them is in a wave: there it is the least of it. */
export const SINGER_FLOOR = 0.42;
export const SINGER_LEAST = 0.32;
/** The light that is put on a singer. */
export const SINGER_LEVEL = 0.65;
