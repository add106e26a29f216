import type { LightingPlan } from "@followspot/contract";
import { draftShow, type PlanOptions } from "../plan/plan-show.ts";
import { inventSong, type InventedSection } from "./invent-song.ts";

/** Intensity level: 0 a break, 1 calm, 2 driven, 3 full, 4 the top. */
export type LiveLevel = 0 | 1 | 2 | 3 | 4;

const BARS = 16;
/** Sections of the plan: two per level except the top, so that a long passage does not stand still. */
const FORM: readonly (Omit<InventedSection, "bars"> & { readonly level: LiveLevel })[] = [
  { level: 1, label: "verse", energy: 0.35 },
  { level: 2, label: "verse", energy: 0.6 },
  { level: 3, label: "chorus", energy: 0.8 },
  { level: 0, label: "break", energy: 0.12 },
  { level: 1, label: "bridge", energy: 0.32 },
  { level: 2, label: "verse", energy: 0.55 },
  { level: 3, label: "chorus", energy: 0.85 },
  { level: 0, label: "break", energy: 0.15 },
  { level: 4, label: "drop", energy: 1 },
];

/** A section of the show for live sound, in beats of its plan. */
export interface LiveSection {
  readonly level: LiveLevel;
  readonly start: number;
  readonly beats: number;
}

/** A show for unknown music: one plan with a section for every intensity level. */
export interface LivePlan {
  readonly plan: LightingPlan;
  readonly sections: readonly LiveSection[];
  /** Tempo that it was planned at, beats per minute. It can be played at any tempo. */
  readonly bpm: number;
  readonly beatsPerBar: number;
}

export interface LiveOptions {
  readonly bpm: number;
  readonly beatsPerBar: number;
  readonly groups: PlanOptions["groups"];
  /** Seed of colors and patterns. */
  readonly seed: number;
}

/**
 * Plans a show for live sound: an invented song, planned with the recipes of real songs, in beats. The live sound
 * determines the tempo and the section. Live shows thus look like those of songs. The plan never strobes. Its curves
 * hold a single value each, which the renderer overwrites.
 */
export function planLive({ bpm, beatsPerBar, groups, seed }: LiveOptions): LivePlan {
  const form = FORM.map((section) => ({ ...section, bars: BARS }));
  const draft = draftShow(inventSong(form, bpm, beatsPerBar), { groups, seed });
  const beats = BARS * beatsPerBar;
  const { haze: _haze, ...rest } = draft; // live sound is not known in advance
  return {
    plan: {
      ...rest,
      curves: { hop_seconds: 1, bass: [0.5], mid: [0.5], high: [0.5], energy: [0.5] },
      event_lanes: Object.fromEntries(
        Object.entries(draft.event_lanes)
          .filter(([lane]) => lane !== "role:strobe")
          .map(([lane, cues]) => [lane, cues.filter(({ intent }) => !intent.includes("strobe"))]),
      ),
    },
    sections: FORM.map(({ level }, i) => ({ level, start: i * beats, beats })),
    bpm,
    beatsPerBar,
  };
}
