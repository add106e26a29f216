import { onEndSignal } from "../platform/process/stopping.ts";

/**
 * Resolves when the show is over, or is ended by Ctrl-C or by closing the terminal. Both abort the signal passed to it.
 *
 * @throws errors of the show
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
