import { curveMean } from "../curves.ts";
import { mean } from "../maths.ts";
import { brightnessOf, meanLight, tickOf, type Case } from "./case.ts";
import { measure, type Measure } from "./measure.ts";
import { kendall, quantile, spearman } from "./statistics.ts";
import type { TrueSection } from "./truth.ts";

/** Measures how well brightness follows the music. */
export function dynamicsMeasures(c: Case): Measure[] {
  const light = brightnessOf(c);
  const bright = quantile(light, 0.95);
  const peaks = peakLight(c);
  return [
    measure("M4", "follows loudness, rho of 4 s", loudnessFollow(c), 0.3, 0.85),
    measure("M8", "sections ranked as the music ranks them, tau", rankOrder(c), 0.6, 1),
    measure("M9", "peak over quiet, dB", peakDb(c), 3, 10),
    measure("M10", "range of brightness, P95 - P5", bright - quantile(light, 0.05), c.truth.isFlat ? 0.25 : 0.45, 0.9),
    measure("R3", "growth from the first chorus or drop to the last", growth(peaks), 0, 1),
    measure("R4", "last chorus or drop over the brightest before", lastOverBrightest(peaks), -0.02, 1),
  ];
}

/** M4: Spearman's rho of 4-second means of light and loudness, one second apart. Comparisons cap it at 0.75. */
export function loudnessFollow({ truth, light }: Case): number | undefined {
  const shown: number[] = [];
  const heard: number[] = [];
  for (let t = truth.soundStart; t + 4 <= truth.soundEnd; t++) {
    shown.push(meanLight(light, t, t + 4));
    heard.push(curveMean(truth.energy, t, t + 4));
  }
  return shown.length >= 8 ? spearman(shown, heard) : undefined;
}

/** M8: Kendall's tau between the rank of sections and their mean light. */
function rankOrder({ truth, light }: Case): number | undefined {
  if (truth.isFlat || truth.sections.length < 3) return undefined;
  return kendall(
    truth.sections.map((section) => section.rank),
    truth.sections.map((section) => meanLight(light, section.start, section.end)),
  );
}

/** M9: mean light of top sections over mean light of the quietest, in dB of power, which is the square of drive. */
function peakDb({ truth, light }: Case): number | undefined {
  const lightOf = (isChosen: (rank: number) => boolean) => {
    const chosen = truth.sections.filter((section) => isChosen(section.rank));
    const levels = chosen.map(({ start, end }) =>
      mean(light.brightness, tickOf(light, start), Math.max(tickOf(light, start) + 1, tickOf(light, end))),
    );
    return chosen.length > 0 ? mean(levels) : undefined;
  };
  const peak = lightOf((rank) => rank === 4);
  const quiet = lightOf((rank) => rank <= 1);
  return peak !== undefined && quiet !== undefined && quiet > 1e-6
    ? 20 * Math.log10(Math.max(1e-6, peak) / quiet)
    : undefined;
}

/** Returns the choruses and drops of the song; without any, the loud sections. */
export function peakSections({ truth }: Case): TrueSection[] {
  const named = truth.sections.filter(({ label }) => label === "chorus" || label === "drop");
  return named.length > 0 ? named : truth.sections.filter((section) => section.rank >= 3);
}

function peakLight(c: Case): number[] {
  return peakSections(c).map(({ start, end }) => meanLight(c.light, start, end));
}

/** R3: mean light of the last chorus or drop minus that of the first. */
function growth(peaks: readonly number[]): number | undefined {
  return peaks.length > 1 ? peaks.at(-1)! - peaks[0]! : undefined;
}

/** R4: mean light of the last chorus or drop minus that of the brightest one before it; below 0 the show has shrunk. */
function lastOverBrightest(peaks: readonly number[]): number | undefined {
  return peaks.length > 1 ? peaks.at(-1)! - Math.max(...peaks.slice(0, -1)) : undefined;
}
