import { slotOf, type Cue, type LightingPlan, type Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { luminance } from "./color.ts";
import { compileShow } from "./compile-show.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";
import { rednessOf } from "./flash-limiter.ts";
import { planWith, randomPlan } from "./testing/random-plan.ts";
import { parsRig, REFERENCE_RIGS, rigOf } from "./reference-rigs.ts";
import { fixtureStates, houseLook, newFrame, renderFrame } from "./render-frame.ts";

const TIMES = [0, 0.013, 1.7, 5, 9.99, 12.345, 19.9, 31];
const hex = (frame: ReadonlyMap<number, Uint8Array>) =>
  [...frame].map(([u, slots]) => `${u}:${slots.join(" ")}`).join();

describe("renderFrame", () => {
  it("gives the same bytes for the same inputs, in any order of seeking", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const plan = randomPlan(seed);
      const { rig } = REFERENCE_RIGS[seed % 3]!;
      const [show, other] = [compileShow(plan, rig), compileShow(plan, rig)];
      const forward = TIMES.map((t) => hex(renderFrame(show, t)));
      const backward = TIMES.toReversed().map((t) => hex(renderFrame(other, t)));
      expect(backward.toReversed()).toEqual(forward);
    }
  });

  it("alternates two colors fixture by fixture, or in groups of neighbors in rows of more than eight", () => {
    const both = { ...cue("snap", 0, 10), palette: ["#ff0000", "#0000ff"], params: { spread: "alternate" } };
    const colorsOn = (count: number) => {
      const pars = { id: "pars", type: "par", model: "generic_rgb_par", mode: 0, count } as const;
      const wash = { id: "wash", type: "wash", model: "generic_rgb_par", mode: 0, count: 1 } as const;
      return fixtureStates(compileShow(planWith({ "role:par": [both] }), rigOf([pars, wash])), 5)
        .slice(0, count)
        .map(({ rgb: [red, , blue] }) => (red > blue ? "r" : "b"))
        .join("");
    };
    expect(colorsOn(4)).toBe("rbrb");
    expect(colorsOn(8)).toBe("rbrbrbrb");
    expect(colorsOn(12)).toBe("rrbbrrbbrrbb");
    expect(colorsOn(24)).toBe("rrrbbbrrrbbbrrrbbbrrrbbb");
  });

  it("writes nothing outside the patch", () => {
    const rig = everyFixtureRig();
    const patched = new Set(
      rig.lights.flatMap((l) => l.mode.channels.map((_, i) => `${l.universe}.${slotOf(l.address) + i}`)),
    );
    for (let seed = 1; seed <= 10; seed++) {
      const show = compileShow(randomPlan(seed), rig);
      const frame = newFrame(show);
      for (const slots of frame.values()) slots.fill(77);
      for (const t of TIMES) renderFrame(show, t, frame);
      const touched = [...frame].flatMap(([u, slots]) =>
        [...slots].flatMap((v, s) => (v !== 77 && !patched.has(`${u}.${s}`) ? [`${u}.${s}`] : [])),
      );
      expect(touched).toEqual([]);
    }
  });

  it("keeps lamp, reset, program, fog and laser channels at their default value", () => {
    const rig = everyFixtureRig();
    const kept = new Set(["program", "reset", "lamp", "fog", "fan", "laser", "noFunction", "gobo", "prism"]);
    for (let seed = 1; seed <= 6; seed++) {
      const show = compileShow(randomPlan(seed), rig);
      for (const t of TIMES) {
        const frame = renderFrame(show, t);
        for (const light of rig.lights) {
          for (const [i, channel] of light.mode.channels.entries()) {
            if (kept.has(channel.kind))
              expect(frame.get(light.universe)![slotOf(light.address) + i]).toBe(channel.default);
          }
        }
      }
    }
  });

  it("never enters the hardware strobe range", () => {
    const rig = everyFixtureRig();
    const plan = planWith({
      "role:strobe": [cue("strobe", 0, 20)],
      "role:par": [cue("strobe", 0, 20)],
      all: [cue("strobe", 0, 20)],
    });
    const show = compileShow(plan, rig);
    for (let k = 0; k < 400; k++) {
      const frame = renderFrame(show, k / 44);
      for (const light of rig.lights) {
        const i = light.mode.channels.findIndex((channel) => channel.kind === "shutter");
        if (i >= 0)
          expect(frame.get(light.universe)![slotOf(light.address) + i]).toBeLessThan(
            light.mode.channels[i]!.strobe!.from,
          );
      }
    }
  });

  it("is dark at master zero", () => {
    const show = compileShow(randomPlan(3), parsRig(8));
    expect([...renderFrame(show, 5, newFrame(show), 0).get(1)!].every((v) => v === 0)).toBe(true);
  });

  it("returns a frame for times outside the show", () => {
    const show = compileShow(randomPlan(3), parsRig(2));
    for (const t of [Number.NaN, -5, Number.POSITIVE_INFINITY, 1e9])
      expect(renderFrame(show, t).get(1)).toHaveLength(512);
  });

  it("never writes disabled or overlapping fixtures, or those beyond the end of the universe", () => {
    const rig = parsRig(3);
    const [a, b, c] = rig.lights;
    const broken: Rig = {
      ...rig,
      lights: [a!, { ...b!, address: 2 }, { ...c!, enabled: false }, { ...c!, id: 9, address: 511 }],
    };
    const show = compileShow(planWith({ all: [cue("snap", 0, 10)] }), broken);
    const slots = renderFrame(show, 1).get(1)!;
    expect(show.problems).toHaveLength(2);
    expect([...slots.subarray(3)].every((v) => v === 0)).toBe(true);
  });

  it("gives a preview the same light as the bytes", () => {
    const show = compileShow(randomPlan(5), parsRig(4));
    for (const t of TIMES) {
      const states = fixtureStates(show, t);
      const slots = renderFrame(show, t).get(1)!;
      const red = states.map((s) => Math.round(s.level * s.rgb[0] * 255));
      expect(states.map((s) => slots[(s.lightId - 1) * 3])).toEqual(red);
    }
  });

  it("lights a rig of one fixture from the wash lane", () => {
    const plan = planWith({ "role:wash": [cue("crossfade", 0, 10)], "role:par": [cue("pulse", 0, 10)] });
    expect(fixtureStates(compileShow(plan, parsRig(1)), 1)[0]!.level).toBeGreaterThan(0);
  });

  it("renders the house look in dim warm white", () => {
    const show = compileShow(randomPlan(2), parsRig(4));
    expect(Math.max(...houseLook(show).get(1)!)).toBe(51);
  });

  it.each(REFERENCE_RIGS)(
    "renders the same house look on $name for every plan, including the empty one after a crash",
    ({ rig }) => {
      const looks = [randomPlan(2), planWith({ "role:wash": [], all: [] })].map((plan) =>
        hex(houseLook(compileShow(plan, rig))),
      );
      expect(looks[1]).toBe(looks[0]);
    },
  );
});

