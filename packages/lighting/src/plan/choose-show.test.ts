import {
  lightingPlanSchema,
  NO_WISHES,
  SECTION_LABELS,
  type Cue,
  type LightingPlan,
  type ShowMood,
} from "@followspot/contract";
import { expect, test } from "vitest";
import { syntheticAnalysis } from "../testing/synthetic-analysis.ts";
import { chooseShow, seedsOfSong } from "./choose-show.ts";
import { draftShow, planShow } from "./plan-show.ts";

const song = syntheticAnalysis({ bpm: 128 });
const choose = (wishes = {}) => chooseShow(song, { groups: [], wishes: { ...NO_WISHES, ...wishes } });
const best = choose();
const textOf = (cues: readonly Cue[]) => cues.map((cue) => JSON.stringify(cue));
const cuesIn = (plan: LightingPlan, start: number, end: number) =>
  Object.values(plan.event_lanes)
    .flat()
    .filter((cue) => cue.time >= start - 1e-3 && cue.time < end - 1e-3);

test("takes the first show that passes and offers two alternatives, each with its differences", () => {
  expect(lightingPlanSchema.safeParse(best).error).toBeUndefined();
  const seeds = seedsOfSong(song.song_id);
  expect(seeds.indexOf(best.seed)).toBe(best.choice!.tried - 1);
  expect(best.choice!.runners_up.map(({ differs }) => differs.length > 0)).toEqual([true, true]);
  expect(best.choice!.remarks.length).toBeGreaterThan(3);
  expect(choose()).toEqual(best);
});

test("a runner-up that the user chooses becomes the show, and the song's first show is offered instead", () => {
  const { seed } = best.choice!.runners_up[0]!;
  const other = choose({ seed });
  expect(other.seed).toBe(seed);
  expect(other.choice!.runners_up.map((show) => show.seed)).toContain(seedsOfSong(song.song_id)[0]);
});

const secondsOf = (cues: readonly Cue[]) => cues.reduce((sum, { duration }) => sum + duration, 0);
const EVERY_LABEL = SECTION_LABELS.map((label) => [label, 8, 0.6] as const);

test.each([
  ["with a beat", syntheticAnalysis({ bpm: 128, form: EVERY_LABEL })],
  ["at a slow tempo", syntheticAnalysis({ bpm: 66, form: EVERY_LABEL })],
  ["without a reliable beat", syntheticAnalysis({ bpm: 90, form: EVERY_LABEL, beatConfidence: 0.1 })],
])("a rerolled section visibly differs, whatever the seed, and no other section changes: a song %s", (_name, it) => {
  const plan = draftShow(it, { groups: [], seed: 5 });
  for (const [index, { label, start, end }] of plan.sections!.entries()) {
    for (const seed of [5, 6, 99]) {
      const rolled = draftShow(it, { groups: [], seed: 5, sectionSeeds: { [index]: seed } });
      const after = textOf(cuesIn(rolled, start, end));
      const before = cuesIn(plan, start, end);
      const same = before.filter((cue) => after.includes(JSON.stringify(cue)));
      expect(secondsOf(same) / secondsOf(before), `${label} with ${seed}`).toBeLessThanOrEqual(0.6);
      // A section may arrive a beat early, so its cues are identified by section name.
      const [others, still] = [rolled, plan].map((one) =>
        cuesIn(one, 0, it.duration).filter((cue) => cue.section !== label),
      );
      expect(textOf(others!)).toEqual(textOf(still!));
    }
  }
});

test("a locked cue is unchanged in another show, and planned cues make room for it", () => {
  const cue = { ...best.event_lanes["role:par"]![2]!, palette: ["#00ff00"], reason: "by hand" };
  const { seed } = best.choice!.runners_up[0]!;
  const lane = choose({ seed, kept: [{ target: "role:par", cue }] }).event_lanes["role:par"]!;
  expect(lane.filter(({ kept }) => kept)).toEqual([{ ...cue, kept: true }]);
  lane.slice(1).forEach((one, i) => expect(one.time).toBeGreaterThanOrEqual(lane[i]!.time + lane[i]!.duration - 2e-4));
});

// kept: Shows | Another seed gave nearly the same show | failed with the fault put back
test("two shows of a song differ in at least two of five cues", () => {
  const other = choose({ seed: best.choice!.runners_up[0]!.seed });
  const [ours, theirs] = [best, other].map((plan) => textOf(cuesIn(plan, 0, song.duration)));
  const same = ours!.filter((cue) => theirs!.includes(cue)).length;
  expect(same / ours!.length).toBeLessThanOrEqual(0.6);
});

test("a calm mood plans softer chases than a wild one", () => {
  const glide = (mood: ShowMood) => {
    const lane = planShow(song, { groups: [], seed: 1, mood }).event_lanes["role:par"]!;
    const glides = lane.flatMap(({ params }) => (params["glide"] === undefined ? [] : [Number(params["glide"])]));
    return glides.reduce((sum, value) => sum + value, 0) / glides.length;
  };
  expect(glide("calm")).toBeGreaterThan(glide("wild") + 0.2);
});

test("holds strobe and white hits back in the first half of an evening", () => {
  const before = planShow(song, { groups: [], seed: 1 });
  const evening = { before: [{ palette: before.palette, scheme: before.scheme }], progress: 0.1, seed: 5 };
  for (let seed = 1; seed <= 4; seed++) {
    const held = planShow(song, { groups: [], seed, evening });
    expect(held.event_lanes["role:strobe"]).toEqual([]);
    const whites = Object.values(held.event_lanes).flatMap((cues) =>
      cues.filter(
        ({ section, intent, palette }) => section === "drop" && intent === "accent_snap" && palette[0] === "#fff4e6",
      ),
    );
    expect(whites).toEqual([]);
    const free = planShow(song, { groups: [], seed, evening: { ...evening, progress: 0.9 } });
    expect(free.event_lanes["role:strobe"]!.length).toBeGreaterThan(0);
  }
});
