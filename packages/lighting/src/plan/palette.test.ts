import { describe, expect, it } from "vitest";
import { hueDistance, oklchOfHex } from "../color.ts";
import { syntheticAnalysis, type SyntheticSong } from "../testing/synthetic-analysis.ts";
import { chooseShow } from "./choose-show.ts";
import { Evening, type EveningSoFar } from "./evening.ts";
import { moodOf } from "./mood.ts";
import { choosePalette, type ShowPalette } from "./palette.ts";
import { planShow } from "./plan-show.ts";

const FORM = [["intro", 4, 0.3], ["verse", 8, 0.5], ["chorus", 8, 0.9], ["outro", 4, 0.3]] as const; // prettier-ignore
const SUNG_FORM = [["intro", 4, 0.3], ["verse", 8, 0.5, 0.9], ["chorus", 8, 0.9, 0.9], ["outro", 4, 0.3]] as const; // prettier-ignore
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed + 1);
const NO_WISHES = { seed: 0, mood: null, section_seeds: {}, kept: [] };

/** Palettes of one song for sixty seeds. */
function palettes(
  cover: readonly string[] | undefined,
  form: SyntheticSong["form"] = FORM,
  evening?: EveningSoFar,
): ShowPalette[] {
  const analysis = syntheticAnalysis({ form });
  const mood = moodOf(analysis);
  return SEEDS.map((seed) => choosePalette(analysis, seed, mood, undefined, evening && new Evening(evening), cover));
}

const isOf = (hex: string) => ({ base }: ShowPalette) => hueDistance(oklchOfHex(base).h, oklchOfHex(hex).h) <= 18; // prettier-ignore
const share = (all: readonly ShowPalette[], has: (palette: ShowPalette) => boolean) =>
  all.filter(has).length / all.length;
const isGreen = ({ base }: ShowPalette) => oklchOfHex(base).h > 108 && oklchOfHex(base).h < 172;

describe("a cover", () => {
  it("leads its song in its own hue with a pair of the table, and the reason names it", () => {
    const own = palettes(["#ff7a00"]);
    expect(share(palettes(undefined), isOf("#ff7a00"))).toBeLessThan(0.35);
    expect(share(own, isOf("#ff7a00"))).toBeGreaterThan(0.9);
    for (const palette of own.filter(isOf("#ff7a00"))) expect(palette.reason).toMatch(/(orange|amber) of the cover/);
    // Mood and seed choose among the pairs with that hue.
    expect(new Set(own.map(({ scheme }) => scheme)).size).toBeGreaterThan(1);
  });

  it("leads with its own color and a real contrast if no pair of the table has its hue", () => {
    for (const { base, contrast, second, reason } of palettes(["#e0e000"])) {
      expect(hueDistance(oklchOfHex(base).h, oklchOfHex("#e0e000").h)).toBeLessThan(4);
      expect(hueDistance(oklchOfHex(contrast).h, oklchOfHex(base).h)).toBeGreaterThan(60);
      expect(new Set([base, contrast, second]).size).toBe(3);
      expect(reason).toMatch(/^.+ of the cover, beside /);
    }
  });

  it("with two hues draws pairs that contain both more often than a cover with one", () => {
    const both = ({ base, contrast }: ShowPalette) => isOf("#0000ff")({ base } as ShowPalette) && hueDistance(oklchOfHex(contrast).h, oklchOfHex("#ff9000").h) <= 18; // prettier-ignore
    expect(share(palettes(["#0000ff", "#ff9000"]), both)).toBeGreaterThan(share(palettes(["#0000ff"]), both));
  });

  it("in pure green leads songs without vocals, and rarely songs with vocals", () => {
    expect(share(palettes(["#00ff00"]), isGreen)).toBeGreaterThan(0.8);
    expect(share(palettes(["#00ff00"], SUNG_FORM), isGreen)).toBeLessThan(share(palettes(["#00ff00"]), isGreen));
    for (const { base, reason } of palettes(["#40d800"], SUNG_FORM)) {
      if (!isGreen({ base } as ShowPalette)) expect(reason).toContain("(it flatters no singer)");
    }
  });

  it("leads less often if the evening has already shown its hue", () => {
    const evening = { before: [{ palette: ["#ff6000"] }], progress: 0.5, seed: 1 };
    expect(share(palettes(["#ff6000"], FORM, evening), isOf("#ff6000"))).toBeLessThan(
      share(palettes(["#ff6000"]), isOf("#ff6000")),
    );
  });

  it("yields to colors set by the user; otherwise the show's remarks name it", () => {
    const analysis = syntheticAnalysis({ form: FORM });
    const given = chooseShow(analysis, { groups: [], wishes: NO_WISHES, palette: ["#0000ff"], cover: ["#ff6000"] });
    expect(given.palette[0]).toBe("#0000ff");
    const own = chooseShow(analysis, { groups: [], wishes: NO_WISHES, palette: [], cover: ["#ff6000"] });
    expect(own.choice!.remarks.some(({ text }) => text.includes("of the cover"))).toBe(true);
  });
});

it("a cover without colors gives the same plan, byte for byte, as no cover", () => {
  const analysis = syntheticAnalysis({ form: FORM });
  const bytes = (cover?: readonly string[]) => JSON.stringify(planShow(analysis, { groups: [], seed: 7, cover }));
  expect(bytes([])).toBe(bytes());
});
