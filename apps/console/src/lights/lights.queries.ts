import { useQuery } from "@connectrpc/connect-query";
import { LightsService, type Light, type LightGroup } from "@followspot/contract/lights";
import { rigSchema, type AimPoint, type HeadAim } from "@followspot/contract";
import { useMutation, useQuery as useRead, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { fileBase64 } from "../lib/base64.ts";
import { requestJson } from "../lib/http.ts";
import { useChange } from "../lib/list-refresh.ts";
import { messageOfAim } from "@followspot/contract/light-aim";
import { shownMoves, type AddressMove } from "./address-moves.ts";
import type { PlacedLamp } from "./places/places.ts";
import { countsOf, methodKey, pagesOf, type ReadableSource } from "../lib/list-source.ts";

const rpc = LightsService.method;

/** Rows per page. Large, because ordering lights needs the whole list. */
const WHOLE_PAGE = 200;

export const LIGHTS: ReadableSource<Light> = {
  name: "lights",
  ...pagesOf(rpc.listLights, ({ lights }) => lights),
  id: ({ id }) => String(id),
  pageSize: WHOLE_PAGE,
  count: countsOf(rpc.countLights),
  one: async (call, id) => (await call(rpc.getLight, { id: Number(id) })).light,
};

export const GROUPS: ReadableSource<LightGroup> = {
  name: "groups",
  ...pagesOf(rpc.listGroups, ({ groups }) => groups),
  id: ({ id }) => id,
  pageSize: WHOLE_PAGE,
  one: async (call, id) => (await call(rpc.getGroup, { id })).group,
};

export const useLightModes = (lightType: string) =>
  useQuery(rpc.getLightModes, { lightType }, { enabled: lightType !== "" });

/** Returns the mode of a light type that has only one; "" for other types, and while they are loading. */
export const onlyMode = (loaded: { readonly modes: readonly { readonly name: string }[] } | undefined): string =>
  (loaded?.modes.length === 1 && loaded.modes[0]?.name) || "";

export interface Place {
  readonly position: string;
  readonly channelCount: number;
  readonly universe: number;
  readonly lightId: number;
}

/** Queries the automatic address of a light at a position. @param wanted false if the light has an address override */
export const useCalculatedAddress = ({ position, channelCount, universe, lightId }: Place, wanted: boolean) =>
  useQuery(
    rpc.calculateDMXAddress,
    { position, channelCount, universe, excludeLightId: lightId },
    { enabled: wanted && position.trim() !== "" && channelCount > 0, staleTime: 0 },
  );

export interface LightFields {
  readonly label: string;
  readonly lightType: string;
  readonly mode: string;
  readonly position: string;
  readonly dmxOverride: number | undefined;
  readonly universe: number;
  readonly enabled: boolean;
  readonly groups: readonly string[];
  /** Custom channel order as JSON, or JSON in an older app's format; empty for none. */
  readonly channelConfig: string;
  /** How shows may use the hazer; "" for not at all. */
  readonly hazeInShows: string;
}

export interface SavedLight {
  readonly fields: LightFields;
  /** Address changes of other lights that the user confirmed. */
  readonly moves: readonly AddressMove[];
}

/** Creates a light, or updates `existing`. The server rejects the update if the light changed since it was read. */
export function useSaveLight(existing: Light | undefined) {
  const change = useChange(LIGHTS, GROUPS);
  return useMutation({
    mutationFn: async ({ fields: light, moves }: SavedLight) => {
      const { label, lightType, mode, position, dmxOverride, universe, enabled, groups, channelConfig, hazeInShows } =
        light;
      const fields = {
        label,
        lightType,
        mode,
        universe,
        groups: [...groups],
        channelConfig,
        shownMoves: shownMoves(moves),
      };
      if (!existing) {
        await change(rpc.createLight, {
          ...fields,
          ...(position && { position }),
          ...(dmxOverride !== undefined && { dmxAddressOverride: dmxOverride }),
        });
        return;
      }
      if (!existing.id) throw new Error("Light ID is required for update");
      await change(rpc.updateLight, {
        ...fields,
        id: existing.id,
        position,
        dmxAddressOverride: dmxOverride ?? 0,
        enabled,
        hazeInShows,
        clearGroups: groups.length === 0,
        ...(existing.updatedAt && { ifUpdatedAt: existing.updatedAt }),
      });
    },
  });
}

/** Saves the aim of a light; undefined removes it. Saves run one at a time, each against the previous save's version. */
export function useSaveAim(light: Light) {
  const change = useChange(LIGHTS);
  const stored = useRef(light);
  const save = useMutation({
    scope: { id: `aim of light ${light.id}` },
    mutationFn: async (aim: HeadAim | undefined) => {
      const { id, updatedAt } = stored.current;
      const wanted = aim ? { aim: messageOfAim(aim) } : { clearAim: true };
      const answer = await change(rpc.updateLight, { id, ...wanted, ...(updatedAt && { ifUpdatedAt: updatedAt }) });
      stored.current = answer.light ?? stored.current;
    },
  });
  return { mutate: save.mutate, error: save.error, stored: () => stored.current };
}

/** Toggles whether a light is enabled. A failure only ends the pending state; callers may show the error. */
export function useToggleLight() {
  const change = useChange(LIGHTS);
  return useMutation({
    mutationFn: ({ id, enabled }: Light) => change(rpc.updateLight, { id, enabled: !enabled }),
  });
}

/** Saves a whole order in one call. The mutation stays pending until the list is refetched, so the new order stays on screen. */
export function useReorderLights() {
  const change = useChange();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, moves }: { readonly ids: readonly number[]; readonly moves: readonly AddressMove[] }) => {
      await change(rpc.reorderLights, { ids: [...ids], shownMoves: shownMoves(moves) });
      await cache.invalidateQueries({ queryKey: methodKey(rpc.listLights) });
    },
  });
}

