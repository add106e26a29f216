/** A part that can be read ahead of its first showing. */
export interface Preloads {
  readonly preload: () => Promise<void>;
}

/** Safari has no requestIdleCallback. */
const LATER_MS = 2000;

/**
 * Reads parts one after the other while the browser has nothing else to do; not for people who save data. Returns what
 * stops it.
 */
export function preloadWhenIdle(parts: readonly Preloads[]): () => void {
  if (savesData()) return () => undefined;
  let isStopped = false;
  const readNext = async () => {
    for (const part of parts) {
      if (isStopped) return;
      await part.preload();
    }
  };
  const start = () => void readNext();
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(start, LATER_MS);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }
  const request = requestIdleCallback(start);
  return () => {
    isStopped = true;
    cancelIdleCallback(request);
  };
}

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
