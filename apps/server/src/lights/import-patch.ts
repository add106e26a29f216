import type { FixtureDefinition } from "@followspot/contract";
import { groupTypeOf } from "@followspot/lighting";
import {
  keyOf,
  type Workspace,
  type WorkspaceFixture,
  type WorkspaceGroup,
} from "@followspot/lighting/fixture-formats";
import type { Caller } from "../platform/caller.ts";
import { change, done } from "../platform/change.ts";
import type { Db, Sql } from "../platform/database.ts";
import { conflict, invalid, missing } from "../platform/errors.ts";
import { insertAt, makeGroup, problemsOf, type WantedLight } from "./add-lights.ts";
import { findDefinitions } from "./fixtures.store.ts";
import { getGroup, groupEntry } from "./groups.routes.ts";
import { listGroups, type GroupRow } from "./groups.store.ts";
import { joinGroup, listLights, type LightRow } from "./lights.store.ts";
import { packPatch } from "./patch.ts";
import { storeFixture } from "./put-fixtures.ts";
import { readWorkspaceFile } from "./read-fixture-files.ts";

/** Sources of a fixture's definition, best first: QLC+ itself names fixtures as in its own files. */
const FORMATS = ["qlc", "own", "gdtf", "ofl"] as const;
/** Built-in definition with one dimmer channel. */
const ONE_DIMMER = { key: "generic_dimmer_channel", mode: "1 channel" } as const;
const NAMED_MODES = 6;

/** A fixture of a workspace, and the planned result of its import. */
export interface ForeseenFixture {
  readonly fixture: WorkspaceFixture;
  readonly state: "ready" | "unknown" | "overlap" | "outside";
  /** Problem and remedy, as a sentence; empty if the fixture is ready. */
  readonly problem: string;
  readonly lightType: string;
  readonly lightMode: string;
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
  const definitions = await findDefinitions(db, [...new Set(fixtures.flatMap(keysOf))]);
  const known = fixtures.map((fixture) => ({ fixture, ...matchOf(fixture, definitions) }));
  const patchable = known.filter(({ problem }) => problem === "");
  const problems = problemsOf(await listLights(db), patchable.map(toWanted));
  const problemAt = new Map(patchable.map((each, i) => [each.fixture.id, problems.get(i)]));
  return known.map(({ fixture, lightType, lightMode, problem }) => {
    if (problem !== "") return { fixture, state: "unknown", problem, lightType: "", lightMode: "" };
    const inTheWay = problemAt.get(fixture.id);
    const state = !inTheWay ? "ready" : inTheWay.isOutside ? "outside" : "overlap";
    return { fixture, state, problem: inTheWay?.sentence ?? "", lightType, lightMode };
  });
}

/**
 * Patches the selected fixtures at their QLC+ addresses, all or none. A fixture that only the workspace describes gets
 * its own definition. The lights join the given groups. Lock order: patch, then definitions by key, then lights, then
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
    const made = new Map(chosen.flatMap(({ made: own }) => (own ? [[own.key, own] as const] : [])));
    const used = new Set(foreseen.map(({ lightType }) => lightType));
    for (const [key, definition] of [...made].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (!used.has(key) || (await findDefinitions(tx, [key])).has(key)) continue;
      await storeFixture(tx, { format: "own", definition, file_name: "", original: null });
    }
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
      ...joined.map(toEntry),
    );
  };
  return change(sql, caller, patch, ["patch"]);
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

const isOneDimmer = ({ made, channelCount }: WorkspaceFixture) => made?.type === "dimmer" && channelCount === 1;

function keysOf(fixture: WorkspaceFixture): readonly string[] {
  if (isOneDimmer(fixture)) return [];
  if (fixture.made) return [fixture.made.key];
  return FORMATS.map((format) => keyOf(format, fixture.manufacturer, fixture.model));
}

function matchOf(fixture: WorkspaceFixture, definitions: ReadonlyMap<string, FixtureDefinition>) {
  if (isOneDimmer(fixture)) return { lightType: ONE_DIMMER.key, lightMode: ONE_DIMMER.mode, problem: "" };
  const { manufacturer, model, mode, channelCount, made } = fixture;
  const found = keysOf(fixture).flatMap((key) => definitions.get(key) ?? made ?? []);
  const wanted = made?.modes[0]?.name ?? mode;
  for (const { key, modes } of found) {
    const same = modes.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (same?.channels.length === channelCount) return { lightType: key, lightMode: same.name, problem: "" };
  }
  const lamp = `${manufacturer} ${model}`.trim() || "This lamp";
  const file = "Import the .qxf file that QLC+ uses under Fixtures, then open the workspace again.";
  const [first] = found;
  if (!first) return { lightType: "", lightMode: "", problem: `${lamp} is not known here. ${file}` };
  const modes = first.modes.slice(0, NAMED_MODES).map(({ name, channels }) => `${name} (${channels.length})`);
  const problem = `${lamp} has no mode "${wanted}" with ${channelCount} channels here, only ${modes.join(", ")}. ${file}`;
  return { lightType: "", lightMode: "", problem };
}
