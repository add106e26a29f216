import { onEndSignal } from "../platform/stopping.ts";

/**
 * Resolves when the show is over, or when it is to end: by Ctrl-C, or with its terminal. Both abort the signal it is
 * given. @throws what the show throws
 */
export async function endOfShow(show: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController();
  const listenNoMore = onEndSignal(() => ending.abort());
  try {
    await show(ending.signal);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    listenNoMore();
  }
}
