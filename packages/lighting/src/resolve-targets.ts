import {
  GROUP_TYPES,
  type ChannelKind,
  type FixtureMode,
  type GroupType,
  type Rig,
  type RigLight,
} from "@followspot/contract";
import { emittersOf, headsOf, isWheel } from "./bytes.ts";

/** A head of the rig, with its place in its group and the lanes that it follows. */
export interface PlacedHead {
  readonly light: RigLight;
  readonly head: number;
  /** Type of its group: independent of the plan, and of the role that it gets in a rig with a single role. */
  readonly type: GroupType;
  /** Lanes, merged highest-takes-precedence; empty = dark. */
  readonly lanes: readonly string[];
  /** Position across its group, 0..1. */
  readonly place: number;
  readonly index: number;
  readonly count: number;
  /** Column in the row of the group's pixels, and the number of columns. Pixels above one another share a column. */
  readonly column: number;
  readonly columns: number;
}

/** Roles whose lane a role follows if the plan has none for it, best first. */
const FALLBACKS: Record<GroupType, readonly GroupType[]> = {
  wash: ["wash", "par", "bar", "spot"],
  par: ["par", "bar", "wash", "spot"],
  bar: ["bar", "par", "wash", "spot"],
  spot: ["spot", "wash", "par", "bar"],
  strobe: ["strobe"],
  effect: ["effect"],
  mixed: ["wash", "par", "bar", "spot"],
};

interface RoleGroup {
  readonly id: string | undefined;
  readonly type: GroupType;
  readonly role: GroupType;
  readonly heads: readonly { light: RigLight; head: number }[];
  /**
   * If the group is part of a row of fixtures: place of each head in it, and its index and the number of heads for a
   * chase.
   */
  readonly line?: { readonly places: readonly number[]; readonly indexes: readonly number[]; readonly count: number };
}

/**
 * Assigns lanes to heads. A lane for the ID of a group wins over the lane of its role, which wins over `all`. Groups of
 * type mixed take the first role of wash, par and bar that no other group has. A rig with a single role is split, see
 * `splitSingleRole`.
 */
export function resolveTargets(targets: readonly string[], rig: Rig): PlacedHead[] {
  const lanes = new Set(targets);
  const split = splitSingleRole(fillMixed(groupHeads(rig)));
  return split.flatMap((group) => {
    const names = lanesFor(group, lanes, split);
    const { columns, count } = columnsOf(group);
    return group.heads.map(({ light, head }, i): PlacedHead => ({
      light,
      head,
      type: group.type,
      lanes: names,
      index: group.line?.indexes[i] ?? i,
      count: group.line?.count ?? group.heads.length,
      place: group.line?.places[i] ?? (group.heads.length > 1 ? i / (group.heads.length - 1) : 0.5),
      column: columns[i]!,
      columns: count,
    }));
  });
}

/**
 * Returns the column of each head in the row of its group, and the number of columns. Parts of a row use its indexes.
 */
function columnsOf({ heads, line }: RoleGroup): { readonly columns: readonly number[]; readonly count: number } {
  if (line) return { columns: line.indexes, count: line.count };
  const columns: number[] = [];
  let count = 0;
  for (const [light, own] of Map.groupBy(heads, ({ light }) => light)) {
    const placeOf = new Map(light.mode.pixels?.map(({ head, column }) => [head, column]));
    const places = [...new Set(own.map(({ head }) => placeOf.get(head) ?? head))].toSorted((a, b) => a - b);
    for (const { head } of own) columns.push(count + places.indexOf(placeOf.get(head) ?? head));
    count += places.length;
  }
  return { columns, count };
}

function groupHeads(rig: Rig): RoleGroup[] {
  const lights = new Map(rig.lights.filter((light) => light.enabled).map((light) => [light.id, light]));
  const used = new Set<number>();
  const groups: RoleGroup[] = [];
  for (const group of rig.groups) {
    const members = group.lightIds.filter((id) => !used.has(id)).map((id) => lights.get(id));
    for (const id of group.lightIds) used.add(id); // fixtures of a disabled group stay dark
    if (!group.enabled) continue;
    groups.push({
      id: group.id,
      type: group.type,
      role: group.type,
      heads: members.flatMap((light) => (light ? litHeads(light) : [])),
    });
  }
  // Fixtures without a group get a role by their kind.
  const loose = Map.groupBy(
    [...lights.values()].filter((light) => !used.has(light.id)),
    (light) => roleOfMode(light.mode),
  );
  for (const role of GROUP_TYPES) {
    const members = loose.get(role);
    if (members) groups.push({ id: undefined, type: role, role, heads: members.flatMap(litHeads) });
  }
  return groups.filter((group) => group.heads.length > 0);
}

