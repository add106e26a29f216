import type { Cue, LightingPlan, ShowMood } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { singerCue } from "../../movement/singers.ts";
import { CLUB_FORM, POP_FORM, syntheticAnalysis, type SyntheticSong } from "../../testing/synthetic-analysis.ts";
import { draftShow, type PlanOptions } from "../plan-show.ts";

const planOf = (song: SyntheticSong, seed: number, more: Partial<PlanOptions> = {}): LightingPlan =>
  draftShow(syntheticAnalysis(song), { groups: [], seed, ...more });
const eveningOf = (mood?: ShowMood): readonly LightingPlan[] =>
  Array.from({ length: 30 }, (_, i) =>
    planOf({ id: `song-${i}`, bpm: 70 + ((i * 37) % 130), form: i % 2 ? POP_FORM : CLUB_FORM }, i, { mood }),
  );
const beamsOf = (plan: LightingPlan): readonly Cue[] => plan.event_lanes["role:spot"]!;
const withIn = (beam: string, cues: readonly Cue[]) => cues.filter(({ params }) => params["beam"] === beam);
const shareWith = (plans: readonly LightingPlan[], has: (cue: Cue) => boolean) =>
  plans.filter((plan) => beamsOf(plan).some(has)).length / plans.length;

const EVENING = eveningOf();

describe("gobos", () => {
  it("are the same in all sections of a label, and differ between labels", () => {
    const gobos = EVENING.map((plan) => Map.groupBy(withIn("gobo", beamsOf(plan)), ({ section }) => section));
    const byLabel = gobos.flatMap((labels) => [...labels.values()].map((cues) => new Set(cues.map(({ params }) => params["gobo"])))); // prettier-ignore
    expect(byLabel.length).toBeGreaterThan(20);
    expect(byLabel.every((own) => own.size === 1)).toBe(true);
    expect(new Set(byLabel.map(([number]) => number)).size).toBeGreaterThan(4);
  });

  it("are used in breaks, quiet sections without vocals, and beams at the ceiling or in a fan; they rotate in quiet sections", () => {
    const cues = EVENING.flatMap((plan) => withIn("gobo", beamsOf(plan)));
    for (const { section, params } of cues) {
      const isLoud = section === "chorus" || section === "drop";
      const isPicture = params["aim"] === "ceiling" || params["aim"] === "fan";
      expect(isPicture || section === "break" || (!isLoud && params["singer"] === undefined)).toBe(true);
      expect(params["gobo_turns"]).toBe(isLoud ? undefined : true);
    }
    expect(cues.some(({ section }) => section === "break")).toBe(true);
    expect(cues.some(({ section }) => section === "chorus" || section === "drop")).toBe(true);
  });

  it("are used in some songs, not in all", () => {
    const share = shareWith(EVENING, ({ params }) => params["beam"] === "gobo");
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.9);
  });

  it("are named in the reasons of their cues", () => {
    for (const { params, reason } of EVENING.flatMap(beamsOf)) {
      const said = ["gobo", "prism"].filter((word) => reason.includes(word));
      expect(said).toEqual(params["beam"] === undefined ? [] : [params["beam"]]);
    }
    expect(EVENING.flatMap(beamsOf).some(({ reason }) => reason.includes("a gobo on the ceiling"))).toBe(true);
  });

  it("change in a rerolled section only", () => {
    const song = { form: CLUB_FORM };
    const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1);
    const quiet = (plan: LightingPlan) => withIn("gobo", beamsOf(plan)).find(({ section }) => section === "break");
    const seed = seeds.find((one) => quiet(planOf(song, one)) !== undefined)!;
    const before = planOf(song, seed);
    const index = before.sections!.findIndex(({ label }) => label === "break");
    const rolled = seeds
      .map((one) => planOf(song, seed, { sectionSeeds: { [index]: one } }))
      .find((plan) => quiet(plan) !== undefined)!;
    expect(quiet(rolled)!.params["gobo"]).not.toBe(quiet(before)!.params["gobo"]);
    const others = (plan: LightingPlan) => beamsOf(plan).filter(({ section }) => section !== "break");
    expect(others(rolled).map(({ params }) => params["gobo"])).toEqual(others(before).map(({ params }) => params["gobo"])); // prettier-ignore
  });
});

describe("a prism", () => {
  it("is reserved for the top: repeated choruses and drops, and the last peak", () => {
    for (const plan of EVENING) {
      const sections = plan.sections!;
      const peaks = sections.filter(({ label }) => label === "chorus" || label === "drop");
      for (const { time, section } of withIn("prism", beamsOf(plan))) {
        const at = sections.findLastIndex(({ start }) => start <= time + 0.01);
        const isBack = sections.slice(0, at).some(({ label }) => label === section);
        expect([section, sections[at]!.rank]).toEqual([sections[at]!.label, 4]);
        expect(isBack || sections[at] === peaks.at(-1)).toBe(true);
      }
    }
    expect(EVENING.flatMap((plan) => withIn("prism", beamsOf(plan))).length).toBeGreaterThan(10);
  });

  it("stays in the beams for a whole section", () => {
    for (const plan of EVENING)
      for (const { start, end, label } of plan.sections!) {
        const own = beamsOf(plan).filter(({ time, section }) => section === label && time > start - 0.01 && time < end);
        const prisms = withIn("prism", own).length;
        expect(prisms === 0 || prisms === own.length).toBe(true);
      }
  });

  it("is used in some driven songs, and less often in calm ones", () => {
    const share = (mood: ShowMood) => shareWith(eveningOf(mood), ({ params }) => params["beam"] === "prism");
    const [wild, calm] = [share("wild"), share("calm")];
    expect(wild).toBeLessThan(1);
    expect(wild).toBeGreaterThan(calm + 0.2);
  });
});

describe("a head on the singer", () => {
  it("has neither gobo nor prism, whatever the other heads have", () => {
    const sung = EVENING.flatMap(beamsOf).filter(({ params }) => params["singer"] !== undefined);
    const beside = new Set(sung.map(({ params }) => params["beam"]));
    expect([...beside].toSorted()).toEqual(["gobo", "prism", undefined]);
    expect([...new Set(sung.map((cue) => singerCue(cue).params["beam"]))].toSorted()).toEqual(["frost", undefined]);
  });

  it("is softer in calm songs, with and without a reliable beat", () => {
    const soft = ({ params }: Cue) => params["singer_beam"] === "frost";
    expect(shareWith(eveningOf("calm"), soft)).toBeGreaterThan(shareWith(eveningOf("wild"), soft) + 0.2);
    const seeds = Array.from({ length: 10 }, (_, seed) => planOf({ form: POP_FORM, beatConfidence: 0.1 }, seed, { mood: "calm" })); // prettier-ignore
    expect(shareWith(seeds, soft)).toBeGreaterThan(0);
  });
});
