import { findConflicts, packAddresses, type AddressableLight } from "@followspot/lighting";
import { ConnectError } from "@connectrpc/connect";
import { ShownMovesSchema, type Light } from "@followspot/contract/lights";
import { dmxRange, positionOf } from "./light-rules.ts";

/** A light whose address a change of another one moves. */
export interface AddressMove {
  readonly lightId: number;
  readonly toAddress: number;
  readonly label: string;
  /** "9-12 (4ch)" */
  readonly from: string;
  readonly to: string;
}

/** What a change of the rig does to addresses, as the server will compute it. */
export interface AddressForecast {
  readonly moves: readonly AddressMove[];
  /** Where every light gets its first channel, by id. */
  readonly addresses: ReadonlyMap<number, number>;
  /** The same of the light of a form. */
  readonly own: number | undefined;
  /** Lights that share slots afterwards: the server refuses that. */
  readonly conflict: { readonly label: string; readonly from: number; readonly to: number } | undefined;
  /** A light that finds no place afterwards: the server refuses that, too. */
  readonly unplaced: { readonly label: string; readonly reason: string } | undefined;
}

/** The light of a form, as it would be saved. */
export interface DraftLight {
  /** 0 for a new one. */
  readonly id: number;
  readonly label: string;
  readonly position: string;
  readonly universe: number;
  readonly dmxOverride: number | undefined;
  readonly channelCount: number;
}

/** Stands for a light that does not exist yet: it comes after all others of its position. */
const NEW_LIGHT = Number.MAX_SAFE_INTEGER;

/** What happens to addresses when `draft` is saved. @param lights all of them */
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

/** What happens to the addresses of the others when lights go. */
export function forecastDelete(lights: readonly Light[], removed: readonly Light[]): AddressForecast {
  const ids = new Set(removed.map(({ id }) => id));
  const others = lights.filter(({ id }) => !ids.has(id));
  return forecast(others, others.map(toAddressable), new Map());
}

/** What happens to addresses when some lights get a mode of so many channels, their own addresses among them. */
export function forecastMode(
  lights: readonly Light[],
  ids: ReadonlySet<number>,
  channelCount: number,
): AddressForecast {
  const patched = lights.map((light) => ({ ...toAddressable(light), ...(ids.has(light.id) && { channelCount }) }));
  return forecast(lights, patched, new Map());
}

/** What happens to addresses when lights stand in this order of ids. */
export function forecastOrder(lights: readonly Light[], ids: readonly number[]): AddressForecast {
  const places = new Map(ids.map((id, index) => [id, index + 1]));
  const ordered = lights.map((light) => ({ ...toAddressable(light), position: places.get(light.id) ?? null }));
  return forecast(lights, ordered, new Map());
}

/** The moves a server has told in its refusal: what was shown is not what would happen. */
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

/** Says to the server what a person was shown. */
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
