import { z } from "zod";

/** Written into every new lighting.json; readers accept this and every older version. */
export const LIGHTING_PLAN_VERSION = 1;

/** The ten intent families of the specification §9. */
export const INTENT_FAMILIES = [
  "wave",
  "pulse",
  "chase",
  "strobe",
  "fade",
  "reactive",
  "breathing",
  "snap",
  "ramp",
  "crossfade",
] as const;
export type IntentFamily = (typeof INTENT_FAMILIES)[number];

/** Roles a lane may address as `role:wash`; also the group types of the specification §5. */
export const GROUP_TYPES = ["wash", "par", "bar", "spot", "strobe", "effect", "mixed"] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

/** The family inside a possibly qualified intent: `slow_wave` → `wave`; undefined for an unknown one. */
export function intentFamily(intent: string): IntentFamily | undefined {
  const words = intent.split("_");
  return INTENT_FAMILIES.find((family) => words.includes(family));
}

const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i, "a colour is #rrggbb");

const cueSchema = z.object({
  time: z.number().min(0),
  duration: z.number().min(0),
  /** A family of {@link INTENT_FAMILIES}, optionally qualified: `slow_wave`, `beat_pulse`. */
  intent: z.string().refine((s) => intentFamily(s) !== undefined, "unknown intent"),
  /** One to four sRGB colours #rrggbb, base first. */
  palette: z.array(hexColor).min(1).max(4),
  /** Numbers the intent reads; names and ranges in packages/lighting `intents`. */
  params: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  section: z.string(),
  /** 0..1 */
  energy: z.number().min(0).max(1),
  /** Why this cue, for a person. */
  reason: z.string(),
});

/** lighting.json: what each target does and why. Plays on any rig. */
export const lightingPlanSchema = z.object({
  version: z.number().int().min(1).max(LIGHTING_PLAN_VERSION),
  song_id: z.string(),
  duration: z.number().min(0),
  seed: z.number().int().min(0),
  palette: z.array(hexColor).min(1),
  /** How the hues lie to each other: "triad". Missing in older plans. */
  scheme: z.string().optional(),
  /** Beat times of the song, so a renderer needs nothing but the plan. */
  beats: z.array(z.number().min(0)),
  downbeats: z.array(z.number().min(0)),
  /** Curves reactive cues follow, 0..1. */
  curves: z.object({
    hop_seconds: z.number().positive(),
    bass: z.array(z.number()),
    mid: z.array(z.number()),
    high: z.array(z.number()),
    energy: z.array(z.number()),
  }),
  /** Target (group id, `role:wash`, or `all`) → cues sorted by time, not overlapping. */
  event_lanes: z.record(z.string(), z.array(cueSchema)),
  safety: z.object({
    /** Most general flashes in any one second over the reference rigs, after the limiter. */
    max_flashes_per_second: z.number().min(0),
    /** Share of DMX frames the limiter changed, 0..1. */
    limited_share: z.number().min(0).max(1),
    /** Share of the song with a strobe cue, 0..1. */
    strobe_share: z.number().min(0).max(1),
    profile: z.enum(["default", "venue"]),
  }),
});

export type Cue = z.infer<typeof cueSchema>;
export type LightingPlan = z.infer<typeof lightingPlanSchema>;
