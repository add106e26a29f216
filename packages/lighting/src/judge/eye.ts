import { sectionAt, tickOf, type Case } from "./case.ts";
import { peakSections } from "./dynamics.ts";
import { barsApart } from "./light-record.ts";
import { measure, type Measure } from "./measure.ts";
import { quantile } from "./statistics.ts";
import type { TrueSection } from "./truth.ts";

/** Distance of two bars from which they show different pictures. */
const ANOTHER_PICTURE = 0.08;

/** Share of the loudest section's loudness from which a section is loud, whatever its label. */
const AS_LOUD = 0.8;

/**
 * Measures what is visible in loud sections (choruses and drops), whether other sections of the same loudness stand
 * still, and whether quiet sections are visible at all.
 */
export function eyeMeasures(c: Case): Measure[] {
  const loud = peakSections(c);
  const { vivid, pale } = colourOf(c, loud);
  const { longest, share } = stillness(c, loud);
  const others = otherLoudSections(c, loud);
  const { moving, tooFast, jumps } = c.light.heads;
  return [
    measure("E1", "colour of the light in loud parts, of what its hue can have", vivid, 0.85, 1),
    measure("E2", "pale share of the light in loud parts", pale, 0, 0.1),
    measure("E3", "brightness of loud parts, P95", driveOf(c, loud), 0.8, 1),
    measure("E4", "longest unchanged picture in a loud part, bars", longest, 0, 4),
    measure("E4a", "the same in another part that is as loud, bars", stillness(c, others).longest, 0, 4),
    measure("E4b", "bars of loud parts unlike the one before", share, 0.4, 1),
    measure("E5", "lit head movement within what heads can do", moving > 0 ? 1 - tooFast / moving : undefined, 1, 1),
    measure("E6", "jumps of lit heads", moving > 0 ? jumps : undefined, 0, 0),
    measure("E7", "floor of loud patterns beside their top", floorOf(c, loud), 0, 0.5),
    measure("E8", "lightness of the brightest lamp in the dimmest quiet part", dimmestQuiet(c), 0.1, 1),
  ];
}

/**
 * E1, E2: color of heads, weighted by drive. The first beat of each section is left out because it may be a white hit.
 */
function colourOf({ light, beat }: Case, loud: readonly TrueSection[]) {
  const sums = { drive: 0, vivid: 0, pale: 0 };
  for (const { start, end } of loud)
    for (let k = tickOf(light, start + beat); k < tickOf(light, end); k++)
      for (const name of ["drive", "vivid", "pale"] as const) sums[name] += light.colour[name][k]!;
  if (sums.drive === 0) return { vivid: undefined, pale: undefined };
  return { vivid: sums.vivid / sums.drive, pale: sums.pale / sums.drive };
}

/** E3: 95th percentile of the brightness of loud sections. */
function driveOf({ light }: Case, loud: readonly TrueSection[]): number | undefined {
  const levels = loud.flatMap(({ start, end }) =>
    Array.from(light.brightness.subarray(tickOf(light, start), tickOf(light, end))),
  );
  return levels.length > 0 ? quantile(levels, 0.95) : undefined;
}

/** Returns the sections that are neither chorus nor drop but equally loud. */
function otherLoudSections({ truth }: Case, loud: readonly TrueSection[]): TrueSection[] {
  const loudest = Math.max(...truth.sections.map(({ loudness }) => loudness));
  return truth.sections.filter((section) => !loud.includes(section) && section.loudness >= AS_LOUD * loudest);
}

/**
 * E4, E4a: longest run of bars of loud sections with an unchanged picture, and the share of bars that differ from the
 * one before.
 */
function stillness({ truth, light, lines }: Case, loud: readonly TrueSection[]) {
  let longest = 0;
  let pairs = 0;
  let changes = 0;
  let first = -1;
  let section = -1;
  for (let i = 0; i + 1 < lines.length; i++) {
    const middle = (lines[i]! + lines[i + 1]!) / 2;
    const at = sectionAt(truth, middle);
    if (!loud.includes(truth.sections[at]!)) continue;
    if (at !== section) {
      section = at;
      first = i;
    } else {
      pairs++;
      if (barsApart(light, i, i - 1) > ANOTHER_PICTURE) changes++;
      if (barsApart(light, i, first) > ANOTHER_PICTURE) first = i;
    }
    longest = Math.max(longest, i - first + 1);
  }
  return { longest: section < 0 ? undefined : longest, share: pairs > 0 ? changes / pairs : undefined };
}

/** E7: lowest level of accent fixtures within a bar relative to the highest; median over heads and bars. */
function floorOf({ light, lines }: Case, loud: readonly TrueSection[]): number | undefined {
  const { roles, headCount } = light.stage;
  const shares: number[] = [];
  for (let i = 0; i + 1 < lines.length; i++) {
    const middle = (lines[i]! + lines[i + 1]!) / 2;
    if (!loud.some(({ start, end }) => start <= middle && middle < end)) continue;
    for (let h = 0; h < headCount; h++) {
      const most = light.highest[i * headCount + h]!;
      if ((roles[h] === "par" || roles[h] === "bar") && most > LIT)
        shares.push(light.lowest[i * headCount + h]! / most);
    }
  }
  return shares.length > 0 ? quantile(shares, 0.5) : undefined;
}

/** Drive from which a head takes part. */
const LIT = 0.2;

/** E8: CIE 1976 lightness of the dimmest quiet section, each section by its median over time; full white is 1. */
function dimmestQuiet({ truth, light }: Case): number | undefined {
  const quiet = truth.sections.filter(({ rank }) => rank <= 1);
  const seen = quiet.map(({ start, end }) =>
    quantile(Array.from(light.brightest.subarray(tickOf(light, start), tickOf(light, end))), 0.5),
  );
  return seen.length > 0 ? lightnessOf(Math.min(...seen)) : undefined;
}

function lightnessOf(luminance: number): number {
  return luminance > 0.008856 ? 1.16 * Math.cbrt(luminance) - 0.16 : 9.033 * luminance;
}
