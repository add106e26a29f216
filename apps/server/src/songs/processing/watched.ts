/** Longest silence and longest download, ms. */
export interface WatchLimits {
  readonly silenceMs: number;
  readonly totalMs: number;
}

export interface Watch {
  readonly signal: AbortSignal;
  /** Restarts the silence timer; call it after each piece of data. */
  readonly heard: () => void;
}

/** Errors for the limits, in the terms of what is fetched. */
export interface WatchFaults {
  readonly silent: () => Error;
  readonly tooLong: () => Error;
  /** Converts any other error that was thrown. */
  readonly other: (error: unknown) => unknown;
}

/**
 * Runs a fetch with a limit on silence and on the total time.
 * @throws the reason of `signal`, or an error from `faults`
 */
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
