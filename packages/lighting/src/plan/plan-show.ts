import {
  LIGHTING_PLAN_VERSION,
  type Cue,
  type Curve,
  type GroupType,
  type LightingPlan,
  type ShowMood,
  type ShowWishes,
  type SongAnalysis,
} from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import { curveMean } from "../curves.ts";
import { hashOf, randomStream } from "../random.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { budgetOf, type Budget } from "./budget.ts";
import { rhythmsOf, type Rhythm } from "./drums.ts";
import { Evening, type EveningSoFar } from "./evening.ts";
import { keepCues } from "./keep-cues.ts";
import { LaneWriter, type PlannedRole } from "./lane-writer.ts";
import { gainsFor } from "./level-sections.ts";
import { writeRiser } from "./looks/build.ts";
import { writeLook } from "./looks/write-look.ts";
import { writeAccents } from "./patterns/accent.ts";
import { moodOf, type Mood } from "./mood.ts";
import { choosePalette, type ShowPalette } from "./palette.ts";
import { planHaze } from "./plan-haze.ts";
import { readForm, RELIABLE_DROP, type PlannedSection, type SongForm } from "./song-form.ts";
import { leadsOf } from "./vocabulary/leads.ts";
import type { LookContext } from "./vocabulary/look-context.ts";
import { liftOf } from "./vocabulary/seen.ts";

export interface PlanOptions {
  /** Target groups of the rig, whose types determine the roles to plan. Empty: all roles. */
  readonly groups: readonly { readonly id: string; readonly type: GroupType }[];
  readonly seed: number;
  /** Base, second and contrast as #rrggbb, set by a user; missing ones are derived. */
  readonly palette?: readonly string[] | undefined;
  /** Colors of the song's cover, see `coverColors`. Used if no palette is given. */
  readonly cover?: readonly string[] | undefined;
  /** Mood set by a user, instead of the detected one. */
  readonly mood?: ShowMood | undefined;
  readonly evening?: EveningSoFar | undefined;
  /** Seeds of rerolled sections, by section index. */
  readonly sectionSeeds?: ShowWishes["section_seeds"] | undefined;
  /** Cues that users locked or edited. Planned cues make room for them. */
  readonly kept?: ShowWishes["kept"] | undefined;
  readonly profile?: "default" | "venue" | undefined;
}

const ROLES: readonly PlannedRole[] = ["wash", "par", "bar", "spot", "strobe", "effect"];
/** Largest share of a song that may strobe, and longest burst, bars. */
const STROBE_SHARE = 0.03;
const BURST_BARS = 2;
/**
 * Number of times a show is measured and written again. The second pass only corrects what fixtures at full could not
 * give.
 */
const LEVEL_PASSES = 2;
/** Drive below which a last peak without a drop has no strobe. */
const STROBE_DRIVE = 0.55;

/**
 * Plans a show from an analysis: what each role does when, and why. The same analysis and options give the same plan.
 * Cues address roles, so the plan plays on any rig.
 * The planner reads the form, budgets brightness over the whole song and writes each section by its recipe. It then
 * measures the result on the reference rigs and writes the show again with corrected levels.
 */
export function planShow(analysis: SongAnalysis, options: PlanOptions): LightingPlan {
  return withSafety(draftShow(analysis, options));
}

/** Plans a show without its safety report, which takes as long again. For shows that are only compared. */
export function draftShow(analysis: SongAnalysis, options: PlanOptions): LightingPlan {
  const form = readForm(analysis);
  const mood = moodOf(analysis, options.mood);
  const evening = options.evening && new Evening(options.evening);
  const palette = choosePalette(analysis, options.seed, mood, options.palette, evening, options.cover);
  const budget = budgetOf(form, analysis.dynamics.energy_curve, mood);
  const { rhythms, strokes } = rhythmsOf(analysis, form.clock, form.sections, form.beatsPerBar);
  const song: SongToLight = { analysis, options, form, mood, evening, palette, budget, rhythms, strokes };
  // Light added to make the wash visible comes on top, so that other fixtures are no darker for it.
  const means = form.sections.map((section, i) => {
    const target = budget.targets[i]!;
    return target + liftOf(section.label, leadsOf({ section, palette, form }), target);
  });
  let gains: readonly number[] = form.sections.map(() => 1);
  for (let pass = 0; pass < LEVEL_PASSES; pass++) {
    const draft = planOf(song, writeShow(song, gains));
    gains = gainsFor(draft, form.sections, means, gains);
  }
  return planOf(song, writeShow(song, gains));
}

