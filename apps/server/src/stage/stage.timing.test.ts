import { setTimeout as sleep } from "node:timers/promises";
import { parsRig } from "@followspot/lighting";
import { outputOfUrl } from "@followspot/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { monotonicMs, TICK_MS } from "./outputs/frame-ring.ts";
import { drawingOf, type ShowScene, type SilentScene } from "./lamps/scene.ts";
import { Stage } from "./stage.ts";
import { listenForDmx, until, type DmxNode } from "./testing/dmx-node.ts";
import { watchMachine } from "./testing/machine-lag.ts";
import { halfDarkPlan, movingPlan, showAt, twoUniverses } from "./testing/plans.ts";
import { openUntil } from "../testing/open-until.ts";

describe("the stage on real UDP", () => {
  it("sends every tick of a moving show, none in excess, and ends dark with three terminated packets", async () => {
    const artnet = await listen();
    const sacn = await listen();
    const start = monotonicMs();
    let isOn = true;
    const stage = newStage((ms) => (isOn ? showAt((ms - start) / 1000) : { kind: "silent" }));
    stage.setRig(twoUniverses(), [
      outputOfUrl(`artnet://127.0.0.1:${artnet.port}/0`, 1),
      outputOfUrl(`sacn://127.0.0.1:${sacn.port}/1`, 2),
    ]);
    stage.draw(drawingOf(movingPlan()));
    await until(() => artnet.packets.length > 0);
    artnet.packets.length = 0;
    const machine = watchMachine();
    await sleep(1500);
    const awake = 1 - machine.share();
    const inWindow = artnet.packets.length;
    const sequence = artnet.packets.map((p) => p.bytes[12]!);
    isOn = false;
    const stopped = monotonicMs();
    stage.refresh();
    await sleep(150);
    const count = artnet.packets.length;
    await sleep(200);

    expect(inWindow).toBeGreaterThan(58 * awake); // 1.5 s of 43.8 Hz is 66; a loaded machine may be late for a few
    expect(inWindow).toBeLessThanOrEqual(67 + machine.worst() / TICK_MS);
    expect(sequence.slice(1).every((n, i) => n === (sequence[i]! % 255) + 1)).toBe(true);
    expect(artnet.packets).toHaveLength(count); // no packets after the end
    expect(artnet.packets.at(-1)!.ms - stopped).toBeLessThan(100 + 2 * machine.worst());
    expect([...artnet.packets.at(-1)!.bytes.subarray(18)].every((v) => v === 0)).toBe(true);
    const ended = sacn.packets.filter((p) => p.bytes[112] === 0x40);
    expect(ended).toHaveLength(3);
    expect(sacn.packets.slice(-3)).toEqual(ended);
    expect([...sacn.packets.at(-1)!.bytes.subarray(126)].every((v) => v === 0)).toBe(true);
  });

  it("repeats a static look and survives a node that is off", async () => {
    const node = await listen();
    const stage = newStage(() => showAt(1));
    stage.setRig(twoUniverses(), [
      outputOfUrl(`artnet://127.0.0.1:${node.port}/0`, 1),
      outputOfUrl(`artnet://127.0.0.1:9/1`, 2), // no node listens on the discard port
    ]);
    stage.draw(drawingOf(movingPlan()));
    // A busy machine may delay one packet, not all of them.
    await until(() => {
      const gaps = node.packets.slice(1).map((p, i) => p.ms - node.packets[i]!.ms);
      return gaps.some((gap, i) => i > 0 && [gap, gaps[i - 1]!].every((g) => g > 700 && g < 1000));
    });
    expect(stage.health().outputs[1]!.send_errors).toBeGreaterThan(0);
    expect(stage.health().outputs[0]!.send_errors).toBe(0);
  });

  it("goes dark within 100 ms of a blackout and comes back", async () => {
    const node = await listen();
    let master = 1;
    const start = monotonicMs();
    const stage = newStage((ms) => ({ ...showAt((ms - start) / 1000), master }));
    stage.setRig(parsRig(4), [outputOfUrl(`artnet://127.0.0.1:${node.port}/0`)]);
    stage.draw(drawingOf(movingPlan()));
    await until(() => node.packets.some((p) => isLit(p.bytes)));
    master = 0;
    const pressed = monotonicMs();
    stage.refresh();
    await sleep(300);
    const stillLit = node.packets.filter((p) => p.ms > pressed && isLit(p.bytes));
    expect(stillLit.every((p) => p.ms - pressed < 100)).toBe(true);
    expect(isLit(node.packets.at(-1)!.bytes)).toBe(false);
    master = 1;
    stage.refresh();
    await until(() => isLit(node.packets.at(-1)!.bytes));
  });

  it("does not flash when a hundred seeks jump between dark and bright", async () => {
    const node = await listen();
    let position = 1;
    const stage = newStage(() => showAt(position));
    stage.setRig(parsRig(4), [outputOfUrl(`artnet://127.0.0.1:${node.port}/0`)]);
    stage.draw(drawingOf(halfDarkPlan()));
    await until(() => node.packets.length > 0);
    for (let i = 0; i < 100; i++) {
      position = i % 2 === 0 ? 20 : 1;
      stage.refresh();
      await sleep(10);
    }
    const rises = node.packets.filter((p, i) => i > 0 && p.bytes[18]! - node.packets[i - 1]!.bytes[18]! > 60);
    // The first look and three flashes in any second; packets may be slightly late, and closer together.
    const together = rises.map(({ ms }) => rises.filter((other) => other.ms >= ms && other.ms < ms + 900).length);
    expect(Math.max(...together)).toBeLessThanOrEqual(4);
  });
});

function newStage(sceneAt: (ms: number) => ShowScene | SilentScene): Stage {
  return openUntil(onTestFinished, new Stage({ cid: new Uint8Array(16), name: "test" }, sceneAt));
}

async function listen(): Promise<DmxNode> {
  return openUntil(onTestFinished, await listenForDmx());
}

function isLit(bytes: Buffer): boolean {
  return bytes.subarray(18).some((v) => v > 8);
}
