/**
 * A stage that follows sound, in a process of its own so that what it takes can be measured: live-sound.ts plays into it.
 *   node bench/dmx/live-stage.ts PLAN UNIVERSES LAMPS PORT PORT
 * PLAN is `planned`, or one of those tests show; LAMPS are in each universe. Universe 1 goes to the first port of
 * loopback, all others to the second. Tells the port it listens on, and answers every message with the CPU time it took.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOfUrl } from "@followspot/contract";
import { startStage } from "../../apps/server/src/stage/stage-server.ts";
import { liveOf } from "../../apps/server/src/stage/testing/plans.ts";
import { STAGE_SECRET, startStageApi } from "../../apps/server/src/stage/testing/stage-api-server.ts";
import { wideRig } from "./wide-rig.ts";

const [plan, universes, lamps, first, others] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), "followspot-bench-"));
process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const api = await startStageApi();
const outputs = Array.from({ length: Number(universes) }, (_, i) => ({
  ...outputOfUrl(`artnet://127.0.0.1:${i === 0 ? first : others}/${i}`, i + 1),
  id: `universe ${i + 1}`,
}));
api.setRig(wideRig(Number(universes), Number(lamps)), outputs);
const livePlan = plan === "chase" || plan === "snap" ? liveOf(plan) : undefined;
const stage = await startStage({ port: 0, secret: STAGE_SECRET, dataDir, api: api.url, ...(livePlan && { livePlan }) });
process.send?.(stage.port);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});
process.once("SIGTERM", async () => {
  await stage.close();
  process.exit(0);
});
