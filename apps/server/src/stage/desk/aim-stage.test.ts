import { HEAD_POSITIONS, type HeadAim, type Rig } from "@followspot/contract";
import { GENERIC_FIXTURES, parsRig, UNAIMED } from "@followspot/lighting";
import { beforeEach, expect, it } from "vitest";
import { type StageServer } from "../stage-server.ts";
import { until, type DmxNode } from "../testing/dmx-node.ts";
import { openConsole, openDeskOfRig, openHouse, openStage, outputTo } from "../testing/house.ts";
import { type StageApiServer } from "../testing/stage-api-server.ts";

let api: StageApiServer;
let node: DmxNode;
let stage: StageServer;

/** Pan, pan fine, tilt, tilt fine, speed, dimmer, shutter, red, green, blue, white, zoom. */
const WASH = GENERIC_FIXTURES.find(({ key }) => key === "generic_moving_wash")!.modes[0]!;
const HOME: HeadAim = { ...UNAIMED, home: { pan: 0.25, tilt: 0.75 }, range: { pan: 0, tilt: 0 } };

/** Returns a rig with a par at address 1 and two moving heads at 11 and 31. */
function rigOf(first: HeadAim | undefined, second?: HeadAim): Rig {
  const par = parsRig(1);
  const head = (id: number, address: number, aim: HeadAim | undefined) =>
    ({ id, label: `Head ${id}`, universe: 1, address, mode: WASH, enabled: true, ...(aim && { aim }) }); // prettier-ignore
  const group = (id: string, lightIds: number[]) => ({ id, name: id, type: "spot" as const, lightIds, enabled: true });
  return {
    lights: [...par.lights, head(11, 11, first), head(31, 31, second)],
    groups: [...par.groups, group("left", [11]), group("right", [31])],
  };
}

beforeEach(async () => {
  const house = await openHouse(1);
  ({ api, node } = house);
  api.setRig(rigOf(HOME), [outputTo(node)]);
  stage = await openStage(house);
});

const desk = (name: string) => openDeskOfRig(stage.port, name);
const bytes = (address: number, count: number) => [
  ...(node.packets.at(-1)?.bytes.subarray(17 + address, 17 + address + count) ?? []),
];
const looksAt = (address: number, ...aim: number[]) => bytes(address, 4).join() === aim.join();
const isLit = (address: number) => bytes(address, 12)[5] === 255;

async function play(): Promise<void> {
  await (await openConsole(stage.port, "bright")).play(1);
  await until(() => isLit(11));
}

// kept: Stage and lamps | Moving heads could not be aimed: every one moved around the middle of its travel | failed on
// the old code
it("applies a moving head's changed aim during a show as soon as it is stored", async () => {
  await play();
  await until(() => looksAt(11, 0x40, 0x00, 0xbf, 0xff) && looksAt(31, 0x80, 0x00, 0x80, 0x00));
  api.setRig(rigOf({ ...HOME, invertTilt: true }, { ...HOME, swap: true }), [outputTo(node)]);
  await until(() => looksAt(11, 0x40, 0x00, 0x40, 0x00) && looksAt(31, 0xbf, 0xff, 0x40, 0x00));
});

it("lights an aimed head only, follows the pad, and releases it, in the dark and in a show", async () => {
  const [ana, bo] = [await desk("Ana"), await desk("Bo")];
  expect(ana.state).toMatchObject({ movers: [11, 31], positions: HEAD_POSITIONS });
  ana.press("aim/11", "0 1");
  await until(() => isLit(11) && looksAt(11, 0x00, 0x00, 0xff, 0xff));
  expect(isLit(31)).toBe(false);
  expect(bytes(1, 3)).toEqual([0, 0, 0]);
  await until(() => bo.state!.hands["aim/11"]?.label === "Head 11");
  ana.press("aim/11", "0.25 0.125");
  await until(() => looksAt(11, 0x40, 0x00, 0x20, 0x00));
  ana.press("blackout");
  await until(() => !isLit(11));
  ana.press("blackout", null);
  await until(() => isLit(11));
  await play();
  expect(looksAt(11, 0x40, 0x00, 0x20, 0x00)).toBe(true);
  // A disconnected page releases its aim.
  ana.close();
  await until(() => bo.state!.hands["aim/11"] === undefined);
  await until(() => looksAt(11, 0x40, 0x00, 0xbf, 0xff));
});

it("keeps a head that is aimed by hand inside its guard", async () => {
  api.setRig(rigOf({ ...HOME, guard: { from: 0.25, to: 0.625 } }), [outputTo(node)]);
  const ana = await desk("Ana");
  ana.press("aim/11", "0.5 0.5");
  await until(() => looksAt(11, 0x80, 0x00, 0x9f, 0xff));
  ana.press("aim/11", "0.5 0.875");
  await until(() => isLit(11) && looksAt(11, 0x80, 0x00, 0xdf, 0xff));
  const first = node.packets.length;
  for (const tilt of [0.7, 0.6, 0.4, 0.25, 0]) ana.press("aim/11", `0.5 ${tilt}`);
  // 0.625 of 65535 is 40959.4: 0x9fff.
  await until(() => looksAt(11, 0x80, 0x00, 0x9f, 0xff));
  const tilts = node.packets.slice(first).map(({ bytes: sent }) => sent.readUInt16BE(18 + 12));
  expect(Math.min(...tilts)).toBe(0x9fff);
});

it("points all heads or those of a group at a taught or computed position, and returns them to the show", async () => {
  const band = { pan: 0.5, tilt: 0.25 };
  const floor = { pan: 1, tilt: 0 };
  api.setRig(rigOf({ ...HOME, band, floor }, { ...HOME, band }), [outputTo(node)]);
  const ana = await desk("Ana");
  await play();
  ana.press("point", "band");
  await until(() => looksAt(11, 0x80, 0x00, 0x40, 0x00) && looksAt(31, 0x80, 0x00, 0x40, 0x00));
  ana.press("point/left", "floor");
  await until(() => looksAt(11, 0xff, 0xff, 0x00, 0x00));
  // The right head was not taught this position, and its range is 0: it must not leave its home.
  ana.press("point/right", "floor");
  await until(() => looksAt(31, 0x40, 0x00, 0xbf, 0xff));
  ana.press("all", null);
  await until(() => looksAt(11, 0x40, 0x00, 0xbf, 0xff) && looksAt(31, 0x40, 0x00, 0xbf, 0xff));
});
