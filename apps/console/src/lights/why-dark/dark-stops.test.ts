import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { parsRig } from "@followspot/lighting";
import {
  GetLightOnStageResponseSchema,
  LightSchema,
  OutputHealthSchema,
  OutputSchema,
} from "@followspot/contract/lights";
import { expect, test } from "vitest";
import { lostAt, stopsOf, STOPS, type LampFacts, type StopKind } from "./dark-stops.ts";

const { mode } = parsRig(1).lights[0]!;
const light = create(LightSchema, { id: 1, label: "Left", enabled: true, universe: 1, dmxAddress: 17, channelCount: 3, mode: mode.name }); // prettier-ignore
const pars = { id: "pars", name: "Pars", enabled: true, fixtureIds: [1] };
const bars = { id: "bars", name: "Bars", enabled: true, fixtureIds: [2] };
const emu = create(OutputSchema, { id: "emu", protocol: "artnet", label: "Emu", host: "127.0.0.1", universe: 1, enabled: true }); // prettier-ignore
type Told = Extract<MessageInitShape<typeof GetLightOnStageResponseSchema>, { $typeName?: never }>;
const onStage = (more: Told = {}) =>
  create(GetLightOnStageResponseSchema, {
    holder: "queue",
    position: 83,
    master: 1,
    isKnown: true,
    light: { asked: 0.6, afterDesk: 0.6, shown: 0.6, color: "#ff0000" },
    lanes: ["pars"],
    sent: [153, 0, 0],
    ...more,
  });
const healthy = create(OutputHealthSchema, { id: "emu", state: "sending" });
const LIT: LampFacts = {
  light,
  mode,
  groups: [pars, bars],
  overlap: undefined,
  outputs: [emu],
  health: [healthy],
  stage: onStage(),
};
const dark = { asked: 0, afterDesk: 0, shown: 0, color: "#000000" };

test("light of a lit fixture passes every stop, each with its current state", () => {
  const stops = stopsOf(LIT);
  expect(stops.map(({ kind }) => kind)).toEqual(STOPS);
  expect(lostAt(stops)).toBeUndefined();
  expect(stops.every(({ isReached, isLost }) => isReached && !isLost)).toBe(true);
  expect(stops.map(({ says }) => says).join(" ")).toContain("The show queue plays, at 1:23.");
  expect(stops.at(-1)!.says).toBe("From channel 17 on: 153, 0, 0.");
});

test.each<[StopKind, string, Partial<LampFacts>]>([
  ["stage", "away", { stage: { why: "The stage is away." } }],
  ["holder", "No source has the lamps", { stage: onStage({ holder: "nobody", sent: [] }) }],
  ["master", "Blackout is on", { stage: onStage({ blackout: true, light: { ...dark, asked: 0.6 } }) }],
  ["master", "master at the desk is at 0", { stage: onStage({ master: 0, light: { ...dark, asked: 0.6 } }) }],
  ["switch", "switched off", { light: create(LightSchema, { ...light, enabled: false }) }],
  ["switch", "Every group it is in is disabled: Pars", { groups: [{ ...pars, enabled: false }, bars] }],
  ["plan", "rests for Pars now. It asks again in 0:12", { stage: onStage({ light: dark, nextAt: 95 }) }],
  ["plan", "asks no light of them any more", { stage: onStage({ light: dark }) }],
  ["plan", "nothing for this lamp", { stage: onStage({ light: dark, lanes: [] }) }],
  ["plan", "The idle look is Dark", { stage: onStage({ holder: "idle", idle: "dark", light: dark }) }],
  ["plan", "lights other lamps", { stage: onStage({ holder: "idle", idle: "house", light: dark }) }],
  ["plan", "has no dimmer and no colour", { stage: onStage({ isKnown: false, light: dark }) }],
  ["desk", "Pars is muted", { stage: onStage({ darkenedBy: ["mute/pars"], light: { ...dark, asked: 0.6 } }) }],
  ["desk", "Bars is on solo", { stage: onStage({ darkenedBy: ["solo/bars"], light: { ...dark, asked: 0.6 } }) }],
  ["light", "asked for black", { stage: onStage({ light: { asked: 1, afterDesk: 1, shown: 1, color: "#000000" } }) }],
  ["light", "stays at 0", { stage: onStage({ light: { asked: 0.001, afterDesk: 0.001, shown: 0.001, color: "#ffffff" } }) }], // prettier-ignore
  ["definition", "not known any more", { mode: undefined }],
  ["definition", "cannot be driven", { mode: { name: "2ch", channels: [{ kind: "noFunction", head: 0, default: 0 }] } }], // prettier-ignore
  ["address", "Left meets Right.", { overlap: "Left meets Right." }],
  ["address", "end at 514, past 512", { light: create(LightSchema, { ...light, dmxAddress: 512 }) }],
  ["output", "Universe 1 has no output", { outputs: [] }],
  ["reached", "Emu is down: Nothing listens at 127.0.0.1 on port 6999.", { health: [create(OutputHealthSchema, { id: "emu", state: "down", lastError: "Nothing listens at 127.0.0.1 on port 6999" })] }], // prettier-ignore
  ["reached", "Emu is turned off.", { outputs: [create(OutputSchema, { ...emu, enabled: false })] }],
  ["packet", "No packet leaves", { stage: onStage({ sent: [] }) }],
  ["packet", "All of its colours are at 0", { stage: onStage({ sent: [0, 0, 0] }) }],
])("light that ends at %s is named there: %s", (kind, words, facts) => {
  const stops = stopsOf({ ...LIT, ...facts });
  const end = lostAt(stops);
  expect([end?.kind, end?.says]).toEqual([kind, expect.stringContaining(words)]);
  const at = STOPS.indexOf(kind);
  expect(stops.map(({ isReached }) => isReached)).toEqual(STOPS.map((_, i) => i <= at));
});

test("finds a closed shutter and a dimmer at 0 in the packet", () => {
  const spot = {
    name: "3ch",
    channels: [
      { kind: "intensity", head: 0, default: 0 },
      { kind: "shutter", head: 0, default: 0, open: 255, closed: 0 },
      { kind: "red", head: 0, default: 0 },
    ],
  } as const;
  const says = (...sent: number[]) => lostAt(stopsOf({ ...LIT, mode: { ...spot, channels: [...spot.channels] }, stage: onStage({ sent }) }))?.says; // prettier-ignore
  expect(says(200, 0, 9)).toContain("Channel 18 holds its shutter closed");
  expect(says(0, 255, 9)).toContain("Its dimmer is at 0");
  expect(says(200, 255, 9)).toBeUndefined();
});

test("one working output of the universe is enough", () => {
  const other = create(OutputSchema, { ...emu, id: "other", label: "Other" });
  const health = [healthy, create(OutputHealthSchema, { id: "other", state: "down", lastError: "Unplugged" })];
  expect(lostAt(stopsOf({ ...LIT, outputs: [other, emu], health }))).toBeUndefined();
});

test("stops mention a recording only during a replay", () => {
  const idle = (holder: string) => stopsOf({ ...LIT, stage: create(GetLightOnStageResponseSchema, { holder, master: 1 }) }); // prettier-ignore
  const says = (holder: string) =>
    idle(holder)
      .filter(({ kind }) => kind === "plan" || kind === "light")
      .map((stop) => stop.says);
  expect(says("nobody")).toEqual(["Nothing is asked of the lamps.", "Nothing is asked of the lamps."]);
  expect(says("replay")).toEqual(["A recording sends its own bytes.", "A recording sends its own bytes."]);
});
