import type { Cue, ShowWishes } from "@followspot/contract";

/** Shorter remainders of a planned cue are dropped, seconds. */
const SHORTEST = 0.05;

/** Inserts cues that users locked or edited into their lanes. Planned cues are cut back to make room. */
export function keepCues(lanes: Record<string, Cue[]>, kept: ShowWishes["kept"]): Record<string, Cue[]> {
  const out = { ...lanes };
  for (const { target, cue } of kept) {
    const end = cue.time + cue.duration;
    const others = (out[target] ?? []).flatMap((planned) => [
      ...clip(planned, planned.time, Math.min(planned.time + planned.duration, cue.time)),
      ...clip(planned, Math.max(planned.time, end), planned.time + planned.duration),
    ]);
    out[target] = [...others, { ...cue, kept: true }].toSorted((a, b) => a.time - b.time);
  }
  return out;
}

function clip(cue: Cue, from: number, to: number): Cue[] {
  if (from === cue.time && to === cue.time + cue.duration) return [cue];
  return to - from < SHORTEST ? [] : [{ ...cue, time: from, duration: Math.round((to - from) * 10_000) / 10_000 }];
}
