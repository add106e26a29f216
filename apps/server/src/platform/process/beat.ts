/** Heartbeat interval, well below the shortest timeout of a process, ms. */
const BEAT_MS = 250;

/** Heartbeat message from a process to its parent. */
export const BEAT = "beat";

/**
 * Starts sending heartbeats to the parent process while the event loop runs. A process that misses its heartbeats is
 * killed and restarted (decision 053). Does nothing without a parent.
 */
export function beatToParent(): void {
  if (!process.send) return;
  const beat = () => process.connected && process.send?.(BEAT, () => undefined); // the parent may have ended
  beat();
  setInterval(beat, BEAT_MS).unref();
}
