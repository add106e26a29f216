/**
 * Signals of Ctrl-C, a process manager and a closed terminal. Without a listener, a closed terminal would end a running
 * show.
 */
const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `end` at every signal that asks this process to end. @returns function that removes the listeners */
export function onEndSignal(end: () => void): () => void {
  for (const signal of END_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, end);
  };
}

/**
 * Calls `stop` when this process should end: by a signal, or because its supervisor has ended, also during startup. If
 * `stop` fails, the process ends with its error.
 */
export function onStop(stop: () => Promise<void>): void {
  const end = () =>
    void stop().catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  onEndSignal(end);
  process.on("disconnect", end);
  if (process.send && !process.connected) end();
}
