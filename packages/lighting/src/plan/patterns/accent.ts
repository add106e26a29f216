import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { put } from "../vocabulary/put-cue.ts";

/** Brightness of an accent relative to the target of the section, and what remains of it half a beat later. */
const HIT = 1.7;
const LEFT = 0.5;
/** Songs with less drive get no accents. */
const HITS_FROM = 0.15;
/** Below this rank an accent would only look like a blink. */
const LEAST_RANK = 3;
const STILL: ReadonlySet<string> = new Set(["intro", "break", "outro"]);

/** Writes accents: at the strongest downbeats of a loud section, pars and bars hit once, in the section's own color. */
export function writeAccents(context: LookContext): void {
  const { section, form, lanes, target, mood } = context;
  if (form.isLoose || !form.hasBeat || STILL.has(section.label)) return;
  if (mood.drive < HITS_FROM || section.rank < LEAST_RANK) return;
  const [lead] = leadsOf(context);
  for (const beat of form.accents) {
    if (beat <= section.startBeat + 1 || beat >= section.endBeat - 1) continue;
    for (const role of ["par", "bar"] as const) {
      lanes.thin(role, form.clock.timeAt(beat), form.clock.timeAt(beat + 1));
      put(context, {
        role,
        from: beat,
        to: beat + 1,
        intent: "accent_snap",
        palette: [lead],
        params: { level: Math.min(1, target * HIT), to_level: target * LEFT, decay_beats: 0.5 },
        reason: `${nameOf(section)}: the music comes in hard here`,
      });
    }
  }
}
