/** dB below full scale at the left end of a meter. */
export const FLOOR_DB = -48;

/** Where a level stands on a meter, 0 to 1. @param level dB below full scale */
export const shareOfLevel = (level: number): number => Math.min(1, Math.max(0, 1 - level / FLOOR_DB));
