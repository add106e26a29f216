import { describe, expect, it } from "vitest";
import { parsRig, stageOf, truthOfAnalysis } from "../../packages/lighting/src/index.ts";
import { handLit } from "../../packages/lighting/src/testing/hand-lit.ts";
import { CLUB_FORM, syntheticAnalysis } from "../../packages/lighting/src/testing/synthetic-analysis.ts";
import { drawEvening, drawShow } from "./picture.ts";

describe("pictures", () => {
  const stage = stageOf("32 pars", parsRig(32));
  const truth = truthOfAnalysis(syntheticAnalysis({ bpm: 124, form: CLUB_FORM }));
  /** Another colour for every lamp and moment: nothing to merge. */
  const noise = () =>
    handLit(stage, (t, h) => ({
      level: 1,
      rgb: [(t * 7 + h * 0.37) % 1, (t * 11 + h * 0.53) % 1, (t * 13 + h * 0.71) % 1],
    }));

  it("show every section and drop of the song, and stay under 300 kB whatever the light does", () => {
    const svg = drawShow(noise(), truth, stage, "a <wild> show");
    expect(svg.length).toBeLessThan(300_000);
    expect(svg).toContain("a &lt;wild&gt; show");
    expect(svg.match(/fill="#f00"/g)).toHaveLength(truth.drops.length);
    for (const { label } of truth.sections) expect(svg).toContain(`>${label}<`);
    expect(svg).not.toContain("NaN");
  });

  it("draw an evening on one page", () => {
    const songs = Array.from({ length: 20 }, (_, i) => ({ title: `song ${i}`, source: noise(), truth }));
    const svg = drawEvening(songs, stage);
    expect(svg.length).toBeLessThan(300_000);
    expect(svg.match(/>song \d+</g)).toHaveLength(20);
  });
});
