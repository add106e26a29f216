/** A part that can be read ahead of its first showing. */
export interface Preloads {
  readonly preload: () => Promise<void>;
}

/** How long the page has to be without questions before it is taken to have what it shows. */
const QUIET_MS = 500;
/** Safari has no requestIdleCallback. */
const LATER_MS = 2000;

/**
 * Reads parts one after the other while the browser has nothing else to do and the screen waits for no answer; not for people
 * who save data. Returns what stops it.
 *
 * @param isWaiting whether the screen waits for an answer of the server
 */
export function preloadWhenIdle(parts: readonly Preloads[], isWaiting = () => false): () => void {
  if (savesData()) return () => undefined;
  let isStopped = false;
  const readNext = async () => {
    for (const part of parts) {
      do await idle();
      while (isWaiting() && !isStopped);
      if (isStopped) return;
      await part.preload();
    }
  };
  void readNext();
  return () => void (isStopped = true);
}

/** Resolves once the browser has been left alone for a moment. */
const idle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback !== "function") setTimeout(resolve, LATER_MS);
    else setTimeout(() => requestIdleCallback(() => resolve()), QUIET_MS);
  });

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
