import { TICK_MS } from "../../apps/server/src/stage/outputs/frame-ring.ts";

/** Packets within so many ms of the same place in their tick are a crowd. */
const ON_TIME_MS = 1;

/**
 * How far behind its tick each packet of one universe came, ms. The grid is placed where most packets begin: a sender that is
 * late for most of them would say so by the width of what is left.
 *
 * @param times ms of one monotonic clock, at least one
 */
export function lateness(times: readonly number[]) {
  const anchor = times[0]!;
  const offsets = times.map((ms) => (((ms - anchor) % TICK_MS) + TICK_MS) % TICK_MS);
  const behind = (offset: number, start: number) => (offset - start + TICK_MS) % TICK_MS;
  const crowd = (start: number) => offsets.filter((offset) => behind(offset, start) < ON_TIME_MS).length;
  const onTime = offsets.reduce((best, start) => (crowd(start) > crowd(best) ? start : best));
  const late = offsets
    .map((offset) => behind(offset, onTime))
    .map((ms) => (ms > TICK_MS - ON_TIME_MS ? 0 : ms)) // a hair early
    .sort((a, b) => a - b);
  const at = (share: number) => Math.round(100 * (late[Math.min(late.length - 1, Math.floor(share * late.length))] ?? 0)) / 100; // prettier-ignore
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
