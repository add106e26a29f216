import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { GROUP_TYPES, type FixtureDefinition, type GroupType } from "@followspot/contract";
import {
  LightFixtureSchema,
  LightGroupSchema,
  LightSchema,
  LightsService,
  OutputSchema,
  type Light,
  type LightFixture,
  type LightGroup,
  type UpdateGroupRequest,
} from "@followspot/contract/lights";
import { audit } from "../platform/audit.ts";
import { requireCaller, type Caller } from "../platform/caller.ts";
import type { Db, Sql, Tx } from "../platform/database.ts";
import { alreadyExists, invalid, notFound, outOfRange } from "../platform/errors.ts";
import { postEvent } from "../platform/outbox.ts";
import { timestampOf } from "../platform/timestamps.ts";
import { requireMode } from "./fixtures.ts";
import * as store from "./lights.store.ts";
import type { GroupRow, LightFields, LightRow, OutputRow } from "./lights.store.ts";
import { requireOutputs } from "./outputs.ts";
import { addressAt, nextFreeAddress, packPatch, requireAddress, requirePosition } from "./patch.ts";
import { readInsights, readPatternEvents, type ReadSongFile } from "./plan-events.ts";

const DEFAULT_HISTORY = 100;
const DEFAULT_WINDOW_SECONDS = 10;
const LAST_POSITION = 999;

export interface LightsPorts {
  readonly sql: Sql;
  /** Lamps a light may be. */
  readonly definitions: readonly FixtureDefinition[];
  /** A file beside a song; undefined while there is none. */
  readonly readSongFile: ReadSongFile;
}

