import type { ChannelKind, FixtureChannel, FixtureDefinition, FixtureMode, GroupType } from "@followspot/contract";

type Slot = ChannelKind | FixtureChannel;

/** Strobe channel of the generic fixtures: 0..9 open, then rising strobe rates. */
const SHUTTER: FixtureChannel = {
  kind: "shutter",
  head: 0,
  default: 0,
  open: 0,
  strobe: { from: 10, to: 255, fromHz: 1, toHz: 20 },
};

/** Zoom channel. Most manufacturers start with the narrow end. */
const ZOOM: FixtureChannel = { kind: "zoom", head: 0, default: 128, range: { from: 0, to: 255 } };

const CENTRED: ReadonlySet<ChannelKind> = new Set(["pan", "tilt"]);

const GROUP_OF: Readonly<Record<string, GroupType>> = {
  par: "par",
  bar: "bar",
  strobe: "strobe",
  moving_head: "spot",
  dimmer: "wash",
};

/** Returns the default type of a group with these fixtures: "mixed" if they are of several kinds. */
export function groupTypeOf(fixtureTypes: readonly string[]): GroupType {
  const [type, ...others] = new Set(fixtureTypes.map((each) => GROUP_OF[each]));
  return type && others.length === 0 ? type : "mixed";
}

/** Common fixtures by channel layout. Our own work; models of manufacturers are imported in addition. */
export const GENERIC_FIXTURES: readonly FixtureDefinition[] = [
  generic("generic_dimmer_channel", "Dimmer", "dimmer", [mode("1 channel", ["intensity"])]),
  generic("generic_rgb_par", "RGB par", "par", [
    mode("3 channels", ["red", "green", "blue"]),
    mode("4 channels", ["intensity", "red", "green", "blue"]),
    mode("7 channels", ["intensity", "red", "green", "blue", SHUTTER, "program", "noFunction"]),
  ]),
  generic("generic_rgbw_par", "RGBW par", "par", [
    mode("4 channels", ["red", "green", "blue", "white"]),
    mode("6 channels", ["intensity", "red", "green", "blue", "white", SHUTTER]),
  ]),
  generic("generic_rgbwauv_par", "RGBWA+UV par", "par", [
    mode("6 channels", ["red", "green", "blue", "white", "amber", "uv"]),
    mode("8 channels", ["intensity", SHUTTER, "red", "green", "blue", "white", "amber", "uv"]),
  ]),
  generic("generic_rgb_bar", "RGB bar", "bar", [mode("4 heads", heads(4)), mode("8 heads", heads(8))]),
  generic("generic_strobe_lamp", "Strobe", "strobe", [mode("2 channels", ["intensity", SHUTTER])]),
  generic("generic_moving_spot", "Moving head spot", "moving_head", [
    turning({ from: 15, to: 15 }, [
      "pan",
      "panFine",
      "tilt",
      "tiltFine",
      "panTiltSpeed",
      "intensity",
      SHUTTER,
      "colorWheel",
      "gobo",
      "prism",
      "focus",
      "reset",
    ]),
  ]),
  generic("generic_moving_wash", "Moving head wash", "moving_head", [
    turning({ from: 8, to: 45 }, [
      "pan",
      "panFine",
      "tilt",
      "tiltFine",
      "panTiltSpeed",
      "intensity",
      SHUTTER,
      "red",
      "green",
      "blue",
      "white",
      ZOOM,
    ]),
  ]),
  generic("generic_hazer_machine", "Hazer", "hazer", [mode("2 channels", ["fog", "fan"])]),
  generic("generic_laser_safe", "Laser (kept off)", "laser", [mode("3 channels", ["laser", "program", "noFunction"])]),
];

function generic(key: string, model: string, type: string, modes: FixtureMode[]): FixtureDefinition {
  return { key, manufacturer: "Generic", model, name: `Generic ${model}`, type, modes };
}

function mode(name: string, slots: readonly Slot[]): FixtureMode {
  return { name, channels: slots.map(channel) };
}

/** Builds a typical moving head: one and a half turns of pan, three quarters of a turn of tilt. */
function turning(beam: FixtureMode["beam"], slots: readonly Slot[]): FixtureMode {
  return { ...mode(`${slots.length} channels`, slots), movement: { pan: 540, tilt: 270 }, beam };
}

function channel(slot: Slot): FixtureChannel {
  if (typeof slot !== "string") return slot;
  return { kind: slot, head: 0, default: CENTRED.has(slot) ? 128 : 0 };
}

function heads(count: number): FixtureChannel[] {
  return Array.from({ length: count }, (_, head) =>
    (["red", "green", "blue"] as const).map((kind) => ({ kind, head, default: 0 })),
  ).flat();
}
