import { FLASHES_PER_SECOND } from "../limit-flashes.ts";
import { distanceTo, longest, tickOf, type Case } from "./case.ts";
import { isDarkBefore } from "./events.ts";
import { measure, type Measure } from "./measure.ts";
import { huesPerBar } from "./taste.ts";
import { GRID_HZ } from "../flash-limiter.ts";

/** Measures that every show must pass, however good the rest is. */
export function gateMeasures(c: Case): Measure[] {
  const { light, truth, made, beat } = c;
  const most = FLASHES_PER_SECOND[made?.plan.safety.profile ?? "default"];
  const dark = truth.drops.filter((drop) => isDarkBefore(c, drop)).length;
  return [
    measure("M1", "cues on the beat", cuesOnBeat(c), 0.99, 1),
    measure("M2", "light onsets on the beat", onsetPrecision(c), 0.7, 1),
    measure(
      "M12",
      "dark before the drop",
      truth.hasBeat && truth.drops.length > 0 ? dark / truth.drops.length : undefined,
      0.8,
      1,
    ),
    measure("M12b", "dark while someone sings, seconds", longestSungDarkness(c), 0, 2 * beat + 0.05),
    measure("M14", "hues per bar", huesPerBar(c), 0, 2.3),
    measure("M19", "share of the song with strobe", strobeShare(c), 0, 0.03),
    measure("M19b", "share of the song in white", whiteShare(c), 0, 0.15),
    measure("M20", "flashes in a second", Math.max(light.mostFlashes, made?.mostFlashes ?? 0), 0, most),
    measure("M20b", "frames the limiter changed", made?.limitedShare, 0, 0.01),
    measure("M22", "singing with light on the singer", sungAndLit(c), 0.95, 1),
    measure("M23", "seconds of light after the end", lightAfterEnd(c), 0, 2),
  ];
}

/** Measures of all families that distinguish a lively show from a dull one. Shows must lie within their bands. */
const LIVELY = ["E3", "E4", "E4a", "E4b", "E7", "E8", "R4", "R5", "R6", "M16", "M17", "M17a"];
/** Measures of visible faults that no show may have: washed-out color, and heads driven beyond their speed. */
const UNFORGIVEN = ["E1", "E2", "E5", "E6"];

/** Returns the gates against dullness, picked from the measures of all families. */
export const dullnessGates = (measures: readonly Measure[]): Measure[] => pick(measures, LIVELY);

/** Returns the gates against visible faults, picked in the same way. */
export const eyeGates = (measures: readonly Measure[]): Measure[] => pick(measures, UNFORGIVEN);

function pick(measures: readonly Measure[], ids: readonly string[]): Measure[] {
  return ids.flatMap((id) => measures.filter((one) => one.id === id));
}

/** M1: share of cues within 20 ms of a beat. */
function cuesOnBeat({ made, truth }: Case): number | undefined {
  if (!truth.hasBeat || !made) return undefined;
  const cues = Object.values(made.plan.event_lanes).flat();
  if (cues.length === 0) return undefined;
  return cues.filter((cue) => distanceTo(made.plan.beats, cue.time) <= 0.02).length / cues.length;
}

/** M2: precision of light onsets against beats and half-beats, corrected for chance. */
function onsetPrecision({ truth, onsets, beat }: Case): number | undefined {
  if (!truth.hasBeat || onsets.length < 8) return undefined;
  const grid = truth.beats.flatMap((t, i) => [t, ((truth.beats[i + 1] ?? t) + t) / 2]);
  const precision = onsets.filter((t) => distanceTo(grid, t) <= 0.07).length / onsets.length;
  const chance = Math.min(0.95, (2 * 0.07) / (beat / 2));
  return (precision - chance) / (1 - chance);
}

const DARK = 0.03;
const LIT = 0.3;

function longestSungDarkness({ light, truth }: Case): number {
  let span = 0;
  return longest(light, (k) => {
    const t = k / GRID_HZ;
    while (span < truth.sung.length && truth.sung[span]![1] <= t) span++;
    return span < truth.sung.length && t >= truth.sung[span]![0] && light.brightness[k]! < DARK;
  });
}

/**
 * M22: share of the time with vocals that has light on the singer: on a wash or spot, or on any zone of a rig with
 * fewer than three.
 */
function sungAndLit({ light, truth }: Case): number | undefined {
  const { zones } = light.stage;
  const keys = zones.flatMap((zone, z) =>
    zone.role === "wash" || zone.role === "spot" || zones.length < 3 ? [z] : [],
  );
  let sung = 0;
  let lit = 0;
  for (const [from, to] of truth.sung) {
    for (let k = tickOf(light, from); k < tickOf(light, to); k++) {
      sung++;
      if (keys.some((z) => light.zones[z]![k]! >= LIT)) lit++;
    }
  }
  return sung > GRID_HZ ? lit / sung : undefined;
}

/** M19: share of the song with strobe: by the plan's cues, or without a plan by lit strobes. */
function strobeShare({ made, light, truth }: Case): number {
  if (!made) return light.strobe.filter((v) => v > 0.05).length / GRID_HZ / Math.max(1, truth.duration);
  const cues = Object.values(made.plan.event_lanes)
    .flat()
    .filter((cue) => cue.intent.includes("strobe"));
  return made.plan.duration > 0 ? cues.reduce((sum, cue) => sum + cue.duration, 0) / made.plan.duration : 0;
}

/** M19: share of the song in which more than half of the light is white. */
function whiteShare({ light }: Case): number {
  return light.white.filter((v) => v > 0.5).length / light.ticks;
}

/** M23: seconds from the end of the song to the last light. */
function lightAfterEnd({ light, truth }: Case): number {
  const last = light.brightness.findLastIndex((v) => v > DARK);
  return Math.max(0, last / GRID_HZ - truth.duration);
}
