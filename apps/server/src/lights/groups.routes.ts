import { create } from "@bufbuild/protobuf";
import { LightGroupSchema, type LightGroup, type UpdateGroupRequest } from "@followspot/contract/lights";
import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { alreadyExists, invalid, notFound } from "../platform/errors.ts";
import { requireUnchanged, whyGone } from "../platform/database/if-unchanged.ts";
import { mapInSlices } from "../platform/http/in-slices.ts";
import { listQueryOf, readPage } from "../platform/database/lists.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import { requireGroupId, requireGroupName, requireGroupType } from "./group-rules.ts";
import * as store from "./groups.store.ts";
import type { GroupRow } from "./groups.store.ts";
import { requireLights, toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { listLights } from "./lights.store.ts";

export function groupMethods({ sql }: LightsPorts) {
  return {
    listGroups: async (request) => {
      const query = listQueryOf({ list: request.list });
      if (!query) return { groups: await mapInSlices(await store.listGroups(sql), toGroup) };
      const { rows, nextPageToken } = await readPage<GroupRow>(sql, store.GROUP_LIST, query);
      return { groups: rows.map(toGroup), nextPageToken };
    },

    getGroup: async (request) => ({ group: toGroup(await getGroup(sql, request.id)) }),

    getGroupLights: async (request) => {
      const group = await getGroup(sql, request.id);
      const lights = new Map((await listLights(sql)).map((light) => [light.id, light]));
      return { lights: group.light_ids.flatMap((id) => lights.get(id) ?? []).map(toLight) };
    },

    createGroup: async (request, context) => {
      const group = {
        id: requireGroupId(request.id),
        name: requireGroupName(request.name),
        type: requireGroupType(request.type),
      };
      if (request.fixtureIds.length === 0) throw invalid("At least one light must be selected");
      const insert = async (tx: Db) => {
        await requireLights(tx, request.fixtureIds);
        if (!(await store.insertGroup(tx, group)))
          throw alreadyExists(`There is a group with the ID ${group.id} already`);
        await store.setLightsOfGroup(tx, group.id, request.fixtureIds);
        const after = await getGroup(tx, group.id);
        return done({ group: toGroup(after) }, groupEntry("created", undefined, after));
      };
      return change(sql, requireCaller(context), insert, ["patch"]);
    },

    updateGroup: async (request, context) => {
      const caller = requireCaller(context);
      const asked = changeOf(request);
      const update = async (tx: Db) => {
        const edited = { id: request.id, noun: "light_group", word: "group" };
        const before = await store.findGroup(tx, request.id);
        if (!before) throw await whyGone(tx, caller, edited, request.ifUpdatedAt);
        await requireUnchanged(tx, caller, { ...before, ...edited }, request.ifUpdatedAt);
        await requireLights(tx, request.fixtureIds);
        await store.updateGroup(tx, before.id, asked);
        if (request.fixtureIds.length > 0) await store.setLightsOfGroup(tx, before.id, request.fixtureIds);
        const after = await getGroup(tx, before.id);
        return done({ group: toGroup(after) }, groupEntry("updated", before, after));
      };
      return change(sql, caller, update, ["patch"]);
    },

    deleteGroup: async (request, context) => {
      const remove = async (tx: Db) => {
        const before = await getGroup(tx, request.id);
        await store.removeGroup(tx, before.id);
        return done({ success: true }, groupEntry("deleted", before, undefined));
      };
      return change(sql, requireCaller(context), remove, ["patch"]);
    },
  } satisfies LightsMethods;
}

export async function getGroup(db: Db, id: string): Promise<GroupRow> {
  const group = await store.findGroup(db, id);
  if (!group) throw notFound("Group", id);
  return group;
}

function changeOf(request: UpdateGroupRequest) {
  return {
    ...(request.name !== undefined && { name: requireGroupName(request.name) }),
    ...(request.type !== undefined && { type: requireGroupType(request.type) }),
    ...(request.enabled !== undefined && { enabled: request.enabled }),
  };
}

export function toGroup(row: GroupRow): LightGroup {
  return create(LightGroupSchema, {
    id: row.id,
    name: row.name,
    type: row.type,
    fixtureIds: row.light_ids,
    enabled: row.enabled,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
  });
}

export function groupEntry(verb: string, before: GroupRow | undefined, after: GroupRow | undefined): Entry {
  const id = (after ?? before)?.id ?? "";
  return { noun: "light_group", id, verb, before, after, payload: { group_id: id } };
}
