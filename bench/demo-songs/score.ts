/**
 * Songs of our own, as they are written down. A bar is sixteen steps; rhythms and tunes stand as text, a sign or a word per
 * step, and go round when a section is longer than they are.
 */
export interface Score {
  readonly title: string;
  /** Quarter notes in a minute. */
  readonly bpm: number;
  /** How late every second sixteenth comes, as a share of a step. */
  readonly swing: number;
  /** How far pads, chords and bass go down under each kick, 0..1. */
  readonly ducking: number;
  readonly sections: readonly ScoreSection[];
}

export interface ScoreSection {
  readonly label: "intro" | "verse" | "build" | "drop" | "chorus" | "break" | "bridge" | "outro";
  readonly bars: number;
  /** One chord a bar, such as `Am F C G`. */
  readonly chords: string;
  /** Of one bar: `x` is hit, `o` is hit softly. */
  readonly drums?: Partial<Record<DrumName, string>>;
  /** The same for the section's last bar. */
  readonly fill?: Partial<Record<DrumName, string>>;
  /** A cymbal on the first beat. */
  readonly crash?: boolean;
  /** Of one bar: `x` plays the root, `f` the fifth, `o` the octave; `-` holds the note, all else ends it. */
  readonly bass?: string;
  readonly chordParts?: readonly ChordPart[];
  readonly tunes?: readonly Tune[];
  /** Noise that rises over the section. */
  readonly riser?: boolean;
}

export type DrumName = "kick" | "snare" | "clap" | "hat" | "open" | "ride" | "tom" | "shaker";
export type ChordVoice = "pad" | "piano" | "stab" | "guitar" | "strings";
export type TuneVoice = "voice" | "lead" | "bells" | "piano";

export interface ChordPart {
  readonly voice: ChordVoice;
  /** Of one bar: `x` strikes, `o` softly, `-` holds. */
  readonly rhythm: string;
  /** 0..1 */
  readonly level: number;
  /** How bright it is, 0..1; 0.5 where it is missing. */
  readonly tone?: number;
}

export interface Tune {
  readonly voice: TuneVoice;
  /** A word per eighth: a note such as `A4`, `-` holds it, `.` is a rest; `|` stands between bars. */
  readonly notes: string;
  readonly level: number;
}

/** One note: when in beats, how long in beats, and MIDI's number of its pitch. */
export interface Note {
  readonly at: number;
  readonly beats: number;
  readonly pitch: number;
  /** 0..1 */
  readonly velocity: number;
}

export const BEATS_PER_BAR = 4;
const STEPS_PER_BAR = 16;
const EIGHTHS_PER_BAR = 8;
const SOFT = 0.45;
const C_MAJOR: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** `F#4` as MIDI counts: A4 is 69. */
export function pitchOf(name: string): number {
  const [, letter, sign, octave] = /^([A-G])([#b]?)(-?\d)$/.exec(name) ?? [];
  const step = C_MAJOR[letter ?? ""];
  if (step === undefined) throw new Error(`"${name}" is no note`);
  return 12 * (Number(octave) + 1) + step + signOf(sign);
}

/** Pitches of a chord such as `Am7`, `F#`, `Bbmaj7`, `Gsus4`: its root between C2 and B2, and its notes between F3 and E5. */
export function chordOf(name: string): { readonly root: number; readonly notes: readonly number[] } {
  const [, letter, sign, kind] = /^([A-G])([#b]?)(.*)$/.exec(name) ?? [];
  const intervals = CHORDS[kind ?? "?"];
  if (letter === undefined || !intervals) throw new Error(`"${name}" is no chord`);
  const root = 36 + C_MAJOR[letter]! + signOf(sign);
  // The nearest to one place, whatever the root is: chords follow each other without leaps.
  const notes = intervals.map((interval) => {
    const above = (((root + interval - LOWEST) % 12) + 12) % 12;
    return LOWEST + above + (interval > 11 ? 12 : 0);
  });
  return { root: root >= 48 ? root - 12 : root, notes: notes.toSorted((a, b) => a - b) };
}

const LOWEST = 53;
const CHORDS: Readonly<Record<string, readonly number[]>> = {
  "": [0, 4, 7],
  m: [0, 3, 7],
  m7: [0, 3, 7, 10],
  7: [0, 4, 7, 10],
  maj7: [0, 4, 7, 11],
  sus4: [0, 5, 7],
  5: [0, 7],
  add9: [0, 4, 7, 14],
};
const signOf = (sign: string | undefined): number => (sign === "#" ? 1 : sign === "b" ? -1 : 0);

/** A bar's rhythm as steps that are hit, with what stands there and for how many steps it lasts. */
export function stepsOf(
  rhythm: string,
): readonly { readonly step: number; readonly sign: string; readonly steps: number }[] {
  if (rhythm.length !== STEPS_PER_BAR) throw new Error(`"${rhythm}" has no sixteen steps`);
  const signs = [...rhythm];
  return signs.flatMap((sign, step) => {
    if (sign === "." || sign === "-") return [];
    const next = signs.findIndex((other, i) => i > step && other !== "-");
    return [{ step, sign, steps: (next < 0 ? STEPS_PER_BAR : next) - step }];
  });
}

/** Notes of a tune over so many bars, from beat 0. */
export function notesOf({ notes: text }: Tune, bars: number): readonly Note[] {
  const written = text.split("|").map((bar) => bar.trim().split(/\s+/));
  const odd = written.find((words) => words.length !== EIGHTHS_PER_BAR);
  if (odd) throw new Error(`"${odd.join(" ")}" has no eight eighths`);
  const notes: { at: number; beats: number; pitch: number; velocity: number }[] = [];
  let isHeld = false;
  for (let bar = 0; bar < bars; bar++) {
    for (const [i, word] of written[bar % written.length]!.entries()) {
      if (word === "-" && isHeld) notes.at(-1)!.beats += 0.5;
      if (word === "-") continue;
      isHeld = word !== ".";
      if (isHeld)
        notes.push({
          at: bar * BEATS_PER_BAR + i / 2,
          beats: 0.5,
          pitch: pitchOf(word),
          velocity: i % 4 === 0 ? 1 : 0.85,
        });
    }
  }
  return notes;
}

export const velocityOf = (sign: string): number => (sign === "o" ? SOFT : 1);
