import type { Style } from "./genres.ts";
import {
  chordOf,
  hash,
  keyName,
  near,
  normal,
  pick,
  scaleStep,
  seededChance,
  type Chance,
  type Hit,
  type Key,
  type Note,
  type Player,
  type Riser,
  type Score,
  type Truth,
} from "./score.ts";

interface Section {
  readonly label: string;
  readonly bars: number;
  readonly level: number;
  readonly melody: "sung" | "rapped" | "played" | "none";
  /** Beat it starts on, counted from the first beat of the song. */
  readonly from: number;
}

/** One song being written: its grid, its key and the sheet it is written on. */
interface Draft {
  readonly style: Style;
  readonly key: Key;
  readonly perBar: number;
  readonly sections: readonly Section[];
  /** Time of a beat or of a place between two. */
  readonly at: (beat: number) => number;
  readonly chance: Chance;
  readonly notes: Note[];
  readonly hits: Hit[];
  readonly risers: Riser[];
}

/** Pitches around which players play. */
const CENTRES = { bass: 38, comp: 60, pad: 60, lead: 74, voice: 64 };
const TAIL_SECONDS = 2.5;
const LONGEST_LEAD_IN_SECONDS = 2;

/** Write one song and what is true of it. The same style, key and seed give the same song. */
export function composeSong(style: Style, key: Key, id: string, seed: number): { score: Score; truth: Truth } {
  const chance = seededChance(seed ^ hash(id));
  const perBar = style.beatsPerBar ?? 4;
  const sections = readForm(style, perBar);
  const last = sections.at(-1)!;
  const times = layTime(style, sections, last.from + last.bars * perBar, perBar, chance);
  const at = (beat: number) => {
    const i = Math.min(Math.max(0, Math.floor(beat)), times.length - 2);
    return times[i]! + (beat - i) * (times[i + 1]! - times[i]!);
  };
  const draft: Draft = { style, key, perBar, sections, at, chance, notes: [], hits: [], risers: [] };
  sections.forEach((section, n) => writeSection(draft, section, sections[n + 1]));

  const beats = times.slice(0, -1);
  const intervals = beats.map((t, i) => times[i + 1]! - t).sort((a, b) => a - b);
  const seconds = times.at(-1)! + TAIL_SECONDS;
  const truth: Truth = {
    id,
    genre: style.genre,
    duration: seconds,
    tempo: 60 / intervals[Math.floor(intervals.length / 2)]!,
    key: keyName(key),
    meter: style.meter ?? `${perBar}/4`,
    beats_per_bar: perBar,
    beats,
    downbeats: beats.filter((_, i) => i % perBar === 0),
    sections: sections.map((s) => ({ label: s.label, start: at(s.from), end: at(s.from + s.bars * perBar) })),
    drops: sections.filter((s) => s.label === "drop").map((s) => at(s.from)),
    vocals: joinIntervals(draft.notes.filter((n) => n.player === "voice" || n.player === "choir")),
  };
  return { score: { seconds, notes: draft.notes, hits: draft.hits, risers: draft.risers }, truth };
}

function readForm(style: Style, perBar: number): Section[] {
  const melodies = { "*": "sung", "!": "rapped", "+": "played", "": "none" } as const;
  let from = 0;
  return style.form.split(" ").map((entry) => {
    const [, label, bars, level, melody] = /^(\w+):(\d+):(\d)([*!+]?)$/.exec(entry)!;
    const section = { label: label!, bars: Number(bars), level: Number(level), from };
    from += section.bars * perBar;
    return { ...section, melody: melodies[melody as keyof typeof melodies] };
  });
}