export function lightsRoutes({ sql, definitions, readSongFile }: LightsPorts): (router: ConnectRouter) => void {
  /** Changes the patch in one transaction under its lock, packs it again and says so. */
  async function patching<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    // postgres.js unwraps promises in the result type; T is never one.
    return sql.begin(async (tx) => {
      await store.lockPatch(tx);
      return change(tx);
    }) as Promise<T>;
  }

  return (router) =>
    router.service(LightsService, {
      listLights: async () => ({ lights: (await store.listLights(sql)).map(toLight) }),

      getLight: async (request) => ({ light: toLight(await getLight(sql, request.id)) }),

      createLight: async (request, context) => {
        const caller = requireCaller(context);
        const mode = requireMode(definitions, request.lightType, request.mode);
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
        return patching(async (tx) => {
          await requireGroups(tx, request.groups);
          const id = await store.insertLight(tx, fields);
          await store.setGroupsOfLight(tx, id, request.groups);
          await packPatch(tx);
          const light = await getLight(tx, id);
          await announce(tx, caller, "light.created", `light ${id}`, { light_id: id }, { after: light });
          return { light: toLight(light) };
        });
      },

      updateLight: async (request, context) => {
        const caller = requireCaller(context);
        return patching(async (tx) => {
          const before = await getLight(tx, request.id);
          const light_type = request.lightType ?? before.light_type;
          const modeName = request.mode ?? before.mode;
          const isSameMode = light_type === before.light_type && modeName === before.mode;
          // A lamp whose definition is gone can still be renamed, moved and switched off.
          const channel_count = isSameMode
            ? before.channel_count
            : requireMode(definitions, light_type, modeName).channels.length;
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
          await announce(
            tx,
            caller,
            "light.updated",
            `light ${light.id}`,
            { light_id: light.id },
            { before, after: light },
          );
          return { light: toLight(light) };
        });
      },

      deleteLight: async (request, context) => {
        const caller = requireCaller(context);
        await patching(async (tx) => {
          const before = await getLight(tx, request.id);
          await store.removeLight(tx, before.id);
          await packPatch(tx);
          await announce(tx, caller, "light.deleted", `light ${before.id}`, { light_id: before.id }, { before });
        });
        return { success: true };
      },

      reorderLights: async (request, context) => {
        const caller = requireCaller(context);
        return patching(async (tx) => {
          await requireLights(tx, request.ids);
          const before = (await store.listLights(tx)).map((light) => light.id);
          // Lights the caller did not name keep their order behind the named ones.
          const ids = [...request.ids, ...before.filter((id) => !request.ids.includes(id))];
          if (ids.length > LAST_POSITION) throw outOfRange(`At most ${LAST_POSITION} lights can be ordered`);
          await store.setPositions(tx, ids);
          await packPatch(tx);
          await announce(tx, caller, "light.reordered", "lights", { ids }, { before, after: ids });
          return { lights: (await store.listLights(tx)).map(toLight) };
        });
      },

      listGroups: async () => ({ groups: (await store.listGroups(sql)).map(toGroup) }),

      getGroup: async (request) => ({ group: toGroup(await getGroup(sql, request.id)) }),

      getGroupLights: async (request) => {
        const group = await getGroup(sql, request.id);
        const lights = new Map((await store.listLights(sql)).map((light) => [light.id, light]));
        return { lights: group.light_ids.flatMap((id) => lights.get(id) ?? []).map(toLight) };
      },

      createGroup: async (request, context) => {
        const caller = requireCaller(context);
        if (request.id.trim() === "") throw invalid("ID is required");
        const group = { id: request.id, name: requireName(request.name), type: requireGroupType(request.type) };
        requireSomeLights(request.fixtureIds);
        return patching(async (tx) => {
          await requireLights(tx, request.fixtureIds);
          if (!(await store.insertGroup(tx, group)))
            throw alreadyExists(`There is a group with the ID ${group.id} already`);
          await store.setLightsOfGroup(tx, group.id, request.fixtureIds);
          const after = await getGroup(tx, group.id);
          await announce(
            tx,
            caller,
            "light_group.created",
            `light group ${group.id}`,
            { group_id: group.id },
            { after },
          );
          return { group: toGroup(after) };
        });
      },

      updateGroup: async (request, context) => {
        const caller = requireCaller(context);
        const change = groupChangeOf(request);
        return patching(async (tx) => {
          const before = await getGroup(tx, request.id);
          await requireLights(tx, request.fixtureIds);
          await store.updateGroup(tx, before.id, change);
          if (request.fixtureIds.length > 0) await store.setLightsOfGroup(tx, before.id, request.fixtureIds);
          const after = await getGroup(tx, before.id);
          await announce(
            tx,
            caller,
            "light_group.updated",
            `light group ${after.id}`,
            { group_id: after.id },
            { before, after },
          );
          return { group: toGroup(after) };
        });
      },

      deleteGroup: async (request, context) => {
        const caller = requireCaller(context);
        await patching(async (tx) => {
          const before = await getGroup(tx, request.id);
          await store.removeGroup(tx, before.id);
          await announce(
            tx,
            caller,
            "light_group.deleted",
            `light group ${before.id}`,
            { group_id: before.id },
            { before },
          );
        });
        return { success: true };
      },

      listFixtures: () => ({ fixtures: definitions.map(toFixture) }),

      getFixture: (request) => {
        const definition = definitions[request.id - 1];
        if (!definition) throw notFound("Fixture", request.id);
        return { fixture: toFixture(definition, request.id - 1) };
      },

      listLightTypes: () => ({
        types: definitions.map(({ key, name, manufacturer, model, type }) => ({
          key,
          name,
          manufacturer,
          model,
          type,
        })),
      }),

      getLightModes: (request) => {
        const fixture = definitions.find(({ key }) => key === request.lightType);
        if (!fixture) throw notFound("Light type", request.lightType);
        return { modes: fixture.modes.map(({ name, channels }) => ({ name, channelCount: channels.length })) };
      },

      calculateDMXAddress: async (request) => {
        const { channelCount } = request;
        const dmxAddress = addressAt(await store.listLights(sql), {
          position: requirePosition(request.position),
          channelCount,
          universe: request.universe || 1,
          exceptId: request.excludeLightId,
        });
        return { dmxAddress, endAddress: dmxAddress + channelCount - 1 };
      },

      checkDMXConflict: async (request) => {
        const rangeStart = requireAddress(request.dmxAddress, request.channelCount);
        const rangeEnd = rangeStart + request.channelCount - 1;
        const universe = request.universe || 1;
        const conflicts = (await store.listLights(sql)).flatMap((light) => {
          const conflictingStart = Math.max(light.dmx_address, rangeStart);
          const conflictingEnd = Math.min(light.dmx_address + light.channel_count - 1, rangeEnd);
          const isOther = light.id !== request.excludeLightId && light.universe === universe;
          return isOther && conflictingStart <= conflictingEnd
            ? [{ light: toLight(light), conflictingStart, conflictingEnd }]
            : [];
        });
        return { hasConflict: conflicts.length > 0, conflicts, rangeStart, rangeEnd };
      },

      getNextDMXAddress: async (request) => {
        const lights = await store.listLights(sql);
        const dmxAddress = nextFreeAddress(lights, request.channelCount, request.universe || 1);
        return { dmxAddress, endAddress: dmxAddress + request.channelCount - 1 };
      },

      getPatternHistory: async (request) => {
        const events = await readPatternEvents(readSongFile, request.songId);
        return { patterns: events.slice(0, request.limit || DEFAULT_HISTORY) };
      },

      getPatternContext: async (request) => {
        const reach = (request.windowSeconds || DEFAULT_WINDOW_SECONDS) / 2;
        const events = await readPatternEvents(readSongFile, request.songId);
        return { patterns: events.filter((event) => Math.abs(event.timestamp - request.timestamp) <= reach) };
      },

      getAIInsights: async (request) => ({ insights: await readInsights(readSongFile, request.songId) }),

      listOutputs: async () => ({ outputs: (await store.listOutputRows(sql)).map(toOutput) }),

      setOutputs: async (request, context) => {
        const caller = requireCaller(context);
        const outputs = requireOutputs(request.outputs);
        return patching(async (tx) => {
          const before = await store.listOutputRows(tx);
          await store.replaceOutputs(tx, outputs);
          await announce(tx, caller, "outputs.changed", "outputs", {}, { before, after: outputs });
          await postEvent(tx, "stage", "outputs.changed", {});
          return { outputs: outputs.map(toOutput) };
        });
      },
    });
}

