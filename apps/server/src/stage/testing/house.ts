import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOfUrl, STAGE_HEADERS, type Output } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { DeskLineSocket } from "./desk-socket.ts";
import { listenForDmx, until, type DmxNode } from "./dmx-node.ts";
import { brightPlan, halfDarkPlan, movingPlan } from "./plans.ts";
import { STAGE_SECRET, startStageApi } from "./stage-api-server.ts";

/**
 * What a stage needs around it: main-api with a rig of pars and the songs `moving`, `bright` and `dark`, one node on
 * loopback, a data folder. @param opened is given all that must be closed, in the order it was opened
 */
export async function openHouse(opened: { close(): unknown }[], lamps = 4) {
  const dataDir = await mkdtemp(join(tmpdir(), "followspot-stage-"));
  opened.push({ close: () => rm(dataDir, { recursive: true, force: true }) });
  const api = await startStageApi();
  const node = await listenForDmx();
  opened.push(node, { close: () => api.close() });
  api.plans.set("moving", async () => movingPlan());
  api.plans.set("bright", async () => brightPlan());
  api.plans.set("dark", async () => halfDarkPlan());
  api.setRig(parsRig(lamps), [outputTo(node)]);
  return { api, node, dataDir };
}

/** Universe 1 to a node on loopback. */
export function outputTo({ port }: Pick<DmxNode, "port">, offsetMs = 0): Output {
  return { ...outputOfUrl(`artnet://127.0.0.1:${port}/0`), id: `to ${port}`, offsetMs };
}

/** A line to the desk of a stage on loopback, once the stage has spoken. */
export function openDesk(opened: { close(): unknown }[], port: number, name: string): Promise<DeskLineSocket> {
  const line = new DeskLineSocket(`ws://127.0.0.1:${port}/lights/desk`, { headers: headersOf(name) }, name);
  opened.push(line);
  return line.opened();
}

/** The same once the stage has read its rig as well. */
export async function openDeskOfRig(...of: Parameters<typeof openDesk>): Promise<DeskLineSocket> {
  const line = await openDesk(...of);
  await until(() => line.state!.groups !== undefined);
  return line;
}

/** How main-api says whose a line is. */
export const headersOf = (name: string) => ({
  [STAGE_HEADERS.secret]: STAGE_SECRET,
  [STAGE_HEADERS.user]: name.toLowerCase(),
  [STAGE_HEADERS.name]: encodeURIComponent(name),
});
