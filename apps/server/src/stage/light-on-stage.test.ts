import { lightOnStageSchema, type LightOnStage } from "@followspot/contract";
import { beforeEach, expect, it } from "vitest";
import { type StageServer } from "./stage-server.ts";
import { until, type DmxNode } from "./testing/dmx-node.ts";
import { headersOf, openConsole, openDeskOfRig, openHouse, openStage } from "./testing/house.ts";

let node: DmxNode;
let stage: StageServer;

beforeEach(async () => {
  const house = await openHouse(4);
  node = house.node;
  stage = await openStage(house);
});

async function told(light = 2): Promise<LightOnStage> {
  const answer = await fetch(`http://127.0.0.1:${stage.port}/lights/${light}`, { headers: headersOf("Ada") });
  return lightOnStageSchema.parse(await answer.json());
}

async function play(song: string, position: number): Promise<void> {
  await (await openConsole(stage.port, song)).play(position);
}
const isLit = () => Math.max(0, ...(node.packets.at(-1)?.bytes.subarray(18) ?? [])) > 200;

it("reports no holder and no slots while nothing plays", async () => {
  await openDeskOfRig(stage.port, "Ada");
  expect(await told()).toMatchObject({ holder: "nobody", is_known: true, sent: [], lanes: [] });
});

it("reports the show's request for a light, and its sent slots", async () => {
  await play("bright", 1);
  await until(isLit);
  const light = await told();
  expect(light).toMatchObject({ holder: "song", source_id: "bright", light: { asked: 1, after_desk: 1, shown: 1, color: "#ffffff" }, sent: [255, 255, 255] }); // prettier-ignore
  expect(light.position).toBeGreaterThan(1);
});

it("reports when a resting show requests light again, and nothing about an unknown light", async () => {
  await play("dark", 1);
  await until(() => node.packets.length > 2);
  expect(await told()).toMatchObject({ light: { asked: 0, shown: 0 }, next_at: 10, sent: [0, 0, 0] });
  expect(await told(99)).toMatchObject({ is_known: false, sent: [] });
});

it("reports the desk control that darkens a light, without changing the light", async () => {
  const desk = await openDeskOfRig(stage.port, "Ada");
  await play("bright", 1);
  await until(isLit);
  desk.press("mute/pars", true);
  await until(async () => (await told()).light?.after_desk === 0);
  expect(await told()).toMatchObject({ light: { asked: 1, after_desk: 0 }, darkened_by: ["mute/pars"] });
  desk.press("mute/pars", null);
  desk.press("master", 0.5);
  await until(async () => (await told()).light?.shown === 0.5);
  desk.press("blackout", true);
  await until(async () => (await told()).light?.shown === 0);
  expect(await told()).toMatchObject({ blackout: true, master: 0.5, light: { asked: 1, after_desk: 1 } });
  const isAt = (value: number) => (packet: { readonly bytes: Uint8Array }) =>
    packet.bytes.subarray(18, 30).every((byte) => byte === value);
  await until(() => node.packets.slice(-1).some(isAt(0)));
  desk.press("blackout", null);
  desk.press("master", null);
  await until(() => node.packets.slice(-1).some(isAt(255)));
  node.packets.length = 0;
  for (let i = 0; i < 50; i++) await told();
  await until(() => node.packets.length > 10);
  expect(node.packets.every(isAt(255))).toBe(true);
});
