import { onEndSignal } from "../platform/process/stopping.ts";

/** Runs work that Ctrl-C aborts gracefully: resources are closed, and partial results do not count as complete. */
export async function stoppable(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const forget = onEndSignal(() => stop.abort());
  try {
    return await work(stop.signal);
  } finally {
    forget();
  }
}
