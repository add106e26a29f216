import type { Cue } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { bindShow, compileShow } from "./compile-show.ts";
import { readOfl } from "./fixture-formats/ofl.ts";
import { setStates, setUnlimitedStates } from "./head-states.ts";
import { parsRig, rigOf } from "./reference-rigs.ts";
import { planShow } from "./plan/plan-show.ts";
import { renderFrame } from "./render-frame.ts";
import { planWith } from "./testing/random-plan.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis } from "./testing/synthetic-analysis.ts";

/** Two bars of eight pixels, and two pars, at 120 beats per minute. */
const rig = rigOf([
  { id: "washes", type: "wash", model: "generic_rgb_par", mode: 0, count: 2 },
  { id: "bars", type: "bar", model: "generic_rgb_bar", mode: 1, count: 2 },
]);
const BEAT = 0.5;

/** Perceptual levels of the 16 pixels at a beat. */
function pixelsAt(beat: number, params: Cue["params"], curve = 0): number[] {
  const cue = { time: 0, duration: 30, intent: "snap", palette: ["#ff0000"], section: "a", energy: 1, reason: "test" };
  const plan = planWith({ "role:bar": [{ ...cue, params: { level: 1, ...params } }] });
  const curves = { hop_seconds: 1, bass: [curve], mid: [0], high: [0], energy: [0] };
  const show = bindShow({ ...plan, curves }, rig);
  setUnlimitedStates(show, beat * BEAT);
  return [...show.level].flatMap((level, h) => (show.isPixel[h] === 1 ? [Math.sqrt(level)] : []));
}
const lit = (levels: readonly number[]) => levels.flatMap((level, i) => (level > 0.5 ? [i] : []));

describe("pixels", () => {
  const RUN = { pixels: "run", pixel_beats: 16, pixel_share: 1 / 16, pixel_rest: 0 };

  it("run along all fixtures of a row in stage order, and back", () => {
    for (const beat of [0, 1, 7, 8, 15]) expect(lit(pixelsAt(beat, RUN))).toEqual([beat]);
    expect(lit(pixelsAt(16, RUN))).toEqual([0]);
    for (const beat of [0, 1, 15]) expect(lit(pixelsAt(beat, { ...RUN, direction: -1 }))).toEqual([15 - beat]);
  });

  it("have a fading tail and a constant rest level in a run", () => {
    const levels = pixelsAt(8, { ...RUN, pixel_share: 0.25, pixel_rest: 0.2 });
    // Pixel eight is at its peak; those one, two and three behind each lose a quarter of the range above the rest
    // level.
    for (const [i, level] of [
      [8, 1],
      [7, 0.8],
      [6, 0.6],
      [5, 0.4],
      [4, 0.2],
      [9, 0.2],
      [15, 0.2],
    ] as const)
      // prettier-ignore
      expect(levels[i]).toBeCloseTo(level, 5);
  });

  it("have the first pixel at rest and the middle one full at the start of a wave", () => {
    const levels = pixelsAt(0, { pixels: "wave", pixel_beats: 8, pixel_rest: 0.3 });
    expect(levels[0]).toBeCloseTo(0.3, 5);
    expect(levels[8]).toBeCloseTo(1, 5);
    expect(levels[4]).toBeCloseTo(0.65, 5);
    expect(pixelsAt(4, { pixels: "wave", pixel_beats: 8, pixel_rest: 0.3 })[0]).toBeCloseTo(1, 5);
  });

  it("sparkle at the requested density, differently each time, and reproducibly for a seed", () => {
    const SPARKLE = { pixels: "sparkle", pixel_beats: 1, pixel_share: 0.25, pixel_rest: 0, pixel_seed: 7 };
    const moments = Array.from({ length: 59 }, (_, beat) => pixelsAt(beat + 0.5, SPARKLE));
    const share = moments.flat().filter((level) => level > 0).length / moments.flat().length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
    expect(new Set(moments.map((levels) => levels.map(Math.sign).join())).size).toBeGreaterThan(40);
    expect(pixelsAt(3.5, SPARKLE)).toEqual(pixelsAt(3.5, SPARKLE));
    expect(pixelsAt(3.5, { ...SPARKLE, pixel_seed: 8 })).not.toEqual(pixelsAt(3.5, SPARKLE));
  });

  it("rise with the curve, from the first pixel of each fixture", () => {
    const METER = { pixels: "meter", band: "bass", pixel_rest: 0 };
    for (const [curve, count] of [
      [0, 0],
      [0.25, 2],
      [0.5, 4],
      [1, 8],
    ] as const) {
      const own = Array.from({ length: count }, (_, i) => i);
      expect(lit(pixelsAt(1, METER, curve))).toEqual([...own, ...own.map((i) => i + 8)]);
    }
    // Halfway into a pixel the curve lights it by half.
    expect(pixelsAt(1, METER, 0.3125)[2]).toBeCloseTo(0.5, 5);
    const sums = Array.from({ length: 21 }, (_, i) => pixelsAt(1, METER, i / 20).reduce((a, b) => a + b, 0));
    expect(sums).toEqual(sums.toSorted((a, b) => a - b));
  });
});

