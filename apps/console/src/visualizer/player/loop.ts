import type { Seconds } from "@followspot/contract";

/** A stretch that is played again and again. */
export interface Loop {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** Shorter ones would only stutter, seconds. */
const SHORTEST = 0.2;

/** The loop between two times in any order, within the song; undefined for one that is too short to be heard. */
export function loopBetween(a: Seconds, b: Seconds, duration: Seconds): Loop | undefined {
  const within = (time: Seconds): Seconds => Math.min(duration, Math.max(0, time));
  const [from, to] = a < b ? [within(a), within(b)] : [within(b), within(a)];
  return to - from >= SHORTEST ? { from, to } : undefined;
}

/** The loop with its start or end put to a time; the other end is the song's where there was no loop, or lies beyond. */
export function loopWithEdge(
  loop: Loop | undefined,
  edge: "from" | "to",
  at: Seconds,
  duration: Seconds,
): Loop | undefined {
  if (edge === "from") return loopBetween(at, loop && loop.to > at ? loop.to : duration, duration);
  return loopBetween(loop && loop.from < at ? loop.from : 0, at, duration);
}
