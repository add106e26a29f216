import type { LightingPlan, Rig } from "@followspot/contract";
import { GENERIC_FIXTURES, parsRig, UNAIMED } from "@followspot/lighting";
import { beforeEach, expect, it } from "vitest";
import { type StageServer } from "../stage-server.ts";
import { until, type DmxNode } from "../testing/dmx-node.ts";
import { watchMachine } from "../testing/machine-lag.ts";
import { TICK_MS } from "../outputs/frame-ring.ts";
import { openConsole, openDeskOfRig, openHouse, openStage, outputTo } from "../testing/house.ts";
import { brightPlan } from "../testing/plans.ts";
import { type StageApiServer } from "../testing/stage-api-server.ts";

let api: StageApiServer;
let node: DmxNode;
let stage: StageServer;

/**
 * Channels: pan, pan fine, tilt, tilt fine, speed, dimmer, shutter, red, green, blue, white, zoom. Range 400 by 200
 * degrees, at 100 degrees per second each.
 */
const HEAD = {
  ...GENERIC_FIXTURES.find(({ key }) => key === "generic_moving_wash")!.modes[0]!,
  movement: { pan: 400, tilt: 200, panSpeed: 100, tiltSpeed: 100 },
};
const MIDDLE = { pan: 0.5, tilt: 0.5 };
const AIM = { ...UNAIMED, home: MIDDLE, band: MIDDLE, hall: { pan: 1, tilt: 1 }, range: { pan: 0.35, tilt: 0.2 } };

/** Returns a rig: pars at 1, 4, 7 and 10, a moving head at 31. */
function rig(): Rig {
  const pars = parsRig(4);
  const head = { id: 31, label: "Head", universe: 1, address: 31, mode: HEAD, enabled: true, aim: AIM };
  const spots = { id: "spots", name: "Spots", type: "spot" as const, lightIds: [31], enabled: true };
  return { lights: [...pars.lights, head], groups: [...pars.groups, spots] };
}

/** Returns a plan of permanent blue, in a show whose base is blue and whose contrast is amber. */
function bluePlan(): LightingPlan {
  const plan = brightPlan();
  const [cue] = plan.event_lanes["all"]!;
  const palette = ["#0000ff", "#0080ff", "#ff9000", "#ff0038"];
  return { ...plan, palette, event_lanes: { all: [{ ...cue!, palette: ["#0000ff"] }] } };
}

beforeEach(async () => {
  const house = await openHouse(4);
  ({ api, node } = house);
  api.plans.set("blue", async () => bluePlan());
  api.setRig(rig(), [outputTo(node)]);
  stage = await openStage(house);
});

const desk = (name: string) => openDeskOfRig(stage.port, name);
const slots = () => [...(node.packets.at(-1)?.bytes.subarray(18, 18 + 12) ?? [])];
const are = (...colors: number[][]) => slots().join() === colors.flat().join();
const each = (color: number[]) => [color, color, color, color];
const [BLUE, RED, DARK] = [[0, 0, 255], [255, 0, 0], [0, 0, 0]]; // prettier-ignore

async function play(song: string): Promise<void> {
  await (await openConsole(stage.port, song)).play(1);
}

it("glides to a calmer show and back, never by more than a tenth per step", async () => {
  const ana = await desk("Ana");
  await play("blue");
  await until(() => are(...each(BLUE)));
  const [begun, calm] = [node.packets.length, each([0, 0, 153])];
  ana.press("size", -2);
  await until(() => are(...calm));
  ana.press("size", null);
  await until(() => !("size" in ana.state!.hands));
  await until(() => are(...each(BLUE)));
  const levels = node.packets.slice(begun).map(({ bytes }) => bytes[18 + 2]!);
  const steps = levels.slice(1).map((level, i) => Math.abs(level - levels[i]!));
  expect(Math.max(...steps)).toBeLessThan(25);
});

it("recolors the show to a pair, and restores its colors after the release", async () => {
  const [ana, bo] = [await desk("Ana"), await desk("Bo")];
  await play("blue");
  await until(() => are(...each(BLUE)));
  ana.press("pair", "fire");
  await until(() => are(...each(RED)));
  await until(() => bo.state!.hands["pair"]?.value === "fire");
  bo.press("pair", "cyan and magenta");
  // Magenta leads: #ff00e0 in linear light.
  await until(() => are(...each([255, 0, 190])));
  ana.press("color", "#ff0000");
  await until(() => are(...each(RED)));
  ana.press("all", null);
  await until(() => are(...each(BLUE)));
});

