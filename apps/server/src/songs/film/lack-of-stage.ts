import { existsSync } from "node:fs";
import { findChromium } from "./find-chromium.ts";
import { STAGE_PAGE } from "./stage-pictures.ts";

/**
 * Returns why the 3D stage cannot be rendered on this machine, as a clause; undefined if it can. @param named path of a
 * Chromium
 */
export async function lackOfStage(named: string | undefined): Promise<string | undefined> {
  if (!(await findChromium(named))) return "there is no Chromium; install it, or name it with FOLLOWSPOT_CHROMIUM";
  return existsSync(STAGE_PAGE) ? undefined : "the console is not built; npm start builds it";
}
