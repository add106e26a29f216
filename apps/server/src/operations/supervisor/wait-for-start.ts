import { sleep, StartError } from "./processes.ts";

/** Interval between progress lines while something starts, ms. */
const REPORT_MS = 10_000;
/** Time without an answer and without progress after which a starting process counts as hung, ms. */
const STALL_MS = 60_000;
const LOOK_MS = 50;
/** Interval between checks for progress, ms. */
const PROGRESS_MS = 1000;

export interface StartWait {
  /** Name of the service in progress lines: "the message broker". */
  readonly name: string;
  /** Returns true once it has started; otherwise its activity: "is loading". @throws Error if it cannot start */
  readonly look: () => Promise<true | string>;
  /** Returns why it can no longer start, for example because its process has exited. */
  readonly failure: () => Error | undefined;
  /** Returns a value that changes while the process works. Without this function a start never counts as hung. */
  readonly progress?: () => Promise<unknown>;
  readonly say: (line: string) => void;
  /** Cancels the start, as Ctrl-C does. */
  readonly signal?: AbortSignal | undefined;
  /** Shorter in tests. */
  readonly reportMs?: number;
  /** Shorter in tests. */
  readonly stallMs?: number;
}

/**
 * Waits until something has started, however slow the machine is, and reports progress in words.
 * @throws what `failure` returns or `look` throws; StartError if the process hangs
 */
export async function waitForStart({
  name,
  look,
  failure,
  progress,
  say,
  signal,
  reportMs = REPORT_MS,
  stallMs = STALL_MS,
}: StartWait): Promise<void> {
  const startedMs = performance.now();
  let reportedMs = startedMs;
  let checkedMs = -Infinity;
  let progressedMs = startedMs;
  let last: unknown;
  for (;;) {
    if (signal?.aborted) throw new StartError(`${name} was stopped while it started.`);
    const failed = failure();
    if (failed) throw failed;
    const state = await look();
    if (state === true) return;
    const now = performance.now();
    if (now - reportedMs >= reportMs) {
      reportedMs = now;
      say(`Still starting: ${name} ${state} (${Math.round((now - startedMs) / 1000)} s).`);
    }
    if (progress && now - checkedMs >= PROGRESS_MS) {
      const value = await progress();
      // A late check proves nothing: this process got no processor time itself, or the machine slept.
      if (value !== last || performance.now() - checkedMs > stallMs) progressedMs = performance.now();
      last = value;
      checkedMs = performance.now();
    }
    if (progress && performance.now() - progressedMs >= stallMs)
      throw new StartError(
        `The start hangs: ${name} ${state} and made no progress for ${Math.round(stallMs / 1000)} s.`,
      );
    await sleep(LOOK_MS);
  }
}
