import { outputOfUrl, STAGE_HEADERS, type Output } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { onTestFinished } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import type { StageConfig } from "../stage-config.ts";
import { startStage, type StageServer } from "../stage-server.ts";
import { ConsoleSocket } from "./console-socket.ts";
import { DeskSocket } from "./desk-socket.ts";
import { listenForDmx, until, type DmxNode } from "./dmx-node.ts";
import { brightPlan, halfDarkPlan, movingPlan } from "./plans.ts";
import { STAGE_SECRET, startStageApi, type StageApiServer } from "./stage-api-server.ts";

/**
 * Opens the environment of a stage until the test has finished: main-api with a rig of pars and the songs `moving`,
 * `bright` and `dark`, one node on loopback, a data folder.
 */
export async function openHouse(lamps = 4) {
  const dataDir = await folderUntil(onTestFinished);
  const node = openUntil(onTestFinished, await listenForDmx());
  const api = openUntil(onTestFinished, await startStageApi());
  api.plans.set("moving", async () => movingPlan());
  api.plans.set("bright", async () => brightPlan());
  api.plans.set("dark", async () => halfDarkPlan());
  api.setRig(parsRig(lamps), [outputTo(node)]);
  return { api, node, dataDir };
}

/** Starts a stage in such an environment, until the test has finished. @param more overrides of its configuration */
export async function openStage(
  { api, dataDir }: { readonly api: StageApiServer; readonly dataDir: string },
  more: Partial<StageConfig> = {},
): Promise<StageServer> {
  const stage = await startStage({ port: 0, secret: STAGE_SECRET, dataDir, api: api.url, ...more });
  return openUntil(onTestFinished, stage);
}

/** Opens a console that can play a song on a stage on loopback, until the test has finished. */
export function openConsole(port: number, song: string): Promise<ConsoleSocket> {
  const url = `ws://127.0.0.1:${port}/lights/playback/${song}`;
  return openUntil(onTestFinished, new ConsoleSocket(url, { headers: headersOf("Director") })).opened();
}

/** Returns an output of universe 1 to a node on loopback. */
export function outputTo({ port }: Pick<DmxNode, "port">, offsetMs = 0): Output {
  return { ...outputOfUrl(`artnet://127.0.0.1:${port}/0`), id: `to ${port}`, offsetMs };
}

/** Connects to the desk of a stage on loopback, and waits for its first state. */
export function openDesk(port: number, name: string): Promise<DeskSocket> {
  const connection = new DeskSocket(`ws://127.0.0.1:${port}/lights/desk`, { headers: headersOf(name) }, name);
  return openUntil(onTestFinished, connection).opened();
}

/** Connects to the desk, and also waits until the stage has read its rig. */
export async function openDeskOfRig(...of: Parameters<typeof openDesk>): Promise<DeskSocket> {
  const connection = await openDesk(...of);
  await until(() => connection.state!.groups !== undefined);
  return connection;
}

/** Returns the headers with which main-api identifies the user of a connection. */
export const headersOf = (name: string) => ({
  [STAGE_HEADERS.secret]: STAGE_SECRET,
  [STAGE_HEADERS.user]: name.toLowerCase(),
  [STAGE_HEADERS.name]: encodeURIComponent(name),
});
