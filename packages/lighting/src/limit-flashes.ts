import type { CompiledShow } from "./compiled-show.ts";
import { GRID_HZ } from "./flash-limiter.ts";
import { orderOf } from "./head-light.ts";
import { setLightOf } from "./head-states.ts";
import { LampLimiter } from "./lamp-limiter.ts";

/** Most flashes in any second that the limiter lets through. */
export const FLASHES_PER_SECOND = { default: 3, venue: 4 } as const;

/** Time after the last cue that is still computed, so that the fade to dark is limited too, seconds. */
const TAIL_SECONDS = 1;

/** Extent of the zone around a limited tick; longer than the limiter's window of one second. */
const ZONE_SECONDS = 1.5;

/** Heads times ticks in one slice of {@link limitInSlices}: a few milliseconds of work. */
const SLICE_LAMPS = 32_768;

/**
 * Runs the show once on the grid and stores the gains that keep every head, each half of the stage and the rig within
 * the flash limit. Heads that always shine alike, such as the corresponding heads of two groups in one role, are
 * computed once. The cost grows with the number of different looks, not of heads.
 */
export function limitFlashes(show: CompiledShow): Pick<CompiledShow, "limitedShare" | "mostFlashes"> {
  const slices = limitInSlices(show);
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done) return slice.value;
}

/**
 * Does {@link limitFlashes} in slices, for a caller with other work in between. Each slice yields the time up to which
 * gains are ready, seconds.
 */
export function* limitInSlices(
  show: CompiledShow,
): Generator<number, Pick<CompiledShow, "limitedShare" | "mostFlashes">, undefined> {
  if (show.headCount === 0) return { limitedShare: 0, mostFlashes: 0 };
  const alike = lampsAlike(show);
  const firsts = Int32Array.from(alike, (heads) => heads[0]!);
  const counts = Int32Array.from(alike, (heads) => heads.length);
  const order = orderOf(show, firsts);
  const last = show.lanes.reduce((end, lane) => lane.cues.reduce((e, cue) => Math.max(e, cue.end), end), 0);
  const ticks = Math.ceil((Math.max(last, show.plan.duration) + TAIL_SECONDS) * GRID_HZ);
  const lamps = new LampLimiter(show, { firsts, counts }, FLASHES_PER_SECOND[show.plan.safety.profile]);
  lamps.limiter.isForetold = true;
  const sliceTicks = Math.ceil(SLICE_LAMPS / firsts.length);
  let limitedTicks = 0;
  for (let tick = 0; tick <= ticks; tick++) {
    if (tick % sliceTicks === 0) yield tick / GRID_HZ;
    setLightOf(show, order, tick / GRID_HZ);
    const isLimited = lamps.limit(show, tick);
    if (isLimited) storeGains(show, lamps, alike, tick, ticks);
    lamps.commit(tick);
    if (!isLimited) continue;
    limitedTicks++;
    const zone = (show.limits.zone ??= new Uint8Array(ticks + 1));
    zone.fill(1, Math.max(0, tick - ZONE_SECONDS * GRID_HZ), tick + ZONE_SECONDS * GRID_HZ);
  }
  return { limitedShare: limitedTicks / (ticks + 1), mostFlashes: lamps.limiter.most };
}

/** Stores the gains of one tick of the plan and applies them to `levels`. */
function storeGains(
  show: CompiledShow,
  lamps: LampLimiter,
  alike: readonly (readonly number[])[],
  tick: number,
  ticks: number,
): void {
  const { levels, gains, rig } = lamps;
  if (rig.whole < 1) (show.limits.rig ??= new Float32Array(ticks + 1).fill(1))[tick] = rig.whole;
  for (let k = 0; k < levels.length; k++) {
    const side = lamps.sideGain(k);
    levels[k] = levels[k]! * side * rig.whole;
    const gain = gains[k]! * side;
    if (gain < 1) gainsOf(show, alike[k]!, ticks)[tick] = gain;
  }
}

/**
 * Groups heads that shine alike: the same lanes, place, index in their group and fixture, and color wheel. Every head
 * with pan or tilt is alone, because it goes dark on its own moves.
 */
function lampsAlike(show: CompiledShow): readonly (readonly number[])[] {
  const laneNumbers = new Map(show.lanes.map((lane, i) => [lane, i]));
  const keyOf = (h: number) =>
    [
      show.headLanes[h]!.map((lane) => laneNumbers.get(lane)),
      show.places[h],
      show.indexes[h],
      show.counts[h],
      show.wheelOf[h],
      show.isSwitched[h],
      show.columns[h],
      show.ownIndexes[h],
      show.ownCounts[h],
      show.paths.first[h]! >= 0 ? h : -1,
    ].join("/");
  return [
    ...Map.groupBy(
      Array.from({ length: show.headCount }, (_, h) => h),
      keyOf,
    ).values(),
  ];
}

/** Returns the shared gains of heads that shine alike; created when the first gain below 1 is stored. */
function gainsOf(show: CompiledShow, heads: readonly number[], ticks: number): Float32Array {
  let gains = show.limits.heads[heads[0]!];
  if (!gains) {
    gains = new Float32Array(ticks + 1).fill(1);
    for (const h of heads) show.limits.heads[h] = gains;
  }
  return gains;
}
