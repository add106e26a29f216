/** Level at the left end of a meter, dBFS. */
export const FLOOR_DB = -48;

/** Returns the position of a level on a meter, 0..1. @param level dBFS */
export const shareOfLevel = (level: number): number => Math.min(1, Math.max(0, 1 - level / FLOOR_DB));
