import type { Correction, Section, SongAnalysis } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { anyEdit, anySong, EDIT_KINDS } from "../testing/analysed-song.ts";
import { seeded } from "../testing/test-sounds.ts";
import { correctAnalysis, CORRECTED, heardGrid } from "./correct-analysis.ts";

type Kind = Correction["kind"];
const SONGS_PER_KIND = 300;

const BARS = ["downbeats", "grid.downbeat_confidence", "insights.engines.downbeats"];
const BEATS = ["tempo", "beats", "downbeats", "offbeats", "insights.tempo_info", "insights.engines.beats"].concat(
  ["tempo_curve_bpm", "confidence", "stable", "swing"].map((name) => `grid.${name}`),
);
/** Fields that an edit may change outside sections and drops; the insight about corrections may always change. */
const MAY_CHANGE: Record<Kind, readonly string[]> = {
  tempo: BEATS,
  tap: BEATS,
  downbeat: BARS,
  bar: [...BARS, "grid.beats_per_bar"],
  edge: [],
  label: [],
  split: [],
  merge: [],
};
/** Fields of sections that an edit may change; moved bars move edges and drops. */
const OF_SECTIONS: Record<Kind, readonly (keyof Section)[]> = {
  tempo: ["start", "end"],
  tap: ["start", "end"],
  downbeat: ["start", "end"],
  bar: ["start", "end"],
  edge: ["start", "end", "confidence"],
  label: ["label", "confidence"],
  split: [],
  merge: [],
};
const MOVES_DROPS: readonly Kind[] = ["tempo", "tap", "downbeat", "bar", "edge"];

/** Returns the paths at which two values differ, down to lists and plain values. */
function changes(a: unknown, b: unknown, path = ""): string[] {
  const isObject = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) || Array.isArray(b))
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) => changes(a[name], b[name], path === "" ? name : `${path}.${name}`));
}

const without = <T extends object>(value: T, ...names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as keyof T))) as Partial<T>;

const corrected = (heard: SongAnalysis, edit: Correction): SongAnalysis =>
  correctAnalysis(heard, { version: 1, heard: heardGrid(heard), edits: [edit] });

// kept: Songs and jobs | Renaming one section removed the keys of all sections | failed on the old code
describe.each(EDIT_KINDS)("an edit of kind %s changes only what it names", (kind) => {
  const cases = Array.from({ length: SONGS_PER_KIND }, (_, seed) => {
    const next = seeded(seed + 1);
    const heard = anySong(next);
    const edit = anyEdit(next, heard.duration, kind);
    return { heard, edit, now: corrected(heard, edit), seed };
  });

  it("of the song", () => {
    for (const { heard, now, seed } of cases) {
      const elsewhere = changes(heard, now).filter(
        (path) => path !== "structure.sections" && path !== "drop_predictions",
      );
      const unnamed = elsewhere.filter((path) => !MAY_CHANGE[kind].some((named) => `${path}.`.startsWith(`${named}.`)));
      expect(unnamed, `seed ${seed}`).toEqual([`insights.pattern_reasoning.${CORRECTED}`]);
    }
  });

  it("of its drops", () => {
    for (const { heard, now, seed } of cases) {
      if (!MOVES_DROPS.includes(kind)) expect(now.drop_predictions, `seed ${seed}`).toEqual(heard.drop_predictions);
      const heardDrops = heard.drop_predictions.map(({ type, energy }) => `${type} ${energy}`);
      for (const { type, energy } of now.drop_predictions) expect(heardDrops).toContain(`${type} ${energy}`);
    }
  });

  it("of its sections", () => {
    for (const { heard, now, seed } of cases) {
      const [before, after] = [heard.structure.sections, now.structure.sections];
      if (after.length !== before.length) continue;
      const kept = (section: Section) => without(section, ...OF_SECTIONS[kind]);
      expect(after.map(kept), `seed ${seed}`).toEqual(before.map(kept));
    }
  });
});

/** Returns the cases in which an edit found its target. */
function found(kind: Kind): { heard: Section[]; now: Section[]; edit: Correction }[] {
  return Array.from({ length: SONGS_PER_KIND }, (_, seed) => {
    const next = seeded(seed + 1000);
    const heard = anySong(next);
    const edit = anyEdit(next, heard.duration, kind);
    return { heard: heard.structure.sections, now: corrected(heard, edit).structure.sections, edit };
  }).filter(({ heard, now }) => changes(heard, now).length > 0);
}

describe("an edit of sections", () => {
  it("leaves other sections unchanged when one is renamed or an edge moves", () => {
    for (const kind of ["label", "edge"] as const) {
      const all = found(kind);
      expect(all.length).toBeGreaterThan(20);
      for (const { heard, now } of all) {
        const touched = now.filter((section, i) => changes(section, heard[i]).length > 0);
        expect(touched.length).toBeLessThanOrEqual(kind === "label" ? 1 : 2);
      }
    }
  });

  it("splits a section into two halves with all its measurements", () => {
    const all = found("split");
    expect(all.length).toBeGreaterThan(20);
    for (const { heard, now } of all) {
      const at = heard.findIndex((section, i) => section.end !== now[i]!.end);
      const [first, second] = [now[at]!, now[at + 1]!];
      expect([first.start, first.end, second.end]).toEqual([heard[at]!.start, second.start, heard[at]!.end]);
      for (const half of [first, second])
        expect(without(half, "start", "end", "confidence")).toEqual(without(heard[at]!, "start", "end", "confidence"));
      expect(now.toSpliced(at, 2)).toEqual(heard.toSpliced(at, 1));
    }
  });

  it("merges two sections under the label and the key of the earlier one", () => {
    const all = found("merge");
    expect(all.length).toBeGreaterThan(20);
    for (const { heard, now } of all) {
      const at = heard.findIndex((section, i) => section.end !== now[i]?.end);
      const [first, second] = [heard[at]!, heard[at + 1]!];
      const joined = now[at]!;
      expect([joined.start, joined.end, joined.label, joined.key]).toEqual([
        first.start,
        second.end,
        first.label,
        first.key,
      ]);
      expect(joined.energy).toBeGreaterThanOrEqual(Math.min(first.energy, second.energy));
      expect(joined.energy).toBeLessThanOrEqual(Math.max(first.energy, second.energy));
      expect(now.toSpliced(at, 1)).toEqual(heard.toSpliced(at, 2));
    }
  });
});