export function withSafety(plan: LightingPlan): LightingPlan {
  return { ...plan, safety: safetyOf(plan) };
}

interface SongToLight {
  readonly analysis: SongAnalysis;
  readonly options: PlanOptions;
  readonly form: SongForm;
  readonly mood: Mood;
  readonly evening: Evening | undefined;
  readonly palette: ShowPalette;
  readonly budget: Budget;
  /** One per section. */
  readonly rhythms: readonly Rhythm[];
  readonly strokes: NonNullable<LightingPlan["strokes"]>;
}

/** Writes the cues of every section. @param gains brightness gain per section */
function writeShow(song: SongToLight, gains: readonly number[]): Record<string, Cue[]> {
  const { analysis, options, form, mood, evening, palette, budget } = song;
  const lanes = new LaneWriter(rolesFor(options.groups), form.clock);
  const bursts = dealStrobe(song);
  for (const section of form.sections) {
    const rolled = options.sectionSeeds?.[section.index];
    const context: LookContext = {
      form,
      section,
      before: form.sections[section.index - 1],
      next: form.sections[section.index + 1],
      palette,
      mood,
      evening,
      lanes,
      target: budget.targets[section.index]!,
      lift: (from, to) => budget.lift(section, from, to),
      gain: gains[section.index]!,
      random: randomStream(hashOf(analysis.song_id, LIGHTING_PLAN_VERSION, section.index, rolled ?? options.seed)),
      styles: {
        ofLabel: (choice) => randomStream(hashOf(analysis.song_id, section.label, choice, options.seed)),
        ...(rolled !== undefined && {
          rolled: (choice) => randomStream(hashOf(analysis.song_id, section.index, choice, rolled)),
        }),
      },
      rhythm: song.rhythms[section.index]!,
      sings: singsIn(analysis, section),
    };
    writeLook(context, bursts.get(section) ?? 0);
    if (context.next?.dropsIn) writeRiser(context);
    writeAccents(context);
  }
  for (const section of form.sections) if (section.dropsIn) darkenBefore(section, song, lanes);
  lanes.darken(form.soundEnd, Number.POSITIVE_INFINITY);
  return keepCues(lanes.lanes(), options.kept ?? []);
}

function planOf(
  { analysis, options, palette, form, strokes }: SongToLight,
  event_lanes: Record<string, Cue[]>,
): LightingPlan {
  return {
    version: LIGHTING_PLAN_VERSION,
    song_id: analysis.song_id,
    duration: analysis.duration,
    seed: options.seed,
    palette: [palette.base, palette.second, palette.contrast, palette.held],
    scheme: palette.scheme,
    ...(options.cover && options.cover.length > 0 && { palette_reason: palette.reason }),
    beats: analysis.beats,
    downbeats: analysis.downbeats,
    strokes,
    curves: curvesOf(analysis),
    event_lanes,
    haze: planHaze(form, rolesFor(options.groups).includes("spot")),
    sections: form.sections.map(({ label, start, end, rank }) => ({ label, start, end, rank })),
    safety: { max_flashes_per_second: 0, limited_share: 0, strobe_share: 0, profile: options.profile ?? "default" },
  };
}

/**
 * Returns the roles to plan. Wash, par and bar are always included, because a rig of one kind of fixture is split into
 * these.
 */
function rolesFor(groups: PlanOptions["groups"]): PlannedRole[] {
  if (groups.length === 0) return [...ROLES];
  const types = new Set<GroupType>(groups.map((group) => group.type));
  return ROLES.filter((role) => role === "wash" || role === "par" || role === "bar" || types.has(role));
}

/** Distributes the bars of strobe over sections of the top rank, the last peak first, within the song's limit. */
function dealStrobe({ analysis, form, mood, evening }: SongToLight): ReadonlyMap<PlannedSection, number> {
  const bars = new Map<PlannedSection, number>();
  if (evening?.holdsBack || form.isLoose) return bars;
  const worthy = form.sections
    .filter(
      (s) =>
        s.rank === 4 &&
        (s.dropConfidence >= RELIABLE_DROP || (s.isLastPeak && s.dropConfidence === 0 && mood.drive >= STROBE_DRIVE)),
    )
    .toSorted((a, b) => Number(b.isLastPeak) - Number(a.isLastPeak) || b.energy - a.energy);
  const barSeconds = (form.beatsPerBar * 60) / form.bpm;
  let left = STROBE_SHARE * analysis.duration;
  for (const [i, section] of worthy.entries()) {
    const share = left / (worthy.length - i);
    const count = Math.min(BURST_BARS, Math.floor(share / barSeconds));
    left -= count * barSeconds;
    if (count > 0) bars.set(section, count);
  }
  return bars;
}

