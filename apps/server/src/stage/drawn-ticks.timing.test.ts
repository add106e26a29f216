import { parsRig, type LiveLight } from "@followspot/lighting";
import { outputOfUrl } from "@followspot/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { StageScene } from "./desk/desk-scene.ts";
import { DrawnTicks } from "./drawn-ticks.ts";
import { monotonicMs, TICK_HZ } from "./outputs/frame-ring.ts";
import { ShownLight } from "./shown-light.ts";
import { drawingOf } from "./lamps/scene.ts";
import { Stage } from "./stage.ts";
import { listenForDmx, until, type DmxNode } from "./testing/dmx-node.ts";
import { brightPlan, showAt } from "./testing/plans.ts";

const BANDS = { bass: 0.5, mid: 0.5, high: 0.5, energy: 0.5 };

function liveAt(position: number, more: Partial<LiveLight> = {}): StageScene & { kind: "show" } {
  return { ...showAt(position), live: { position, from: undefined, ride: 0.5, bands: BANDS, ...more } };
}

describe("rendered but unsent ticks of live sound", () => {
  const drawn = new DrawnTicks();
  for (let tick = 10; tick < 14; tick++) drawn.note(tick, liveAt(tick), 10);
  const changedFrom = (from: number, more: Partial<LiveLight>, since = 0) =>
    drawn.firstChanged(from, (tick) => liveAt(tick, tick < since ? {} : more));

  it("stay if their light looks like the current light", () => {
    expect(changedFrom(10, {})).toBeUndefined();
    expect(changedFrom(10, { ride: 0.501, bands: { ...BANDS, bass: 0.499 } })).toBeUndefined();
  });

  it("are rendered again from the first one whose light has changed visibly", () => {
    expect(changedFrom(10, { ride: 0.51 })).toBe(10);
    expect(changedFrom(10, { bands: { ...BANDS, high: 0.6 } }, 12)).toBe(12);
    expect(changedFrom(11, { from: { position: 3, share: 0.5 } })).toBe(11);
    expect(drawn.firstChanged(10, (tick) => liveAt(tick + 0.01))).toBe(10);
    expect(drawn.firstChanged(10, (tick) => ({ ...liveAt(tick), houseMix: 0.1 }))).toBe(10);
    expect(drawn.firstChanged(13, () => ({ kind: "silent" }))).toBe(13);
  });

  it("are dropped once they are sent or rendered again", () => {
    const ticks = new DrawnTicks();
    ticks.note(1, liveAt(0), 1);
    ticks.note(2, liveAt(0), 1);
    ticks.note(1, liveAt(5), 1);
    expect(ticks.firstChanged(1, () => liveAt(5))).toBeUndefined();
    ticks.note(2, liveAt(0), 2);
    expect(ticks.firstChanged(0, () => liveAt(5))).toBe(2);
  });
});

describe("a stage that follows sound", () => {
  let light: () => Partial<LiveLight> = () => ({});
  let node: DmxNode;
  let stage: Stage;
  beforeAll(async () => {
    node = await listenForDmx();
    stage = new Stage({ cid: new Uint8Array(16), name: "test" }, (ms) => liveAt(ms / 1000, light()));
    stage.setRig(parsRig(4), [outputOfUrl(`artnet://127.0.0.1:${node.port}/0`)]);
    stage.draw(drawingOf(brightPlan(), { isLive: true }));
    await until(() => node.packets.length > 2);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    await stage.close();
    await node.close();
  });

  /**
   * Returns how often each sent tick is rendered while a result arrives every 10 ms: the minimum of up to ten seconds.
   * A timer delayed by the machine adds renderings to some seconds; excess renderings by the stage occur in each.
   */
  async function drawingsPerTick(onHeard: () => void, atMost: number): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let second = 0; second < 10 && least > atMost; second++) least = Math.min(least, await countDrawings(onHeard));
    return least;
  }

  async function countDrawings(onHeard: () => void): Promise<number> {
    const draw = vi.spyOn(ShownLight.prototype, "show").mockClear();
    const before = stage.health().ticks;
    const heard = setInterval(onHeard, 10);
    await until(() => stage.health().ticks - before >= TICK_HZ);
    clearInterval(heard);
    return draw.mock.calls.length / (stage.health().ticks - before);
  }

  it("renders a tick at most twice while sound swells and fades without onsets", async () => {
    light = () => ({ ride: 0.5 + 0.3 * Math.sin(monotonicMs() / 50) });
    const drawn = await drawingsPerTick(() => {}, 2.1);
    expect(drawn).toBeGreaterThan(1.2);
    expect(drawn).toBeLessThanOrEqual(2.1);
  });

  it("renders a tick once while results do not change the light", async () => {
    light = () => ({});
    expect(await drawingsPerTick(() => stage.follow(), 1.2)).toBeLessThanOrEqual(1.2);
  });

  it("renders a tick at most four times however many onsets occur", async () => {
    let ride = 0;
    light = () => ({ ride });
    const drawn = await drawingsPerTick(() => {
      ride = 1 - ride;
      stage.follow();
    }, 4.2);
    expect(drawn).toBeLessThanOrEqual(4.2);
  });
});
