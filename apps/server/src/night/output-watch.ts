import type { Sql } from "../platform/database.ts";
import { every } from "../platform/every.ts";
import { closeOutputFaults, noteOutputFaults } from "./faults.store.ts";
import { readOutputs, type PreflightPorts } from "./preflight-facts.ts";
import { listOutputRows } from "../lights/outputs.store.ts";

const LOOK_MS = 5000;

/** Keeps for the night's report when an output was down. Any number of processes may look. @returns ends it */
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
  // A stage that is away says nothing of its outputs; it is a part, and told of as one.
  if (!outputs) return;
  const down = outputs.filter(({ isDown }) => isDown);
  await noteOutputFaults(sql, down.map(({ id, name, error }) => ({ thing: id, says: `"${name}" was down: ${error || "nothing could be sent"}.` }))); // prettier-ignore
  await closeOutputFaults(sql, down.map(({ id }) => id)); // prettier-ignore
}
