import { oneOf, type LookContext } from "../vocabulary/look-context.ts";

/** Shorter sections keep their rhythm to the end. */
const SHORTEST_BARS = 4;

/** The last beats before a bigger section lose their rhythm, so the entry is felt. */
export function closePhrase({ section, next, form, lanes, random }: LookContext): void {
  if (!next || next.rank <= section.rank || next.dropsIn) return;
  const beats = form.beatsPerBar === 4 ? oneOf(random, [2, 4]) : form.beatsPerBar;
  if (section.endBeat - section.startBeat < SHORTEST_BARS * form.beatsPerBar) return;
  for (const role of ["par", "bar"] as const) lanes.thin(role, form.clock.timeAt(section.endBeat - beats), section.end);
}
