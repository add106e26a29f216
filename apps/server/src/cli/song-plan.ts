import { NO_WISHES } from "@followspot/contract";
import { chooseShow } from "@followspot/lighting";
import { readAnalysis, readRig } from "./show-files.ts";
import { songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- plan HYBRID [--rig RIG] [--seed N] [--palette '#rrggbb,#rrggbb,#rrggbb'] [--profile default|venue]

Plans the light show of an analysed song as the server does, and prints lighting.json.
HYBRID      hybrid.json as printed by song -- analyse
--rig RIG   rig.json, or pars:N for N generic RGB pars; only its group types matter. Without it all roles are planned
--seed N    another show for the same song, 1 to 4294967295; without it the one the server would store`;

/** Plans a song's show; see HELP. */
export const songPlan = songVerb(
  HELP,
  {
    rig: { type: "string" },
    seed: { type: "string" },
    palette: { type: "string" },
    profile: { type: "string", default: "default" },
  },
  async ({ values, paths }) => {
    const [hybrid] = paths;
    const seed = values.seed === undefined ? NO_WISHES.seed : Number(values.seed);
    const { profile } = values;
    const isUsable = paths.length === 1 && Number.isInteger(seed) && seed >= 0 && seed <= 0xffffffff;
    if (!hybrid || !isUsable || (profile !== "default" && profile !== "venue")) throw new WrongUse();
    const palette = values.palette?.split(",");
    if (palette?.some((color) => !/^#[0-9a-f]{6}$/i.test(color))) {
      throw new WrongUse("--palette takes colours as #rrggbb, separated by commas");
    }
    const analysis = readAnalysis(hybrid);
    const groups = values.rig === undefined ? [] : readRig(values.rig).groups;
    const plan = chooseShow(analysis, { groups, wishes: { ...NO_WISHES, seed }, palette, profile });
    const cues = Object.values(plan.event_lanes).reduce((sum, lane) => sum + lane.length, 0);
    console.error(
      `${cues} cues on ${Object.keys(plan.event_lanes).length} lanes, at most ${plan.safety.max_flashes_per_second} flashes in a second`,
    );
    process.stdout.write(`${JSON.stringify(plan)}\n`);
  },
);
