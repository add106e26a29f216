import { callUnaryMethod, createConnectQueryKey, useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { LightsService, type Light, type LightGroup, type ListLightsResponse } from "@followspot/contract/lights";
import { useMutation as usePlainMutation, useQueryClient } from "@tanstack/react-query";

const rpc = LightsService.method;
const lightsKey = createConnectQueryKey({ schema: rpc.listLights, cardinality: "finite" });
const groupsKey = createConnectQueryKey({ schema: rpc.listGroups, cardinality: "finite" });

export const useLights = () => useQuery(rpc.listLights, {});
export const useGroups = () => useQuery(rpc.listGroups, {});
export const useLightTypes = () => useQuery(rpc.listLightTypes, {});
export const useLightModes = (lightType: string) =>
  useQuery(rpc.getLightModes, { lightType }, { enabled: lightType !== "" });

export interface Place {
  readonly position: string;
  readonly channelCount: number;
  readonly universe: number;
  readonly lightId: number;
}

/** The packed address of a light at a place; asked only while there is no override. */
export const useCalculatedAddress = ({ position, channelCount, universe, lightId }: Place, wanted: boolean) =>
  useQuery(
    rpc.calculateDMXAddress,
    { position, channelCount, universe, excludeLightId: lightId },
    { enabled: wanted && position.trim() !== "" && channelCount > 0, staleTime: 0 },
  );

/** Which lights an override would overlap. */
export const useAddressConflicts = (dmxAddress: number | undefined, { channelCount, universe, lightId }: Place) =>
  useQuery(
    rpc.checkDMXConflict,
    { dmxAddress: dmxAddress ?? 1, channelCount, universe, excludeLightId: lightId },
    { enabled: dmxAddress !== undefined && channelCount > 0, staleTime: 0 },
  );

export interface LightFields {
  readonly label: string;
  readonly lightType: string;
  readonly mode: string;
  readonly position: string;
  readonly dmxOverride: number | undefined;
  readonly enabled: boolean;
  readonly groups: readonly string[];
}

export function useSaveLight(existing: Light | undefined) {
  const transport = useTransport();
  const refresh = useRefreshLights();
  return usePlainMutation({
    mutationFn: async ({
      label,
      lightType,
      mode,
      position,
      dmxOverride,
      enabled,
      groups,
    }: LightFields): Promise<void> => {
      if (!existing) {
        await callUnaryMethod(transport, rpc.createLight, {
          label,
          lightType,
          mode,
          groups: [...groups],
          ...(position && { position }),
          ...(dmxOverride !== undefined && { dmxAddressOverride: dmxOverride }),
        });
        return;
      }
      if (!existing.id) throw new Error("Light ID is required for update");
      await callUnaryMethod(transport, rpc.updateLight, {
        id: existing.id,
        label,
        lightType,
        mode,
        position,
        dmxAddressOverride: dmxOverride ?? 0,
        enabled,
        groups: [...groups],
        clearGroups: groups.length === 0,
      });
    },
    onSettled: refresh,
  });
}

/** Switches a light on or off. A failure only ends the waiting. */
export const useToggleLight = () => useMutation(rpc.updateLight, { onSettled: useRefreshLights() });

export const useDeleteLight = () => useMutation(rpc.deleteLight, { onSuccess: useRefreshLights() });

export interface ReorderProgress {
  readonly done: number;
  readonly total: number;
}

/** Thrown when saving positions stops in the middle. */
export class ReorderError extends Error {
  readonly progress: ReorderProgress;

  constructor(progress: ReorderProgress, cause: unknown) {
    super(cause instanceof Error ? cause.message : "Unknown error", { cause });
    this.progress = progress;
  }
}

/** Shows the new order at once, then saves each light whose position is not its place yet, one at a time. */
export function useReorderLights(onProgress: (progress: ReorderProgress) => void) {
  const transport = useTransport();
  const cache = useQueryClient();
  const refresh = useRefreshLights();
  return usePlainMutation({
    mutationFn: async (order: readonly Light[]): Promise<void> => {
      const moved = order
        .map((light, index) => ({ light, position: String(index + 1) }))
        .filter(({ light, position }) => light.position !== position);
      const placed = new Map(moved.map(({ light, position }) => [light.id, position]));
      await cache.cancelQueries({ queryKey: lightsKey });
      cache.setQueriesData<ListLightsResponse>(
        { queryKey: lightsKey },
        (list) =>
          list && {
            ...list,
            lights: list.lights.map((light) => ({ ...light, position: placed.get(light.id) ?? light.position })),
          },
      );
      for (const [done, { light, position }] of moved.entries()) {
        onProgress({ done, total: moved.length });
        try {
          await callUnaryMethod(transport, rpc.updateLight, { id: light.id, position });
        } catch (error) {
          throw new ReorderError({ done, total: moved.length }, error);
        }
      }
    },
    onSettled: refresh,
  });
}

export interface GroupFields {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly fixtureIds: readonly number[];
  readonly enabled: boolean;
}

export function useSaveGroup(existing: LightGroup | undefined) {
  const transport = useTransport();
  const refresh = useRefreshLights();
  return usePlainMutation({
    mutationFn: async ({ id, name, type, fixtureIds, enabled }: GroupFields): Promise<void> => {
      const fields = { name, type, fixtureIds: [...fixtureIds] };
      if (!existing) {
        await callUnaryMethod(transport, rpc.createGroup, { id, ...fields });
        return;
      }
      if (!existing.id) throw new Error("Group ID is required for update");
      await callUnaryMethod(transport, rpc.updateGroup, { id: existing.id, ...fields, enabled });
    },
    onSettled: refresh,
  });
}

export const useDeleteGroup = () => useMutation(rpc.deleteGroup, { onSuccess: useRefreshLights() });

/** Lights name their groups and groups their lights: both are read again. */
function useRefreshLights() {
  const cache = useQueryClient();
  return () =>
    Promise.all([cache.invalidateQueries({ queryKey: lightsKey }), cache.invalidateQueries({ queryKey: groupsKey })]);
}
