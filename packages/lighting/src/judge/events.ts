import { mean } from "../maths.ts";
import { meanLight, tickOf, type Case } from "./case.ts";
import { measure, type Measure } from "./measure.ts";
import { spearman } from "./statistics.ts";
import { GRID_HZ } from "../flash-limiter.ts";

/** Brightness up to which the stage counts as dark before a drop. */
const DARK = 0.08;

/** Measures how well light reacts to events in the music. */
export function eventMeasures(c: Case): Measure[] {
  const { drops } = c.truth;
  const ofDrops = (of: (drop: number) => number) => (drops.length > 0 ? mean(drops.map(of)) : undefined);
  return [
    measure(
      "M11",
      "light after a drop less before",
      ofDrops((drop) => dropResponse(c, drop)),
      0.35,
      1,
    ),
    measure(
      "M11b",
      "drops hit within 60 ms",
      ofDrops((drop) => (Math.abs(hitLatency(c, drop)) <= 0.06 ? 1 : 0)),
      0.8,
      1,
    ),
    measure(
      "M12",
      "drops that come out of the dark",
      ofDrops((drop) => (isDarkBefore(c, drop) ? 1 : 0)),
      0.8,
      1,
    ),
    measure("M13", "builds that rise, rho", buildSlope(c), 0.6, 1),
  ];
}

/** M11: mean light of the second after a drop minus mean light of the two beats before. */
export function dropResponse({ light, beat }: Case, drop: number): number {
  return meanLight(light, drop, drop + 1) - meanLight(light, drop - 2 * beat, drop - 0.04);
}

/** Returns the time of the largest rise of light around a drop, seconds after it; 1 if nothing rises. */
export function hitLatency({ light }: Case, drop: number): number {
  const from = tickOf(light, drop - 0.25);
  const to = tickOf(light, drop + 0.25);
  let at = -1;
  for (let k = from + 1; k <= to; k++)
    if (light.step[k]! > 0.05 && (at < 0 || light.step[k]! > light.step[at]!)) at = k;
  return at < 0 ? 1 : at / GRID_HZ - drop;
}

/** Dark beats before a drop, beyond the usual darkness of the bars before, from which the darkness is intentional. */
const MEANT_BEATS = 0.25;

/** M12: whether the light goes dark within the last two beats before a drop, more than it has been all along. */
export function isDarkBefore({ light, beat, bar }: Case, drop: number): boolean {
  const darkBeats = (from: number, to: number) => {
    let dark = 0;
    for (let k = tickOf(light, from); k < tickOf(light, to); k++) if (light.brightness[k]! <= DARK) dark++;
    return dark / GRID_HZ / beat;
  };
  const before = drop - 2 * beat;
  const dark = darkBeats(before, drop - 0.03);
  const usual = (darkBeats(before - 4 * bar, before) * 2 * beat) / (4 * bar);
  return dark - usual >= MEANT_BEATS || dark >= 1.9;
}

/** M13: how steadily light or its onsets grow over builds: the better of the two, averaged over the builds. */
function buildSlope({ truth, light, onsets, bar }: Case): number | undefined {
  const slopes = truth.sections
    .filter(({ label, start, end }) => label === "build" && end - start >= 3.5 * bar)
    .map(({ start, end }) => {
      const steps = Math.max(4, Math.round((2 * (end - start)) / bar) - 2);
      const times = Array.from({ length: steps }, (_, i) => start + (i * bar) / 2);
      const levels = times.map((t) => meanLight(light, t, t + bar / 2));
      const hits = times.map((t) => onsets.filter((onset) => onset >= t && onset < t + bar / 2).length);
      return Math.max(spearman(times, levels), spearman(times, hits));
    });
  return slopes.length > 0 ? mean(slopes) : undefined;
}
