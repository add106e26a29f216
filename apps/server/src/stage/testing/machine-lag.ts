import { onTestFinished } from "vitest";
import { monotonicMs, TICK_MS } from "../outputs/frame-ring.ts";

const LOOK_MS = 5;

/** How late this machine is with what this process asks of it: so much later may be what a test measures beside it. */
export interface MachineLag {
  /** The latest timer until now, ms. */
  worst(): number;
  /** Nine of ten timers were not later than this, ms. */
  usual(): number;
  /** Which part of the time went by in timers that were more than a tick late, 0 to 1. */
  share(): number;
}

/** Watches the machine until the test is over. */
export function watchMachine(): MachineLag {
  const late: number[] = [];
  let due = monotonicMs() + LOOK_MS;
  const look = () => {
    const now = monotonicMs();
    late.push(Math.max(0, now - due));
    due = now + LOOK_MS;
    timer = setTimeout(look, LOOK_MS);
  };
  let timer = setTimeout(look, LOOK_MS);
  onTestFinished(() => clearTimeout(timer));
  const sum = (of: readonly number[]) => of.reduce((total, ms) => total + ms, 0);
  return {
    worst: () => Math.max(0, ...late),
    usual: () => late.toSorted((a, b) => a - b)[Math.floor(0.9 * late.length)] ?? 0,
    share: () => sum(late.filter((ms) => ms > TICK_MS)) / (sum(late) + LOOK_MS * Math.max(1, late.length)),
  };
}
