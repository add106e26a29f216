/**
 * Calls `stop` when this process shall end: by a signal, or because its supervisor is gone and nobody else would end
 * it. A supervisor that went while the process was starting counts as well.
 */
export function onStop(stop: () => Promise<void>): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());
  process.on("disconnect", () => void stop());
  if (process.send && !process.connected) void stop();
}
