import {
  slotOf,
  UNIVERSE_SLOTS,
  type Cue,
  type FixtureMode,
  type LightingPlan,
  type Pose,
  type Rig,
  type RigLight,
} from "@followspot/contract";
import { compileAims, panAt, tiltAt, type StoodHead } from "./aims.ts";
import { BeatClock } from "./beat-clock.ts";
import { wheelChannelOf } from "./bytes.ts";
import { runsOf } from "./channel-runs.ts";
import { writesOf } from "./channel-writes.ts";
import type { ChannelWrite, CompiledShow, FlashLimits, Lane } from "./compiled-show.ts";
import { switchedHeads } from "./driven.ts";
import { pairedMode } from "./fixture-formats/fine-kinds.ts";
import { orderOf } from "./head-light.ts";
import {
  compileCue,
  FAMILY,
  movesAlike,
  newMoment,
  STROBE_LIMIT_SECONDS,
  STROBE_PAUSE_SECONDS,
  type Strokes,
} from "./intents.ts";
import { limitFlashes } from "./limit-flashes.ts";
import { compilePaths } from "./movement/compile-paths.ts";
import { rowOf, type RowPlace } from "./movement/row.ts";
import { hasSinger, singerCue, singersOf } from "./movement/singers.ts";
import { opticWriteOf } from "./optics.ts";
import { LEAST_PIXELS } from "./pixels.ts";
import { resolveTargets, type PlacedHead } from "./resolve-targets.ts";
import { posesOf } from "./space/poses.ts";
import { chooseSlots, WheelRack } from "./wheels.ts";

/** Binds a plan to a rig: resolves targets, checks the patch, loads the curves and runs the flash limiter. */
export function compileShow(plan: LightingPlan, rig: Rig): CompiledShow {
  const show = bindShow(plan, rig);
  return { ...show, ...limitFlashes(show) };
}

/** Most spots of a row that alternate colors. Beams of two colors close together mix to a third one, or to white. */
const MOST_TURNS = 8;

const colorTurnOf = (index: number, count: number): number => Math.floor(index / Math.ceil(count / MOST_TURNS));

/**
 * Binds a plan like {@link compileShow}, without the flash limiter. Used to measure unfinished plans, and by the stage,
 * which limits what it sends tick by tick and runs `limitInSlices` afterwards.
 *
 * @param like a show bound to the same rig. Its channel writes do not depend on the plan and are half of the work, so
 * they are reused.
 */
