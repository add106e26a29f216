import {
  LIGHTING_PLAN_VERSION,
  type Cue,
  type Curve,
  type GroupType,
  type LightingPlan,
  type SongAnalysis,
} from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import { hashOf, randomStream } from "../random.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { LaneWriter, type PlannedRole } from "./lane-writer.ts";
import { writeRiser } from "./looks/build.ts";
import { writeLook } from "./looks/write-look.ts";
import { choosePalette, moodOf } from "./palette.ts";
import { curveMean, readForm, type PlannedSection, type SongForm } from "./song-form.ts";
import type { LookContext } from "./vocabulary/look-context.ts";

export interface PlanOptions {
  /** The rig's target groups; their types say which roles are worth planning. None: all roles. */
  readonly groups: readonly { readonly id: string; readonly type: GroupType }[];
  readonly seed: number;
  /** Base, second, contrast as #rrggbb, from the cover or chosen by hand; missing ones are derived. */
  readonly palette?: readonly string[] | undefined;
  readonly profile?: "default" | "venue" | undefined;
}

const ROLES: readonly PlannedRole[] = ["wash", "par", "bar", "spot", "strobe", "effect"];
/** Most of a song that may strobe. */
const STROBE_SHARE = 0.03;

/**
 * Turn an analysis into a show: what each role does when, and why.
 * The same analysis and options give the same plan. Cues address roles, so the plan plays on any rig.
 */
export function planShow(analysis: SongAnalysis, options: PlanOptions): LightingPlan {
  const form = readForm(analysis);
  const mood = moodOf(analysis);
  const palette = choosePalette(analysis, options.seed, mood, options.palette, analysis.vocals.mean_presence > 0.2);
  const lanes = new LaneWriter(rolesFor(options.groups), form.clock);

  for (const section of form.sections) {
    const context: LookContext = {
      form,
      section,
      next: form.sections[section.index + 1],
      palette,
      lanes,
      random: randomStream(hashOf(analysis.song_id, LIGHTING_PLAN_VERSION, section.index, options.seed)),
      sings: singsIn(analysis, section),
    };
    writeLook(context);
    if (context.next?.dropsIn) writeRiser(context);
  }
  for (const section of form.sections) if (section.dropsIn) darkenBefore(section, form, analysis, lanes);
  lanes.darken(form.soundEnd, Number.POSITIVE_INFINITY);

  const event_lanes = lanes.lanes();
  limitStrobe(event_lanes, analysis.duration);
  const draft: LightingPlan = {
    version: LIGHTING_PLAN_VERSION,
    song_id: analysis.song_id,
    duration: analysis.duration,
    seed: options.seed,
    palette: [palette.base, palette.second, palette.contrast, palette.white],
    beats: analysis.beats,
    downbeats: analysis.downbeats,
    curves: curvesOf(analysis),
    event_lanes,
    safety: { max_flashes_per_second: 0, limited_share: 0, strobe_share: 0, profile: options.profile ?? "default" },
  };
  return { ...draft, safety: safetyOf(draft) };
}

/** Wash and par always: a rig of one kind of lamp is split into these two. */
function rolesFor(groups: PlanOptions["groups"]): PlannedRole[] {
  if (groups.length === 0) return [...ROLES];
  const types = new Set<GroupType>(groups.map((group) => group.type));
  return ROLES.filter(
    (role) => role === "wash" || role === "par" || types.has(role) || (role === "bar" && types.has("mixed")),
  );
}

/** At least two seconds, or a tenth of the section, of singing. */
function singsIn(analysis: SongAnalysis, section: PlannedSection): boolean {
  const { hop_seconds, values } = analysis.vocals.presence;
  const sung = values.slice(Math.floor(section.start / hop_seconds), Math.ceil(section.end / hop_seconds));
  const singing = sung.filter((v) => v >= 0.5).length * hop_seconds;
  return section.hasVocals || singing > Math.min(2, 0.1 * (section.end - section.start));
}

/** Black before a confident drop: half a beat, one or two by tempo, or exactly the gap one can hear. */
function darkenBefore(section: PlannedSection, form: SongForm, analysis: SongAnalysis, lanes: LaneWriter): void {
  const beats = form.bpm < 100 ? 0.5 : form.bpm <= 140 ? 1 : 2;
  const byTempo = form.clock.timeAt(section.startBeat - beats);
  const earliest = form.clock.timeAt(section.startBeat - 2);
  lanes.darken(Math.max(earliest, gapStart(analysis, section.start, earliest) ?? byTempo), section.start);
}

function gapStart(analysis: SongAnalysis, drop: number, earliest: number): number | undefined {
  const { hop_seconds, values } = analysis.dynamics.energy_curve;
  const usual = curveMean(analysis.dynamics.energy_curve, 0, analysis.duration);
  let h = Math.floor(drop / hop_seconds) - 1;
  const last = h;
  while (h >= 0 && h * hop_seconds >= earliest && (values[h] ?? 1) < 0.15 * usual) h--;
  return (last - h) * hop_seconds >= 0.15 ? (h + 1) * hop_seconds : undefined;
}

/** Drop the later bursts once the song's share of strobe is spent. */
function limitStrobe(lanes: Record<string, Cue[]>, duration: number): void {
  const cues = lanes["role:strobe"];
  if (!cues) return;
  let left = STROBE_SHARE * duration;
  lanes["role:strobe"] = cues.filter((cue) => {
    if (!cue.intent.includes("strobe")) return true;
    if (cue.duration > left) return false;
    left -= cue.duration;
    return true;
  });
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
