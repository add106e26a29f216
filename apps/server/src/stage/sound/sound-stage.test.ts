import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOfUrl, STAGE_HEADERS } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { startStage, type StageServer } from "../stage-server.ts";
import { ConsoleSocket } from "../testing/console-socket.ts";
import { DeskLineSocket } from "../testing/desk-socket.ts";
import { listenForDmx, until, type DmxNode } from "../testing/dmx-node.ts";
import { framesOf, mostFlashes } from "../testing/flash-watcher.ts";
import { beatPlan, brightPlan } from "../testing/plans.ts";
import { SoundLine } from "../testing/sound-line.ts";
import { clicks, constant, drumLoop, noiseBursts, silence, square, TEST_RATE } from "../testing/sounds.ts";
import { STAGE_SECRET, startStageApi, type StageApiServer } from "../testing/stage-api-server.ts";

const LAMPS = 4;
const opened: { close(): unknown }[] = [];
let api: StageApiServer;
let node: DmxNode;
let dataDir: string;
let stage: StageServer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "followspot-sound-"));
  opened.push({ close: () => rm(dataDir, { recursive: true, force: true }) });
  api = await startStageApi();
  node = await listenForDmx();
  opened.push(node, { close: () => api.close() });
  api.plans.set("bright", async () => brightPlan());
  api.setRig(parsRig(LAMPS), [{ ...outputOfUrl(`artnet://127.0.0.1:${node.port}/0`), id: "node" }]);
});
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close();
});

async function raise(more: object = {}): Promise<void> {
  stage = await startStage({ port: 0, secret: STAGE_SECRET, dataDir, api: api.url, ...more });
  opened.push(stage);
}

const headersOf = (name: string) => ({
  [STAGE_HEADERS.secret]: STAGE_SECRET,
  [STAGE_HEADERS.user]: name.toLowerCase(),
  [STAGE_HEADERS.name]: encodeURIComponent(name),
});

async function lineOf(name: string): Promise<SoundLine> {
  const line = new SoundLine(`ws://127.0.0.1:${stage.port}/lights/sound`, { headers: headersOf(name) });
  opened.push(line);
  return line.opened();
}

async function deskOf(name: string): Promise<DeskLineSocket> {
  const line = new DeskLineSocket(`ws://127.0.0.1:${stage.port}/lights/desk`, { headers: headersOf(name) }, name);
  opened.push(line);
  await line.opened();
  await until(() => line.state!.groups.length > 0); // the rig is here
  return line;
}

const slots = () => [...(node.packets.at(-1)?.bytes.subarray(18, 18 + 3 * LAMPS) ?? [])];
const isHouseLook = () => slots()[0]! > slots()[1]! && slots()[1]! > slots()[2]! && Math.max(...slots()) < 120;
const isWhite = () => slots().length > 0 && slots().every((slot) => slot === 255);
const light = (bytes: Buffer) => bytes.subarray(18, 18 + 3 * LAMPS).reduce((sum, slot) => sum + slot, 0) / 255;

/** Moments at which light has come up from below half of its usual height. */
function risesOf(packets: DmxNode["packets"]): number[] {
  const most = Math.max(...packets.map(({ bytes }) => light(bytes)));
  const rises: number[] = [];
  let isUp = true;
  for (const { ms, bytes } of packets) {
    const level = light(bytes) / most;
    if (isUp ? level < 0.15 : level > 0.4) isUp = !isUp;
    else continue;
    if (isUp) rises.push(ms);
  }
  return rises;
}

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

describe("live sound at the stage", () => {
  it("brings light on the beats of a song nobody imported", { timeout: 40_000 }, async () => {
    await raise({ livePlan: beatPlan() });
    const line = await lineOf("Ana");
    line.start(TEST_RATE);
    const { y, beats } = drumLoop(126, 15);
    const started = await line.play(y, TEST_RATE);
    const judged = beats.filter((t) => t > 8 && t < 14.8).map((t) => started + 1000 * t);
    const rises = risesOf(node.packets.filter(({ ms }) => ms > started + 7500));
    const errors = judged.map((ms) =>
      rises.reduce((best, rise) => (Math.abs(rise - ms) < Math.abs(best) ? rise - ms : best), 999),
    );
    const held = errors.filter((error) => Math.abs(error) <= 70);
    expect(held.length / judged.length).toBeGreaterThanOrEqual(0.8);
    expect(Math.abs(medianOf(held))).toBeLessThanOrEqual(50);
    expect(line.state!.heard.pulse!.bpm).toBeGreaterThan(122);
    expect(line.state!.heard.pulse!.bpm).toBeLessThan(130);
  });
});
