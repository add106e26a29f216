import type { Pose, Rig } from "@followspot/contract";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { standingHeight, usualPosesOf } from "@followspot/lighting";
import { useMemo, useState } from "react";
import { lightStrings } from "../lights.strings.ts";
import { redone, stepped, UNCHANGED, undone } from "./history.ts";
import { changedPlaces, edited, HUNG, isOutside, isSamePlace, linedUp, linesOf, patched, placesOf, poseOf, type Edits, type Patches, type PlacedLamp, type Places } from "./places.ts"; // prettier-ignore

/** Fixture on the stage plan. */
export interface PlanLamp {
  readonly id: number;
  readonly name: string;
  /** Color of its group, #rrggbb. */
  readonly color: string;
  /** Drafted or stored pose, or the default pose of its kind. */
  readonly pose: Pose;
  /** Whether a user positioned it. */
  readonly isPlaced: boolean;
  /** Whether it has a tilt channel, so that the lean of its pose is ignored. */
  readonly moves: boolean;
  /** Height when it stands on the floor, m. */
  readonly floor: number;
}

export interface PlaceEditor {
  readonly lamps: readonly PlanLamp[];
  readonly chosen: ReadonlySet<number>;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Positions to save. */
  readonly changes: readonly PlacedLamp[];
  readonly places: Places;
  readonly before: Places;
  /** Fixtures edited here whose position another user has saved since. */
  readonly overtaken: readonly number[];
  choose(ids: Iterable<number>): void;
  /** Changes poses. @param step name of a continuous action; changes with the same name form one undo step */
  put(patches: Patches, step?: string): void;
  /** Clears the positions of fixtures. */
  take(ids: Iterable<number>): void;
  undo(): void;
  redo(): void;
  /** Resolves conflicts of overtaken fixtures: `theirs` drops the local draft, `mine` keeps it. */
  settle(whose: "theirs" | "mine"): void;
}

/** Colors assigned to groups in turn, visible in dark and light mode. `NO_GROUP` is for fixtures without a group. */
const COLORS = ["#ff8c42", "#4aa8ff", "#ff5fa8", "#3ecf7f", "#b98aff", "#f2c530", "#2fd3c9", "#ff6464"] as const;
const NO_GROUP = "#b8b8c8";

/** Manages a draft of fixture positions on top of the stored ones. Only local changes are saved. */
export function usePlaceEditor(
  lights: readonly Light[],
  groups: readonly LightGroup[],
  rig: Rig | undefined,
): PlaceEditor {
  const before = useMemo(() => placesOf(lights), [lights]);
  const usual = useMemo(() => usualPoses(lights, groups, rig), [lights, groups, rig]);
  const [history, setHistory] = useState(UNCHANGED);
  /** Stored position of each fixture at the time of its first local edit. */
  const [seen, setSeen] = useState<Edits>(new Map());
  const [wanted, choose] = useState<ReadonlySet<number>>(new Set());

  const places = useMemo(() => edited(before, history.now), [before, history.now]);
  const colors = useMemo(() => colorsOf(lights, groups), [lights, groups]);
  const lamps = useMemo(() => {
    const modes = new Map(rig?.lights.map(({ id, mode }) => [id, mode]));
    return lights.map(({ id, label }): PlanLamp => {
      const mode = modes.get(id);
      return {
        id,
        name: label || lightStrings.noLabel,
        color: colors.get(id) ?? NO_GROUP,
        pose: poseOf(places.get(id), usual.get(id)!),
        isPlaced: places.has(id),
        moves: mode?.channels.some(({ kind }) => kind === "tilt") ?? false,
        floor: mode ? standingHeight(mode) : 0.35,
      };
    });
  }, [lights, rig, colors, places, usual]);

  const change = (edit: (now: Edits, places: Places) => Edits, step?: string) =>
    setHistory((old) => {
      const next = edit(old.now, edited(before, old.now));
      const isNothing = changedPlaces(edited(before, old.now), edited(before, next)).length === 0;
      return isNothing ? old : stepped(old, next, step);
    });
  const see = (ids: Iterable<number>) =>
    setSeen((old) => {
      const all = new Map(old);
      for (const id of ids) if (!history.now.has(id)) all.set(id, before.get(id));
      return all;
    });
  const overtaken = [...history.now]
    .filter(([id, place]) => !isSamePlace(seen.get(id), before.get(id)) && !isSamePlace(place, before.get(id)))
    .map(([id]) => id);

  return {
    lamps,
    chosen: useMemo(() => new Set(lights.map(({ id }) => id).filter((id) => wanted.has(id))), [lights, wanted]),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    changes: useMemo(() => {
      const known = new Set(lights.map(({ id }) => id));
      return changedPlaces(before, places).filter(({ lightId }) => known.has(lightId));
    }, [lights, before, places]),
    places,
    before,
    overtaken,
    choose: (ids) => choose(new Set(ids)),
    put: (patches, step) => {
      see(patches.keys());
      change((now, all) => {
        const known = [...patches].filter(([id]) => usual.has(id));
        return new Map([...now, ...known.map(([id, patch]) => [id, patched(all.get(id), usual.get(id)!, patch)] as const)]); // prettier-ignore
      }, step);
    },
    take: (ids) => {
      const taken = [...ids];
      see(taken);
      change((now) => new Map([...now, ...taken.map((id) => [id, undefined] as const)]));
    },
    undo: () => setHistory(undone),
    redo: () => setHistory(redone),
    settle: (whose) => {
      if (whose === "theirs") change((now) => new Map([...now].filter(([id]) => !overtaken.includes(id))));
      setSeen(before);
    },
  };
}

/** Returns the fixtures outside the range of the plan. */
export const outsideOf = (lamps: readonly PlanLamp[]): readonly PlanLamp[] =>
  lamps.filter(({ pose }) => isOutside(pose));

/** Returns default poses: by fixture kind, or lined up by group while the kinds are unknown. */
function usualPoses(
  lights: readonly Light[],
  groups: readonly LightGroup[],
  rig: Rig | undefined,
): ReadonlyMap<number, Pose> {
  const poses = rig ? usualPosesOf(rig) : new Map<number, Pose>();
  const lines = linedUp(linesOf(lights, groups));
  return new Map(lights.map(({ id }) => [id, poses.get(id) ?? { x: 0, y: 3, ...HUNG, ...lines.get(id) }]));
}

function colorsOf(lights: readonly Light[], groups: readonly LightGroup[]): ReadonlyMap<number, string> {
  const lines = [...linesOf(lights, groups)];
  return new Map(
    lines.flatMap(([group, ids], i) => ids.map((id) => [id, group ? COLORS[i % COLORS.length]! : NO_GROUP] as const)),
  );
}
