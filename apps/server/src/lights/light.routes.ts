import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/change.ts";
import type { Db } from "../platform/database.ts";
import { invalid, notFound, outOfRange } from "../platform/errors.ts";
import { countRows, listQueryOf, readPage } from "../platform/lists.ts";
import { requireUnchanged } from "../platform/timestamps.ts";
import { missingGroup } from "./groups.store.ts";
import { requireLights, toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import * as store from "./lights.store.ts";
import type { LightFields, LightRow } from "./lights.store.ts";
import { packPatch, requireAddress, requirePosition } from "./patch.ts";

const LAST_POSITION = 999;

export function lightMethods({ sql, fixtures }: LightsPorts) {
  return {
    listLights: async (request) => {
      const query = listQueryOf({ list: request.list });
      if (!query) return { lights: (await store.listLights(sql)).map(toLight) };
      const { rows, nextPageToken } = await readPage<LightRow>(sql, store.LIGHT_LIST, query);
      return { lights: rows.map(toLight), nextPageToken };
    },

    countLights: async (request) => ({ counts: await countRows(sql, store.LIGHT_LIST, request.query) }),

    getLight: async (request) => ({ light: toLight(await getLight(sql, request.id)) }),

    createLight: async (request, context) => {
      const mode = fixtures.requireMode(request.lightType, request.mode);
      const channel_count = mode.channels.length;
      const override = request.dmxAddressOverride;
      const fields = withAddress({
        label: requireLabel(request.label),
        light_type: request.lightType,
        mode: request.mode,
        channel_count,
        channel_config: requireChannelConfig(request.channelConfig ?? ""),
        position: requirePosition(request.position ?? ""),
        enabled: true,
        universe: request.universe || 1,
        dmx_override: override === undefined ? null : requireAddress(override, channel_count),
      });
      const insert = async (tx: Db) => {
        await requireGroups(tx, request.groups);
        const id = await store.insertLight(tx, fields);
        await store.setGroupsOfLight(tx, id, request.groups);
        await packPatch(tx);
        const light = await getLight(tx, id);
        return done({ light: toLight(light) }, entry("created", undefined, light));
      };
      return change(sql, requireCaller(context), insert, ["patch"]);
    },

    updateLight: async (request, context) => {
      const update = async (tx: Db) => {
        const before = await getLight(tx, request.id);
        requireUnchanged("This light", before.updated_at, request.ifUpdatedAt);
        const light_type = request.lightType ?? before.light_type;
        const modeName = request.mode ?? before.mode;
        const isSameMode = light_type === before.light_type && modeName === before.mode;
        // A lamp whose definition is gone can still be renamed, moved and switched off.
        const channel_count = isSameMode
          ? before.channel_count
          : fixtures.requireMode(light_type, modeName).channels.length;
        const wanted = request.dmxAddressOverride ?? before.dmx_override;
        const fields = withAddress({
          label: request.label === undefined ? before.label : requireLabel(request.label),
          light_type,
          mode: modeName,
          channel_count,
          channel_config: before.channel_config,
          position: request.position === undefined ? before.position : requirePosition(request.position),
          enabled: request.enabled ?? before.enabled,
          universe: request.universe || before.universe,
          dmx_override: wanted === null || wanted === 0 ? null : requireAddress(wanted, channel_count),
        });
        await requireGroups(tx, request.groups);
        await store.updateLight(tx, before.id, fields);
        if (request.clearGroups || request.groups.length > 0) {
          await store.setGroupsOfLight(tx, before.id, request.clearGroups ? [] : request.groups);
        }
        await packPatch(tx);
        const light = await getLight(tx, before.id);
        return done({ light: toLight(light) }, entry("updated", before, light));
      };
      return change(sql, requireCaller(context), update, ["patch"]);
    },

    deleteLight: async (request, context) => {
      const remove = async (tx: Db) => {
        const before = await getLight(tx, request.id);
        await store.removeLight(tx, before.id);
        await packPatch(tx);
        return done({ success: true }, entry("deleted", before, undefined));
      };
      return change(sql, requireCaller(context), remove, ["patch"]);
    },

    reorderLights: async (request, context) => {
      const reorder = async (tx: Db) => {
        await requireLights(tx, request.ids);
        const before = (await store.listLights(tx)).map((light) => light.id);
        // Lights the caller did not name keep their order behind the named ones.
        const ids = [...request.ids, ...before.filter((id) => !request.ids.includes(id))];
        if (ids.length > LAST_POSITION) throw outOfRange(`At most ${LAST_POSITION} lights can be ordered`);
        await store.setPositions(tx, ids);
        await packPatch(tx);
        const lights = (await store.listLights(tx)).map(toLight);
        const moved: Entry = { noun: "light", id: "all", verb: "reordered", before, after: ids, payload: { ids } };
        return done({ lights }, moved);
      };
      return change(sql, requireCaller(context), reorder, ["patch"]);
    },
  } satisfies LightsMethods;
}

/** An address to start from; packing finds the final one before the transaction ends. */
function withAddress(fields: Omit<LightFields, "dmx_address">): LightFields {
  return { ...fields, dmx_address: fields.dmx_override ?? 1 };
}

async function getLight(db: Db, id: number): Promise<LightRow> {
  const light = await store.findLight(db, id);
  if (!light) throw notFound("Light", id);
  return light;
}

async function requireGroups(db: Db, ids: readonly string[]): Promise<void> {
  const missing = await missingGroup(db, ids);
  if (missing !== undefined) throw notFound("Group", missing);
}

function requireLabel(label: string): string {
  if (label.trim() === "") throw invalid("Label is required");
  return label;
}

function requireChannelConfig(text: string): string {
  if (text === "") return text;
  try {
    JSON.parse(text);
  } catch {
    throw invalid("channel_config: is not JSON");
  }
  return text;
}

function entry(verb: string, before: LightRow | undefined, after: LightRow | undefined): Entry {
  return { noun: "light", id: (after ?? before)?.id ?? 0, verb, before, after };
}
