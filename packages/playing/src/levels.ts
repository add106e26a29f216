/** Highest sample value of the output, so that it does not clip. */
const CEILING = 0.97;
/** Shortest fade at a start or end, which prevents a click, seconds. */
export const EDGE = 0.008;

/**
 * Returns the gain factor of a song: the requested gain, limited so that it does not clip.
 *
 * @param gain dB
 * @param peak highest sample, 0 for silence
 * @param levelDb additional level, dB, applied even to a limited song
 */
export function levelOf(gain: number, peak: number, levelDb = 0): number {
  return Math.min(10 ** (gain / 20), peak > 0 ? CEILING / peak : 1) * 10 ** (levelDb / 20);
}

/** Returns the gain factor of a volume 0..1. The perceived loudness at 0.5 is about half. */
export const gainOfVolume = (volume: number, isMuted: boolean): number => (isMuted ? 0 : volume ** 2);

/** Equal-power crossfade: two songs together are as loud as one. @param share position in the fade, 0..1 */
export const risen = (share: number): number => Math.sin((share * Math.PI) / 2);
export const fallen = (share: number): number => Math.cos((share * Math.PI) / 2);
