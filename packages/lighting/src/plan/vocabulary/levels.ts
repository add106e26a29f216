/** A singer is never darker than this. */
export const SINGER_FLOOR = 0.36;
/** The light that is put on a singer. */
export const SINGER_LEVEL = 0.65;
