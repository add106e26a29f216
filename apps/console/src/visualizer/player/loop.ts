import type { Seconds } from "@followspot/contract";

/** Part of the song that is repeated, song seconds. */
export interface Loop {
  readonly from: Seconds;
  readonly to: Seconds;
}

/** Minimum length of a loop, seconds; a shorter one only stutters. */
const SHORTEST = 0.2;

/** Returns the loop between two times in any order, clamped to the song; undefined if it is too short. */
export function loopBetween(a: Seconds, b: Seconds, duration: Seconds): Loop | undefined {
  const within = (time: Seconds): Seconds => Math.min(duration, Math.max(0, time));
  const [from, to] = a < b ? [within(a), within(b)] : [within(b), within(a)];
  return to - from >= SHORTEST ? { from, to } : undefined;
}

/**
 * Returns the loop with one edge moved to a time. The other edge is the song's start or end if there is no loop or the
 * edges would cross.
 */
export function loopWithEdge(
  loop: Loop | undefined,
  edge: "from" | "to",
  at: Seconds,
  duration: Seconds,
): Loop | undefined {
  if (edge === "from") return loopBetween(at, loop && loop.to > at ? loop.to : duration, duration);
  return loopBetween(loop && loop.from < at ? loop.from : 0, at, duration);
}
