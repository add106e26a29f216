/** Well below the shortest silence a part is allowed. */
const BEAT_MS = 500;

/** The message of a part that is alive to the process that started it. */
export const BEAT = "beat";

/**
 * Tells the parent process from now on that the event loop of this one turns. A part that hangs falls silent, and is
 * ended and started again (decision 053). Without a parent it does nothing.
 */
export function beatToParent(): void {
  if (!process.send) return;
  const beat = () => process.connected && process.send?.(BEAT, () => undefined); // the parent may have ended
  beat();
  setInterval(beat, BEAT_MS).unref();
}