export function bindShow(plan: LightingPlan, rig: Rig, like?: CompiledShow): CompiledShow {
  const clock = new BeatClock(plan.beats);
  const strokes = strokesOf(plan, clock);
  const { lights, problems } = patchedLights(rig);
  const heads = resolveTargets(Object.keys(plan.event_lanes), { ...rig, lights });
  const names = [...new Set(heads.flatMap((head) => head.lanes))];
  const rack = new WheelRack();
  const wheelOf = Int16Array.from(heads, ({ light, head }) => {
    const channel = wheelChannelOf(light.mode, head);
    return channel ? rack.indexOf(channel) : -1;
  });
  const headsOfLamp = litHeadsOf(heads);
  const stepsOf = new Map([...headsOfLamp].map(([light, own]) => [light, stepsIn(light.mode, own)]));
  const n = heads.length;
  const cuesOf = (name: string) => plan.event_lanes[name] ?? [];
  const lanes = new Map(names.map((name) => [name, compileLane(cuesOf(name), clock, strokes)]));
  const stood = standHeads(heads, posesOf(rig));
  const singers = singersIn(stood, cuesOf);
  const singerLanes = new Map(
    [...new Set(singers.values())].map((name) => [name, compileLane(cuesOf(name).map(singerCue), clock, strokes)]),
  );
  const allLanes = [...lanes.values(), ...singerLanes.values()];
  for (const { cues } of allLanes) chooseSlots(cues, rack.wheels);
  const headLanes = heads.map((head, h) => {
    const onSinger = singerLanes.get(singers.get(h) ?? "");
    return onSinger ? [onSinger] : head.lanes.flatMap((name) => lanes.get(name) ?? []);
  });
  const moves = Uint8Array.from(heads, ({ light }) =>
    light.mode.channels.some(({ kind }) => kind === "pan" || kind === "tilt" || kind === "zoom") ? 1 : 0,
  );
  const hasOptics = Uint8Array.from(heads, ({ light }) =>
    light.mode.channels.some((channel) => opticWriteOf(light.mode, channel) !== undefined) ? 1 : 0,
  );
  // Which heads there are, and their order, depends on the lanes of the plan.
  const isAlike = like?.headCount === n && heads.every((head, h) => isHead(like, h, head));
  const writes = isAlike ? like.writes : writesOfAll(lights, heads);
  const aims = isAlike ? like.aims : compileAims(stood);
  const turning = stood.map(({ light, row }, h) => ({ light, row, lane: headLanes[h]![0] }));
  const paths = compilePaths(turning, aims, clock);
  return {
    plan,
    universes: [...new Set(lights.map((light) => light.universe))].sort((a, b) => a - b),
    headCount: n,
    lightIds: Int32Array.from(heads, (head) => head.light.id),
    headNumbers: Int32Array.from(heads, (head) => head.head),
    writes,
    runs: isAlike ? like.runs : runsOf(writes),
    problems,
    limitedShare: 0,
    mostFlashes: 0,
    level: new Float32Array(n),
    red: new Float32Array(n),
    green: new Float32Array(n),
    blue: new Float32Array(n),
    fullWhite: new Uint8Array(n),
    haze: new Float32Array(3),
    pan: Float32Array.from({ length: n }, (_, h) => panAt(aims, h, 0)),
    tilt: Float32Array.from({ length: n }, (_, h) => tiltAt(aims, h, 0)),
    zoom: new Float32Array(n).fill(0.5),
    slot: new Uint8Array(n),
    beam: new Uint8Array(n),
    gobo: new Uint8Array(n),
    goboTurns: new Uint8Array(n),
    wheels: rack.wheels,
    wheelOf,
    lanes: allLanes,
    headLanes,
    order: orderOf({ headLanes, wheelOf, moves, hasOptics, paths }, Int32Array.from(heads.keys())),
    places: Float32Array.from(heads, (head) => head.place),
    indexes: Int32Array.from(heads, (head) => head.index),
    counts: Int32Array.from(heads, (head) => head.count),
    colorTurns: Int32Array.from(heads, ({ index, count }) => colorTurnOf(index, count)),
    isPixel: Uint8Array.from(heads, ({ light }) => (headsOfLamp.get(light)!.length >= LEAST_PIXELS ? 1 : 0)),
    columns: Int32Array.from(heads, ({ column }) => column),
    columnCounts: Int32Array.from(heads, ({ columns }) => columns),
    ownIndexes: Int32Array.from(heads, ({ light, head }) => stepsOf.get(light)!.indexOf(stepOf(light.mode, head))),
    ownCounts: Int32Array.from(heads, ({ light }) => stepsOf.get(light)!.length),
    headTargets: heads.map((head) => head.lanes[0] ?? ""),
    moves,
    isSwitched: isAlike ? like.isSwitched : switchedHeads(writes, n),
    hasOptics,
    aims,
    rows: stood.map(({ row }) => row),
    paths,
    isWash: Uint8Array.from(heads, ({ type }) => (type === "wash" ? 1 : 0)),
    isStrobe: Uint8Array.from(heads, (head) => (head.lanes.includes("role:strobe") ? 1 : 0)),
    clock,
    curves: (["bass", "mid", "high", "energy"] as const).map((band) => Float32Array.from(plan.curves[band])),
    curveHop: plan.curves.hop_seconds,
    limits: {
      zone: undefined,
      rig: undefined,
      heads: Array.from<Float32Array | undefined>({ length: n }),
    } as FlashLimits,
  };
}

/** Returns the head numbers of each fixture that are lit, ascending. */
function litHeadsOf(heads: readonly PlacedHead[]): ReadonlyMap<RigLight, readonly number[]> {
  const own = Map.groupBy(heads, ({ light }) => light);
  return new Map([...own].map(([light, its]) => [light, its.map(({ head }) => head).toSorted((a, b) => a - b)]));
}

/** Returns the vertical step of a head in a matrix, ascending from the bottom; in a row, its number. */
function stepOf(mode: FixtureMode, head: number): number {
  const place = mode.pixels?.find((pixel) => pixel.head === head);
  return place ? -place.row : head;
}

/** Returns all steps of a fixture, ascending. */
function stepsIn(mode: FixtureMode, heads: readonly number[]): readonly number[] {
  return [...new Set(heads.map((head) => stepOf(mode, head)))].toSorted((a, b) => a - b);
}

/** Adds the pose to each head, and to those with pan or tilt the place in the row of their kind. */
function standHeads(heads: readonly PlacedHead[], poses: ReadonlyMap<number, Pose>): (PlacedHead & StoodHead)[] {
  const poseOf = ({ light }: PlacedHead) => poses.get(light.id)!;
  const rows = new Map<PlacedHead, RowPlace>();
  for (const own of Map.groupBy(heads.filter(turns), ({ type }) => type).values()) {
    const places = rowOf(own.map((head) => poseOf(head).x));
    for (const [i, head] of own.entries()) rows.set(head, places[i]!);
  }
  return heads.map((head) => ({ ...head, pose: poseOf(head), row: rows.get(head) }));
}

