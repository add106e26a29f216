import type { Score, ScoreSection } from "./score.ts";

const SOFT_BEAT = { kick: "x.......x.....o.", snare: "....o.......o...", hat: "x.o.x.o.x.o.x.o." } as const;
const FULL_BEAT = { kick: "x.....x.x.....x.", snare: "....x.......x...", ride: "x.x.x.x.x.x.x.x." } as const;
const BROKEN = "x-o-x-o-x-o-x-o-";

const VERSE: ScoreSection = {
  label: "verse",
  bars: 8,
  chords: "F Am Bb C",
  chordParts: [{ voice: "piano", rhythm: BROKEN, level: 0.6, tone: 0.3 }],
  bass: "x-------x-------",
  tunes: [
    {
      voice: "voice",
      notes: "A4 - - C5 A4 - G4 F4 | E4 - - - C4 - . . | D4 - - F4 D4 - F4 G4 | G4 - - - - - . .",
      level: 0.85,
    },
  ],
};
const CHORUS: ScoreSection = {
  label: "chorus",
  bars: 8,
  chords: "Dm Bb F C",
  drums: SOFT_BEAT,
  crash: true,
  bass: "x-----x-x-----f-",
  chordParts: [
    { voice: "piano", rhythm: BROKEN, level: 0.8, tone: 0.5 },
    { voice: "strings", rhythm: "x---------------", level: 0.9, tone: 0.5 },
  ],
  tunes: [
    {
      voice: "voice",
      notes: "D5 - - C5 A4 - F4 - | F4 - G4 A4 Bb4 - A4 - | C5 - - A4 F4 - A4 - | G4 - - - - - . .",
      level: 1,
    },
  ],
};

/** A ballad in F: a voice and a piano, then strings and drums. */
export const BALLAD: Score = {
  title: "Doors at Seven",
  bpm: 76,
  swing: 0,
  ducking: 0,
  sections: [
    {
      label: "intro",
      bars: 2,
      chords: "F C",
      chordParts: [{ voice: "piano", rhythm: BROKEN, level: 0.55, tone: 0.2 }],
    },
    VERSE,
    CHORUS,
    {
      label: "bridge",
      bars: 4,
      chords: "Bb C Dm C",
      chordParts: [
        { voice: "piano", rhythm: "x-------x-------", level: 0.6, tone: 0.3 },
        { voice: "strings", rhythm: "x---------------", level: 0.7, tone: 0.3 },
      ],
      tunes: [{ voice: "bells", notes: "D5 - F5 - - - - - | E5 - G5 - - - - -", level: 0.6 }],
    },
    { ...CHORUS, drums: FULL_BEAT, fill: { ...FULL_BEAT, tom: "............xxxx" } },
    {
      label: "outro",
      bars: 2,
      chords: "Bb F",
      chordParts: [
        { voice: "piano", rhythm: "x-------x-------", level: 0.5, tone: 0.2 },
        { voice: "strings", rhythm: "x---------------", level: 0.5, tone: 0.2 },
      ],
    },
  ],
};
