import { UNIVERSE_SLOTS, type GroupType } from "@followspot/contract";
import { freeInWords, overlapInWords, packAddresses, type NamedRange } from "@followspot/lighting";
import type { Db } from "../platform/database/database.ts";
import { alreadyExists, outOfRange } from "../platform/errors.ts";
import type { PatchedAs } from "./fixture-library.ts";
import { groupIdOf } from "./group-rules.ts";
import { insertGroup, listGroups } from "./groups.store.ts";
import { insertLights, joinGroup, type LightRow } from "./lights.store.ts";
import { rangesIn, toAddressable } from "./patch.ts";

const LAST_POSITION = 999;
/** First ID for lights that are not stored yet; they sort after all others of their position. */
const NEW_LIGHTS = Number.MAX_SAFE_INTEGER - 100_000;

/** A light with a fixed address. */
export interface WantedLight {
  readonly label: string;
  readonly patchedAs: PatchedAs;
  readonly channelCount: number;
  readonly universe: number;
  readonly address: number;
}

/**
 * Stores lights at exactly the requested addresses, after all others, without moving any. Lights that packing would put
 * there anyway stay packed; otherwise all get manual addresses. Callers hold the lock `patch`.
 *
 * @param lights all existing lights
 * @returns IDs in the order of `wanted`
 * @throws already_exists if a light overlaps another, out_of_range beyond slot 512
 */
export async function insertAt(
  db: Db,
  lights: readonly LightRow[],
  wanted: readonly WantedLight[],
): Promise<readonly number[]> {
  const [problem] = problemsOf(lights, wanted).values();
  if (problem) throw problem.isOutside ? outOfRange(problem.sentence) : alreadyExists(problem.sentence);
  const positions = positionsBehind(lights, wanted.length);
  const isPacked = packsItself(lights, wanted, positions);
  return insertLights(
    db,
    wanted.map(({ label, patchedAs, channelCount, universe, address }, i) => ({
      ...patchedAs,
      label,
      channel_count: channelCount,
      position: positions[i]!,
      enabled: true,
      universe,
      dmx_override: isPacked ? null : address,
      dmx_address: address,
    })),
  );
}

export interface PlaceProblem {
  readonly isOutside: boolean;
  /** The overlap, and a free address. */
  readonly sentence: string;
}

/** Returns why lights cannot be at the requested addresses, by index. */
export function problemsOf(
  lights: readonly LightRow[],
  wanted: readonly WantedLight[],
): ReadonlyMap<number, PlaceProblem> {
  const problems = new Map<number, PlaceProblem>();
  const taken = new Map<number, NamedRange[]>();
  for (const [i, { label, universe, address, channelCount }] of wanted.entries()) {
    const others = taken.get(universe) ?? rangesIn(lights, universe);
    taken.set(universe, others);
    const range = { id: 0, label, address, channelCount };
    const end = address + channelCount - 1;
    const met = others.find((other) => other.address <= end && address < other.address + other.channelCount);
    if (end > UNIVERSE_SLOTS) {
      const sentence = `${label} would end at ${end}, past ${UNIVERSE_SLOTS}. ${freeInWords(others, channelCount, 1)}`;
      problems.set(i, { isOutside: true, sentence });
    } else if (met) {
      const sentence = `${overlapInWords(range, met, universe)} ${freeInWords(others, channelCount, 1)}`;
      problems.set(i, { isOutside: false, sentence });
    } else others.push(range);
  }
  return problems;
}

/** Returns positions after all others, so that no light moves: numbers if every light has one, else null. */
function positionsBehind(lights: readonly LightRow[], count: number): readonly (number | null)[] {
  const last = lights.reduce((most, { position }) => Math.max(most, position ?? LAST_POSITION), 0);
  return Array.from({ length: count }, (_, i) => (last + count > LAST_POSITION ? null : last + i + 1));
}

function packsItself(
  lights: readonly LightRow[],
  wanted: readonly WantedLight[],
  positions: readonly (number | null)[],
): boolean {
  const added = wanted.map((light, i) => ({
    id: NEW_LIGHTS + i,
    position: positions[i]!,
    universe: light.universe,
    channelCount: light.channelCount,
  }));
  const { placed } = packAddresses([...lights.map(toAddressable), ...added]);
  const places = new Map(placed.map(({ id, address }) => [id, address]));
  return wanted.every(({ address }, i) => places.get(NEW_LIGHTS + i) === address);
}

/**
 * Creates a group of lights.
 * @returns its ID, derived from the name if none is given
 * @throws already_exists if the given ID is taken
 */
export async function makeGroup(
  db: Db,
  group: { readonly id: string; readonly name: string; readonly type: GroupType },
  lightIds: readonly number[],
): Promise<string> {
  const taken = new Set((await listGroups(db)).map(({ id }) => id));
  const id = group.id || groupIdOf(group.name, taken);
  if (!(await insertGroup(db, { ...group, id }))) throw alreadyExists(`There is a group with the ID ${id} already`);
  await joinGroup(db, id, lightIds);
  return id;
}
