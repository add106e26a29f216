import {
  lightingPlanSchema,
  STAGE_HEADERS,
  stageQueueSchema,
  stageRigSchema,
  type LightingPlan,
  type StageQueue,
  type StageRig,
} from "@followspot/contract";
import type { StageConfig } from "./stage-config.ts";

const TIMEOUT_MS = 5000;

export async function fetchRigRevision(config: StageConfig): Promise<number> {
  const response = await ask(config, "/internal/stage/revision");
  if (!response.ok) throw new Error(`rig revision: main-api answered ${response.status}`);
  return stageRigSchema.pick({ revision: true }).parse(await response.json()).revision;
}

/** Fetches the current rig and its outputs from main-api. */
export async function fetchRig(config: StageConfig): Promise<StageRig> {
  const response = await ask(config, "/internal/stage/rig");
  if (!response.ok) throw new Error(`rig: main-api answered ${response.status}`);
  return stageRigSchema.parse(await response.json());
}

/** Fetches a song's lighting plan; undefined if it has none. */
export async function fetchPlan(config: StageConfig, songId: string): Promise<LightingPlan | undefined> {
  const response = await ask(config, `/internal/stage/plans/${encodeURIComponent(songId)}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`plan of ${songId}: main-api answered ${response.status}`);
  return lightingPlanSchema.parse(await response.json());
}

/** Fetches the state of the show queue that concerns the lights. */
export async function fetchQueue(config: StageConfig): Promise<StageQueue> {
  const response = await ask(config, "/internal/stage/queue");
  if (!response.ok) throw new Error(`queue: main-api answered ${response.status}`);
  return stageQueueSchema.parse(await response.json());
}

/** Reports that a console took over the lights while the queue played this song. */
export async function tellTaken(config: StageConfig, songId: string): Promise<void> {
  const response = await ask(config, `/internal/stage/queue/taken/${encodeURIComponent(songId)}`, "POST");
  if (!response.ok) throw new Error(`queue: main-api answered ${response.status}`);
}

async function ask(config: StageConfig, path: string, method: "GET" | "POST" = "GET"): Promise<Response> {
  try {
    return await fetch(`${config.api}${path}`, {
      method,
      headers: { [STAGE_HEADERS.secret]: config.secret },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
  } catch (error) {
    const { cause = error } = error as Error;
    throw new Error(`main-api does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
