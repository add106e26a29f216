import type { LightingPlan, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { compileShow } from "./compile-show.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { emptyPlan } from "./empty-plan.ts";
import { setStates } from "./head-states.ts";
import { LiveLimiter } from "./live-limiter.ts";
import { parsRig } from "./reference-rigs.ts";
import { dimStates } from "./render-frame.ts";

/** As on the stage: 43.8 ticks per second, flashes counted over 45 of them. */
const TICK_HZ = 43.8;
const WINDOW_TICKS = 45;
const RISE = 0.1;
/** Rise of pure red, whose redness is its level. */
const RED_RISE = 20 / 320;

/** A minute of one intent on all fixtures at a tempo. */
function planOf(bpm: number, intent: string, params: Record<string, number>, palette = ["#ffffff"]): LightingPlan {
  const cue = {
    time: 0,
    duration: 60,
    intent,
    params,
    palette,
    section: "verse",
    energy: 0.5,
    reason: "test",
  };
  return {
    ...emptyPlan([]),
    song_id: "test",
    duration: 60,
    palette,
    beats: Array.from({ length: bpm }, (_, i) => (i * 60) / bpm),
    event_lanes: { all: [cue] },
  };
}

/** Returns what each head shows, tick by tick; `at` gives song time and master. */
function play(
  show: CompiledShow,
  ticks: number,
  at: (tick: number) => [time: number, master: number],
  isForetold = false,
) {
  const limiter = new LiveLimiter(show, WINDOW_TICKS);
  let limited = 0;
  const shown: number[][] = [];
  for (let tick = 0; tick < ticks; tick++) {
    const [time, master] = at(tick);
    if (limit(limiter, show, time, master, tick, isForetold)) limited++;
    shown.push(Array.from(show.level));
  }
  return { limiter, limited, shown };
}

function limit(
  limiter: LiveLimiter,
  show: CompiledShow,
  time: number,
  master: number,
  tick: number,
  isForetold = false,
): boolean {
  setStates(show, time);
  dimStates(show, master);
  return limiter.limit(tick, isForetold);
}

/** Returns the most rises of one head that begin within one second. */
function mostFlashes(shown: readonly (readonly number[])[], head: number, rise = RISE): number {
  const rises: number[] = [];
  let low = Number.POSITIVE_INFINITY;
  let isHigh = false;
  let high = 0;
  for (const [tick, levels] of shown.entries()) {
    const level = levels[head]!;
    if (isHigh) {
      high = Math.max(high, level);
      if (high - level >= rise) [isHigh, low] = [false, level];
    } else {
      low = Math.min(low, level);
      if (level - low >= rise) {
        [isHigh, high] = [true, level];
        rises.push(tick);
      }
    }
  }
  return Math.max(0, ...rises.map((from) => rises.filter((tick) => tick >= from && tick - from < TICK_HZ).length));
}

describe("the live limiter", () => {
  it.each([90, 128, 168, 170, 172, 174, 176, 180])("passes a plan at %i BPM unchanged", (bpm) => {
    const show = compileShow(planOf(bpm, "pulse", { level: 1, depth: 1 }), parsRig(4));
    expect(play(show, 40 * TICK_HZ, (tick) => [tick / TICK_HZ, 1], true).limited).toBe(0);
  });

  // kept: Stage and lamps | Single fixtures flashed eight times a second during rapid seeks or blackout presses |
  // failed with the fault put back
  // with the fault put back
  it("limits every fixture to three flashes per second while seeks alternate between two looks", () => {
    // One position lights the left half of a chase, the other the right half, so the rig as a whole stays equally
    // bright.
    const show = compileShow(planOf(120, "chase", { level: 1, depth: 1 }), parsRig(4));
    const places = [10, 10.5, 11, 11.5];
    const { shown } = play(show, 10 * TICK_HZ, (tick) => [places[Math.floor(tick / 3) % 4]!, 1]);
    const wanted = play(show, 1, () => [10, 1]).shown[0]!;
    expect(Math.max(...wanted)).toBeGreaterThan(0.5);
    expect([0, 1, 2, 3].map((head) => mostFlashes(shown, head)).every((most) => most <= 3)).toBe(true);
  });

  // kept: Stage and lamps | Single fixtures flashed eight times a second during rapid seeks or blackout presses | also
  it("limits every fixture to three flashes per second during rapid blackout presses, and goes dark at once", () => {
    const show = compileShow(planOf(120, "snap", { level: 1 }), parsRig(4));
    const { shown } = play(show, 10 * TICK_HZ, (tick) => [5, Math.floor(tick / 4) % 2]);
    expect([0, 1, 2, 3].map((head) => mostFlashes(shown, head))).toEqual([3, 3, 3, 3]);
    const isDark = (tick: number) => shown[tick]!.every((level) => level === 0);
    expect(shown.every((_, tick) => Math.floor(tick / 4) % 2 === 1 || isDark(tick))).toBe(true);
  });

  // kept: Stage and lamps | Bright red flashed more often than three times a second | failed with the fault put back
  it("limits bright red too, which flashes from any level", () => {
    const show = compileShow(planOf(120, "snap", { level: 1 }, ["#ff0000"]), parsRig(4));
    const { shown } = play(show, 10 * TICK_HZ, (tick) => [5, Math.floor(tick / 3) % 2 === 0 ? 1 : 0.86]);
    const asBytes = shown.map((levels) => levels.map((level) => Math.round(level * 255) / 255));
    expect([0, 1, 2, 3].map((head) => mostFlashes(asBytes, head, RED_RISE))).toEqual([3, 3, 3, 3]);
  });

  it("counts red that rises slowly and then jumps as a flash at the jump", () => {
    const show = compileShow(planOf(120, "snap", { level: 1 }, ["#ff0000"]), parsRig(4));
    const steps: [tick: number, level: number][] = [
      [10, 0.054],
      [25, 0.27],
      [27, 0.1],
      [35, 0.3],
      [37, 0.1],
    ];
    steps.push([45, 0.3], [47, 0.1], [56, 0.3], [58, 0]);
    const levelAt = (tick: number) => steps.findLast(([from]) => from <= tick)?.[1] ?? 0;
    const { shown } = play(show, 70, (tick) => [5, levelAt(tick)]);
    const asBytes = shown.map((levels) => levels.map((level) => Math.round(level * 255) / 255));
    expect([0, 1, 2, 3].map((head) => mostFlashes(asBytes, head, RED_RISE))).toEqual([3, 3, 3, 3]);
  });

  it("keeps the history of a fixture when the rig changes during the show", () => {
    const rig = parsRig(2);
    const swapped: Rig = {
      ...rig,
      lights: rig.lights.map((light) => ({ ...light, address: 512 - light.address * 4 })),
    };
    const [show, changed] = [
      compileShow(planOf(120, "snap", { level: 1 }), rig),
      compileShow(planOf(120, "snap", { level: 1 }), swapped),
    ];
    // Three flashes are used up when the rig changes.
    const { limiter } = play(show, 24, (tick) => [5, Math.floor(tick / 4) % 2]);
    limit(limiter, show, 5, 0, 24);
    const fresh = new LiveLimiter(changed, WINDOW_TICKS);
    const carried = new LiveLimiter(changed, WINDOW_TICKS);
    carried.carry(limiter);
    const isLimited = (each: LiveLimiter) => limit(each, changed, 5, 1, 28);
    expect([isLimited(fresh), isLimited(carried)]).toEqual([false, true]);
  });
});
