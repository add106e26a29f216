import { expect, it } from "vitest";
import type { SongAnalysis } from "@followspot/contract";
import { tempoPath, tempoPoints } from "./tempo-steps.ts";

const song = (tempo: number, tempo_curve_bpm: SongAnalysis["grid"]["tempo_curve_bpm"]) =>
  tempoPoints({ tempo, grid: { tempo_curve_bpm } } as SongAnalysis);
const draw = (points: ReturnType<typeof song>) =>
  tempoPath(
    points,
    100,
    (time) => time,
    (bpm) => -bpm,
  );

it("holds a tempo until the next tempo change", () => {
  const points = song(120, [
    { time: 1, bpm: 120 },
    { time: 60, bpm: 140 },
  ]);
  expect(draw(points)).toBe("M1,-120H60V-140H100");
});

it("draws one constant tempo without a curve, and nothing without a beat", () => {
  expect(draw(song(97, []))).toBe("M0,-97H100");
  expect(draw(song(0, []))).toBe("");
});
