import { setTimeout as sleep } from "node:timers/promises";
import type { FixtureMode, Rig } from "@followspot/contract";
import { GENERIC_FIXTURES, parsRig } from "@followspot/lighting";
import { beforeEach, expect, it } from "vitest";
import { type StageServer } from "../stage-server.ts";
import { until, type DmxNode } from "../testing/dmx-node.ts";
import { openConsole, openDeskOfRig, openHouse, openStage, outputTo } from "../testing/house.ts";
import { brightPlan } from "../testing/plans.ts";
import { type StageApiServer } from "../testing/stage-api-server.ts";

let api: StageApiServer;
let node: DmxNode;
let stage: StageServer;

const HAZER = GENERIC_FIXTURES.find(({ key }) => key === "generic_hazer_machine")!.modes[0]!;
/** A fog machine: haze from 10 to 200 with a purge above it, a heater that must stay on, and a fan. */
const FOGGER: FixtureMode = {
  name: "3 channels",
  channels: [
    { kind: "fog", head: 0, default: 0, range: { from: 0, to: 200 } },
    { kind: "effect", head: 0, default: 255 },
    { kind: "fan", head: 0, default: 0 },
  ],
};
/** A fixture with a cooling fan. */
const COOLED: FixtureMode = {
  name: "2 channels",
  channels: [
    { kind: "intensity", head: 0, default: 0 },
    { kind: "fan", head: 0, default: 0 },
  ],
};

/**
 * Returns a rig: a par at 1, hazers at 11 and 21, a fixture with a fan at 31. @param hazeInShows permission of shows
 * for the hazer at 11
 */
function rig(hazeInShows?: "puffs" | "steady"): Rig {
  const par = parsRig(1);
  const machine = (id: number, mode: FixtureMode) =>
    ({ id, label: `Machine ${id}`, universe: 1, address: id, mode, enabled: true }); // prettier-ignore
  const hazer = { ...machine(11, HAZER), ...(hazeInShows && { hazeInShows }) };
  return { ...par, lights: [...par.lights, hazer, machine(21, FOGGER), machine(31, COOLED)] };
}

beforeEach(async () => {
  const house = await openHouse(1);
  ({ api, node } = house);
  api.setRig(rig(), [outputTo(node)]);
  stage = await openStage(house);
});

const desk = (name: string) => openDeskOfRig(stage.port, name);
const machines = () => {
  const slots = node.packets.at(-1)?.bytes.subarray(18);
  return slots ? [...slots.subarray(10, 12), ...slots.subarray(20, 23), slots[31]] : [];
};
const are = (...bytes: number[]) => machines().join() === bytes.join();
const hazes = () => are(255, 255, 200, 255, 255, 0);
const rests = () => are(0, 0, 0, 255, 0, 0);

// kept: Stage and lamps | Hazers could not be run, not even manually | failed on the old code
it("runs hazers while haze is pressed, without a show and in one, and stops at once after the release", async () => {
  const [ana, bo] = [await desk("Ana"), await desk("Bo")];
  expect(ana.state!.hazers).toBe(2);
  ana.press("haze");
  await until(hazes);
  await until(() => bo.state!.hands["haze"]?.owner_name === "Ana");
  ana.press("haze", null);
  await until(rests);
  const player = await openConsole(stage.port, "bright");
  await player.play(1);
  await until(() => node.packets.at(-1)!.bytes[18] === 255);
  // A plan never runs hazers, and the master dims only light.
  expect(rests()).toBe(true);
  ana.press("master", 0.5);
  ana.press("haze");
  await until(() => hazes() && node.packets.at(-1)!.bytes[18] === 128);
  // The phone of the presser loses its connection.
  ana.close();
  await until(rests);
});

it("stops hazers during a blackout, and resumes after it if haze is still pressed", async () => {
  const ana = await desk("Ana");
  ana.press("haze");
  await until(hazes);
  ana.press("blackout");
  await until(rests);
  ana.press("blackout", null);
  await until(hazes);
});

// kept: Stage and lamps | Hazers could not be run, not even manually | also
it("stops haze after ten seconds however long it is held, and restarts it with the next press", async () => {
  const [ana, bo] = [await desk("Ana"), await desk("Bo")];
  // The outputs take a moment to start.
  ana.press("blinder");
  await until(() => node.packets.at(-1)?.bytes[18] === 255);
  ana.press("blinder", null);
  await until(() => node.packets.at(-1)!.bytes[18] === 0);
  const first = node.packets.length;
  ana.press("haze");
  await until(hazes);
  bo.press("haze");
  await until(() => ana.state!.hands["haze"] === undefined);
  await until(rests);
  const sent = node.packets.slice(first);
  const begun = sent.findIndex(({ bytes }) => bytes[18 + 10] === 255);
  const ended = sent.findIndex(({ bytes }, i) => i > begun && bytes[18 + 10] === 0);
  const seconds = (sent[ended]!.ms - sent[begun]!.ms) / 1000;
  expect(seconds).toBeGreaterThan(9.5);
  expect(seconds).toBeLessThan(10.3);
  ana.press("haze");
  await until(hazes);
});

it("refuses haze if no fixture produces it", async () => {
  api.setRig(parsRig(1), [outputTo(node)]);
  const ana = await desk("Ana");
  await until(() => ana.state!.hazers === 0);
  const id = ana.press("haze");
  await until(() => ana.answer(id)?.type === "refused");
  expect(ana.answer(id)).toMatchObject({ message: "There is no lamp that makes haze." });
});

it("puffs haze in a show on the only permitted machine, and not during blackout, hold or pause", async () => {
  const haze = [{ time: 6, duration: 30, kind: "puff" as const, reason: "test" }];
  api.plans.set("hazy", async () => ({ ...brightPlan(), haze }));
  const ana = await desk("Ana");
  const player = await openConsole(stage.port, "hazy");
  await player.play(7);
  await until(() => node.packets.at(-1)?.bytes[18] === 255);
  // No Admin has permitted it: no byte of a machine has left its rest value.
  await sleep(500);
  const lit = node.packets.filter(({ bytes }) => bytes[18] === 255);
  expect(lit.every(({ bytes }) => bytes[18 + 10] === 0 && bytes[18 + 20] === 0)).toBe(true);
  api.setRig(rig("puffs"), [outputTo(node)]);
  const puffs = () => are(255, 255, 0, 255, 0, 0);
  await until(puffs);
  ana.press("blackout");
  await until(() => rests() && node.packets.at(-1)!.bytes[18] === 0);
  ana.press("blackout", null);
  await until(puffs);
  ana.press("hold");
  await until(() => rests() && node.packets.at(-1)!.bytes[18] === 255);
  ana.press("hold", null);
  await until(puffs);
  player.say({ type: "pause" });
  await until(rests);
});
