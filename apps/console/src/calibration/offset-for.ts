/** Mean delay of light in a planned show, ms. It is 0 to 68 ms: frame, node and slot. */
const LIGHT_DELAY_MS = 34;

/** Returns the output offset that aligns light with sound of the given delay, ms: the sound's delay minus the light's own. */
export const offsetFor = (delayMs: number): number => Math.round(delayMs - LIGHT_DELAY_MS);