describe("flash limiter", () => {
  const adversaries: [string, LightingPlan][] = [
    [
      "strobe everywhere at 240 BPM",
      planWith(onAll([cue("strobe", 0, 30, { level: 1, rate_hz: 12, duty: 0.5 })]), 240),
    ],
    [
      "full pulses at 240 BPM",
      planWith(onAll([cue("pulse", 0, 30, { level: 1, step_beats: 1, decay_beats: 0.5 })]), 240),
    ],
    ["red against black", planWith(onAll(alternating("#ff0000", "#ff0000", 0)), 240)],
    ["red against white", planWith(onAll(alternating("#ff0000", "#ffffff", 1)), 240)],
    [
      "a chase of two cells, eighths at 240 BPM",
      planWith(onAll([cue("chase", 0, 30, { level: 1, step_beats: 0.5, cells: 2 })]), 240),
    ],
    [
      "every lane another rate",
      planWith(
        {
          "role:wash": [cue("strobe", 0, 30, { level: 1, rate_hz: 5 })],
          "role:par": [cue("strobe", 0, 30, { level: 1, rate_hz: 7 })],
          "role:strobe": [cue("strobe", 0, 30, { level: 1, rate_hz: 11 })],
          "role:spot": [cue("pulse", 0, 30, { level: 1, step_beats: 0.5, decay_beats: 0.4 })],
        },
        240,
      ),
    ],
    ...Array.from({ length: 6 }, (_, i): [string, LightingPlan] => [`random plan ${i}`, randomPlan(100 + i, 240)]),
  ];

  it.each(adversaries)(
    "limits every fixture, both halves of the stage and the rig to three flashes per second: %s",
    (_name, plan) => {
      for (const { rig } of REFERENCE_RIGS) {
        for (const phase of [0, 0.011]) expect(mostFlashes(plan, rig, phase)).toBeLessThanOrEqual(3);
      }
    },
  );

  it("limits each of many fixtures that shine alike, in groups of the same kind", () => {
    const [light] = parsRig(1).lights;
    const lights = Array.from({ length: 24 }, (_, i) => ({ ...light!, id: i + 1, address: 1 + 3 * i }));
    const groups = [0, 1, 2, 3].map((g) => ({
      id: `g${g}`,
      name: `g${g}`,
      type: g % 2 === 0 ? ("wash" as const) : ("par" as const),
      lightIds: lights.slice(6 * g, 6 * g + 6).map(({ id }) => id),
      enabled: true,
    }));
    for (const [, plan] of adversaries) {
      const show = compileShow(plan, { lights, groups });
      expect(mostFlashes(plan, { lights, groups }, 0)).toBeLessThanOrEqual(3);
      for (let k = 0; k < 440; k++) {
        const levels = fixtureStates(show, k / 44).map((state) => state.level);
        expect(levels.slice(12)).toEqual(levels.slice(0, 12));
      }
    }
  });

  it("reduces flashes that would exceed the limit", () => {
    const plan = adversaries[0]![1];
    const show = compileShow(plan, parsRig(4));
    show.limits.zone = undefined;
    const levels = Array.from({ length: 88 }, (_, k) => fixtureStates(show, k / 44)[0]!.level);
    expect(flashesIn(levels)).toBeGreaterThan(3);
  });

  it("leaves a calm plan unchanged", () => {
    const plan = planWith(onAll([cue("pulse", 0, 20, { level: 1, step_beats: 1 })]), 120);
    expect(compileShow(plan, parsRig(8)).limitedShare).toBe(0);
  });

  it("turns a strobe into steady light after half a minute", () => {
    const plan = planWith({
      "role:par": Array.from({ length: 40 }, (_, i) => cue("strobe", i, 1, { level: 1, rate_hz: 2 })),
    });
    const show = compileShow(plan, parsRig(8));
    const levels = Array.from({ length: 100 }, (_, k) =>
      Math.max(...fixtureStates(show, 32 + k / 44).map((s) => s.level)),
    );
    expect(Math.min(...levels)).toBeGreaterThan(0.5);
  });
});

