import { once } from "node:events";
import { compileShow, newFrame, renderFrame } from "@followspot/lighting";
import { readPlan, readRig } from "./show-files.ts";
import { songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- frames PLAN --rig RIG [--from S] [--to S] [--fps 44]

Renders a plan on a rig and prints one JSON line per DMX frame:
  {"t": 12.5, "universes": {"1": "<1024 hex digits: 512 slots>"}}
PLAN        lighting.json
--rig RIG   rig.json, or pars:N for N generic RGB pars
--from, --to   song seconds (default the whole song), --to excluded`;

/** Prints the DMX frames of a plan; see HELP. */
export const songFrames = songVerb(
  HELP,
  {
    rig: { type: "string" },
    from: { type: "string", default: "0" },
    to: { type: "string" },
    fps: { type: "string", default: "44" },
  },
  async ({ values, paths }) => {
    const [path] = paths;
    const from = Number(values.from);
    const fps = Number(values.fps);
    const to = values.to === undefined ? undefined : Number(values.to);
    const isUsable = from >= 0 && fps > 0 && fps <= 1000 && (to === undefined || to >= from);
    if (!path || paths.length !== 1 || values.rig === undefined || !isUsable) throw new WrongUse();
    const plan = readPlan(path);
    const show = compileShow(plan, readRig(values.rig));
    for (const problem of show.problems) console.error(problem);
    const frame = newFrame(show);
    const end = to ?? plan.duration;
    for (let i = 0; from + i / fps < end; i++) {
      const t = from + i / fps;
      renderFrame(show, t, frame);
      const universes = Object.fromEntries(
        [...frame].map(([universe, slots]) => [universe, Buffer.from(slots).toString("hex")]),
      );
      const hasRoom = process.stdout.write(`${JSON.stringify({ t: Math.round(t * 1e6) / 1e6, universes })}\n`);
      if (!hasRoom) await once(process.stdout, "drain");
    }
  },
);
