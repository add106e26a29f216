import type { Score, ScoreSection } from "./score.ts";

const FOUR = "x...x...x...x...";
const OFF = "..x...x...x...x.";
const CLAPS = "....x.......x...";
const CHORDS = "Am7 Fmaj7 C Gadd9";
const HOOK = "A4 . C5 . E5 - D5 C5 | . A4 . C5 D5 - C5 . | G4 . C5 . E5 - G5 E5 | . D5 . B4 D5 - - .";

const GROOVE = { kick: FOUR, clap: CLAPS, open: OFF, shaker: "x.oxx.oxx.oxx.ox" } as const;
const DROP: ScoreSection = {
  label: "drop",
  bars: 8,
  chords: CHORDS,
  drums: GROOVE,
  fill: { ...GROOVE, snare: "............xxxx" },
  crash: true,
  bass: "..x-x-x-..x-x-ox",
  chordParts: [
    { voice: "stab", rhythm: "x..x..x...x..x..", level: 0.9, tone: 0.8 },
    { voice: "pad", rhythm: "x---------------", level: 0.7, tone: 0.7 },
  ],
  tunes: [{ voice: "lead", notes: HOOK, level: 0.9 }],
};
const BUILD: ScoreSection = {
  label: "build",
  bars: 4,
  chords: "Fmaj7 G Am7 G",
  drums: { kick: FOUR, snare: "x...x...x...x...", hat: "x.x.x.x.x.x.x.x." },
  fill: { snare: "xxxxxxxxxxxx....", hat: "xxxxxxxxxxxx...." },
  chordParts: [{ voice: "pad", rhythm: "x---------------", level: 0.8, tone: 0.5 }],
  riser: true,
};

/** House in A minor: groove, piano, two drops. */
export const HOUSE: Score = {
  title: "Harbour Lights",
  bpm: 124,
  swing: 0.12,
  ducking: 0.6,
  sections: [
    {
      label: "intro",
      bars: 8,
      chords: CHORDS,
      drums: { kick: FOUR, hat: OFF },
      fill: { kick: "x...x...x.......", hat: OFF, clap: "............x.xx" },
      chordParts: [{ voice: "pad", rhythm: "x---------------", level: 0.7, tone: 0.2 }],
    },
    {
      label: "verse",
      bars: 8,
      chords: CHORDS,
      drums: { kick: FOUR, clap: CLAPS, hat: OFF, shaker: "x.o.x.o.x.o.x.o." },
      bass: "x-.x-.x---x-.x-.",
      chordParts: [{ voice: "piano", rhythm: "x..x..x...x.x...", level: 0.8, tone: 0.6 }],
    },
    BUILD,
    DROP,
    {
      label: "break",
      bars: 8,
      chords: "Fmaj7 C G Am7",
      chordParts: [
        { voice: "piano", rhythm: "x-----x---x-----", level: 0.8, tone: 0.4 },
        { voice: "strings", rhythm: "x---------------", level: 0.7, tone: 0.3 },
      ],
      tunes: [
        {
          voice: "voice",
          notes: "A4 - - C5 - - D5 - | E5 - - - D5 C5 - . | D5 - - B4 - - G4 - | A4 - - - - - . .",
          level: 0.8,
        },
      ],
    },
    BUILD,
    { ...DROP, bars: 8, tunes: [...DROP.tunes!, { voice: "bells", notes: HOOK, level: 0.5 }] },
    {
      label: "outro",
      bars: 4,
      chords: CHORDS,
      drums: { kick: FOUR, hat: OFF },
      chordParts: [{ voice: "pad", rhythm: "x---------------", level: 0.6, tone: 0.2 }],
    },
  ],
};
