import { analyseSong } from "@followspot/analysis";
import { describe, expect, test } from "vitest";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { DEMO_SONGS, demoSongPath, type DemoSongName } from "../../apps/server/src/songs/demo-songs/demo-songs.ts";
import { RATE } from "./instruments.ts";
import { play } from "./play.ts";
import { SCORES } from "./scores.ts";
import { BEATS_PER_BAR, chordOf, notesOf, pitchOf, stepsOf, type Score } from "./score.ts";

const KEYS = { house: "A minor", rock: "G major", ballad: "F major" };

/** Sections with their seconds. */
function written({ bpm, sections }: Score) {
  let bar = 0;
  return sections.map(({ label, bars }) => {
    const start = (bar * BEATS_PER_BAR * 60) / bpm;
    bar += bars;
    return { label, start, end: (bar * BEATS_PER_BAR * 60) / bpm };
  });
}

describe.each(Object.entries(SCORES))("the file of the %s demo song", async (name, score) => {
  const { left, right, sampleRate } = await decodeAudio(demoSongPath(name as DemoSongName));
  const sections = written(score);
  const loudness = (start: number, end: number) => {
    const part = left.subarray(start * sampleRate, end * sampleRate);
    return Math.sqrt(part.reduce((sum, x) => sum + x * x, 0) / part.length);
  };
  const of = (label: string) => {
    const { start, end } = sections.find((section) => section.label === label)!;
    return loudness(start, end);
  };

  test("is as long as its score, loud, and clips nowhere", () => {
    expect(left.length / sampleRate).toBeCloseTo(sections.at(-1)!.end + 2.5, 1);
    const most = left.reduce((top, x, i) => Math.max(top, Math.abs(x), Math.abs(right[i]!)), 0);
    expect(most).toBeGreaterThan(0.7);
    expect(most).toBeLessThan(1);
  });

  test("is loudest in its drop or chorus", () => {
    const peak = of(sections.some(({ label }) => label === "drop") ? "drop" : "chorus");
    for (const { label } of sections) expect(of(label)).toBeLessThanOrEqual(peak);
    expect(of("intro")).toBeLessThan(0.9 * peak);
  });

  test("is analyzed as its score says: tempo, key, and sections by name where they begin", () => {
    const heard = analyseSong({ left, right, sampleRate }, { songId: name });
    expect(heard.tempo).toBeCloseTo(score.bpm, 0);
    expect(heard.key).toBe(KEYS[name as keyof typeof KEYS]);
    const beat = 60 / score.bpm;
    const found = sections.filter(({ label, start }) =>
      heard.structure.sections.some((section) => section.label === label && Math.abs(section.start - start) < beat),
    );
    expect(found.length).toBeGreaterThanOrEqual(sections.length - 1);
    const drops = sections.filter(({ label }) => label === "drop").map(({ start }) => start);
    for (const start of drops)
      expect(heard.drop_predictions.some(({ time }) => Math.abs(time - start) < beat)).toBe(true);
  });
});

test("a score renders to the same samples each time", () => {
  const short = { ...SCORES.ballad, sections: SCORES.ballad.sections.slice(0, 1) };
  const [first, second] = [play(short), play(short)];
  expect(first.left.length).toBeGreaterThan(5 * RATE);
  expect(Buffer.from(first.left.buffer).equals(Buffer.from(second.left.buffer))).toBe(true);
});

test("the server names the songs as their scores do", () => {
  expect(Object.entries(DEMO_SONGS).map(([name, { title }]) => [name, title])).toEqual(
    Object.entries(SCORES).map(([name, { title }]) => [name, title]),
  );
});

describe("the notation", () => {
  test("reads notes as MIDI counts them", () => {
    expect(["A4", "C4", "F#3", "Bb2"].map(pitchOf)).toEqual([69, 60, 54, 46]);
  });

  test("holds a note until the next, and begins again when a section is longer", () => {
    expect(notesOf({ voice: "lead", level: 1, notes: "C4 - - E4 . . C4 -" }, 2)).toMatchObject([
      { at: 0, beats: 1.5, pitch: 60 },
      { at: 1.5, beats: 0.5, pitch: 64 },
      { at: 3, beats: 1, pitch: 60 },
      { at: 4, beats: 1.5 },
      { at: 5.5, beats: 0.5 },
      { at: 7, beats: 1 },
    ]);
  });

  test("keeps chords near each other, and their roots in the bass", () => {
    for (const name of ["C", "F#m", "Bb", "Gadd9", "Am7"]) {
      const { root, notes } = chordOf(name);
      expect(root).toBeGreaterThanOrEqual(36);
      expect(root).toBeLessThan(48);
      expect(notes[0]).toBeGreaterThanOrEqual(53);
      expect(notes.at(-1)).toBeLessThan(77);
    }
  });

  test("refuses what it cannot read", () => {
    expect(() => pitchOf("H4")).toThrow('"H4" is no note');
    expect(() => chordOf("Xm")).toThrow('"Xm" is no chord');
    expect(() => stepsOf("x...x")).toThrow("no sixteen steps");
    expect(() => notesOf({ voice: "lead", level: 1, notes: "C4 C4" }, 1)).toThrow("no eight eighths");
  });
});