/** Times of all beats and of the end: steady, drifting like a band, jumping or in free phrases of four bars. */
function layTime(style: Style, sections: readonly Section[], beats: number, perBar: number, chance: Chance): number[] {
  const jumpAt = style.jump ? sections[style.jump[0]]!.from : Infinity;
  const times = [0.3 + chance() * (LONGEST_LEAD_IN_SECONDS - 0.3)];
  let drift = 0;
  for (let beat = 0; beat < beats; beat++) {
    const limit = style.drift ?? 0;
    drift = Math.max(-limit, Math.min(limit, 0.97 * drift + 0.15 * limit * normal(chance)));
    const phrase = (beat % (4 * perBar)) / (4 * perBar);
    const free = (style.rubato ?? 0) * (Math.sin(Math.PI * phrase) - (phrase > 0.85 ? 1.2 : 0.5));
    const bpm = style.bpm * (beat >= jumpAt ? style.jump![1] : 1) * (1 + drift + free);
    times.push(times[beat]! + 60 / bpm);
  }
  return times;
}

function writeSection(draft: Draft, section: Section, next: Section | undefined): void {
  writeDrums(draft, section, next);
  if (section.label === "build") writeBuild(draft, section);
  writeHarmony(draft, section);
  if (draft.style.hasChoir) writeChoir(draft, section);
  else if (section.melody !== "none") writeMelody(draft, section);
}

function writeDrums(draft: Draft, section: Section, next: Section | undefined): void {
  const { style, perBar, chance } = draft;
  const isHuman = (style.jitterMs ?? 0) > 0;
  const end = section.bars * perBar;
  const hasFill = isHuman && section.level >= 2 && next !== undefined && next.label !== section.label;
  const fillFrom = hasFill ? end - 1 : end;
  for (const [drum, level, pattern] of style.drums) {
    if (section.level < level) continue;
    for (let step = 0; step < fillFrom * style.steps; step++) {
      const mark = pattern[step % pattern.length]!;
      if (mark === ".") continue;
      const velocity = (mark === "x" ? 0.85 : 0.45) + 0.06 * normal(chance);
      hit(draft, drum, section.from + step / style.steps, velocity);
    }
  }
  if (section.level >= 2 && style.drums.length > 0) hit(draft, "crash", section.from, 0.7);
  if (!hasFill || style.drums.length === 0) return;
  const drums = pick(
    [
      ["snare", "snare"],
      ["high_tom", "low_tom"],
      ["snare", "floor_tom"],
    ] as const,
    chance,
  );
  for (let step = 0; step < style.steps; step++)
    hit(draft, drums[step * 2 < style.steps ? 0 : 1], section.from + fillFrom + step / style.steps, 0.6 + 0.08 * step);
}

/** A snare that doubles its rate and noise that rises; the last beat before the drop is empty. */
function writeBuild(draft: Draft, section: Section): void {
  const beats = section.bars * draft.perBar;
  for (let beat = beats / 2; beat < beats - 1; beat++) {
    const rate = beat < (3 * beats) / 4 ? 2 : 4;
    for (let n = 0; n < rate; n++) hit(draft, "snare", section.from + beat + n / rate, 0.25 + (0.5 * beat) / beats);
  }
  const time = draft.at(section.from);
  draft.risers.push({ time, seconds: draft.at(section.from + beats - 1) - time });
}

function writeHarmony(draft: Draft, section: Section): void {
  const { style, perBar } = draft;
  const { steps } = style;
  for (let bar = 0; bar < section.bars; bar++) {
    const from = section.from + bar * perBar;
    const chord = chordIn(draft, section, bar);
    const following = chordIn(draft, section, bar + 1);
    const pitches = chord.map((c) => near(c, CENTRES.comp)).sort((a, b) => a - b);
    if (style.padUpTo !== undefined && section.level <= style.padUpTo)
      for (const pitch of pitches) play(draft, "pad", from, perBar * 0.97, pitch, 0.5);
    if (style.bass && section.level >= 1)
      for (const { mark, step, length } of readPattern(style.bass, perBar * steps, bar)) {
        const root = near(chord[0]!, CENTRES.bass);
        const approach = near(following[0]!, CENTRES.bass) - 1;
        const pitch = {
          "1": root,
          "3": near(chord[1]!, root),
          "5": near(chord[2]!, root),
          "8": root + 12,
          a: approach,
        }[mark];
        play(draft, "bass", from + step / steps, (length * 0.9) / steps, pitch!, step === 0 ? 0.85 : 0.72);
      }
    if (!style.comp || (section.level === 0 && style.sound === "synth" && section.label !== "break")) continue;
    for (const { mark, step, length } of readPattern(style.comp, perBar * steps, bar)) {
      const tones = mark === "a" ? [pitches[step % pitches.length]! + (step % 4 === 0 ? 0 : 12)] : pitches;
      for (const pitch of tones) play(draft, "comp", from + step / steps, (length * 0.85) / steps, pitch, 0.62);
    }
  }
}

