import { onTestFinished } from "vitest";
import { monotonicMs, TICK_MS } from "../outputs/frame-ring.ts";

const LOOK_MS = 5;

/** Timer delays of this machine, by which the measurements of a test may be late. */
export interface MachineLag {
  /** Longest timer delay so far, ms. */
  worst(): number;
  /** 90th percentile of the timer delays, ms. */
  usual(): number;
  /** Share of the time spent in timers that were more than a tick late, 0..1. */
  share(): number;
}

/** Measures the machine until the test has finished. */
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
