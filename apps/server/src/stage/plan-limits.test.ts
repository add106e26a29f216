import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { monotonicMs } from "./outputs/frame-ring.ts";
import { PlanLimits } from "./plan-limits.ts";
import { until } from "./testing/dmx-node.ts";

/** Simulates a song of many minutes on a rig so large that each second of it takes 2 ms. */
function largeRig() {
  const work = { reached: 0, isDone: false };
  function* slices() {
    for (; work.reached < 900; work.reached++) {
      yield work.reached;
      for (const end = monotonicMs() + 2; monotonicMs() < end;);
    }
    work.isDone = true;
  }
  return { work, slices: slices() };
}

function limit(slices: Iterator<number>, positionNow: () => number | undefined): PlanLimits {
  const limits = new PlanLimits(slices, positionNow);
  onTestFinished(() => limits.stop());
  return limits;
}

describe("flash limits of a running plan", () => {
  // kept: Stage and lamps | A plan for a large rig blocked the stage for ten seconds | failed with the fault put back
  it("are computed at once around the playback position, also after a seek, and otherwise leave the core free", async () => {
    const { work, slices } = largeRig();
    let position: number | undefined = 50;
    limit(slices, () => position);
    await until(() => work.reached >= 60);
    const ahead = work.reached;
    await sleep(600);
    // A tenth of what a core could do in that time.
    expect(work.reached - ahead).toBeLessThan(30);
    position = 400;
    await until(() => work.reached >= 410);
    position = undefined;
    const left = work.reached;
    await sleep(600);
    expect(work.reached).toBeGreaterThan(left);
    expect(work.isDone).toBe(false);
  });

  it("are completed on a small rig whether the show plays or not", async () => {
    let isDone = false;
    function* slices() {
      for (let second = 0; second < 900; second++) yield second;
      isDone = true;
    }
    limit(slices(), () => undefined);
    await until(() => isDone);
  });

  it("stop with their show", async () => {
    const { work, slices } = largeRig();
    limit(slices, () => 800).stop();
    const reached = work.reached;
    await sleep(50);
    expect(work.reached).toBe(reached);
  });
});
