/** Starts a stopwatch: the returned function gives the seconds since. A playing song may have advanced by as much. */
export function stopwatch(): () => number {
  const startMs = performance.now();
  return () => (performance.now() - startMs) / 1000;
}