export interface GroupFields {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly fixtureIds: readonly number[];
  readonly enabled: boolean;
}

/** Creates a group, or updates `existing`. The server rejects the update if the group changed since it was read. */
export function useSaveGroup(existing: LightGroup | undefined) {
  const change = useChange(LIGHTS, GROUPS);
  return useMutation({
    mutationFn: async ({ id, name, type, fixtureIds, enabled }: GroupFields) => {
      const fields = { name, type, fixtureIds: [...fixtureIds] };
      if (!existing) {
        await change(rpc.createGroup, { id, ...fields });
        return;
      }
      if (!existing.id) throw new Error("Group ID is required for update");
      await change(rpc.updateGroup, {
        ...fields,
        id: existing.id,
        enabled,
        ...(existing.updatedAt && { ifUpdatedAt: existing.updatedAt }),
      });
    },
  });
}

/** Recreates a deleted group under its ID, with those of its lights that still exist. */
export function useRestoreGroup() {
  const change = useChange(LIGHTS, GROUPS);
  return ({ id, name, type, fixtureIds }: LightGroup, lights: readonly Light[]) => {
    const there = new Set(lights.map((light) => light.id));
    return change(rpc.createGroup, { id, name, type, fixtureIds: fixtureIds.filter((light) => there.has(light)) });
  };
}

/** Deletes lights and groups. */
export function useLightCalls() {
  const change = useChange(LIGHTS, GROUPS);
  return {
    removeLight: ({ id }: Light, moves: readonly AddressMove[]) =>
      change(rpc.deleteLight, { id, shownMoves: shownMoves(moves) }),
    removeGroup: ({ id }: LightGroup) => change(rpc.deleteGroup, { id }),
  };
}

/** Bulk changes to lights: add, edit, delete, restore, place on the stage plan. */
export function useSeveralCalls() {
  const change = useChange(LIGHTS, GROUPS);
  return {
    add: useMutation({ mutationFn: (several: SeveralLights) => change(rpc.addLights, several) }),
    edit: useMutation({
      mutationFn: ({ lights, fields, moves }: SeveralEdit) =>
        change(rpc.editLights, { ids: lights.map(({ id }) => id), ...fields, shownMoves: shownMoves(moves) }),
    }),
    remove: useMutation({
      mutationFn: ({ lights, moves }: Pick<SeveralEdit, "lights" | "moves">) =>
        change(rpc.deleteLights, { ids: lights.map(({ id }) => id), shownMoves: shownMoves(moves) }),
    }),
    restore: (lights: readonly Light[], groups: readonly LightGroup[]) =>
      change(rpc.restoreLights, { lights: [...lights], groups: [...groups] }),
    place: useMutation({
      mutationFn: (places: readonly PlacedLamp[]) => change(rpc.placeLights, { places: [...places] }),
    }),
  };
}

/** Bulk edit with the address changes that the user confirmed. */
interface SeveralEdit {
  readonly lights: readonly Light[];
  readonly fields: SeveralFields;
  readonly moves: readonly AddressMove[];
}

/** Fields of a bulk edit. Missing fields stay unchanged. */
export interface SeveralFields {
  readonly mode?: string;
  readonly enabled?: boolean;
  readonly joinGroups?: string[];
  readonly leaveGroups?: string[];
  readonly home?: AimPoint;
  readonly invertPan?: boolean;
  readonly invertTilt?: boolean;
}

/** Queries the fixtures with their channels for the 3D stage; refetched when the set of lights, types or modes changes. */
export const useStageRig = (lights: readonly Light[]) =>
  useRead({
    queryKey: ["lights", "rig", lights.map(({ id, lightType, mode }) => [id, lightType, mode])],
    enabled: lights.length > 0,
    queryFn: async ({ signal }) => rigSchema.parse(await requestJson("/api/lights/rig", { signal })),
    placeholderData: (before) => before,
  });

/** Request to {@link LightsService} to add several lights of one type and mode. */
export interface SeveralLights {
  readonly lightType: string;
  readonly mode: string;
  readonly count: number;
  readonly universe: number;
  readonly firstAddress: number;
  readonly label: string;
  readonly firstNumber: number;
  readonly groupId?: string;
  readonly newGroup?: { readonly name: string; readonly type: string };
}

/** Previews the patch of a QLC+ workspace, and imports the selected fixtures. */
export function useImportPatch() {
  const change = useChange(LIGHTS, GROUPS, { method: rpc.listLightTypes });
  return {
    preview: useMutation({
      mutationFn: async (file: File) => {
        const workspaceBase64 = await fileBase64(file);
        return { workspaceBase64, ...(await change(rpc.importPatch, { workspaceBase64 })) };
      },
    }),
    apply: useMutation({
      mutationFn: ({
        workspaceBase64,
        fixtureIds,
        withoutGroups,
      }: {
        readonly workspaceBase64: string;
        readonly fixtureIds: number[];
        readonly withoutGroups: boolean;
      }) => change(rpc.importPatch, { workspaceBase64, fixtureIds, withoutGroups, apply: true }),
    }),
  };
}
