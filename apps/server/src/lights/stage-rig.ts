import type { Rig, StageRig } from "@followspot/contract";
import type { Db } from "../platform/database/database.ts";
import { findLampPart, outputsOfPart } from "./standby-role.ts";
import { whyWithheld } from "./stage-lease.ts";
import type { FixtureLibrary } from "./fixture-library.ts";
import { listGroups } from "./groups.store.ts";
import { withPoses } from "./light-pose.ts";
import { listLights } from "./lights.store.ts";
import { listOutputs } from "./outputs.store.ts";

/** Read before the rest: a change in between is read again, never missed. */
export async function rigRevision(db: Db): Promise<number> {
  const [row] = await db<{ revision: number }[]>`select revision::int from rig_revision`;
  return row?.revision ?? 0;
}

/** Tells the stage to read the rig again where no light was touched: the table's triggers tell it otherwise. */
export async function raiseRigRevision(db: Db): Promise<void> {
  await db`update rig_revision set revision = revision + 1`;
}

/**
 * Returns the rig and outputs for the stage of a machine. A machine without the lease has the role of a passive standby.
 * @param machine undefined if the caller needs no outputs
 */
export async function readStageRig(db: Db, fixtures: FixtureLibrary, machine?: string): Promise<StageRig> {
  const revision = await rigRevision(db);
  const withheldBecause = machine === undefined ? undefined : await whyWithheld(db, machine);
  const part = withheldBecause === undefined ? (await findLampPart(db))?.part : "follows";
  const outputs = outputsOfPart(await listOutputs(db), part);
  return { revision, rig: await readRig(db, fixtures), outputs, ...(withheldBecause && { withheldBecause }) };
}

/** Every patched light whose mode is still known, and the groups, as the stage and the planner take them. */
export async function readRig(db: Db, fixtures: FixtureLibrary): Promise<Rig> {
  const rows = await listLights(db);
  const modeOf = await fixtures.modesOf(db, rows);
  const lights = rows.flatMap((light) => {
    const mode = modeOf(light);
    if (!mode || mode.channels.length !== light.channel_count) return [];
    const { id, label, universe, enabled, aim, haze_in_shows: haze } = light;
    const known = { ...(aim && { aim }), ...(haze && { hazeInShows: haze }) };
    return [{ id, label, universe, address: light.dmx_address, mode, enabled, ...known }];
  });
  const patched = new Set(lights.map((light) => light.id));
  const groups = (await listGroups(db)).map(({ id, name, type, enabled, light_ids }) => ({
    id,
    name,
    type,
    enabled,
    lightIds: light_ids.filter((lightId) => patched.has(lightId)),
  }));
  return withPoses({ lights, groups }, new Map(rows.map((row) => [row.id, row])));
}
