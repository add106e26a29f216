import { luminance } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { FlashLimiter, GRID_HZ, rednessOf } from "./flash-limiter.ts";
import { setUnlimitedStates } from "./head-states.ts";

/** Flashes in any second the limiter lets through. */
export const FLASHES_PER_SECOND = { default: 3, venue: 4 } as const;

/** Darkness after the last cue that is still worked out, so that the end is limited too. */
const TAIL_SECONDS = 1;

/** Around a limited tick, at least as far as its window of one second reaches. */
const ZONE_SECONDS = 1.5;

/** Run the show once on the grid and store the gains that keep every lamp and the rig within the flash limit. */
export function limitFlashes(show: CompiledShow): Pick<CompiledShow, "limitedShare" | "mostFlashes"> {
  const n = show.headCount;
  if (n === 0) return { limitedShare: 0, mostFlashes: 0 };
  const last = show.lanes.reduce((end, lane) => lane.cues.reduce((e, cue) => Math.max(e, cue.end), end), 0);
  const ticks = Math.ceil((Math.max(last, show.plan.duration) + TAIL_SECONDS) * GRID_HZ);
  const limiter = new FlashLimiter(n + 1, FLASHES_PER_SECOND[show.plan.safety.profile]);
  const levels = new Float64Array(n);
  // A lamp that shines as it did, unlimited, on the tick before needs no second look.
  const before = { raw: new Float64Array(n).fill(-1), lum: new Float64Array(n), red: new Float64Array(n) };
  const isSame = new Uint8Array(n);
  let limitedTicks = 0;
  for (let tick = 0; tick <= ticks; tick++) {
    setUnlimitedStates(show, tick / GRID_HZ);
    let level = 0;
    let light = 0;
    let redness = 0;
    let isLimited = false;
    for (let h = 0; h < n; h++) {
      const raw = show.level[h]!;
      const r = show.red[h]!;
      const g = show.green[h]!;
      const b = show.blue[h]!;
      const lum = luminance(r, g, b);
      const redRatio = rednessOf(r, g, b);
      isSame[h] = raw === before.raw[h] && lum === before.lum[h] && redRatio === before.red[h] ? 1 : 0;
      before.lum[h] = lum;
      before.red[h] = redRatio;
      const gain = raw > 0 && !isSame[h] ? limiter.gain(h, raw, raw * lum, raw * redRatio, tick) : 1;
      if (gain < 1) {
        isLimited = true;
        (show.limits.heads[h] ??= new Float32Array(ticks + 1).fill(1))[tick] = gain;
      }
      levels[h] = raw * gain;
      level += levels[h]!;
      light += levels[h]! * lum;
      redness += levels[h]! * redRatio;
    }
    const rig = limiter.gain(n, level / n, light / n, redness / n, tick);
    if (rig < 1) {
      isLimited = true;
      (show.limits.rig ??= new Float32Array(ticks + 1).fill(1))[tick] = rig;
    }
    if (isLimited) {
      limitedTicks++;
      const zone = (show.limits.zone ??= new Uint8Array(ticks + 1));
      zone.fill(1, Math.max(0, tick - ZONE_SECONDS * GRID_HZ), tick + ZONE_SECONDS * GRID_HZ);
    }
    limiter.commit(n, (level * rig) / n, (light * rig) / n, (redness * rig) / n, tick);
    for (let h = 0; h < n; h++) {
      const value = levels[h]! * rig;
      if (isSame[h] && rig === 1) continue;
      // A limited lamp is looked at again even if the plan stands still.
      before.raw[h] = value === show.level[h] ? value : -1;
      limiter.commit(h, value, value * before.lum[h]!, value * before.red[h]!, tick);
    }
  }
  return { limitedShare: limitedTicks / (ticks + 1), mostFlashes: limiter.most };
}
