import { basename } from "node:path/posix";
import { groupTypeOf } from "@followspot/lighting";
import {
  readFixtureFile,
  type Workspace,
  type WorkspaceFixture,
  type WorkspaceGroup,
} from "@followspot/lighting/fixture-formats";
import type { Caller } from "../platform/caller.ts";
import { change, done } from "../platform/database/change.ts";
import type { Db, Sql } from "../platform/database/database.ts";
import { conflict, invalid, missing } from "../platform/errors.ts";
import { insertAt, makeGroup, problemsOf, type WantedLight } from "./add-lights.ts";
import { findDefinitions, type FixtureFields } from "./fixtures.store.ts";
import { getGroup, groupEntry } from "./groups.routes.ts";
import { listGroups, type GroupRow } from "./groups.store.ts";
import { importedEntry } from "./import-fixtures.ts";
import { shippedLamps } from "./lamp-library/lamp-library.ts";
import { joinGroup, listLights, type LightRow } from "./lights.store.ts";
import { packPatch } from "./patch.ts";
import { storeFixture } from "./put-fixtures.ts";
import { readWorkspaceFile } from "./read-fixture-files.ts";
import { findLightTypes, type LightTypeMatch } from "./workspace-light-types.ts";

/** A fixture of a workspace, and the planned result of its import. */
export interface ForeseenFixture extends LightTypeMatch {
  readonly fixture: WorkspaceFixture;
  readonly state: "ready" | "unknown" | "overlap" | "outside";
}

/** A group of a workspace, and the existing group of the same name. */
export interface ForeseenGroup extends WorkspaceGroup {
  readonly groupId: string | undefined;
}

