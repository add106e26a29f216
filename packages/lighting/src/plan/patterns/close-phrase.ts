import { oneOf, type LookContext } from "../vocabulary/look-context.ts";

/** Shorter sections keep their rhythm to the end. */
const SHORTEST_BARS = 4;

/** The last beats before a bigger section lose their rhythm, so the entry is felt. */
export function closePhrase({ section, next, form, lanes, random }: LookContext): void {
  if (!next || next.rank <= section.rank || next.dropsIn) return;
  const beats = form.beatsPerBar === 3 ? 3 : oneOf(random, [2, 4]);
  if (section.endBeat - section.startBeat < SHORTEST_BARS * form.beatsPerBar) return;
  lanes.thin("par", form.clock.timeAt(section.endBeat - beats), section.end);
}