const turns = ({ light }: PlacedHead): boolean =>
  light.mode.channels.some(({ kind }) => kind === "pan" || kind === "tilt");

/** Returns the heads that stay on the singer, with the lane they follow. A fixture's heads all do or none does. */
function singersIn(
  heads: readonly (PlacedHead & StoodHead)[],
  cuesOf: (lane: string) => readonly Cue[],
): ReadonlyMap<number, string> {
  const singers = new Map<number, string>();
  const turning = [...heads.entries()].filter(([, { row }]) => row !== undefined);
  for (const [lane, own] of Map.groupBy(turning, ([, { lanes }]) => lanes[0] ?? "")) {
    if (!hasSinger(cuesOf(lane))) continue;
    const lights = [...new Map(own.map(([, { light, pose }]) => [light.id, pose.x]))];
    const chosen = singersOf(lights.map(([, x]) => x));
    const ids = new Set(lights.flatMap(([id], i) => (chosen.has(i) ? [id] : [])));
    for (const [h, { light }] of own) if (ids.has(light.id)) singers.set(h, lane);
  }
  return singers;
}

function writesOfAll(lights: readonly RigLight[], heads: readonly PlacedHead[]): ChannelWrite[] {
  const headsOfLight = Map.groupBy(
    heads.map(({ light, head }, index) => ({ id: light.id, head, index })),
    ({ id }) => id,
  );
  return lights.flatMap((light) => writesOf(light, headsOfLight.get(light.id) ?? []));
}

function isHead(show: CompiledShow, h: number, { light, head }: PlacedHead): boolean {
  return show.lightIds[h] === light.id && show.headNumbers[h] === head;
}

/** Returns the enabled fixtures whose slots no other fixture overlaps, in address order. */
function patchedLights(rig: Rig): { lights: RigLight[]; problems: string[] } {
  const problems: string[] = [];
  const owners = new Map<number, Uint8Array>();
  const lights = rig.lights
    .filter((light) => light.enabled)
    .map((light) => ({ ...light, mode: pairedMode(light.mode) }))
    .toSorted((a, b) => a.universe - b.universe || a.address - b.address || a.id - b.id)
    .filter((light) => {
      if (light.address + light.mode.channels.length - 1 > UNIVERSE_SLOTS) {
        problems.push(`${light.label}: runs past address ${UNIVERSE_SLOTS}`);
        return false;
      }
      const first = slotOf(light.address);
      const end = first + light.mode.channels.length;
      let owner = owners.get(light.universe);
      if (!owner) owners.set(light.universe, (owner = new Uint8Array(UNIVERSE_SLOTS)));
      if (owner.subarray(first, end).some((taken) => taken === 1)) {
        problems.push(`${light.label}: overlaps another light in universe ${light.universe}`);
        return false;
      }
      owner.fill(1, first, end);
      return true;
    });
  return { lights, problems };
}

function strokesOf({ strokes }: LightingPlan, clock: BeatClock): Strokes {
  const beatsOf = (times: readonly number[] = []) => Float64Array.from(times, (t) => clock.beatAt(t));
  return { kick: beatsOf(strokes?.kick), snare: beatsOf(strokes?.snare) };
}

function compileLane(planned: readonly Cue[], clock: BeatClock, strokes: Strokes): Lane {
  const cues = planned.map((cue) => compileCue(cue, clock, strokes)).toSorted((a, b) => a.start - b.start);
  for (const [i, cue] of cues.entries()) {
    const before = cues[i - 1];
    if (before && movesAlike(before, cue)) cue.moveAnchor = before.moveAnchor;
  }
  let strobeStart = Number.NEGATIVE_INFINITY;
  let strobeEnd = Number.NEGATIVE_INFINITY;
  for (const cue of cues) {
    if (cue.family !== FAMILY.strobe) continue;
    if (cue.start > strobeEnd + STROBE_PAUSE_SECONDS) strobeStart = cue.start;
    strobeEnd = cue.end;
    cue.strobeUntil = strobeStart + STROBE_LIMIT_SECONDS;
  }
  return {
    cues,
    starts: Float64Array.from(cues, (cue) => cue.start),
    now: newMoment(),
    before: newMoment(),
    blend: 1,
    zoomBlend: 1,
    isLit: false,
    at: 0,
    phase: 0,
    endBeat: clock.beatAt(cues.at(-1)?.end ?? 0),
  };
}
