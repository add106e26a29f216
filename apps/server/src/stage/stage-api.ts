import {
  lightingPlanSchema,
  outputSchema,
  rigSchema,
  type LightingPlan,
  type Output,
  type Rig,
} from "@followspot/contract";
import { z } from "zod";
import type { StageConfig } from "./stage-config.ts";

export const SECRET_HEADER = "x-followspot-stage-secret";
const TIMEOUT_MS = 5000;

const revisionSchema = z.object({ revision: z.number() });
const stageRigSchema = revisionSchema.extend({ rig: rigSchema, outputs: z.array(outputSchema) });

/** The rig and where it is sent; another revision means that either has changed. */
export interface StageRig {
  readonly revision: number;
  readonly rig: Rig;
  readonly outputs: readonly Output[];
}

export async function fetchRigRevision(config: StageConfig): Promise<number> {
  const response = await get(config, "/internal/stage/revision");
  if (!response.ok) throw new Error(`rig revision: main-api answered ${response.status}`);
  return revisionSchema.parse(await response.json()).revision;
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
    headers: { [SECRET_HEADER]: config.secret },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "error",
  });
}
