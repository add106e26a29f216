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
  /** A person locked or edited it: it stays when the show is planned anew. */
  kept: z.boolean().optional(),
});

/** Moods a person may choose for a song instead of what is heard. */
export const SHOW_MOODS = ["calm", "warm", "bright", "dark", "wild"] as const;
export type ShowMood = (typeof SHOW_MOODS)[number];

const seed = z.number().int().min(0).max(0xffffffff);

/** What people want of a song's show, beside its palette: inputs of every plan of it. */
export const showWishesSchema = z.object({
  /** Which of all possible shows; 0 until a person chooses another. */
  seed,
  mood: z.enum(SHOW_MOODS).nullable(),
  /** Sections that were rolled again: index in the plan's sections → seed. */
  section_seeds: z.record(z.string().regex(/^\d{1,3}$/), seed),
  /** Cues that stay as they are, each in its lane. */
  kept: z.array(z.object({ target: z.string().min(1).max(100), cue: cueSchema })).max(500),
});
export type ShowWishes = z.infer<typeof showWishesSchema>;
export const NO_WISHES: ShowWishes = { seed: 0, mood: null, section_seeds: {}, kept: [] };

/** Most cues of one look. */
export const MOST_LOOK_CUES = 200;
/** Longest name of a look, in characters. */
export const MOST_LOOK_NAME = 80;

/** A look apart from its song: times are beats from its start, so that it fits a song of another tempo. */
export const lookSchema = z.object({
  /** How long it is. */
  beats: z.number().positive().max(2000),
  cues: z
    .array(
      cueSchema.pick({ intent: true, palette: true, params: true, energy: true }).extend({
        target: z.string().min(1).max(100),
        at: z.number().min(0).max(2000),
        beats: z.number().positive().max(2000),
      }),
    )
    .min(1)
    .max(MOST_LOOK_CUES),
});
export type Look = z.infer<typeof lookSchema>;

/** One thing worth saying about a show, in words: "Form readable 0.71". */
const remarkSchema = z.object({ text: z.string(), isGood: z.boolean() });
export type ShowRemark = z.infer<typeof remarkSchema>;

/** lighting.json: what each target does and why. Plays on any rig. */
export const lightingPlanSchema = z.object({
  version: z.number().int().min(1).max(LIGHTING_PLAN_VERSION),
  song_id: z.string(),
  duration: z.number().min(0),
  seed: z.number().int().min(0),
  palette: z.array(hexColor).min(1),
  /** How the hues lie to each other: "triad". Missing in older plans. */
  scheme: z.string().optional(),
  /** Why these colours, of a song whose cover says something. */
  palette_reason: z.string().optional(),
  /** Beat times of the song, so a renderer needs nothing but the plan. */
  beats: z.array(z.number().min(0)),
  downbeats: z.array(z.number().min(0)),
  /** Strokes that cues with a `drum` hit with, seconds, ascending. Missing in older plans and for songs without drums. */
  strokes: z.object({ kick: z.array(z.number().min(0)), snare: z.array(z.number().min(0)) }).optional(),
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
  /** When machines that may do so make haze, sorted, and why: a puff at full, or low and steady. Missing in older plans. */
  haze: z
    .array(
      z.object({
        time: z.number().min(0),
        duration: z.number().min(0),
        kind: z.enum(["puff", "steady"]),
        reason: z.string(),
      }),
    )
    .optional(),
  /** The sections the plan was made for: what a person rolls again. Missing in older plans. */
  sections: z
    .array(z.object({ label: z.string(), start: z.number(), end: z.number(), rank: z.number().int().min(0).max(4) }))
    .optional(),
  /** What its judge says, and the next best of the shows that were tried. Missing in older plans. */
  choice: z
    .object({
      tried: z.number().int().min(1),
      remarks: z.array(remarkSchema),
      /** `differs`: what is different, in words. */
      runners_up: z.array(z.object({ seed, differs: z.array(z.string()) })),
    })
    .optional(),
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
export type HazeCue = NonNullable<LightingPlan["haze"]>[number];
export type LightingPlan = z.infer<typeof lightingPlanSchema>;
