import { LiveEar } from "@followspot/analysis";
import type { HeardSound } from "@followspot/contract";
import {
  bindShow,
  LiveShow,
  mixIdleLook,
  newStates,
  parsRig,
  planLive,
  setLiveStates,
  type LivePlan,
} from "@followspot/lighting";
import { expect, it } from "vitest";
import { TICK_HZ, TICK_MS } from "../outputs/frame-ring.ts";
import { ShownLight } from "../shown-light.ts";
import { mostFlashes, type SeenFrame } from "../testing/flash-watcher.ts";
import { clicks, constant, drumLoop, noiseBursts, silence, square, TEST_RATE } from "../testing/sounds.ts";
import { liveOf } from "../testing/plans.ts";

const SECONDS = 5;
const LAMPS = 6;
const groups = parsRig(LAMPS).groups.map(({ id, type }) => ({ id, type }));

const broken = Float32Array.from(clicks(20, SECONDS), (x, n) =>
  n % 7 === 0 ? Number.NaN : n % 11 === 0 ? Infinity : x,
);
const turns = [silence(3), constant(1, 1), silence(3), drumLoop(174, 3).y];
const SOUNDS: Record<string, Float32Array> = {
  "clicks at 20 Hz": clicks(20, SECONDS),
  "noise bursts at 8 Hz": noiseBursts(8, SECONDS),
  "noise bursts at 3.3 Hz": noiseBursts(3.3, SECONDS),
  "a full-scale square, gated at 12 Hz": square(100, 12, SECONDS),
  "a constant": constant(1, SECONDS),
  silence: silence(SECONDS),
  "what is no number": broken,
  "drums at 215 BPM": drumLoop(215, SECONDS).y,
  "silence and sound by turns": Float32Array.from(turns.flatMap((part) => [...part])),
};

/** Analyzes a sound tick by tick. */
function hear(y: Float32Array): HeardSound[] {
  const ear = new LiveEar(TEST_RATE);
  const block = Math.floor(TEST_RATE / TICK_HZ);
  const ticks = Math.floor(y.length / block);
  return Array.from({ length: ticks }, (_, tick) => ear.push(y.subarray(tick * block, (tick + 1) * block)));
}

/** Renders the light for it as the stage does: show, idle look, limiter. */
function lightOf(heard: readonly HeardSound[], plan: LivePlan): SeenFrame[] {
  const show = bindShow(plan.plan, parsRig(LAMPS));
  const [live, spare, shown] = [new LiveShow(plan), newStates(show), new ShownLight(show)];
  return heard.map((sound, tick): SeenFrame => {
    const ms = tick * TICK_MS;
    live.hear(sound, ms);
    setLiveStates(show, live.at(ms), spare);
    mixIdleLook(show, "house", live.idleAt(ms), 0);
    shown.show(tick);
    const slots = shown.frame.get(1)!;
    const light = (slot: number) => slots[slot]! / 255;
    return {
      ms,
      lamps: Array.from({ length: LAMPS }, (_, i) => [light(3 * i), light(3 * i + 1), light(3 * i + 2)] as const),
    };
  });
}

const SHOWS = {
  planned: planLive({ bpm: 174, beatsPerBar: 4, groups: [], seed: 7 }),
  "planned, full of red": planLive({ bpm: 120, beatsPerBar: 4, groups, seed: 117 }),
  "on every beat": liveOf("pulse"),
  "by loudness alone": liveOf("snap"),
};

it.each(Object.entries(SOUNDS))("%s: no fixture and no rig flashes more than three times a second", (_, y) => {
  const heard = hear(y);
  for (const [name, plan] of Object.entries(SHOWS)) {
    const { lamp, rig } = mostFlashes(lightOf(heard, plan));
    expect(Math.max(lamp, rig), name).toBeLessThanOrEqual(3);
  }
});