/**
 * Counts flash pairs by the WCAG definition (opposing changes of at least 0.1), per head, half and rig, in level,
 * luminance and red.
 */
function mostFlashes(plan: LightingPlan, rig: Rig, phase: number): number {
  const show = compileShow(plan, rig);
  const signals: number[][] = [];
  for (let k = 0; k < 20 * 44; k++) {
    const states = fixtureStates(show, phase + k / 44);
    const rows = states.map(({ level, rgb: [r, g, b] }) => [
      level,
      level * luminance(r, g, b),
      1.6 * level * rednessOf(r, g, b),
    ]);
    const lightOf = (isShown: (h: number) => boolean, lamps: number) =>
      [0, 1, 2].map((i) => rows.reduce((sum, row, h) => sum + (isShown(h) ? row[i]! : 0), 0) / lamps);
    const whole = lightOf(() => true, rows.length);
    const left = lightOf((h) => show.places[h]! <= 0.5, rows.length / 2);
    const right = lightOf((h) => show.places[h]! > 0.5, rows.length / 2);
    for (const [i, v] of [...rows.flat(), ...whole, ...left, ...right].entries()) (signals[i] ??= []).push(v);
  }
  return Math.max(...signals.map(flashesIn));
}

function flashesIn(values: readonly number[]): number {
  let extreme = values[0]!;
  let isHigh = false;
  const turns: number[] = [];
  for (const [k, v] of values.entries()) {
    extreme = isHigh ? Math.max(extreme, v) : Math.min(extreme, v);
    const turned = isHigh ? extreme - v >= 0.1 && v < 0.8 : v - extreme >= 0.1 && extreme < 0.8;
    if (!turned) continue;
    isHigh = !isHigh;
    extreme = v;
    turns.push(k);
  }
  let most = 0;
  for (let i = 0; i < turns.length; i++)
    most = Math.max(most, turns.filter((k) => k >= turns[i]! && k < turns[i]! + 44).length);
  return Math.floor(most / 2);
}

function cue(intent: string, time: number, duration: number, params: Cue["params"] = { level: 0.8 }): Cue {
  return { time, duration, intent, palette: ["#ffffff"], params, section: "verse", energy: 0.5, reason: "test" };
}

function onAll(cues: Cue[]): Record<string, Cue[]> {
  return Object.fromEntries(["wash", "par", "bar", "spot", "strobe"].map((role) => [`role:${role}`, cues]));
}

function alternating(a: string, b: string, level: number): Cue[] {
  return Array.from({ length: 200 }, (_, i) => ({
    ...cue("snap", i * 0.1, 0.1, { level: i % 2 === 0 ? 1 : level }),
    palette: [i % 2 === 0 ? a : b],
  }));
}

function everyFixtureRig(): Rig {
  let address = 1;
  const lights = GENERIC_FIXTURES.flatMap((fixture) => fixture.modes).map((mode, i) => {
    const light = { id: i + 1, label: `light ${i + 1}`, universe: 1, address, mode, enabled: true };
    address += mode.channels.length;
    return light;
  });
  return { lights, groups: [] };
}
