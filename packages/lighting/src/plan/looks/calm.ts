import type { PlannedRole } from "../lane-writer.ts";
import type { Rank } from "../song-form.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { ACCENT, SINGER_LEVEL, WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";

/** About as long as a phrase of a song whose bars are not known. */
const STRETCH_SECONDS = 16;

/** No beat to trust: nothing hits; light moves with the loudness, slowly. */
export function writeCalm(context: LookContext): void {
  const { section, form } = context;
  const why = `${nameOf(section)}, no reliable beat`;
  const count = Math.max(1, Math.round((section.end - section.start) / STRETCH_SECONDS));
  const length = (section.end - section.start) / count;
  const [lead, accent] = leadsOf(context);
  for (let i = 0; i < count; i++) {
    const isLast = i === count - 1;
    const from = section.start + i * length;
    const to = isLast ? section.end : from + length;
    const isEnd = isLast && !context.next;
    const level = washLevel(context, Math.min(0.75, WASH[section.rank] + (i % 2) * 0.06));
    const add = (role: PlannedRole, intent: string, color: string, params: Record<string, number>, reason: string) =>
      context.lanes.add(role, section, from, to, { intent, palette: [color], params, reason: `${why}: ${reason}` });
    add(
      "wash",
      i % 2 === 0 ? "slow_wave" : "breathing",
      lead,
      {
        level,
        to_level: isEnd ? 0 : level,
        depth: 0.25,
        period_seconds: 12,
        fade_seconds: Math.min(3, length / 2),
      },
      "slow movement only",
    );
    const fade_seconds = Math.min(4, length / 2);
    if (section.rank >= 1 && !isEnd) {
      const most = ACCENT[Math.min(3, section.rank) as Rank];
      const params = { level: most * 0.7, depth: 0.5, period_seconds: 16, fade_seconds };
      add("par", "slow_breathing", accent, params, "a breath of the second colour");
    }
    if (section.rank >= 2 && !form.isFlat && !isEnd) {
      const params = { level: 0.4, depth: 0.4, period_seconds: 20, fade_seconds };
      add("bar", "slow_wave", accent, params, "the louder part of the song gets more lamps");
    }
  }
  if (context.sings) {
    context.lanes.add("spot", section, section.start, section.end, {
      intent: "static_crossfade",
      palette: [context.palette.white],
      params: { level: SINGER_LEVEL, fade_seconds: 2 },
      reason: `${why}: light on the singer`,
    });
  }
}
