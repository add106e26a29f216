/**
 * Program started by rehearse-light.ts in its own process: receives songs, and sends the result of each one as soon as
 * it is computed.
 */
import { readFileSync } from "node:fs";
import type { LightingPlan, Rig } from "@followspot/contract";
import { bindShow, fixtureStates, FLASHES_PER_SECOND, limitInSlices } from "@followspot/lighting";
import type { LightTask, SongLight } from "./rehearse-light.ts";

/** Interval between evaluated frames, s; a fixture that is lit or dark for longer is detected. */
const EVERY = 0.25;
/** Linear light below which a fixture looks dark. */
const DARK = 0.002;

process.once("message", async (message) => {
  const { songs, rig } = message as LightTask;
  for (const song of songs) await tell(look(song, rig));
  process.disconnect();
});

/** Resolves once the result has been sent; exits if the parent process has ended. */
async function tell(light: SongLight): Promise<void> {
  const fault = await new Promise((sent) => process.send?.(light, sent));
  if (fault) process.exit();
}

function look({ songId, title, file }: LightTask["songs"][number], rig: Rig): SongLight {
  try {
    if (file === undefined) throw new Error("the file of its show is missing");
    const plan = JSON.parse(readFileSync(file, "utf8")) as LightingPlan; // our own file
    const show = bindShow(plan, rig);
    const slices = limitInSlices(show);
    let slice = slices.next();
    while (!slice.done) slice = slices.next();
    const [lit, dark] = [new Set<number>(), new Set<number>()];
    for (let t = 0; t < plan.duration; t += EVERY)
      for (const { lightId, level } of fixtureStates(show, t)) (level > DARK ? lit : dark).add(lightId);
    const allowedFlashes = FLASHES_PER_SECOND[plan.safety.profile];
    return { songId, title, problem: "", ...slice.value, allowedFlashes, litLamps: [...lit], darkLamps: [...dark] };
  } catch (error) {
    const problem = (error as Error).message || "unknown";
    return { songId, title, problem, mostFlashes: 0, limitedShare: 0, allowedFlashes: 0, litLamps: [], darkLamps: [] };
  }
}
