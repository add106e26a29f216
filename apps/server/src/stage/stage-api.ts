import {
  lightingPlanSchema,
  STAGE_HEADERS,
  stageRigSchema,
  type LightingPlan,
  type StageRig,
} from "@followspot/contract";
import type { StageConfig } from "./stage-config.ts";

const TIMEOUT_MS = 5000;

export async function fetchRigRevision(config: StageConfig): Promise<number> {
  const response = await get(config, "/internal/stage/revision");
  if (!response.ok) throw new Error(`rig revision: main-api answered ${response.status}`);
  return stageRigSchema.pick({ revision: true }).parse(await response.json()).revision;
}

/** The rig and where it is sent, as main-api has them now. */
export async function fetchRig(config: StageConfig): Promise<StageRig> {
  const response = await get(config, "/internal/stage/rig");
  if (!response.ok) throw new Error(`rig: main-api answered ${response.status}`);
  return stageRigSchema.parse(await response.json());
}

/** A song's lighting plan; undefined when it has none. */
export async function fetchPlan(config: StageConfig, songId: string): Promise<LightingPlan | undefined> {
  const response = await get(config, `/internal/stage/plans/${encodeURIComponent(songId)}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`plan of ${songId}: main-api answered ${response.status}`);
  return lightingPlanSchema.parse(await response.json());
}

function get(config: StageConfig, path: string): Promise<Response> {
  return fetch(`${config.api}${path}`, {
    headers: { [STAGE_HEADERS.secret]: config.secret },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "error",
  });
}