describe("a matrix", () => {
  /** Three columns of two rows, the upper one first, as in its file. */
  const file = {
    $schema: "https://raw.githubusercontent.com/OpenLightingProject/open-fixture-library/master/schemas/fixture.json",
    name: "Panel",
    categories: ["Matrix"],
    matrix: { pixelCount: [3, 2, 1] },
    templateChannels: { "Red $pixelKey": { capability: { type: "ColorIntensity", color: "Red" } } },
    modes: [
      {
        name: "6 channels",
        channels: [
          {
            insert: "matrixChannels",
            repeatFor: "eachPixelXYZ",
            channelOrder: "perPixel",
            templateChannels: ["Red $pixelKey"],
          },
        ],
      },
    ],
  };
  const { modes } = readOfl("maker/panel.json", JSON.stringify(file));
  const light = (id: number) => ({
    id,
    label: `Panel ${id}`,
    universe: 1,
    address: 10 * id,
    mode: modes[0]!,
    enabled: true,
  });
  const panels = {
    lights: [light(1), light(2), { ...parsRig(1).lights[0]!, id: 3 }],
    groups: [
      { id: "bars", name: "Bars", type: "bar" as const, lightIds: [1, 2], enabled: true },
      { id: "wash", name: "Wash", type: "wash" as const, lightIds: [3], enabled: true },
    ],
  };
  const levels = (beat: number, params: Cue["params"], curve = 0) => {
    const cue = {
      time: 0,
      duration: 30,
      intent: "snap",
      palette: ["#ff0000"],
      section: "a",
      energy: 1,
      reason: "test",
    };
    const plan = planWith({ "role:bar": [{ ...cue, params: { level: 1, ...params } }] });
    const show = bindShow(
      { ...plan, curves: { hop_seconds: 1, bass: [curve], mid: [0], high: [0], energy: [0] } },
      panels,
    );
    setUnlimitedStates(show, beat * BEAT);
    return lit([...show.level].filter((_, h) => show.isPixel[h] === 1).map(Math.sqrt));
  };

  it("has the pixel positions of its file", () => {
    expect(modes[0]!.pixels).toEqual([
      { head: 1, column: 0, row: 0 },
      { head: 2, column: 1, row: 0 },
      { head: 3, column: 2, row: 0 },
      { head: 4, column: 0, row: 1 },
      { head: 5, column: 1, row: 1 },
      { head: 6, column: 2, row: 1 },
    ]);
  });

  it("runs column by column through all panels, and rises from its lowest row", () => {
    const RUN = { pixels: "run", pixel_beats: 6, pixel_share: 1 / 6, pixel_rest: 0 };
    expect([0, 2, 3, 5].map((beat) => levels(beat, RUN))).toEqual([[0, 3], [2, 5], [6, 9], [8, 11]]); // prettier-ignore
    expect(levels(1, { pixels: "meter", band: "bass", pixel_rest: 0 }, 0.5)).toEqual([3, 4, 5, 9, 10, 11]);
    expect(levels(1, { pixels: "meter", band: "bass", pixel_rest: 0 }, 1)).toHaveLength(12);
  });
});

describe("planned shows", () => {
  const shows = [CLUB_FORM, POP_FORM].map((form, i) =>
    planShow(syntheticAnalysis({ form }), { groups: [], seed: i + 1 }),
  );
  /** Returns the same plan without pixel effects. */
  const without = (plan: (typeof shows)[number]) => ({
    ...plan,
    event_lanes: Object.fromEntries(
      Object.entries(plan.event_lanes).map(([lane, cues]) => [
        lane,
        cues
          .filter(({ params }) => params["pixels"] !== "sparkle")
          .map((cue) => ({
            ...cue,
            params: Object.fromEntries(Object.entries(cue.params).filter(([name]) => !name.startsWith("pixel"))),
          })),
      ]),
    ),
  });
  const shapesIn = (plan: (typeof shows)[number], section: string) =>
    new Set(
      Object.values(plan.event_lanes)
        .flat()
        .flatMap((cue) => (cue.section === section && cue.params["pixels"] ? [cue.params["pixels"]] : [])),
    );

  it("run or wave in choruses and drops, rise in drops, and sparkle in breaks", () => {
    const [club, pop] = [shows[0]!, shows[1]!];
    expect(shapesIn(club, "drop")).toEqual(new Set(["run", "meter"]));
    expect(shapesIn(club, "break")).toEqual(new Set(["sparkle"]));
    expect([...shapesIn(pop, "chorus")].every((shape) => shape === "run" || shape === "wave")).toBe(true);
    expect(shapesIn(pop, "bridge")).toEqual(new Set(["meter"]));
  });

  it("leave fixtures with one head unchanged, to the byte", () => {
    for (const plan of shows) {
      const [own, plain] = [bindShow(plan, parsRig(8)), bindShow(without(plan), parsRig(8))];
      for (let t = 0; t < plan.duration; t += 0.1371) {
        expect([...renderFrame(own, t).get(1)!]).toEqual([...renderFrame(plain, t).get(1)!]);
      }
    }
  });

  it("move pixels independently within the flash limit, with little limiting", () => {
    for (const plan of shows) {
      const show = compileShow(plan, rig);
      const bars = [...show.level.keys()].filter((h) => show.headTargets[h] === "role:bar");
      expect(show.mostFlashes).toBeLessThanOrEqual(3);
      expect(show.limitedShare).toBeLessThan(0.02);
      let apart = 0;
      for (let t = 0; t < plan.duration; t += 0.5) {
        setStates(show, t);
        apart += new Set(bars.map((h) => Math.round(10 * Math.sqrt(show.level[h]!)))).size > 2 ? 1 : 0;
      }
      expect(apart).toBeGreaterThan(40);
    }
  });
});
