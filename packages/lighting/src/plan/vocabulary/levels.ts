/** Lowest level of light on a singer: SINGER_FLOOR for steady light, SINGER_LEAST for the minimum of a wave. */
export const SINGER_FLOOR = 0.42;
export const SINGER_LEAST = 0.32;
/** Level of the front light on a singer. */
export const SINGER_LEVEL = 0.65;
