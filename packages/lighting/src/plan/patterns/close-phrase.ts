import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";

/** Shorter sections keep their rhythm to the end. */
const SHORTEST_BARS = 4;
/**
 * Tempo from which a song rests for two beats; slower ones rest for one. A longer gap would seem to be the change
 * itself.
 */
const BRISK_BPM = 150;
/** Drive from which phrases are announced. */
const ANNOUNCES_FROM = 0.3;

/**
 * Brightness in a bar that runs up, relative to the lit fixtures of the phrase: fixtures that have joined, and the
 * others. It does not rise within a beat. If the light crept up below the hits, the next hit would be a flash that
 * began with the creeping.
 */
const RUN_UP = 0.82;
const RUN_UP_REST = 0.18;

/** Clears the rhythm of the last beats before a bigger section, so that its entry is felt. */
export function closePhrase({ section, next, form, lanes }: LookContext): void {
  if (!next || next.rank <= section.rank || next.dropsIn) return;
  const beats = form.bpm >= BRISK_BPM ? 2 : 1;
  if (section.endBeat - section.startBeat < SHORTEST_BARS * form.beatsPerBar) return;
  for (const role of ["par", "bar"] as const) lanes.thin(role, form.clock.timeAt(section.endBeat - beats), section.end);
}

/** Writes a run-up in the last bar of a phrase: one more fixture joins with each beat. */
export function announcePhrase(context: LookContext, { to }: Phrase, color: string, level: number): void {
  const { section, form, lanes, mood } = context;
  if (mood.drive < ANNOUNCES_FROM || form.isLoose) return;
  const from = to - form.beatsPerBar;
  for (const role of ["par", "bar"] as const) {
    lanes.thin(role, form.clock.timeAt(from), form.clock.timeAt(to));
    put(context, {
      role,
      from,
      to,
      intent: "fill_chase",
      palette: [color],
      params: {
        level: RUN_UP * level,
        floor: RUN_UP_REST * level,
        shape: "fill",
        cells: form.beatsPerBar,
        step_beats: 1,
        glide: 0.1,
        direction: 1,
      },
      reason: `${nameOf(section)}: the bar runs up to the next phrase, one more lamp with each beat`,
    });
  }
}
