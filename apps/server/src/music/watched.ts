/** Longest silence and longest download, ms. */
export interface WatchLimits {
  readonly silenceMs: number;
  readonly totalMs: number;
}

export interface Watch {
  readonly signal: AbortSignal;
  /** Something was heard: the silence begins anew. */
  readonly heard: () => void;
}

/** Errors that say what went wrong, in the words of what is fetched. */
export interface WatchFaults {
  readonly silent: () => Error;
  readonly tooLong: () => Error;
  /** What else was thrown, as it is told. */
  readonly other: (error: unknown) => unknown;
}

/** Fetches something with a limit on silence and on the whole. @throws what `signal` was aborted with, or of `faults` */
export async function watched<T>(
  { silenceMs, totalMs }: WatchLimits,
  signal: AbortSignal,
  { silent, tooLong, other }: WatchFaults,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  const total = AbortSignal.timeout(totalMs);
  try {
    return await work({ signal: AbortSignal.any([signal, silence.signal, total]), heard: () => timer.refresh() });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (silence.signal.aborted) throw silent();
    throw total.aborted ? tooLong() : other(error);
  } finally {
    clearTimeout(timer);
  }
}
