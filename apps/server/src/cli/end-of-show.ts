/** Resolves when the show is over, or on ctrl-C, which aborts the signal it is given. @throws what the show throws */
export async function endOfShow(show: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  try {
    await show(ending.signal);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
  }
}
