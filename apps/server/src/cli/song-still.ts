import { writeStill } from "../songs/film/film.ts";
import { LOOK_HELP, lookOf, mustHaveFolder, numberOf, picturesOf, sizeOf } from "./picture-options.ts";
import { readPlan, readRig } from "./show-files.ts";
import { songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- still PLAN --rig RIG --at S OUT.png [--size 1280x720] [--look 3d|flat]

Draws the console's preview of a plan at one moment and prints {"file", "at", "width", "height"}.
PLAN        lighting.json
--rig RIG   rig.json, or pars:N for N generic RGB pars
--at S      song second
--size      even pixels, up to 1920x1080
${LOOK_HELP}
A file of that name is replaced. Exit codes: 0 done, 1 wrong use, 2 bad input.`;

/** Renders one moment of a plan; see HELP. */
export const songStill = songVerb(
  HELP,
  {
    rig: { type: "string" },
    at: { type: "string" },
    size: { type: "string", default: "1280x720" },
    look: { type: "string" },
  },
  async ({ values, paths }) => {
    const [path, file] = paths;
    if (!path || !file || paths.length !== 2 || values.rig === undefined || values.at === undefined)
      throw new WrongUse();
    if (!/\.png$/i.test(file)) throw new WrongUse(`A still is a .png file: name one in place of ${file}`);
    const size = sizeOf(values.size);
    const plan = readPlan(path);
    const at = numberOf(values.at, "--at", [0, plan.duration]);
    await mustHaveFolder(file);
    const rig = readRig(values.rig);
    const draw = await picturesOf(await lookOf(values.look), plan, rig, size);
    await writeStill({ ...size, draw, path: file, attempt: `cli-${process.pid}` }, at);
    process.stdout.write(`${JSON.stringify({ file, at, ...size })}\n`);
  },
);