/** Returns the heads of a fixture that can emit light. */
export function litHeads(light: RigLight): { light: RigLight; head: number }[] {
  return headsOf(light.mode)
    .filter((head) => !emittersOf(light.mode, head).isUnlit)
    .map((head) => ({ light, head }));
}

export function roleOfMode(mode: FixtureMode): GroupType {
  const kinds = new Set(mode.channels.map((c) => c.kind));
  if (kinds.has("fog") || kinds.has("laser")) return "effect";
  if (kinds.has("pan")) return "spot";
  if (headsOf(mode).length > 2) return "bar";
  const hasColour =
    ["red", "cyan", "hue", "colorWheel"].some((kind) => kinds.has(kind as ChannelKind)) || mode.channels.some(isWheel);
  if (kinds.has("shutter") && !hasColour && mode.channels.length <= 3) return "strobe";
  return hasColour ? "par" : "wash";
}

const MIXED_ACTS_AS: readonly GroupType[] = ["wash", "par", "bar"];

function fillMixed(groups: readonly RoleGroup[]): RoleGroup[] {
  const present = new Set(groups.map((group) => group.role));
  return groups.map((group) => {
    if (group.role !== "mixed") return group;
    const role = MIXED_ACTS_AS.find((candidate) => !present.has(candidate)) ?? "par";
    present.add(role);
    return { ...group, role };
  });
}

/** Fewest heads with which a rig of one kind gets three roles. */
const THREE_ROLES_FROM = 6;

/**
 * Splits a rig of one kind of fixture into several roles: wash in the middle and pars outside. From six heads on, bars
 * play between them. Each role reaches both sides.
 */
function splitSingleRole(groups: readonly RoleGroup[]): RoleGroup[] {
  const rhythmic = groups.filter((group) => group.role !== "strobe" && group.role !== "effect");
  const roles = new Set(rhythmic.map((group) => group.role));
  const lamps = rhythmic.reduce((sum, group) => sum + group.heads.length, 0);
  if (roles.size !== 1 || lamps < 2) return [...groups];
  return groups.flatMap((group) => {
    if (!rhythmic.includes(group)) return [group];
    if (rhythmic.length > 1) {
      // With several groups of one type, the first keeps the wash and the others are accents.
      return [{ ...group, role: group === rhythmic[0] ? "wash" : "par" } as RoleGroup];
    }
    const n = group.heads.length;
    const accentsPerSide = Math.floor(n / 3);
    const roleAt = (i: number): GroupType => {
      if (n === 2) return i === 0 ? "wash" : "par";
      const fromEdge = Math.min(i, n - 1 - i);
      if (n < THREE_ROLES_FROM) return fromEdge < 1 ? "par" : "wash";
      if (fromEdge >= accentsPerSide) return "wash";
      return fromEdge < Math.ceil(accentsPerSide / 2) ? "par" : "bar";
    };
    const all = group.heads.map((_, i) => i);
    const accents = all.filter((i) => roleAt(i) !== "wash");
    return (["wash", "bar", "par"] as const).flatMap((role): RoleGroup[] => {
      const own = all.filter((i) => roleAt(i) === role);
      // A chase treats bars and pars as one row.
      const row = role === "wash" ? own : accents;
      const inRow = new Map(row.map((i, k) => [i, k]));
      const line = { places: own.map((i) => i / (n - 1)), indexes: own.map((i) => inRow.get(i)!), count: row.length };
      return own.length > 0
        ? [{ id: group.id, type: group.type, role, heads: own.map((i) => group.heads[i]!), line }]
        : [];
    });
  });
}

function lanesFor(group: RoleGroup, lanes: ReadonlySet<string>, groups: readonly RoleGroup[]): string[] {
  if (group.id !== undefined && lanes.has(group.id)) return [group.id];
  const role = FALLBACKS[group.role].find((candidate) => lanes.has(`role:${candidate}`));
  const lamps = groups.reduce((sum, g) => sum + g.heads.length, 0);
  // A rig with one head plays wash and rhythm on it.
  if (lamps === 1 && lanes.has("role:wash") && lanes.has("role:par")) return ["role:wash", "role:par"];
  if (role !== undefined) return [`role:${role}`];
  return lanes.has("all") && group.role !== "strobe" && group.role !== "effect" ? ["all"] : [];
}
