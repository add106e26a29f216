import { onEndSignal } from "../platform/stopping.ts";

/** Ctrl-C ends work in order: nothing is left open, nothing half done is taken for whole. */
export async function stoppable(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const forget = onEndSignal(() => stop.abort());
  try {
    return await work(stop.signal);
  } finally {
    forget();
  }
}
