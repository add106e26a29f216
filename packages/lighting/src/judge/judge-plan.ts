import { nearestIndex, type LightingPlan, type Rig, type SongAnalysis } from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import type { CompiledShow } from "../compiled-show.ts";
import { GRID_HZ } from "../flash-limiter.ts";
import { FLASHES_PER_SECOND } from "../limit-flashes.ts";
import { mean } from "../maths.ts";
import { readForm, type SongForm } from "../plan/song-form.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { HUE_BINS, recordLight, type LightRecord } from "./record-light.ts";
import { kendall, quantile, spearman } from "./statistics.ts";

/** One number about a show and the band it should lie in. Undefined value: does not apply to this song. */
export interface Measure {
  /** M1..M25 of the show measures. */
  readonly id: string;
  readonly name: string;
  readonly value: number | undefined;
  readonly low: number;
  readonly high: number;
  readonly passed: boolean;
}

export interface RigVerdict {
  readonly name: string;
  /** All must pass. */
  readonly gates: readonly Measure[];
  /** Bands to aim for; never weighed into one number. */
  readonly measures: readonly Measure[];
}

export interface Verdict {
  readonly passed: boolean;
  readonly rigs: readonly RigVerdict[];
}

interface Case {
  readonly plan: LightingPlan;
  readonly analysis: SongAnalysis;
  readonly form: SongForm;
  readonly show: CompiledShow;
  readonly light: LightRecord;
}

/** Measure a plan against its song on the reference rigs (or others), from rendered light alone. */
export function judgePlan(
  plan: LightingPlan,
  analysis: SongAnalysis,
  rigs: readonly { readonly name: string; readonly rig: Rig }[] = REFERENCE_RIGS,
): Verdict {
  const form = readForm(analysis);
  const verdicts = rigs.map(({ name, rig }): RigVerdict => {
    const show = compileShow(plan, rig);
    const c: Case = { plan, analysis, form, show, light: recordLight(show, analysis.duration) };
    return { name, gates: gatesOf(c), measures: measuresOf(c) };
  });
  return { passed: verdicts.every((verdict) => verdict.gates.every((gate) => gate.passed)), rigs: verdicts };
}

function gatesOf(c: Case): Measure[] {
  const most = FLASHES_PER_SECOND[c.plan.safety.profile];
  const hasDrop = c.form.sections.some((section) => section.dropsIn);
  return [
    measure("M1", "cues on the beat", cuesOnBeat(c), 0.99, 1),
    measure("M2", "light onsets on the beat", onsetPrecision(c), 0.7, 1),
    measure("M12", "dark before the drop", hasDrop ? darkBeforeDrops(c) : undefined, 0.8, 1),
    measure("M12b", "dark while someone sings, seconds", longestSungDarkness(c), 0, 2 * beatSeconds(c) + 0.05),
    measure("M14", "hues per bar", huesPerBar(c), 0, 2.3),
    measure("M19", "share of the song with strobe", strobeShare(c), 0, 0.03),
    measure("M19b", "share of the song in white", whiteShare(c), 0, 0.15),
    measure("M20", "flashes in a second", Math.max(c.light.mostFlashes, c.show.mostFlashes), 0, most),
    measure("M20b", "frames the limiter changed", c.show.limitedShare, 0, 0.01),
    measure("M22", "singing with light on the singer", sungAndLit(c), 0.95, 1),
    measure("M23", "seconds of light after the end", lightAfterEnd(c), 0, 2),
  ];
}

function measuresOf(c: Case): Measure[] {
  const drops = c.form.sections.filter((section) => section.dropsIn);
  return [
    measure("M4", "follows loudness", loudnessFollow(c), 0.3, 0.85),
    measure("M5", "contrast at boundaries", boundaryContrast(c), 1.5, 12),
    measure("M8", "section rank order", rankOrder(c), 0.6, 1),
    measure("M9", "peak over quiet, dB", peakDb(c), 3, 10),
    measure(
      "M10",
      "range of brightness",
      quantile(c.light.brightness, 0.95) - quantile(c.light.brightness, 0.05),
      c.form.isFlat ? 0.1 : 0.45,
      0.9,
    ),
    measure(
      "M11",
      "response to the drop",
      drops.length > 0 ? mean(drops.map((d) => dropResponse(c, d.start))) : undefined,
      0.35,
      1,
    ),
    measure("M15", "colour churn per minute", colourChurn(c), 2, 10),
    measure("M17", "share of rest", restShare(c), 0.25, 0.7),
    measure(
      "M17b",
      "longest time above 0.85, seconds",
      longest(c.light, (k) => c.light.brightness[k]! > 0.85),
      0,
      45,
    ),
    measure("M21", "evenness of rig use (Gini)", gini(c), 0, 0.45),
  ];
}

function measure(id: string, name: string, value: number | undefined, low: number, high: number): Measure {
  const rounded = value === undefined ? undefined : Math.round(value * 1000) / 1000;
  return {
    id,
    name,
    value: rounded,
    low,
    high,
    passed: rounded === undefined || (rounded >= low - 1e-9 && rounded <= high + 1e-9),
  };
}

