/** Light of a planned show leaves a lamp 0 to 68 ms after its time: frame, node and slot. In the mean: */
const LIGHT_DELAY_MS = 34;

/** The offset by which light comes with a sound that is so late: light waits for sound, less what it takes itself. */
export const offsetFor = (delayMs: number): number => Math.round(delayMs - LIGHT_DELAY_MS);
