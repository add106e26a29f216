/** Samples of a song that is louder than this would clip. */
const CEILING = 0.97;
/** A start or an end without a fade is still no click. Seconds. */
export const EDGE = 0.008;

/**
 * What samples are multiplied by: as the server wants it, and never so much that they would clip.
 * @param gain dB @param peak highest sample, 0 for silence @param levelDb what it is softer by, however loud it could be
 */
export function levelOf(gain: number, peak: number, levelDb = 0): number {
  return Math.min(10 ** (gain / 20), peak > 0 ? CEILING / peak : 1) * 10 ** (levelDb / 20);
}

/** What a volume of 0..1 multiplies by: half of it is half as loud to the ear. */
export const gainOfVolume = (volume: number, isMuted: boolean): number => (isMuted ? 0 : volume ** 2);

/** Equal power: two songs that fade through each other are as loud together as one. @param share 0..1 of the fade */
export const risen = (share: number): number => Math.sin((share * Math.PI) / 2);
export const fallen = (share: number): number => Math.cos((share * Math.PI) / 2);