it("lights the rig in both colors of a pair while nothing plays, unless the idle look is dark", async () => {
  const ana = await desk("Ana");
  ana.press("pair", "red and blue");
  await until(() => are(BLUE, RED, BLUE, RED));
  ana.press("idle", "dark");
  await until(() => are(...each(DARK)));
  ana.press("idle", null);
  await until(() => are(BLUE, RED, BLUE, RED));
  ana.press("mute/pars");
  await until(() => are(...each(DARK)));
  ana.press("mute/pars", null);
  ana.press("pair", null);
  await until(() => are(...each(DARK)));
});

it("refuses an unknown pair or movement effect, and effects without moving heads", async () => {
  const ana = await desk("Ana");
  const refusal = async (control: string, value: string) => {
    const id = ana.press(control, value);
    await until(() => ana.answer(id) !== undefined);
    const answer = ana.answer(id)!;
    return answer.type === "refused" ? answer.message : answer.type;
  };
  expect(await refusal("pair", "mauve and beige")).toBe("There is no pair of colors of this name.");
  expect(await refusal("figure", "spiral")).toContain("Heads draw sway, circle, eight");
  expect(await refusal("figure/pars", "circle")).toBe("taken");
  api.setRig(parsRig(4), [outputTo(node)]);
  await until(() => ana.state!.movers?.length === 0);
  expect(await refusal("figure", "circle")).toBe("There is no lamp with pan or tilt.");
});

/** Returns the positions sent to the head, with their times, from a packet on. */
const aimsFrom = (first: number) =>
  node.packets.slice(first).map(({ ms, bytes }) => ({
    ms,
    pan: bytes.readUInt16BE(18 + 30) / 65_535,
    tilt: bytes.readUInt16BE(18 + 32) / 65_535,
  }));
const last = () => aimsFrom(node.packets.length - 1)[0]!;
/** Returns the longest step from one packet to the next, as a share of the travel; a packet is a tick. */
const longestStep = (of: "pan" | "tilt", first: number) =>
  aimsFrom(first).reduce((most, aim, i, all) => Math.max(most, i > 0 ? Math.abs(aim[of] - all[i - 1]![of]) : 0), 0);

it("points a lit head no faster than it can turn: 100 of 400 degrees of pan and of 200 of tilt take seconds", async () => {
  const ana = await desk("Ana");
  await play("blue");
  await until(() => node.packets.length > 0 && last().pan > 0.49 && last().pan < 0.51);
  const first = node.packets.length;
  const machine = watchMachine();
  ana.press("point", "hall");
  await until(() => last().pan === 1 && last().tilt === 1);
  // A tick is 1/43.8 s; ticks skipped by a busy machine add to one step.
  const ticks = () => 5 + machine.worst() / TICK_MS;
  const [pan, tilt] = [0.25 / 43.8, 0.5 / 43.8];
  expect(longestStep("pan", first)).toBeLessThan(ticks() * pan);
  expect(longestStep("tilt", first)).toBeLessThan(ticks() * tilt);
  const way = aimsFrom(first).filter(({ pan: at }) => at > 0.51 && at < 0.99);
  const seconds = (way.at(-1)!.ms - way[0]!.ms) / 1000;
  // 0.48 of 400 degrees takes 1.92 s.
  expect(seconds).toBeGreaterThan(1.75);
  expect(seconds).toBeLessThan(2.2);
  ana.press("point", null);
  await until(() => last().pan < 0.51);
  expect(longestStep("pan", first)).toBeLessThan(ticks() * pan);
});

it("runs a movement effect around the position preset, at its full width, no faster than the head, on the song's beats", async () => {
  const ana = await desk("Ana");
  await play("blue");
  ana.press("point", "band");
  ana.press("figure", "sway");
  await until(() => node.packets.length > 100);
  const first = node.packets.length;
  await until(() => node.packets.length > first + 190);
  const drawn = aimsFrom(first);
  const pans = drawn.map(({ pan }) => pan);
  // 0.6 of 60 degrees to either side, in 8 beats of 0.5 s.
  const reach = 36 / 400;
  expect(Math.max(...pans) - 0.5).toBeCloseTo(reach, 2);
  expect(0.5 - Math.min(...pans)).toBeCloseTo(reach, 2);
  expect(Math.max(...drawn.map(({ tilt }) => Math.abs(tilt - 0.5)))).toBeLessThan(1e-4);
  ana.press("figure/spots", "bounce");
  await until(() => Math.abs(last().tilt - 0.5) > 0.04 && Math.abs(last().pan - 0.5) < 1e-3);
  ana.press("all", null);
  await until(() => last().pan === 0.5 || Math.abs(last().pan - 0.5) < 1e-4);
});
