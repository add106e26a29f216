import type { OutputTestAnswer } from "@followspot/contract";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { type StageServer } from "./stage-server.ts";
import { listenForDmx, until, untilSilent, type DmxNode } from "./testing/dmx-node.ts";
import { headersOf, openConsole, openDeskOfRig, openHouse, openStage, outputTo } from "./testing/house.ts";
import { twoUniverses } from "./testing/plans.ts";
import { openUntil } from "../testing/open-until.ts";

let node: DmxNode;
let other: DmxNode;
let stage: StageServer;

beforeEach(async () => {
  const house = await openHouse(4);
  node = house.node;
  other = openUntil(onTestFinished, await listenForDmx());
  house.api.setRig(twoUniverses(), [outputTo(node), { ...outputTo(other), universe: 2 }]);
  stage = await openStage(house);
});

async function test(take_over = false, output = outputTo(node).id): Promise<OutputTestAnswer> {
  const order = { output, by: "ada", take_over };
  const answer = await fetch(`http://127.0.0.1:${stage.port}/outputs/test`, { method: "POST", headers: headersOf("Ada"), body: JSON.stringify(order) }); // prettier-ignore
  return (await answer.json()) as OutputTestAnswer; // our own answer
}
const slots = (from: DmxNode) => [...(from.packets.at(-1)?.bytes.subarray(18) ?? [])];
const isFull = (from: DmxNode) => Math.max(0, ...slots(from)) > 200;
const isDark = (from: DmxNode) => from.packets.length > 0 && slots(from).every((byte) => byte === 0);

it("lights only the fixtures of one output for two seconds, then releases them", async () => {
  await openDeskOfRig(stage.port, "Ada");
  const fromMs = performance.now();
  expect(await test()).toEqual({ state: "sent", lamps: 4, seconds: 2 });
  await until(() => isFull(node));
  expect(other.packets.some(({ bytes }) => bytes.subarray(18).some((byte) => byte > 0))).toBe(false);
  await until(() => isDark(node));
  expect(performance.now() - fromMs).toBeGreaterThan(1900);
  await untilSilent(node);
  expect(isDark(node)).toBe(true);
});

it("reports the owner of the fixtures and sends nothing; with take-over it covers the show, which continues underneath", async () => {
  const player = await openConsole(stage.port, "bright");
  await player.play(1);
  await until(() => isFull(node) && isFull(other));
  expect(await test()).toEqual({ state: "held", holder: "song", holder_name: "" });
  expect(await test(true)).toMatchObject({ state: "sent" });
  await until(() => isDark(other));
  expect(isFull(node)).toBe(true);
  await until(() => isFull(other));
  expect(player.state).toMatchObject({ owner: true, mode: "playing" });
});

it("reports the holder of a desk control, and is refused during a blackout and for a disabled output", async () => {
  const desk = await openDeskOfRig(stage.port, "Ada");
  desk.press("color", "#ff0000");
  await until(async () => (await test()).state === "held");
  expect(await test()).toEqual({ state: "held", holder: "desk", holder_name: "Ada" });
  desk.press("blackout", true);
  await until(async () => (await test(true)).state === "blackout");
  expect(await test(false, "missing")).toEqual({ state: "off" });
});