/** An address to start from; packing finds the final one before the transaction ends. */
function withAddress(fields: Omit<LightFields, "dmx_address">): LightFields {
  return { ...fields, dmx_address: fields.dmx_override ?? 1 };
}

function groupChangeOf(request: UpdateGroupRequest) {
  return {
    ...(request.name !== undefined && { name: requireName(request.name) }),
    ...(request.type !== undefined && { type: requireGroupType(request.type) }),
    ...(request.enabled !== undefined && { enabled: request.enabled }),
  };
}

async function getLight(db: Db, id: number): Promise<LightRow> {
  const light = await store.findLight(db, id);
  if (!light) throw notFound("Light", id);
  return light;
}

async function getGroup(db: Db, id: string): Promise<GroupRow> {
  const group = await store.findGroup(db, id);
  if (!group) throw notFound("Group", id);
  return group;
}

async function requireLights(db: Db, ids: readonly number[]): Promise<void> {
  const [missing] = await store.missingLights(db, ids);
  if (missing !== undefined) throw notFound("Light", missing);
}

async function requireGroups(db: Db, ids: readonly string[]): Promise<void> {
  const missing = await store.missingGroup(db, ids);
  if (missing !== undefined) throw notFound("Group", missing);
}

function requireLabel(label: string): string {
  if (label.trim() === "") throw invalid("Label is required");
  return label;
}

function requireName(name: string): string {
  if (name.trim() === "") throw invalid("Name is required");
  return name;
}

function requireGroupType(type: string): GroupType {
  if (type === "") throw invalid("Type is required");
  const found = GROUP_TYPES.find((known) => known === type);
  if (!found) throw invalid(`type: must be one of ${GROUP_TYPES.join(", ")}`);
  return found;
}

function requireSomeLights(ids: readonly number[]): void {
  if (ids.length === 0) throw invalid("At least one light must be selected");
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

function toLight(row: LightRow): Light {
  return create(LightSchema, {
    id: row.id,
    label: row.label,
    dmxAddress: row.dmx_address,
    dmxOverride: row.dmx_override ?? undefined,
    lightType: row.light_type,
    mode: row.mode,
    channelConfig: row.channel_config,
    position: row.position === null ? "" : String(row.position),
    enabled: row.enabled,
    groupId: row.groups[0],
    groups: row.groups,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    universe: row.universe,
    channelCount: row.channel_count,
  });
}

function toGroup(row: GroupRow): LightGroup {
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

function toFixture(definition: FixtureDefinition, index: number): LightFixture {
  return create(LightFixtureSchema, {
    id: index + 1,
    manufacturer: definition.manufacturer,
    model: definition.model,
    fixtureType: definition.type,
    fileName: definition.key,
    modes: definition.modes.map(({ name, channels }) => ({
      name,
      channelCount: channels.length,
      channels: Object.fromEntries(channels.map((channel, i) => [String(i + 1), channel.kind])),
    })),
  });
}

function toOutput(row: OutputRow) {
  const { port_address, offset_ms, ...rest } = row;
  return create(OutputSchema, { ...rest, portAddress: port_address, offsetMs: offset_ms });
}

async function announce(
  tx: Tx,
  caller: Caller,
  type: string,
  target: string,
  payload: object,
  change: { readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  await audit(tx, caller, type, target, change);
  await postEvent(tx, "lights", type, payload);
}