// ---- time ------------------------------------------------------------------------------------------------

function tickOf(c: Case, t: number): number {
  return Math.min(c.light.ticks - 1, Math.max(0, Math.round(t * GRID_HZ)));
}

function meanLight(c: Case, from: number, to: number): number {
  const a = tickOf(c, from);
  return mean(c.light.brightness, a, Math.max(a + 1, tickOf(c, to)));
}

function beatSeconds(c: Case): number {
  return 60 / c.form.bpm;
}

function distanceTo(sorted: readonly number[], t: number): number {
  return Math.abs(t - (sorted[nearestIndex(sorted, t)] ?? Number.POSITIVE_INFINITY));
}

/** Longest run of ticks that satisfy a claim, in seconds. */
function longest(light: LightRecord, claim: (tick: number) => boolean): number {
  let run = 0;
  let most = 0;
  for (let k = 0; k < light.ticks; k++) {
    run = claim(k) ? run + 1 : 0;
    most = Math.max(most, run);
  }
  return most / GRID_HZ;
}

// ---- gates -----------------------------------------------------------------------------------------------

function cuesOnBeat({ plan, analysis, form }: Case): number | undefined {
  if (!form.hasBeat) return undefined;
  const cues = Object.values(plan.event_lanes).flat();
  if (cues.length === 0) return undefined;
  return cues.filter((cue) => distanceTo(analysis.beats, cue.time) <= 0.02).length / cues.length;
}

/** Precision of light onsets against beats and half-beats, corrected for chance. */
function onsetPrecision(c: Case): number | undefined {
  const { form, light, analysis } = c;
  if (!form.hasBeat) return undefined;
  const onsets: number[] = [];
  const span = 4; // about 100 ms
  for (let k = span; k < light.ticks; k++) {
    if (onsets.length > 0 && k / GRID_HZ - onsets.at(-1)! < 0.1) continue;
    let best = 0;
    let at = k;
    for (const levels of light.targets.values()) {
      if (levels[k]! - levels[k - span]! < 0.15) continue;
      for (let j = k - span + 1; j <= k; j++) {
        const rise = levels[j]! - levels[j - 1]!;
        if (rise > best) {
          best = rise;
          at = j;
        }
      }
    }
    if (best > 0 && (onsets.length === 0 || at / GRID_HZ - onsets.at(-1)! >= 0.1)) onsets.push(at / GRID_HZ);
  }
  if (onsets.length < 8) return undefined;
  const grid = analysis.beats.flatMap((beat, i) => [beat, ((analysis.beats[i + 1] ?? beat) + beat) / 2]);
  const precision = onsets.filter((t) => distanceTo(grid, t) <= 0.07).length / onsets.length;
  const chance = Math.min(0.95, (2 * 0.07) / (beatSeconds(c) / 2));
  return (precision - chance) / (1 - chance);
}

function darkBeforeDrops(c: Case): number {
  const drops = c.form.sections.filter((section) => section.dropsIn);
  const dark = drops.filter((drop) => {
    const from = tickOf(c, drop.start - 2 * beatSeconds(c));
    let low = 1;
    for (let k = from; k < tickOf(c, drop.start - 0.03); k++) low = Math.min(low, c.light.brightness[k]!);
    return low <= 0.08;
  });
  return dark.length / drops.length;
}

function isSung(c: Case, k: number): boolean {
  const { hop_seconds, values } = c.analysis.vocals.presence;
  return (values[Math.floor(k / GRID_HZ / hop_seconds)] ?? 0) >= 0.5;
}

function longestSungDarkness(c: Case): number {
  return longest(c.light, (k) => isSung(c, k) && keyLevel(c, k) < 0.03 && c.light.brightness[k]! < 0.03);
}

function keyLevel({ light }: Case, k: number): number {
  return Math.max(light.targets.get("role:spot")?.[k] ?? 0, light.targets.get("role:wash")?.[k] ?? 0);
}

function sungAndLit(c: Case): number | undefined {
  let sung = 0;
  let lit = 0;
  for (let k = 0; k < c.light.ticks; k++) {
    if (!isSung(c, k)) continue;
    sung++;
    if (keyLevel(c, k) >= 0.3) lit++;
  }
  return sung > GRID_HZ ? lit / sung : undefined;
}

function huesPerBar(c: Case): number {
  const bar = c.form.beatsPerBar * beatSeconds(c);
  const counts: number[] = [];
  for (let t = 0; t < c.analysis.duration; t += bar) {
    const bins = new Float64Array(HUE_BINS);
    for (let k = tickOf(c, t); k < tickOf(c, t + bar); k++) {
      for (let i = 0; i < HUE_BINS; i++) bins[i] = bins[i]! + c.light.hues[k * HUE_BINS + i]!;
    }
    const sum = bins.reduce((a, b) => a + b, 0);
    if (sum > 0) counts.push(bins.filter((v) => v > 0.08 * sum).length);
  }
  return mean(counts);
}

