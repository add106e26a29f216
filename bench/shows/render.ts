/**
 * `npm run bench:render`: what planning, compiling and rendering a show cost, and how that grows with universes, lamps and
 * cues. Milliseconds of one core, the best of three; nothing is read or written.
 */
import { NO_WISHES, type GroupType, type LightingPlan, type Rig } from "../../packages/contract/src/index.ts";
import {
  chooseShow,
  compileShow,
  newFrame,
  parsRig,
  planShow,
  renderFrame,
} from "../../packages/lighting/src/index.ts";
import { syntheticAnalysis } from "../../packages/lighting/src/testing/synthetic-analysis.ts";

const LAMPS_PER_UNIVERSE = 128;
const TYPES: readonly GroupType[] = ["wash", "par", "bar", "spot"];
const FRAMES_PER_SECOND = 44;
const RUNS = 3;

// Four minutes at 128 BPM: 128 bars.
const song = syntheticAnalysis({
  bpm: 128,
  form: [
    ["intro", 8, 0.25],
    ["verse", 16, 0.45, 0.8],
    ["build", 8, 0.6],
    ["drop", 24, 0.95],
    ["break", 16, 0.2],
    ["verse", 16, 0.5, 0.8],
    ["build", 8, 0.65],
    ["drop", 24, 1],
    ["outro", 8, 0.3],
  ],
});
const plan = planShow(song, { groups: [], seed: 1 });

line("a song of", `${Math.round(song.duration)} s`);
line(
  "planned once, ms",
  best(() => planShow(song, { groups: [], seed: 1 })),
);
line(
  "chosen of eight, ms (bar 2000)",
  best(() => chooseShow(song, { groups: [], wishes: NO_WISHES })),
);

console.log("\nuniverses  lamps  compile ms  a frame us  whole song ms");
for (const universes of [1, 4, 16, 64]) row(universes, plan);
console.log("\ncues  compile ms of 4 universes  a frame us  whole song ms");
for (const parts of [1, 4, 16]) row(4, cutUp(plan, parts), true);

function row(universes: number, shown: LightingPlan, byCues = false): void {
  const rig = rigOf(universes);
  const compileMs = best(() => compileShow(shown, rig));
  const show = compileShow(shown, rig);
  const frame = newFrame(show);
  const frames = Math.ceil(song.duration * FRAMES_PER_SECOND);
  const songMs = best(() => {
    for (let i = 0; i < frames; i++) renderFrame(show, i / FRAMES_PER_SECOND, frame);
  });
  const cues = Object.values(shown.event_lanes).flat().length;
  const head = byCues ? [cues] : [universes, universes * LAMPS_PER_UNIVERSE];
  console.log(
    [...head, compileMs, Math.round((1000 * songMs) / frames), songMs].map((v) => String(v).padStart(9)).join(" "),
  );
}

function rigOf(universes: number): Rig {
  const { mode } = parsRig(1).lights[0]!;
  const lights = Array.from({ length: universes * LAMPS_PER_UNIVERSE }, (_, i) => ({
    id: i + 1,
    label: `lamp ${i + 1}`,
    universe: 1 + Math.floor(i / LAMPS_PER_UNIVERSE),
    address: 1 + (i % LAMPS_PER_UNIVERSE) * mode.channels.length,
    mode,
    enabled: true,
  }));
  const groups = Array.from({ length: universes }, (_, u) => ({
    id: `group-${u}`,
    name: `group ${u}`,
    type: TYPES[u % TYPES.length]!,
    lightIds: lights.slice(u * LAMPS_PER_UNIVERSE, (u + 1) * LAMPS_PER_UNIVERSE).map(({ id }) => id),
    enabled: true,
  }));
  return { lights, groups };
}

/** The same light in more cues. */
function cutUp(whole: LightingPlan, parts: number): LightingPlan {
  const lanes = Object.entries(whole.event_lanes).map(([target, cues]) => {
    const cut = cues.flatMap((cue) =>
      Array.from({ length: parts }, (_, i) => ({
        ...cue,
        time: cue.time + (i * cue.duration) / parts,
        duration: cue.duration / parts,
      })),
    );
    return [target, cut] as const;
  });
  return { ...whole, event_lanes: Object.fromEntries(lanes) };
}

/** Milliseconds of the fastest of some runs. */
function best(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
  return Math.round(Math.min(...times));
}

function line(name: string, value: number | string): void {
  console.log(`${name}: ${value}`);
}