/** Whether a section has vocals: at least two seconds, or a tenth of the section. */
function singsIn(analysis: SongAnalysis, section: PlannedSection): boolean {
  const { hop_seconds, values } = analysis.vocals.presence;
  const sung = values.slice(Math.floor(section.start / hop_seconds), Math.ceil(section.end / hop_seconds));
  const singing = sung.filter((v) => v >= 0.5).length * hop_seconds;
  return section.hasVocals || singing > Math.min(2, 0.1 * (section.end - section.start));
}

/**
 * Drive from which the stage goes black before a drop, and before a chorus that was also detected as one; below it the
 * light dips.
 */
const BLACK_FROM_DRIVE = { drop: 0.3, sureChorus: 0.4, chorus: 0.6 };
/** Drop confidence from which a chorus counts as a certain drop. */
const SURE_CHORUS = 0.8;
/** Share of the light that remains in a dip. */
const DIP = 0.3;

/**
 * Goes black before a confident drop: for half a beat, one or two by tempo, or exactly for an audible gap. At low drive
 * the light dips instead.
 */
function darkenBefore(section: PlannedSection, { form, analysis, mood }: SongToLight, lanes: LaneWriter): void {
  const beats = form.bpm < 100 ? 0.5 : form.bpm <= 140 ? 1 : 2;
  const byTempo = form.clock.timeAt(section.startBeat - beats);
  const earliest = form.clock.timeAt(section.startBeat - 2);
  const from = Math.max(earliest, gapStart(analysis, section.start, earliest) ?? byTempo);
  const kind = section.label === "drop" ? "drop" : section.dropConfidence >= SURE_CHORUS ? "sureChorus" : "chorus";
  if (mood.drive >= BLACK_FROM_DRIVE[kind]) lanes.darken(from, section.start);
  else lanes.dim(from, section.start, DIP);
}

function gapStart(analysis: SongAnalysis, drop: number, earliest: number): number | undefined {
  const { hop_seconds, values } = analysis.dynamics.energy_curve;
  const usual = curveMean(analysis.dynamics.energy_curve, 0, analysis.duration);
  let h = Math.floor(drop / hop_seconds) - 1;
  const last = h;
  while (h >= 0 && h * hop_seconds >= earliest && (values[h] ?? 1) < 0.15 * usual) h--;
  return (last - h) * hop_seconds >= 0.15 ? (h + 1) * hop_seconds : undefined;
}

function curvesOf(analysis: SongAnalysis): LightingPlan["curves"] {
  const { energy_curve, frequency_bands } = analysis.dynamics;
  const hop_seconds = 0.1;
  const length = Math.ceil(analysis.duration / hop_seconds);
  const sampled = (curve: Curve) =>
    Array.from(
      { length },
      (_, i) => Math.round(curveMean(curve, i * hop_seconds, (i + 1) * hop_seconds) * 1000) / 1000,
    );
  return {
    hop_seconds,
    bass: sampled(frequency_bands.bass),
    mid: sampled(frequency_bands.mid),
    high: sampled(frequency_bands.high),
    energy: sampled(energy_curve),
  };
}

function safetyOf(plan: LightingPlan): LightingPlan["safety"] {
  const shows = REFERENCE_RIGS.map(({ rig }) => compileShow(plan, rig));
  const strobed = Object.values(plan.event_lanes)
    .flat()
    .filter((cue) => cue.intent.includes("strobe"));
  const share = plan.duration > 0 ? strobed.reduce((sum, cue) => sum + cue.duration, 0) / plan.duration : 0;
  return {
    max_flashes_per_second: Math.max(...shows.map((show) => show.mostFlashes)),
    limited_share: Math.round(Math.max(...shows.map((show) => show.limitedShare)) * 10_000) / 10_000,
    strobe_share: Math.round(share * 10_000) / 10_000,
    profile: plan.safety.profile,
  };
}
