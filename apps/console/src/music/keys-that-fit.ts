const TONES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
/** Semitones from a minor key up to the major one with the same notes. */
const TO_RELATIVE_MAJOR = 3;

interface Place {
  /** On the circle of fifths, of the major key with the same notes; 0..11. */
  readonly fifths: number;
  readonly isMinor: boolean;
}

/**
 * Whether a song in one key mixes with a song in another without clashing, as DJs mix by the wheel of harmonic mixing: the same
 * key, its relative one, or one a fifth away in the same mode.
 * @param key as "F# minor"; an unknown one fits nothing
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