export interface ImportedPatch {
  readonly lights: readonly LightRow[];
  /** Groups that were created or extended. */
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

interface JoinedGroup {
  readonly before: GroupRow | undefined;
  readonly after: GroupRow;
}

interface Member {
  readonly id: number;
  readonly lightType: string;
}

/** @throws invalid_argument with a sentence if the file is not a readable workspace */
export async function requireWorkspace(bytes: Uint8Array): Promise<Workspace> {
  const reading = await readWorkspaceFile(bytes);
  if ("reason" in reading) throw invalid(reading.reason);
  return reading;
}

/** Matches groups of a workspace: existing names will be extended, others created. */
export async function foreseeGroups(db: Db, groups: readonly WorkspaceGroup[]): Promise<readonly ForeseenGroup[]> {
  const known = new Map((await listGroups(db)).map(({ id, name }) => [name.toLowerCase(), id]));
  return groups.map((group) => ({ ...group, groupId: known.get(group.name.toLowerCase()) }));
}

/** Previews the import of a workspace's fixtures in the current state. */
export async function foresee(db: Db, fixtures: readonly WorkspaceFixture[]): Promise<readonly ForeseenFixture[]> {
  const matchOf = await findLightTypes(db, fixtures);
  const known = fixtures.map((fixture) => ({ fixture, ...matchOf(fixture) }));
  const patchable = known.filter(({ problem }) => problem === "");
  const problems = problemsOf(await listLights(db), patchable.map(toWanted));
  const problemAt = new Map(patchable.map((each, i) => [each.fixture.id, problems.get(i)]));
  return known.map((each) => {
    if (each.problem !== "") return { ...each, state: "unknown" };
    const inTheWay = problemAt.get(each.fixture.id);
    const state = !inTheWay ? "ready" : inTheWay.isOutside ? "outside" : "overlap";
    return { ...each, state, problem: inTheWay?.sentence ?? "" };
  });
}

/**
 * Patches the selected fixtures at their QLC+ addresses, all or none. Fixtures of the shipped library become light types,
 * and a fixture that only the workspace describes gets its own definition. The lights join the given groups. Lock order: patch, then definitions by key, then lights, then
 * groups.
 * @throws failed_precondition with a sentence if a fixture can no longer be patched
 */
export async function importPatch(
  sql: Sql,
  caller: Caller,
  { fixtures, groups }: Workspace,
  ids: readonly number[],
): Promise<ImportedPatch> {
  const chosen = ids.map((id) => {
    const fixture = fixtures.find((each) => each.id === id);
    if (!fixture) throw missing(`The workspace has no fixture with the ID ${id}.`);
    return fixture;
  });
  if (chosen.length === 0) throw invalid("Choose at least one fixture");
  const patch = async (tx: Db) => {
    const foreseen = await foresee(tx, chosen);
    const stuck = foreseen.find(({ state }) => state !== "ready");
    if (stuck) throw conflict(`Nothing was patched. ${stuck.problem}`);
    const stored = await storeMissing(tx, foreseen);
    const added = await insertAt(tx, await listLights(tx), foreseen.map(toWanted));
    await packPatch(tx);
    const patched = new Map(foreseen.map(({ fixture, lightType }, i) => [fixture.id, { id: added[i]!, lightType }]));
    const joined: JoinedGroup[] = [];
    for (const group of await foreseeGroups(tx, groups)) {
      const members = group.fixtureIds.flatMap((id) => patched.get(id) ?? []);
      if (members.length > 0) joined.push(await join(tx, group, members));
    }
    const lights = (await listLights(tx)).filter(({ id }) => added.includes(id));
    const after = lights.map(({ id, label }) => `${id} ${label}`);
    const what = { noun: "light", id: "all", verb: "imported", after, payload: { ids: [...added] } };
    return done(
      { lights, groups: joined.map(({ after: { id, name } }) => ({ id, name })) },
      what,
      ...(stored.length > 0 ? [importedEntry(stored)] : []),
      ...joined.map(toEntry),
    );
  };
  return change(sql, caller, patch, ["patch"]);
}

/** Stores the definitions that do not exist yet, in the order of their keys. @returns their keys */
async function storeMissing(tx: Db, foreseen: readonly ForeseenFixture[]): Promise<readonly string[]> {
  const wanted = new Map(foreseen.map((each) => [each.lightType, each]));
  const known = await findDefinitions(tx, [...wanted.keys()]);
  const keys = [...wanted.keys()].filter((key) => !known.has(key)).toSorted();
  for (const key of keys) await storeFixture(tx, await fieldsOf(wanted.get(key)!));
  return keys;
}

async function fieldsOf({ fixture, libraryLamp }: ForeseenFixture): Promise<FixtureFields> {
  if (!libraryLamp) return { format: "own", definition: fixture.made!, file_name: "", original: null }; // known else
  const { name, bytes } = await shippedLamps().fileOf(libraryLamp);
  return { ...readFixtureFile(name, bytes), file_name: basename(name), original: bytes };
}

/** Adds lights to the group with this name, which is created if missing. */
async function join(tx: Db, { name, groupId }: ForeseenGroup, members: readonly Member[]): Promise<JoinedGroup> {
  const ids = members.map(({ id }) => id);
  if (groupId !== undefined) {
    const before = await getGroup(tx, groupId);
    await joinGroup(tx, groupId, ids);
    return { before, after: await getGroup(tx, groupId) };
  }
  const definitions = await findDefinitions(tx, [...new Set(members.map(({ lightType }) => lightType))]);
  const type = groupTypeOf([...definitions.values()].map((definition) => definition.type));
  const id = await makeGroup(tx, { id: "", name, type }, ids);
  return { before: undefined, after: await getGroup(tx, id) };
}

const toEntry = ({ before, after }: JoinedGroup) => groupEntry(before ? "updated" : "created", before, after);

const toWanted = ({
  fixture,
  lightType,
  lightMode,
}: Pick<ForeseenFixture, "fixture" | "lightType" | "lightMode">): WantedLight => ({
  label: fixture.name,
  patchedAs: { light_type: lightType, mode: lightMode, channel_config: "" },
  channelCount: fixture.channelCount,
  universe: fixture.universe,
  address: fixture.address,
});
