import type { Sql } from "../platform/database/database.ts";
import { every } from "../platform/every.ts";
import { closeOutputFaults, noteOutputFaults } from "./faults.store.ts";
import { readOutputs, type PreflightPorts } from "./preflight-facts.ts";
import { listOutputRows } from "../lights/outputs.store.ts";

const LOOK_MS = 5000;

/**
 * Records for the night's report when an output was down. Any number of processes may watch. @returns a function that
 * stops it
 */
export function watchOutputs(
  ports: Pick<PreflightPorts, "askStage"> & { readonly sql: Sql },
  warn: (message: string) => void,
): () => void {
  return every(LOOK_MS, "looking at outputs", () => lookAtOutputs(ports), warn);
}

export async function lookAtOutputs({
  sql,
  askStage,
}: Pick<PreflightPorts, "askStage"> & { readonly sql: Sql }): Promise<void> {
  const outputs = await readOutputs({ askStage }, await listOutputRows(sql));
  // An unavailable stage reports no outputs; its own fault is recorded as one of a process.
  if (!outputs) return;
  const down = outputs.filter(({ isDown }) => isDown);
  await noteOutputFaults(sql, down.map(({ id, name, error }) => ({ thing: id, says: `"${name}" was down: ${error || "nothing could be sent"}.` }))); // prettier-ignore
  await closeOutputFaults(sql, down.map(({ id }) => id)); // prettier-ignore
}
