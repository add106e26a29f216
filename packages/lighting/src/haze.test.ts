import type { LightingPlan, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { bindShow } from "./compile-show.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";
import { HAZE_AT, PuffBudget } from "./haze.ts";
import { planShow } from "./plan/plan-show.ts";
import { planLive } from "./live/live-plan.ts";
import { renderFrame } from "./render-frame.ts";
import { planWith } from "./testing/random-plan.ts";
import { CLUB_FORM, syntheticAnalysis } from "./testing/synthetic-analysis.ts";

/** Fog and fan from address 1; a fogger with fog up to 200 and a purge above it. */
const MODE = GENERIC_FIXTURES.find(({ key }) => key === "generic_hazer_machine")!.modes[0]!;
const FOGGER = {
  name: "1 channel",
  channels: [{ kind: "fog" as const, head: 0, default: 0, range: { from: 0, to: 200 } }],
};

function rigOf(hazeInShows?: "puffs" | "steady"): Rig {
  const machine = (id: number, mode: typeof MODE) =>
    ({ id, label: `Machine ${id}`, universe: 1, address: id, mode, enabled: true, ...(hazeInShows && { hazeInShows }) }); // prettier-ignore
  return { lights: [machine(1, MODE), machine(11, FOGGER)], groups: [] };
}
/** Fog and fan of the hazer, and the fog of the fogger. */
const bytesAt = (plan: LightingPlan, t: number, rig: Rig, master = 1) => {
  const slots = renderFrame(bindShow(plan, rig), t, undefined, master).get(1)!;
  return [slots[0], slots[1], slots[10]];
};

const club = planShow(syntheticAnalysis({ form: CLUB_FORM }), { groups: [], seed: 1 });
const puffs = club.haze!.filter(({ kind }) => kind === "puff");

describe("the haze of a plan", () => {
  it("has a four-second puff that ends four seconds before each drop, with a reason", () => {
    const drops = club.sections!.filter(({ label }) => label === "drop");
    expect(puffs.map(({ time, duration }) => time + duration + 4)).toEqual(drops.map(({ start }) => start));
    for (const { reason } of puffs) expect(reason).toMatch(/^a puff of haze for the \w+ drop, /);
  });

  it("is low and steady only under a song with moving heads", () => {
    const analysis = syntheticAnalysis({ form: CLUB_FORM });
    const kinds = (type: "par" | "spot") =>
      planShow(analysis, { groups: [{ id: "a", type }], seed: 1 }).haze!.map(({ kind }) => kind);
    expect(kinds("spot").filter((kind) => kind === "steady")).toHaveLength(1);
    expect(kinds("par")).not.toContain("steady");
  });

  it("is not planned for live sound, because the next drop is unknown", () => {
    expect(planLive({ bpm: 120, beatsPerBar: 4, groups: [], seed: 1 }).plan.haze).toBeUndefined();
  });
});

describe("the channels of a haze machine", () => {
  const everyMoment = Array.from({ length: Math.floor(club.duration * 4) }, (_, i) => i / 4);

  it("rest throughout a show unless an Admin has allowed haze", () => {
    const show = bindShow(club, rigOf());
    for (const t of everyMoment) expect([...renderFrame(show, t).get(1)!].every((byte) => byte === 0)).toBe(true);
  });

  it("follow the plan once allowed: puffs on both machines, low haze on those that may", () => {
    const { time, duration } = puffs[0]!;
    expect(bytesAt(club, time + duration / 2, rigOf("puffs"))).toEqual([255, 255, 200]);
    expect(bytesAt(club, time - 1, rigOf("puffs"))).toEqual([0, 0, 0]);
    expect(bytesAt(club, time + duration, rigOf("puffs"))).toEqual([0, 0, 0]);
    // A quarter of 255, and of 200.
    expect(bytesAt(club, time - 1, rigOf("steady"))).toEqual([64, 64, 50]);
    expect(bytesAt(club, time + 1, rigOf("steady"))).toEqual([255, 255, 200]);
  });

  it("rest in the first seconds, in a blackout and after the song, whatever the plan", () => {
    const always = { ...planWith({}), haze: [{ time: 0, duration: 20, kind: "puff" as const, reason: "test" }] };
    expect(bytesAt(always, 4.9, rigOf("puffs"))).toEqual([0, 0, 0]);
    expect(bytesAt(always, 5, rigOf("puffs"))).toEqual([255, 255, 200]);
    expect(bytesAt(always, 5, rigOf("puffs"), 0)).toEqual([0, 0, 0]);
    expect(bytesAt(club, club.duration + 1, rigOf("steady"))).toEqual([0, 0, 0]);
  });
});

describe("the puff budget", () => {
  const HZ = 40;
  /** Ticks that may puff within some minutes, for the given requests. */
  function allowed(minutes: number, wants: (tick: number) => boolean): boolean[] {
    const budget = new PuffBudget(HZ);
    const haze = new Float32Array(3);
    return Array.from({ length: minutes * 60 * HZ }, (_, tick) => {
      haze[HAZE_AT.puff] = wants(tick) ? 1 : 0;
      budget.spend(haze);
      return haze[HAZE_AT.puff] === 1;
    });
  }

  it("allows at most 20 s per minute, however often puffs are requested", () => {
    for (const wants of [() => true, (tick: number) => tick % (12 * HZ) < 6 * HZ, (tick: number) => tick % 3 !== 0]) {
      const ticks = allowed(6, wants);
      let inMinute = 0;
      for (const [tick, isPuffing] of ticks.entries()) {
        inMinute += Number(isPuffing) - Number(ticks[tick - 60 * HZ] ?? false);
        expect(inMinute).toBeLessThanOrEqual(20 * HZ);
      }
      expect(ticks.filter(Boolean).length).toBeGreaterThan(9 * HZ);
    }
  });

  it("passes the puffs of usual shows unchanged", () => {
    const wants = (tick: number) => tick % (40 * HZ) >= 36 * HZ;
    expect(allowed(6, wants)).toEqual(Array.from({ length: 6 * 60 * HZ }, (_, tick) => wants(tick)));
  });
});
