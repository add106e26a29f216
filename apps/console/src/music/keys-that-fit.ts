const TONES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
/** Semitones from a minor key up to its relative major. */
const TO_RELATIVE_MAJOR = 3;

interface Place {
  /** Position on the circle of fifths of the key, or of its relative major; 0..11. */
  readonly fifths: number;
  readonly isMinor: boolean;
}

/**
 * Whether songs in these keys mix without clashing, by the wheel of harmonic mixing that DJs use: the same key, its
 * relative key, or one a fifth away in the same mode.
 * @param key such as "F# minor"; an unknown key fits none
 */
export function keysFit(key: string, other: string): boolean {
  const [a, b] = [placeOf(key), placeOf(other)];
  if (!a || !b) return false;
  const apart = Math.abs(a.fifths - b.fifths);
  const steps = Math.min(apart, 12 - apart);
  return a.isMinor === b.isMinor ? steps <= 1 : steps === 0;
}

function placeOf(key: string): Place | undefined {
  const [, note = "", accidental = "", mode] = /^([A-G])([#b♯♭]?) (major|minor)$/.exec(key) ?? [];
  const tone = TONES[note];
  if (tone === undefined) return undefined;
  const isMinor = mode === "minor";
  const shift = accidental === "" ? 0 : accidental === "#" || accidental === "♯" ? 1 : -1;
  const major = tone + shift + (isMinor ? TO_RELATIVE_MAJOR : 0);
  return { fifths: (((major * 7) % 12) + 12) % 12, isMinor };
}
