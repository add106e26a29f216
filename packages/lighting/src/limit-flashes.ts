import type { CompiledShow } from "./compiled-show.ts";
import { GRID_HZ } from "./flash-limiter.ts";
import { orderOf } from "./head-light.ts";
import { setLightOf } from "./head-states.ts";
import { LampLimiter } from "./lamp-limiter.ts";

/** Flashes in any second the limiter lets through. */
export const FLASHES_PER_SECOND = { default: 3, venue: 4 } as const;

/** Darkness after the last cue that is still worked out, so that the end is limited too. */
const TAIL_SECONDS = 1;

/** Around a limited tick, at least as far as its window of one second reaches. */
const ZONE_SECONDS = 1.5;

/** Lamps times ticks of one slice of {@link limitInSlices}: a few milliseconds. */
const SLICE_LAMPS = 32_768;

/**
 * Run the show once on the grid and store the gains that keep every lamp, each half of the stage and the rig within the
 * flash limit. Lamps that always shine alike, as the third of four groups does, are looked at once: the time grows with
 * the looks of a rig, not with its lamps.
 */
export function limitFlashes(show: CompiledShow): Pick<CompiledShow, "limitedShare" | "mostFlashes"> {
  const slices = limitInSlices(show);
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done) return slice.value;
}

/** The same in slices, for a caller with other work in between: each slice yields the second up to which gains are ready. */
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

/** Keeps the gains of one tick of the plan, and dims `levels` by them. */
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

/** Heads by what they shine like: the same lanes, place, number in their group and lamp, and colour wheel. Each head that turns is dark on its own ways. */
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

/** The gains lamps that shine alike have in common, made with the first that is needed. */
function gainsOf(show: CompiledShow, heads: readonly number[], ticks: number): Float32Array {
  let gains = show.limits.heads[heads[0]!];
  if (!gains) {
    gains = new Float32Array(ticks + 1).fill(1);
    for (const h of heads) show.limits.heads[h] = gains;
  }
  return gains;
}
