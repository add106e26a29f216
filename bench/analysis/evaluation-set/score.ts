/** The words composer and players share: chance, time, notes, keys. */

/** Uniform numbers in 0..1 from a seed: mulberry32 (T. Ettinger). */
export type Chance = () => number;

export function seededChance(seed: number): Chance {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Normal deviate with mean 0 and deviation 1 (Box and Muller). */
export function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

export function pick<T>(items: readonly T[], chance: Chance): T {
  return items[Math.floor(chance() * items.length)]!;
}

/** A number from a name, so that what is named alike sounds alike (FNV-1a). */
export function hash(name: string): number {
  let h = 0x811c9dc5;
  for (const letter of name) h = Math.imul(h ^ letter.codePointAt(0)!, 0x01000193);
  return h >>> 0;
}

export const DRUMS = {
  kick: 36,
  rim: 37,
  snare: 38,
  clap: 39,
  low_tom: 45,
  floor_tom: 41,
  high_tom: 50,
  hat: 42,
  open_hat: 46,
  crash: 49,
  ride: 51,
  tambourine: 54,
  cowbell: 56,
  bongo: 60,
  conga: 63,
  low_conga: 64,
  timbale: 65,
  agogo: 67,
  cabasa: 69,
  shaker: 70,
  clave: 75,
} as const;
export type Drum = keyof typeof DRUMS;

/** Who plays a note; a synthesiser or a General MIDI instrument sounds it. */
export type Player = "bass" | "comp" | "pad" | "lead" | "choir" | "voice";

export interface Note {
  readonly player: Player;
  /** Seconds from the start of the song. */
  readonly time: number;
  readonly seconds: number;
  /** MIDI note number. */
  readonly pitch: number;
  /** 0..1 */
  readonly velocity: number;
  /** Spoken rather than sung. */
  readonly isRap?: boolean;
}

export interface Hit {
  readonly drum: Drum;
  readonly time: number;
  readonly velocity: number;
}

/** Noise that rises until a drop. */
export interface Riser {
  readonly time: number;
  readonly seconds: number;
}

export interface Score {
  readonly seconds: number;
  readonly notes: readonly Note[];
  readonly hits: readonly Hit[];
  readonly risers: readonly Riser[];
}

/** What is known of a song by construction, in the format of `truth/ID.json`. Times are seconds. */
export interface Truth {
  readonly id: string;
  readonly genre: string;
  readonly duration: number;
  readonly tempo: number;
  readonly key: string;
  readonly meter: string;
  readonly beats_per_bar: number;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly sections: readonly { readonly start: number; readonly end: number; readonly label: string }[];
  readonly drops: readonly number[];
  readonly vocals: readonly (readonly [number, number])[];
}

const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
export type Scale = "major" | "minor";
const STEPS = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] };

export interface Key {
  /** Pitch class, 0 is C. */
  readonly tonic: number;
  readonly scale: Scale;
}

export function keyName({ tonic, scale }: Key): string {
  return `${TONICS[tonic]!} ${scale}`;
}

/** Semitones above the tonic of a scale degree; 0 is the tonic, 7 its octave, below 0 goes down. */
export function scaleStep(scale: Scale, degree: number): number {
  const octave = Math.floor(degree / 7);
  return 12 * octave + STEPS[scale][degree - 7 * octave]!;
}

/**
 * Pitch classes of a chord, root first.
 * @param token degree 1..7 of the key; `M` makes the third major, `d` a dominant seventh chord, `7` adds the seventh
 */
export function chordOf(token: string, { tonic, scale }: Key): number[] {
  const degree = Number(token[0]) - 1;
  const classes = [0, 2, 4, ...(/^.7$/.test(token) ? [6] : [])].map((up) => tonic + scaleStep(scale, degree + up));
  const root = classes[0]!;
  if (/[Md]$/.test(token)) classes[1] = root + 4;
  if (token.endsWith("d")) classes.push(root + 10);
  return classes.map((pitch) => pitch % 12);
}

/** The pitch of a class that lies nearest to a centre. */
export function near(pitchClass: number, centre: number): number {
  return centre + ((((pitchClass - centre + 6) % 12) + 12) % 12) - 6;
}
