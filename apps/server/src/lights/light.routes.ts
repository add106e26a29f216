import type { UpdateLightRequest } from "@followspot/contract/lights";
import { hazesIn } from "@followspot/lighting";
import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { invalid, notFound, outOfRange } from "../platform/errors.ts";
import { mapInSlices } from "../platform/http/in-slices.ts";
import { countRows, listQueryOf, readPage } from "../platform/database/lists.ts";
import { requireUnchanged, whyGone } from "../platform/database/if-unchanged.ts";
import { requireChannelOrder } from "./channel-order.ts";
import type { PatchedAs } from "./fixture-library.ts";
import { findGroup, missingGroup } from "./groups.store.ts";
import { requireAim } from "./light-aim.ts";
import { requireLights, toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import * as store from "./lights.store.ts";
import type { LightFields, LightRow } from "./lights.store.ts";
import { packPatch, requireAddress, requirePosition } from "./patch.ts";
import { placeBeside } from "./place-beside.ts";

const LAST_POSITION = 999;

export function lightMethods({ sql, fixtures }: LightsPorts) {
  return {
    listLights: async (request) => {
      const query = listQueryOf({ list: request.list });
      if (!query) return { lights: await mapInSlices(await store.listLights(sql), toLight) };
      const { rows, nextPageToken } = await readPage<LightRow>(sql, store.LIGHT_LIST, query);
      return { lights: rows.map(toLight), nextPageToken };
    },

    countLights: async (request) => ({ counts: await countRows(sql, store.LIGHT_LIST, request.query) }),

    getLight: async (request) => ({ light: toLight(await getLight(sql, request.id)) }),

    createLight: async (request, context) => {
      const label = requireLabel(request.label);
      const position = requirePosition(request.position ?? "");
      const patched = {
        light_type: request.lightType,
        mode: request.mode,
        channel_config: request.channelConfig ?? "",
      };
      requireChannelOrder(patched.channel_config);
      const override = request.dmxAddressOverride;
      const insert = async (tx: Db) => {
        const channel_count = (await fixtures.requireMode(tx, patched)).channels.length;
        const fields = withAddress({
          ...patched,
          label,
          channel_count,
          position,
          enabled: true,
          universe: request.universe || 1,
          dmx_override: override === undefined ? null : requireAddress(override, channel_count),
        });
        await requireGroups(tx, request.groups);
        const id = await store.insertLight(tx, fields);
        const [first] = request.groups;
        const group = first === undefined ? undefined : await findGroup(tx, first);
        if (group) await placeBeside(tx, group.light_ids, await store.listLights(tx), [id]);
        await store.setGroupsOfLight(tx, id, request.groups);
        await packPatch(tx, { own: [id], shown: request.shownMoves });
        const light = await getLight(tx, id);
        return done({ light: toLight(light) }, lightEntry("created", undefined, light));
      };
      return change(sql, requireCaller(context), insert, ["patch"]);
    },

    updateLight: async (request, context) => {
      const caller = requireCaller(context);
      if (request.aim && request.clearAim) throw invalid("Give aim or clearAim, not both");
      const aim = request.aim ? requireAim(request.aim) : request.clearAim ? null : undefined;
      const update = async (tx: Db) => {
        const edited = { id: request.id, noun: "light", word: "light" };
        const before = await store.findLight(tx, request.id);
        if (!before) throw await whyGone(tx, caller, edited, request.ifUpdatedAt);
        await requireUnchanged(tx, caller, { ...before, ...edited }, request.ifUpdatedAt);
        const patched = patchedAs(request, before);
        const isSameMode =
          patched.light_type === before.light_type &&
          patched.mode === before.mode &&
          patched.channel_config === before.channel_config;
        // A light whose definition was deleted can still be renamed, moved and disabled.
        const channel_count = isSameMode
          ? before.channel_count
          : (await fixtures.requireMode(tx, patched)).channels.length;
        const haze =
          request.hazeInShows === undefined ? (isSameMode ? undefined : "") : hazeInShowsOf(request.hazeInShows);
        if (haze && !hazesIn(await fixtures.requireMode(tx, patched)))
          throw invalid("hazeInShows: a lamp in this mode makes no haze");
        const wanted = request.dmxAddressOverride ?? before.dmx_override;
        const fields = withAddress({
          ...patched,
          label: request.label === undefined ? before.label : requireLabel(request.label),
          channel_count,
          position: request.position === undefined ? before.position : requirePosition(request.position),
          enabled: request.enabled ?? before.enabled,
          universe: request.universe || before.universe,
          dmx_override: wanted === null || wanted === 0 ? null : requireAddress(wanted, channel_count),
        });
        await requireGroups(tx, request.groups);
        await store.updateLight(tx, before.id, fields);
        if (aim !== undefined) await store.setAim(tx, before.id, aim);
        if (haze !== undefined) await store.setHazeInShows(tx, before.id, haze);
        if (request.clearGroups || request.groups.length > 0) {
          await store.setGroupsOfLight(tx, before.id, request.clearGroups ? [] : request.groups);
        }
        await packPatch(tx, { own: [before.id], shown: request.shownMoves });
        const light = await getLight(tx, before.id);
        return done({ light: toLight(light) }, lightEntry("updated", before, light));
      };
      return change(sql, caller, update, ["patch"]);
    },

    deleteLight: async (request, context) => {
      const remove = async (tx: Db) => {
        const before = await getLight(tx, request.id);
        await store.removeLight(tx, before.id);
        await packPatch(tx, { own: [], shown: request.shownMoves });
        return done({ success: true }, lightEntry("deleted", before, undefined));
      };
      return change(sql, requireCaller(context), remove, ["patch"]);
    },

    reorderLights: async (request, context) => {
      const reorder = async (tx: Db) => {
        await requireLights(tx, request.ids);
        const before = (await store.listLights(tx)).map((light) => light.id);
        // Lights that the caller did not name keep their order after the named ones.
        const ids = [...request.ids, ...before.filter((id) => !request.ids.includes(id))];
        if (ids.length > LAST_POSITION) throw outOfRange(`At most ${LAST_POSITION} lights can be ordered`);
        await store.setPositions(tx, ids);
        await packPatch(tx, { own: [], shown: request.shownMoves });
        const lights = (await store.listLights(tx)).map(toLight);
        const moved: Entry = { noun: "light", id: "all", verb: "reordered", before, after: ids, payload: { ids } };
        return done({ lights }, moved);
      };
      return change(sql, requireCaller(context), reorder, ["patch"]);
    },
  } satisfies LightsMethods;
}

/** The value is validated by the proto. */
export const hazeInShowsOf = (text: string): LightRow["haze_in_shows"] =>
  text === "puffs" || text === "steady" ? text : "";

/** Adds a provisional address; packing assigns the final one before the transaction ends. */
export function withAddress(fields: Omit<LightFields, "dmx_address">): LightFields {
  return { ...fields, dmx_address: fields.dmx_override ?? 1 };
}

async function getLight(db: Db, id: number): Promise<LightRow> {
  const light = await store.findLight(db, id);
  if (!light) throw notFound("Light", id);
  return light;
}

export async function requireGroups(db: Db, ids: readonly string[]): Promise<void> {
  const missing = await missingGroup(db, ids);
  if (missing !== undefined) throw notFound("Group", missing);
}

export function requireLabel(label: string): string {
  if (label.trim() === "") throw invalid("Label is required");
  return label;
}

/** Returns the channels after an update: an own channel order belongs to its mode and is dropped with it. */
function patchedAs(request: UpdateLightRequest, before: LightRow): PatchedAs {
  const light_type = request.lightType ?? before.light_type;
  const mode = request.mode ?? before.mode;
  const isSameMode = light_type === before.light_type && mode === before.mode;
  const keeps = isSameMode || requireChannelOrder(before.channel_config) === undefined;
  const channel_config = request.channelConfig ?? (keeps ? before.channel_config : "");
  requireChannelOrder(channel_config);
  return { light_type, mode, channel_config };
}

export function lightEntry(verb: string, before: LightRow | undefined, after: LightRow | undefined): Entry {
  return { noun: "light", id: (after ?? before)?.id ?? 0, verb, before, after };
}
