import { lstat, readFile } from "node:fs/promises";
import { FIXTURE_LIMITS } from "@followspot/lighting/fixture-formats";
import { foresee, importPatch, requireWorkspace } from "../lights/import-patch.ts";
import type { Caller } from "../platform/caller.ts";
import type { Sql } from "../platform/database/database.ts";

export interface ImportedPatch {
  readonly patched: readonly { readonly name: string; readonly universe: number; readonly address: number }[];
  /** Groups that were created or extended. */
  readonly groups: readonly string[];
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Patches the valid fixtures of a QLC+ workspace with their groups, in one transaction, and reports the others.
 *
 * @throws if the file is no readable workspace
 */
export async function importWorkspace(sql: Sql, caller: Caller, path: string): Promise<ImportedPatch> {
  if ((await lstat(path)).size > FIXTURE_LIMITS.fileBytes) throw new Error("The file is larger than 4 MB.");
  const workspace = await requireWorkspace(new Uint8Array(await readFile(path)));
  const foreseen = await foresee(sql, workspace.fixtures);
  const ready = foreseen.filter(({ state }) => state === "ready").map(({ fixture }) => fixture.id);
  const { lights, groups } =
    ready.length > 0 ? await importPatch(sql, caller, workspace, ready) : { lights: [], groups: [] };
  return {
    patched: lights.map(({ label, universe, dmx_address }) => ({ name: label, universe, address: dmx_address })),
    groups: groups.map(({ name }) => name),
    left_out: foreseen
      .filter(({ state }) => state !== "ready")
      .map(({ fixture, problem }) => ({ name: fixture.name, reason: problem })),
  };
}
