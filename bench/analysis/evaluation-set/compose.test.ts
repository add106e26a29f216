import { expect, test } from "vitest";
import { composeSong } from "./compose.ts";
import { STYLES } from "./genres.ts";
import { keyFor } from "./make-evaluation-set.ts";
import { chordOf, keyName, type Key } from "./score.ts";

const A_MINOR: Key = { tonic: 9, scale: "minor" };
const styleOf = (genre: string) => STYLES.find((style) => style.genre === genre)!;

test("the same seed gives the same song, another seed another", () => {
  const [style] = STYLES;
  const song = (seed: number) => JSON.stringify(composeSong(style!, A_MINOR, "e01", seed));
  expect(song(1)).toBe(song(1));
  expect(song(2)).not.toBe(song(1));
});

test("the set has all 24 keys", () => {
  expect(new Set(STYLES.map((_, n) => keyName(keyFor(n, 1)))).size).toBe(24);
});

test.each(STYLES.map((style, n) => ({ name: `${n + 1} ${style.genre}`, style })))(
  "truth of $name holds",
  ({ style }) => {
    const { truth, score } = composeSong(style, A_MINOR, "e", 1);
    const perBar = style.beatsPerBar ?? 4;
    expect(truth.duration).toBeGreaterThan(65);
    expect(truth.duration).toBeLessThan(140);
    expect(truth.beats.every((t, i) => i === 0 || t > truth.beats[i - 1]!)).toBe(true);
    expect(truth.downbeats).toEqual(truth.beats.filter((_, i) => i % perBar === 0));
    // Sections begin on downbeats and follow each other without a gap.
    expect(truth.sections.every((s) => truth.downbeats.includes(s.start))).toBe(true);
    expect(truth.sections.slice(1).every((s, i) => s.start === truth.sections[i]!.end)).toBe(true);
    expect(truth.vocals.every(([from, to], i) => to > from && from >= (truth.vocals[i - 1]?.[1] ?? 0))).toBe(true);
    expect(score.notes.every((n) => n.time >= 0 && n.pitch > 20 && n.pitch < 108)).toBe(true);
  },
);

test("a machine plays a steady tempo from bar to bar", () => {
  const { truth } = composeSong(styleOf("techno"), A_MINOR, "e", 1);
  const [first, second] = truth.downbeats;
  expect(second! - first!).toBeCloseTo((4 * 60) / 138, 6);
  expect(truth.tempo).toBeCloseTo(138, 6);
  expect(truth.drops).toEqual(truth.sections.filter((s) => s.label === "drop").map((s) => s.start));
});

test("chords of A minor: i, V with the raised third, VII without a seventh", () => {
  expect(chordOf("1", A_MINOR)).toEqual([9, 0, 4]);
  expect(chordOf("5M", A_MINOR)).toEqual([4, 8, 11]);
  expect(chordOf("7", A_MINOR)).toEqual([7, 11, 2]);
});
