import type { Score, ScoreSection } from "./score.ts";

const BEAT = { kick: "x.....x.x.....x.", snare: "....x.......x...", hat: "x.x.x.x.x.x.x.x." } as const;
const BIG = { kick: "x...x.x.x...x.x.", snare: "....x.......x...", ride: "x.x.x.x.x.x.x.x." } as const;
const FILL = { kick: "x.......x.......", snare: "....x.x.....xxxx", tom: "........xxxx...." } as const;
const EIGHTHS = "x-x-x-x-x-x-x-x-";

const VERSE: ScoreSection = {
  label: "verse",
  bars: 8,
  chords: "Em Em C D",
  drums: BEAT,
  fill: FILL,
  bass: "x-x-x-x-x-x-x-f-",
  chordParts: [{ voice: "guitar", rhythm: "x-.x-.x-x-.x-.x-", level: 0.5, tone: 0.2 }],
  tunes: [
    {
      voice: "voice",
      notes: ". E4 G4 A4 B4 - A4 G4 | A4 - G4 E4 - - . . | . E4 G4 A4 C5 - B4 A4 | B4 - A4 F#4 - - . .",
      level: 0.9,
    },
  ],
};
const CHORUS: ScoreSection = {
  label: "chorus",
  bars: 8,
  chords: "G D Em C",
  drums: BIG,
  fill: FILL,
  crash: true,
  bass: EIGHTHS,
  chordParts: [{ voice: "guitar", rhythm: "x-x-x-x-x-x-x-x-", level: 1, tone: 0.9 }],
  tunes: [
    {
      voice: "voice",
      notes: "D5 - - B4 D5 - E5 D5 | A4 - - - B4 A4 F#4 - | G4 - - B4 D5 - E5 G5 | E5 - - D5 C5 - . .",
      level: 1,
    },
    {
      voice: "lead",
      notes: "G5 - - - - - - - | F#5 - - - - - - - | E5 - - - - - - - | G5 - - - E5 - - -",
      level: 0.35,
    },
  ],
};

/** Rock in E minor with a singer's line, and choruses in G. */
export const ROCK: Score = {
  title: "Eight Second-hand Pars",
  bpm: 132,
  swing: 0,
  ducking: 0,
  sections: [
    {
      label: "intro",
      bars: 4,
      chords: "Em C G D",
      drums: { kick: "x.......x.......", hat: "x...x...x...x..." },
      fill: FILL,
      chordParts: [{ voice: "guitar", rhythm: "x---------------", level: 0.7, tone: 0.6 }],
    },
    VERSE,
    CHORUS,
    VERSE,
    CHORUS,
    {
      label: "bridge",
      bars: 4,
      chords: "C D Em D",
      drums: { kick: "x.......x.......", ride: "x...x...x...x..." },
      fill: { snare: "x.x.x.x.xxxxxxxx", tom: "............xxxx" },
      bass: "x-------x-------",
      chordParts: [{ voice: "piano", rhythm: "x---x---x---x---", level: 0.9, tone: 0.4 }],
      tunes: [{ voice: "voice", notes: "G4 - - - A4 - - - | B4 - - - A4 - - -", level: 0.9 }],
    },
    CHORUS,
    {
      label: "outro",
      bars: 2,
      chords: "Em Em",
      drums: { kick: "x..............." },
      crash: true,
      bass: "x---------------",
      chordParts: [{ voice: "guitar", rhythm: "x---------------", level: 0.8, tone: 0.9 }],
    },
  ],
};
