import {
  GROUP_TYPES,
  type ChannelKind,
  type FixtureMode,
  type GroupType,
  type Rig,
  type RigLight,
} from "@followspot/contract";
import { emittersOf, headsOf, isWheel } from "./bytes.ts";

/** One lamp of the rig with its place on stage and the lanes it follows. */
export interface PlacedHead {
  readonly light: RigLight;
  readonly head: number;
  /** Type of its group: the same whatever the plan, and whatever part a rig of one role gives it. */
  readonly type: GroupType;
  /** Lanes merged highest-takes-precedence; empty = dark. */
  readonly lanes: readonly string[];
  /** 0..1 across its group. */
  readonly place: number;
  readonly index: number;
  readonly count: number;
  /** The same in the row of the group's pixels, where those of a column stand over one another. */
  readonly column: number;
  readonly columns: number;
}

/** Where a role looks when the plan has no lane for it, best first. */
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
  /** When the group is a part of a line of lamps: where each head stands, and which of how many it is for a chase. */
  readonly line?: { readonly places: readonly number[]; readonly indexes: readonly number[]; readonly count: number };
}

/**
 * Who plays what. A lane for a group's own id wins over its role's lane, which wins over `all`.
 * Groups of type mixed take the highest role no other group has; a rig with one role is split, see `splitSingleRole`.
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

/** The column of each head in the row of its group, and how many there are. A part of a line is counted as that line is. */
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
    for (const id of group.lightIds) used.add(id); // a light of a disabled group stays dark
    if (!group.enabled) continue;
    groups.push({
      id: group.id,
      type: group.type,
      role: group.type,
      heads: members.flatMap((light) => (light ? litHeads(light) : [])),
    });
  }
  // Lights in no group play by what they are.
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

/** The heads of a light that can give light. */
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

/** Lamps from which a rig of one kind has three roles. */
const THREE_ROLES_FROM = 6;

/**
 * A rig of one kind of lamp plays several roles: the wash in the middle, pars outside, and from six lamps on bars between
 * them, so that each role reaches both sides.
 */
function splitSingleRole(groups: readonly RoleGroup[]): RoleGroup[] {
  const rhythmic = groups.filter((group) => group.role !== "strobe" && group.role !== "effect");
  const roles = new Set(rhythmic.map((group) => group.role));
  const lamps = rhythmic.reduce((sum, group) => sum + group.heads.length, 0);
  if (roles.size !== 1 || lamps < 2) return [...groups];
  return groups.flatMap((group) => {
    if (!rhythmic.includes(group)) return [group];
    if (rhythmic.length > 1) {
      // Several groups of one type: the first keeps the wash, the others are accents.
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
      // A chase goes through bars and pars as through one row.
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
  // A rig of one lamp plays wash and rhythm on it.
  if (lamps === 1 && lanes.has("role:wash") && lanes.has("role:par")) return ["role:wash", "role:par"];
  if (role !== undefined) return [`role:${role}`];
  return lanes.has("all") && group.role !== "strobe" && group.role !== "effect" ? ["all"] : [];
}
