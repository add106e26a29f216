/** A part that can be loaded before it is first shown. */
export interface Preloads {
  readonly preload: () => Promise<void>;
}

/** Time without pending requests after which the page counts as loaded, ms. */
const QUIET_MS = 500;
/** Screens of computers and large tablets. */
const WIDE = "(min-width: 1024px)";
/** Delay in browsers without requestIdleCallback, such as Safari, ms. */
const LATER_MS = 2000;

/**
 * Loads parts one after another while the browser is idle and the screen waits for no answer; not in data-saver mode, and
 * not on a narrow screen: a phone rarely opens the other screens, and pays for them.
 * Returns a function that stops it.
 *
 * @param isWaiting whether the screen waits for an answer of the server
 */
export function preloadWhenIdle(parts: readonly Preloads[], isWaiting = () => false): () => void {
  if (savesData() || !matchMedia(WIDE).matches) return () => undefined;
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

/** Resolves at the next idle period of the browser. */
const idle = () =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback !== "function") setTimeout(resolve, LATER_MS);
    else setTimeout(() => requestIdleCallback(() => resolve()), QUIET_MS);
  });

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
