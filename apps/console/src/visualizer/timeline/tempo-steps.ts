import type { SongAnalysis } from "@followspot/contract";
import { num } from "./curve-path.ts";

type TempoPoint = SongAnalysis["grid"]["tempo_curve_bpm"][number];

/** Returns the tempo changes of the song; the curve has points only where the tempo changes. Empty without a beat. */
export function tempoPoints({ grid, tempo }: Pick<SongAnalysis, "grid" | "tempo">): readonly TempoPoint[] {
  if (grid.tempo_curve_bpm.length > 0) return grid.tempo_curve_bpm;
  return tempo > 0 ? [{ time: 0, bpm: tempo }] : [];
}

/** Returns an SVG step path that holds each tempo until the next one. */
export function tempoPath(
  points: readonly TempoPoint[],
  end: number,
  x: (time: number) => number,
  y: (bpm: number) => number,
): string {
  const steps = points.map(({ time, bpm }, i) =>
    i === 0 ? `M${num(x(time))},${num(y(bpm))}` : `H${num(x(time))}V${num(y(bpm))}`,
  );
  return steps.length > 0 ? `${steps.join("")}H${num(x(end))}` : "";
}
