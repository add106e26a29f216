import { z } from "zod";
import { GROUP_TYPES } from "./lighting-plan.ts";

/** What one DMX channel of a fixture mode does (LIGHTING vocabulary). */
export const CHANNEL_KINDS = [
  "intensity",
  "red",
  "green",
  "blue",
  "white",
  "warmWhite",
  "coolWhite",
  "amber",
  "uv",
  "lime",
  "indigo",
  "cyan",
  "magenta",
  "yellow",
  "cct",
  "colorWheel",
  "colorMacro",
  "shutter",
  "pan",
  "panFine",
  "tilt",
  "tiltFine",
  "panTiltSpeed",
  "zoom",
  "focus",
  "iris",
  "frost",
  "gobo",
  "goboRotation",
  "prism",
  "fog",
  "fan",
  "laser",
  "reset",
  "lamp",
  "program",
  "noFunction",
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

const byte = z.number().int().min(0).max(255);

const channelSchema = z.object({
  kind: z.enum(CHANNEL_KINDS),
  /** Which head or pixel the channel belongs to, 0-based; 0 for a single-head lamp. */
  head: z.number().int().min(0),
  /** Value while nothing drives the channel. */
  default: byte,
  /** Shutter only: value that lets light through, and the strobe range with its rates. */
  open: byte.optional(),
  strobe: z.object({ from: byte, to: byte, fromHz: z.number().min(0), toHz: z.number().min(0) }).optional(),
});

const fixtureModeSchema = z.object({
  name: z.string(),
  /** In slot order: channels[i] is the slot address + i. */
  channels: z.array(channelSchema).min(1).max(512),
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

const rigLightSchema = z.object({
  id: z.number().int(),
  label: z.string(),
  /** 1-based universe. */
  universe: z.number().int().min(1).max(63999),
  /** 1..512; the whole mode fits in the universe. */
  address: z.number().int().min(1).max(512),
  mode: fixtureModeSchema,
  enabled: z.boolean(),
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
export type FixtureMode = z.infer<typeof fixtureModeSchema>;
export type FixtureDefinition = z.infer<typeof fixtureDefinitionSchema>;
export type RigLight = z.infer<typeof rigLightSchema>;
export type RigGroup = z.infer<typeof rigGroupSchema>;
export type Rig = z.infer<typeof rigSchema>;
