/* Apart from the shapes of files: a page that names these reads this without the library that checks shapes. */

/** What one DMX channel of a fixture mode does (LIGHTING vocabulary). */
export const CHANNEL_KINDS = [
  "intensity",
  "intensityFine",
  "red",
  "redFine",
  "green",
  "greenFine",
  "blue",
  "blueFine",
  "white",
  "whiteFine",
  "warmWhite",
  "coolWhite",
  "amber",
  "amberFine",
  "uv",
  "uvFine",
  "lime",
  "limeFine",
  "indigo",
  "cyan",
  "cyanFine",
  "magenta",
  "magentaFine",
  "yellow",
  "yellowFine",
  "hue",
  "saturation",
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
  "effect",
  "noFunction",
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Where a lamp can be taught to look, beside its home. */
export const AIM_POSITIONS = ["band", "hall", "floor"] as const;

/**
 * Where heads can look, as the `aim` of a cue and at the desk: what a lamp was not taught is worked out from where it is. The
 * first one is where a head looks whose cue names none.
 */
export const HEAD_POSITIONS = ["home", ...AIM_POSITIONS, "ceiling", "crossed", "fan", "point"] as const;
export type AimPosition = (typeof AIM_POSITIONS)[number];
export type HeadPosition = (typeof HEAD_POSITIONS)[number];