function chordIn({ style, key }: Draft, section: Section, bar: number): number[] {
  const chords = (style.chords[section.label] ?? style.chords["all"]!).split(" ");
  return chordOf(chords[bar % chords.length]!, key);
}

/** Notes of one bar of a pattern that may be longer than a bar. */
function readPattern(
  pattern: string,
  stepsPerBar: number,
  bar: number,
): { mark: string; step: number; length: number }[] {
  const notes = [];
  for (let step = 0; step < stepsPerBar; step++) {
    const mark = pattern[(bar * stepsPerBar + step) % pattern.length]!;
    if (mark === "." || mark === "~") continue;
    let length = 1;
    while (step + length < stepsPerBar && pattern[(bar * stepsPerBar + step + length) % pattern.length] === "~")
      length++;
    notes.push({ mark, step, length });
  }
  return notes;
}

/** Rhythms of one beat in quarters of a beat (thirds where the song counts in three). */
const CELLS = {
  2: [[2], [1, 1], [2], [1, 1]],
  3: [[3], [2, 1], [2, 1], [1, 1, 1]],
  4: [[4], [2, 2], [3, 1], [2, 1, 1], [1, 1, 2]],
};

/** Two bars of melody with an answer, the same for all sections of one name. */
function writeMelody(draft: Draft, section: Section): void {
  const { style, key, perBar } = draft;
  const isVoice = section.melody !== "played";
  const player: Player = isVoice ? "voice" : "lead";
  const chance = seededChance(hash(`${style.genre} ${style.bpm} ${section.label} ${key.tonic}`));
  const phrase = section.melody === "rapped" ? rapPhrase(style, perBar) : sungPhrase(style, perBar, chance);
  const centre = isVoice ? CENTRES.voice : CENTRES.lead;
  for (let bar = 0; bar < section.bars; bar += 2) {
    phrase.forEach(({ beat, beats, degree, isStrong }, n) => {
      const at = bar * perBar + beat;
      if (at + beats > section.bars * perBar + 0.01) return;
      const chord = chordIn(draft, section, Math.floor(at / perBar));
      const isEnd = n === phrase.length - 1;
      const plain =
        near(key.tonic, centre) + scaleStep(key.scale, degree + (bar % 4 === 2 && n > phrase.length / 2 ? 1 : 0));
      const isSnapped = (isStrong || isEnd) && section.melody !== "rapped";
      const pitch = isSnapped ? nearestTone(chord, plain) : plain;
      const length = beats * (section.melody === "rapped" ? 0.8 : 0.93);
      play(draft, player, section.from + at, length, pitch, isStrong ? 0.85 : 0.7, section.melody === "rapped");
    });
  }
}

interface PhraseNote {
  readonly beat: number;
  readonly beats: number;
  readonly degree: number;
  readonly isStrong: boolean;
}

