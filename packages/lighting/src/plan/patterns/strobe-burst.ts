import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { put } from "../vocabulary/put-cue.ts";
import { strobeHz } from "../vocabulary/tempo.ts";

/**
 * Writes a strobe burst on the beat: short, and in step with the pulse, so that the rig never flashes faster than it.
 */
export function burst(context: LookContext, bars: number): void {
  const { section, form, palette } = context;
  put(context, {
    role: "strobe",
    from: section.startBeat,
    to: section.startBeat + bars * form.beatsPerBar,
    intent: "strobe",
    palette: [palette.white],
    params: { level: 0.9, rate_hz: strobeHz(context), duty: 0.25 },
    reason: `${nameOf(section)}: a short burst, ${bars} bar${bars > 1 ? "s" : ""}, kept for the top of the song`,
  });
}
