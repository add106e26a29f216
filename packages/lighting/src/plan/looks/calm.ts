import type { PlannedRole } from "../lane-writer.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { putSeconds } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";

/**
 * Interval between changes in songs without a reliable beat, seconds. Waves and breathing are in seconds there, too.
 */
const STRETCH_SECONDS = 20;

/**
 * Variants of the movement: alternating effects of the wash, and the period of the wash's and the pars' wave, seconds.
 */
const WAYS = [
  { wash: ["slow_wave", "breathing"], period: 12, par: 16, direction: 1 },
  { wash: ["breathing", "slow_wave"], period: 10, par: 20, direction: -1 },
  { wash: ["slow_wave", "slow_wave"], period: 16, par: 12, direction: -1 },
] as const;

/** Writes a section without a reliable beat: nothing hits, and slow movements follow the loudness of the song. */
export function writeCalm(context: LookContext): void {
  const { section, form, target } = context;
  const why = `${nameOf(section)}, no reliable beat`;
  const count = Math.max(1, Math.round((section.end - section.start) / STRETCH_SECONDS));
  const length = (section.end - section.start) / count;
  const [lead, accent] = leadsOf(context);
  const way = wayOf(context, "calm", WAYS);
  for (let i = 0; i < count; i++) {
    const isLast = i === count - 1;
    const from = section.start + i * length;
    const to = isLast ? section.end : from + length;
    const isEnd = isLast && !context.next;
    const add = (role: PlannedRole, intent: string, color: string, params: Record<string, number>, reason: string) =>
      putSeconds(context, {
        role,
        from,
        to,
        intent,
        palette: [color],
        least: role === "wash" ? seenFrom(color) : 0,
        params,
        reason: `${why}: ${reason}`,
      });
    const level = target + context.lift(from, to);
    const fade_seconds = Math.min(3, length / 2);
    add(
      "wash",
      way.wash[i % 2]!,
      lead,
      { level, to_level: isEnd ? 0 : level, depth: 0.25, period_seconds: way.period, fade_seconds },
      "slow movement only",
    );
    if (isEnd) continue;
    add(
      "par",
      "slow_wave",
      accent,
      {
        level: 0.7 * level,
        depth: 0.6,
        period_seconds: way.par,
        fade_seconds,
        direction: i % 2 === 0 ? way.direction : -way.direction,
      },
      "a wave of the second colour",
    );
    if (section.rank >= 2 && !form.isFlat)
      add(
        "bar",
        "slow_wave",
        accent,
        { level: 0.8 * level, depth: 0.4, period_seconds: 20, fade_seconds },
        "the louder part of the song gets more lamps",
      );
  }
}