function sungPhrase(style: Style, perBar: number, chance: Chance): PhraseNote[] {
  const phrase: PhraseNote[] = [];
  // Above 150 BPM people sing at half the pace.
  const pace = style.bpm > 150 ? 2 : 1;
  let degree = Math.floor(chance() * 4);
  for (let beat = chance() < 0.4 ? pace : 0; beat < 2 * perBar - 1; beat += pace) {
    const isEnd = beat + pace >= 2 * perBar - 1;
    if (!isEnd && chance() < 0.12) continue;
    let offset = 0;
    for (const length of isEnd ? [style.steps] : pick(CELLS[style.steps], chance)) {
      const beats = (length / style.steps) * pace;
      phrase.push({ beat: beat + offset, beats, degree, isStrong: offset === 0 });
      offset += beats;
      degree = Math.max(-3, Math.min(7, degree + pick([-2, -1, -1, 0, 1, 1, 2, 3], chance)));
    }
  }
  return phrase;
}

/** Syllables in semiquavers of a 70–110 BPM pulse, a breath at the end. */
function rapPhrase(style: Style, perBar: number): PhraseNote[] {
  const step = style.bpm > 120 ? 0.5 : 0.25;
  const chance = seededChance(hash(style.genre));
  const phrase: PhraseNote[] = [];
  for (let beat = 0; beat < 2 * perBar - 1;) {
    const beats = step * pick([1, 1, 1, 2], chance);
    if (chance() < 0.88)
      phrase.push({ beat, beats, degree: pick([-3, -2, -2, 0], chance), isStrong: Number.isInteger(beat) });
    beat += beats;
  }
  return phrase;
}

/** Four parts on each minim, the lowest on the root; the top part sings the melody's tones. */
function writeChoir(draft: Draft, section: Section): void {
  const { perBar, chance } = draft;
  for (let bar = 0; bar < section.bars; bar++) {
    const chord = chordIn(draft, section, bar);
    for (let beat = 0; beat < perBar; beat += section.level >= 3 ? 1 : 2) {
      const beats = section.level >= 3 ? 1 : 2;
      const at = section.from + bar * perBar + beat;
      const parts = [
        near(chord[0]!, 43),
        near(pick(chord, chance), 55),
        near(chord[1]!, 62),
        near(pick(chord, chance), 69),
      ];
      for (const pitch of parts) play(draft, "choir", at, beats * 0.9, pitch, beat === 0 ? 0.85 : 0.7);
    }
  }
}

function nearestTone(chord: readonly number[], pitch: number): number {
  return chord.map((c) => near(c, pitch)).reduce((a, b) => (Math.abs(b - pitch) < Math.abs(a - pitch) ? b : a));
}

function play(
  draft: Draft,
  player: Player,
  beat: number,
  beats: number,
  pitch: number,
  velocity: number,
  isRap = false,
): void {
  const time = draft.at(beat) + late(draft);
  const seconds = Math.max(0.05, draft.at(beat + beats) - draft.at(beat));
  const loud = Math.max(0.1, Math.min(1, velocity + 0.04 * normal(draft.chance)));
  draft.notes.push({ player, time, seconds, pitch, velocity: loud, ...(isRap ? { isRap } : {}) });
}

function hit(draft: Draft, drum: Hit["drum"], beat: number, velocity: number): void {
  draft.hits.push({ drum, time: draft.at(beat) + late(draft), velocity: Math.max(0.1, Math.min(1, velocity)) });
}

/** A player's deviation from the grid, s; never more than three times the usual. */
function late({ style, chance }: Draft): number {
  return ((style.jitterMs ?? 0) / 1000) * Math.max(-3, Math.min(3, normal(chance)));
}

/** Sung intervals; breaths under 0.3 s do not part them. */
function joinIntervals(notes: readonly Note[]): [number, number][] {
  const intervals: [number, number][] = [];
  for (const { time, seconds } of [...notes].sort((a, b) => a.time - b.time)) {
    const last = intervals.at(-1);
    if (last && time - last[1] < 0.3) last[1] = Math.max(last[1], time + seconds);
    else intervals.push([time, time + seconds]);
  }
  return intervals;
}
