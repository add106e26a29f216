import { z } from "zod";
import { GROUP_TYPES } from "./lighting-plan.ts";
import { CHANNEL_KINDS } from "./rig-words.ts";

const byte = z.number().int().min(0).max(255);

/** One position of a colour wheel. */
const wheelSlotSchema = z.object({
  /** A value that lies safely within the position. */
  value: byte,
  /** What the light looks like behind it, #rrggbb. */
  color: z.string().regex(/^#[0-9a-f]{6}$/),
});

const channelSchema = z.object({
  kind: z.enum(CHANNEL_KINDS),
  /** Which head or pixel the channel belongs to, 0-based; 0 for a single-head lamp. */
  head: z.number().int().min(0).max(511),
  /** Value while nothing drives the channel: lamp, reset and program ranges are never in its way. */
  default: byte,
  /** Shutter only: value that lets light through, and the strobe range with its rates. */
  open: byte.optional(),
  strobe: z.object({ from: byte, to: byte, fromHz: z.number().min(0), toHz: z.number().min(0) }).optional(),
  /** What the channel shows while its head is dark, where that is not the dark end of its range; of a shutter: closed. */
  closed: byte.optional(),
  /**
   * Values from no light to all of it, where they are not 0 to 255; `from` above `to` turns the channel round. Of a zoom:
   * from its narrowest beam to its widest; without it the ends are unknown, and it rests. Of fog: from rest to all of it.
   */
  range: z.object({ from: byte, to: byte }).optional(),
  /** How light follows the value: in proportion, or as its square, so that half the value is a quarter of the light. */
  curve: z.enum(["linear", "square"]).optional(),
  /** Positions of a colour wheel or colour macro; without them it stays at its default. */
  slots: z.array(wheelSlotSchema).max(128).optional(),
  /** Of a gobo wheel: a value for each of its still gobos. Without them it stays at its default. */
  gobos: z.array(byte).min(1).max(64).optional(),
  /**
   * Of a prism or a frost: the value that has it in the beam, the prism still and all of the frost; of gobo rotation: a slow
   * turn. Without it the channel stays at its default.
   */
  on: byte.optional(),
});

const degrees = z.number().positive().max(3600);

const pixelPlace = z.number().int().min(0).max(511);

const fixtureModeSchema = z.object({
  name: z.string(),
  /** In slot order: channels[i] is the slot address + i. */
  channels: z.array(channelSchema).min(1).max(512),
  /** Where the heads of a matrix are, from the left and from the top; without it they are one row in their order. */
  pixels: z
    .array(z.object({ head: z.number().int().min(0).max(511), column: pixelPlace, row: pixelPlace }))
    .max(512)
    .optional(),
  /** How far a head turns from one end of a channel to the other, degrees, and how fast at the most, degrees a second. */
  movement: z
    .object({
      pan: degrees.optional(),
      tilt: degrees.optional(),
      panSpeed: degrees.optional(),
      tiltSpeed: degrees.optional(),
    })
    .optional(),
  /** Angle of the beam, degrees: narrowest and widest; the same without a zoom. */
  beam: z.object({ from: z.number().min(0).max(360), to: z.number().min(0).max(360) }).optional(),
});

/** A lamp model. `key` is stable and names the light type in the API. */
export const fixtureDefinitionSchema = z.object({
  key: z.string(),
  manufacturer: z.string(),
  model: z.string(),
  name: z.string(),
  /** "par", "bar", "strobe", "moving_head", "dimmer", "laser", "hazer"… */
  type: z.string(),
  modes: z.array(fixtureModeSchema).min(1),
});

const share = z.number().min(0).max(1);

/** Shares of the whole travel of pan and tilt, as the pad shows them: before swap and invert. */
const aimPointSchema = z.object({ pan: share, tilt: share });

/** Where a lamp with pan and tilt looks. */
export const headAimSchema = z.object({
  home: aimPointSchema,
  /** How far a show moves it from where it looks, to either side. */
  range: aimPointSchema,
  invertPan: z.boolean(),
  invertTilt: z.boolean(),
  /** Its pan moves as tilt, and its tilt as pan. */
  swap: z.boolean(),
  band: aimPointSchema.optional(),
  hall: aimPointSchema.optional(),
  floor: aimPointSchema.optional(),
  /** Tilt its beam never has, to keep out of eyes: it stays on the side of it on which home is. */
  guard: z.object({ from: share, to: share }).optional(),
});

/**
 * Where a light is, and how it is fixed there. Metres from where the middle of the stage meets its back wall: `x` to the
 * right as the hall sees it, `y` towards the hall, `z` up from the floor of the stage.
 */
export const poseSchema = z.object({
  x: z.number().min(-100).max(100),
  y: z.number().min(-100).max(100),
  z: z.number().min(0).max(50),
  /** It hangs from a truss; otherwise it stands. */
  hangs: z.boolean(),
  /** Degrees its front is turned from facing the hall, clockwise as seen from above. */
  turn: z.number().min(-180).max(180),
  /** Of a light without tilt: degrees its beam leans to its front, from straight down (hangs) or straight up (stands). */
  lean: z.number().min(-180).max(180),
});

const rigLightSchema = z.object({
  id: z.number().int(),
  label: z.string(),
  /** 1-based universe. */
  universe: z.number().int().min(1).max(63999),
  /** 1..512; the whole mode fits in the universe. */
  address: z.number().int().min(1).max(512),
  mode: fixtureModeSchema,
  enabled: z.boolean(),
  /** Without it the light hangs or stands where lights of its group are put. */
  pose: poseSchema.optional(),
  /** What shows may do with its haze: single puffs, or low and steady haze as well. Without it, nothing. */
  hazeInShows: z.enum(["puffs", "steady"]).optional(),
  /** Without it a show moves it around the middle of its travel. */
  aim: headAimSchema.optional(),
});

const rigGroupSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(GROUP_TYPES),
  /** Light ids in stage order, left to right. */
  lightIds: z.array(z.number().int()),
  enabled: z.boolean(),
});

/** All patched lights and the groups a plan's targets are resolved against. */
export const rigSchema = z.object({
  lights: z.array(rigLightSchema),
  groups: z.array(rigGroupSchema),
});

export type FixtureChannel = z.infer<typeof channelSchema>;
export type WheelSlot = z.infer<typeof wheelSlotSchema>;
export type FixtureMode = z.infer<typeof fixtureModeSchema>;
export type FixtureDefinition = z.infer<typeof fixtureDefinitionSchema>;
export type AimPoint = z.infer<typeof aimPointSchema>;
export type HeadAim = z.infer<typeof headAimSchema>;
export type Pose = z.infer<typeof poseSchema>;
export type RigLight = z.infer<typeof rigLightSchema>;
export type HazeInShows = NonNullable<RigLight["hazeInShows"]>;
export type RigGroup = z.infer<typeof rigGroupSchema>;
export type Rig = z.infer<typeof rigSchema>;
