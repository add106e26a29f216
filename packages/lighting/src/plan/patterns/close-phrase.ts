import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";

/** Shorter sections keep their rhythm to the end. */
const SHORTEST_BARS = 4;
/** Songs from this tempo on rest for two beats, slower ones for one: a longer gap is heard as the change itself. */
const BRISK_BPM = 150;
/** Songs with less drive go from phrase to phrase without a word. */
const ANNOUNCES_FROM = 0.3;

/**
 * Brightness of the lamps that have joined a bar that runs up, and of the others, beside those lit in the phrase. It does not
 * rise within a beat: light that creeps up under hits makes the next one a flash that began with the creeping.
 */
const RUN_UP = 0.82;
const RUN_UP_REST = 0.18;

/** The last beats before a bigger section lose their rhythm, so the entry is felt. */
export function closePhrase({ section, next, form, lanes }: LookContext): void {
  if (!next || next.rank <= section.rank || next.dropsIn) return;
  const beats = form.bpm >= BRISK_BPM ? 2 : 1;
  if (section.endBeat - section.startBeat < SHORTEST_BARS * form.beatsPerBar) return;
  for (const role of ["par", "bar"] as const) lanes.thin(role, form.clock.timeAt(section.endBeat - beats), section.end);
}

/** The last bar of a phrase runs up to the next: lamp joins lamp with each beat. */
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
