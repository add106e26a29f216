import { overLimit } from "../errors.ts";

const WINDOW_MS = 60_000;
/** Networks counted at once; the oldest is dropped. */
const MAX_NETWORKS = 10_000;

/**
 * Returns a function that counts the views of a public page per network, in this process, and throws resource_exhausted
 * beyond `most` a minute. Memory only: a view must not cost a write.
 */
export function viewLimit(most: number): (network: string) => void {
  const counts = new Map<string, { count: number; readonly since: number }>();
  return (network) => {
    const now = performance.now();
    let seen = counts.get(network);
    if (!seen || now - seen.since >= WINDOW_MS) {
      counts.delete(network);
      const oldest = counts.keys().next().value;
      if (counts.size >= MAX_NETWORKS && oldest !== undefined) counts.delete(oldest);
      seen = { count: 0, since: now };
      counts.set(network, seen);
    }
    if (++seen.count <= most) return;
    const seconds = Math.ceil((seen.since + WINDOW_MS - now) / 1000);
    throw overLimit(
      `This page was opened ${most.toLocaleString("en")} times within a minute from your network.`,
      most,
      seconds,
    );
  };
}
