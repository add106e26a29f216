/**
 * `npm run pictures`: draws what docs/guide/how-a-show-is-planned.md shows, into docs/guide/shows/: each pattern on eight
 * pars, and each recipe between two verses.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  SECTION_LABELS,
  type Cue,
  type LightingPlan,
  type Rig,
  type SectionLabel,
} from "../../packages/contract/src/index.ts";
import {
  compileShow,
  parsRig,
  PATTERNS,
  planShow,
  sourceOf,
  stageOf,
  truthOfAnalysis,
  type SongTruth,
} from "../../packages/lighting/src/index.ts";
import { syntheticAnalysis, type SyntheticSong } from "../../packages/lighting/src/testing/synthetic-analysis.ts";
import { drawShow } from "./picture.ts";
import { RIGS } from "./rigs.ts";

const SEED = 1;
const BPM = 120;
const BARS = 4;

const out = fileURLToPath(new URL("../../docs/guide/shows", import.meta.url));
mkdirSync(out, { recursive: true });

const EIGHT_PARS = parsRig(8);
for (const pattern of PATTERNS) {
  const song = syntheticAnalysis({ bpm: BPM, form: [["chorus", BARS, 1]] });
  const rhythm = { step: 1, glide: 0.15, hit: 0.3, direction: 1, beatsPerBar: 4, fastest: 1 } as const;
  const cue: Cue = {
    time: song.beats[0]!,
    duration: (BARS * 4 * 60) / BPM,
    intent: pattern.intent,
    palette: ["#ff3d00"],
    params: { level: 1, floor: 0.1, ...pattern.params(rhythm) },
    section: "chorus",
    energy: 1,
    reason: pattern.says,
  };
  // In a lane of the group's own, so that all eight lamps follow.
  const plan: LightingPlan = { ...planShow(song, { groups: [], seed: SEED }), event_lanes: { pars: [cue] } };
  draw(
    `pattern-${pattern.name.replaceAll(" ", "-")}`,
    plan,
    EIGHT_PARS,
    truthOfAnalysis(song),
    `${pattern.name}: ${pattern.says}`,
  );
}

for (const label of SECTION_LABELS) {
  const song = syntheticAnalysis({ bpm: BPM, form: between(label), id: label });
  const plan = planShow(song, { groups: [], seed: SEED });
  draw(`recipe-${label}`, plan, RIGS["club"]!, truthOfAnalysis(song), `${label}, between two verses, in a club`);
}

function draw(name: string, plan: LightingPlan, rig: Rig, truth: SongTruth, title: string): void {
  const stage = stageOf(name, rig);
  writeFileSync(join(out, `${name}.svg`), drawShow(sourceOf(compileShow(plan, rig)), truth, stage, title));
}

function between(label: SectionLabel): SyntheticSong["form"] {
  const energy = { intro: 0.3, verse: 0.5, build: 0.7, chorus: 0.9, drop: 1, break: 0.15, bridge: 0.4, outro: 0.25 }[
    label
  ];
  return [
    ["verse", 8, 0.5],
    [label, 8, energy],
    ["verse", 8, 0.5],
  ];
}
