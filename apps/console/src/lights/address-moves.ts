import { findConflicts, packAddresses, type AddressableLight } from "@followspot/lighting";
import { ConnectError } from "@connectrpc/connect";
import { ShownMovesSchema, type Light } from "@followspot/contract/lights";
import { dmxRange, positionOf } from "./light-rules.ts";

/** Automatic readdressing of a light, caused by a change to another light. */
export interface AddressMove {
  readonly lightId: number;
  readonly toAddress: number;
  readonly label: string;
  /** Channel range before the change, for example "9-12 (4ch)". */
  readonly from: string;
  readonly to: string;
}

/** Effect of a patch change on DMX addresses, computed with the same algorithm as on the server. */
export interface AddressForecast {
  readonly moves: readonly AddressMove[];
  /** First channel of each light after the change, by light ID. */
  readonly addresses: ReadonlyMap<number, number>;
  /** First channel of the light in the open form; undefined without one or without room. */
  readonly own: number | undefined;
  /** Slots that two lights would share after the change. The server rejects such a change. */
  readonly conflict: { readonly label: string; readonly from: number; readonly to: number } | undefined;
  /** Light for which no free address remains after the change. The server rejects such a change. */
  readonly unplaced: { readonly label: string; readonly reason: string } | undefined;
}

/** Values of the light in the open form, before it is saved. */
export interface DraftLight {
  /** Light ID; 0 for a new light. */
  readonly id: number;
  readonly label: string;
  readonly position: string;
  readonly universe: number;
  readonly dmxOverride: number | undefined;
  readonly channelCount: number;
}

/** Placeholder ID of a new light; it sorts after all existing lights with the same position. */
const NEW_LIGHT = Number.MAX_SAFE_INTEGER;

/** Predicts the addresses after `draft` is saved. @param lights every patched light */
export function forecastSave(lights: readonly Light[], draft: DraftLight): AddressForecast {
  const id = draft.id || NEW_LIGHT;
  const others = lights.filter((light) => light.id !== draft.id);
  const saved = {
    id,
    position: positionOf(draft),
    universe: draft.universe || 1,
    addressOverride: draft.dmxOverride ?? null,
    channelCount: draft.channelCount,
  };
  return forecast(others, [...others.map(toAddressable), saved], new Map([[id, draft.label]]), id);
}

/** Predicts the addresses of the remaining lights after `removed` are deleted. */
export function forecastDelete(lights: readonly Light[], removed: readonly Light[]): AddressForecast {
  const ids = new Set(removed.map(({ id }) => id));
  const others = lights.filter(({ id }) => !ids.has(id));
  return forecast(others, others.map(toAddressable), new Map());
}

/** Predicts all addresses after the given lights switch to a mode with `channelCount` channels. */
export function forecastMode(
  lights: readonly Light[],
  ids: ReadonlySet<number>,
  channelCount: number,
): AddressForecast {
  const patched = lights.map((light) => ({ ...toAddressable(light), ...(ids.has(light.id) && { channelCount }) }));
  return forecast(lights, patched, new Map());
}

/** Predicts the addresses after the lights are sorted in this order of IDs. */
export function forecastOrder(lights: readonly Light[], ids: readonly number[]): AddressForecast {
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  const ordered = lights.map((light) => ({ ...toAddressable(light), position: places.get(light.id) ?? null }));
  return forecast(lights, ordered, new Map());
}

/** Returns the actual moves from a rejection of unconfirmed moves; undefined for any other error. */
export function refusedMoves(error: unknown): readonly AddressMove[] | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const [shown] = error.findDetails(ShownMovesSchema);
  return shown?.moves.map(({ lightId, label, fromAddress, toAddress, channelCount }) => ({
    lightId,
    toAddress,
    label: label || `Light ${lightId}`,
    from: dmxRange(fromAddress, channelCount),
    to: dmxRange(toAddress, channelCount),
  }));
}

/** Builds the request field with the moves that the user confirmed, so that the server can reject different ones. */
export const shownMoves = (moves: readonly AddressMove[]) => ({
  moves: moves.map(({ lightId, toAddress }) => ({ lightId, toAddress })),
});

function forecast(
  others: readonly Light[],
  rig: readonly AddressableLight[],
  labels: Map<number, string>,
  own = 0,
): AddressForecast {
  const { placed, unplaced } = packAddresses(rig);
  for (const { id, label } of others) labels.set(id, label);
  const nameOf = (id: number) => labels.get(id) || `Light ${id}`;
  const addresses = new Map(placed.map(({ id, address }) => [id, address]));
  const channels = new Map(rig.map(({ id, channelCount }) => [id, channelCount]));
  const [shared] = findConflicts(placed.map((place) => ({ ...place, channelCount: channels.get(place.id) ?? 1 })));
  const [homeless] = unplaced;
  return {
    moves: others.flatMap(({ id, dmxAddress, channelCount }) => {
      const to = addresses.get(id);
      if (to === undefined || to === dmxAddress) return [];
      const [from, range] = [dmxRange(dmxAddress, channelCount), dmxRange(to, channels.get(id) ?? channelCount)];
      return [{ lightId: id, toAddress: to, label: nameOf(id), from, to: range }];
    }),
    addresses,
    own: addresses.get(own),
    conflict: shared && {
      label: nameOf(others.some(({ id }) => id === shared.first) ? shared.first : shared.second),
      from: shared.from,
      to: shared.to,
    },
    unplaced: homeless && { label: nameOf(homeless.id), reason: homeless.reason },
  };
}

const toAddressable = (light: Light): AddressableLight => ({
  id: light.id,
  position: positionOf(light),
  universe: light.universe,
  addressOverride: light.dmxOverride ?? null,
  channelCount: light.channelCount,
});