function strobeShare({ plan }: Case): number {
  const cues = Object.values(plan.event_lanes)
    .flat()
    .filter((cue) => cue.intent.includes("strobe"));
  return plan.duration > 0 ? cues.reduce((sum, cue) => sum + cue.duration, 0) / plan.duration : 0;
}

function whiteShare({ light }: Case): number {
  let white = 0;
  for (let k = 0; k < light.ticks; k++) if (light.white[k]! > 0.5) white++;
  return white / light.ticks;
}

function lightAfterEnd({ light, analysis }: Case): number {
  const last = light.luminance.findLastIndex((y) => y > 0.001);
  return Math.max(0, last / GRID_HZ - analysis.duration);
}

// ---- measures --------------------------------------------------------------------------------------------

function loudnessFollow(c: Case): number {
  const { hop_seconds, values } = c.analysis.dynamics.energy_curve;
  const light: number[] = [];
  const sound: number[] = [];
  for (let t = 0; t + 4 <= c.analysis.duration; t++) {
    light.push(meanLight(c, t, t + 4));
    const to = Math.min(values.length, Math.floor((t + 4) / hop_seconds));
    sound.push(mean(values, Math.min(to, Math.floor(t / hop_seconds)), to));
  }
  return Math.min(0.75, spearman(light, sound));
}

/** Mean look between two times: each target's level, and the colour. */
function lookOf(c: Case, from: number, to: number): number[] {
  const a = tickOf(c, from);
  const b = Math.max(a + 1, tickOf(c, to));
  const colour = [0.5 * mean(c.light.a, a, b) * 5, 0.5 * mean(c.light.b, a, b) * 5];
  return [...[...c.light.targets.values()].map((levels) => mean(levels, a, b)), ...colour];
}

function difference(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((v, i) => v - b[i]!));
}

function boundaryContrast(c: Case): number | undefined {
  const bar = c.form.beatsPerBar * beatSeconds(c);
  const across = c.form.sections
    .slice(1)
    .map(({ start }) => difference(lookOf(c, start - 4 * bar, start), lookOf(c, start, start + 4 * bar)));
  const within = c.form.sections
    .filter((section) => section.end - section.start >= 8 * bar)
    .map(({ start }) => difference(lookOf(c, start, start + 4 * bar), lookOf(c, start + 4 * bar, start + 8 * bar)));
  if (across.length === 0 || within.length === 0) return undefined;
  return Math.log2((quantile(across, 0.5) + 0.02) / (quantile(within, 0.5) + 0.02));
}

function rankOrder(c: Case): number | undefined {
  if (c.form.isFlat || c.form.sections.length < 3) return undefined;
  return kendall(
    c.form.sections.map((section) => section.rank),
    c.form.sections.map((section) => meanLight(c, section.start, section.end)),
  );
}

function peakDb(c: Case): number | undefined {
  const lightOf = (ranks: readonly number[]) => {
    const sections = c.form.sections.filter((section) => ranks.includes(section.rank));
    const levels = sections.map(({ start, end }) =>
      mean(c.light.luminance, tickOf(c, start), Math.max(tickOf(c, start) + 1, tickOf(c, end))),
    );
    return sections.length > 0 ? mean(levels) : undefined;
  };
  const peak = lightOf([4]);
  const quiet = lightOf([0, 1]);
  return peak && quiet ? 10 * Math.log10(peak / quiet) : undefined;
}

function dropResponse(c: Case, t: number): number {
  return meanLight(c, t, t + 1) - meanLight(c, t - 2 * beatSeconds(c), t - 0.04);
}

function colourChurn({ light, analysis }: Case): number {
  let path = 0;
  const step = GRID_HZ / 4;
  for (let k = step; k < light.ticks; k += step) {
    const isLit = light.luminance[k]! > 0.001 && light.luminance[k - step]! > 0.001;
    if (isLit) path += Math.hypot(light.a[k]! - light.a[k - step]!, light.b[k]! - light.b[k - step]!);
  }
  return (path / Math.max(1, analysis.duration)) * 60;
}

/** Seconds in which the rig's light hardly moves. */
function restShare({ light, analysis }: Case): number {
  const seconds = Math.floor(analysis.duration);
  let rest = 0;
  for (let s = 0; s < seconds; s++) {
    let moved = 0;
    for (let k = s * GRID_HZ + 1; k <= (s + 1) * GRID_HZ && k < light.ticks; k++) {
      moved += Math.abs(light.brightness[k]! - light.brightness[k - 1]!);
    }
    if (moved < 0.15) rest++;
  }
  return seconds > 0 ? rest / seconds : 0;
}

function gini({ light }: Case): number {
  const use = [...light.targets]
    .filter(([name]) => name !== "role:strobe" && name !== "role:effect")
    .map(([, levels]) => levels.reduce((sum, v) => sum + (v > 0.05 ? 1 : 0), 0))
    .sort((a, b) => a - b);
  const sum = use.reduce((a, b) => a + b, 0);
  if (use.length < 2 || sum === 0) return 0;
  return use.reduce((acc, v, i) => acc + (2 * (i + 1) - use.length - 1) * v, 0) / (use.length * sum);
}
