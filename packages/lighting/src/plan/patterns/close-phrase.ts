import type { LookContext } from "../vocabulary/look-context.ts";

/** Shorter sections keep their rhythm to the end. */
const SHORTEST_BARS = 4;
/** Songs from this tempo on rest for two beats, slower ones for one: a longer gap is heard as the change itself. */
const BRISK_BPM = 100;

/** The last beats before a bigger section lose their rhythm, so the entry is felt. */
export function closePhrase({ section, next, form, lanes }: LookContext): void {
  if (!next || next.rank <= section.rank || next.dropsIn) return;
  const beats = form.bpm >= BRISK_BPM ? 2 : 1;
  if (section.endBeat - section.startBeat < SHORTEST_BARS * form.beatsPerBar) return;
  for (const role of ["par", "bar"] as const) lanes.thin(role, form.clock.timeAt(section.endBeat - beats), section.end);
}
