/** Ctrl-C, a process manager, and a closed terminal: without a listener a closed terminal would end us in mid-show. */
const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `end` at every signal that asks this process to end. Returns how to listen no more. */
export function onEndSignal(end: () => void): () => void {
  for (const signal of END_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, end);
  };
}

/**
 * Calls `stop` when this process shall end: by a signal, or because its supervisor has ended and no other process would end
 * it. A supervisor that went while the process was starting counts as well.
 */
export function onStop(stop: () => Promise<void>): void {
  onEndSignal(() => void stop());
  process.on("disconnect", () => void stop());
  if (process.send && !process.connected) void stop();
}
