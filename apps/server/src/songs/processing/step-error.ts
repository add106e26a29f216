import type { JobWait } from "@followspot/contract";

/**
 * Failure of a step with a reason for the user. `retry`: a later attempt may succeed, for example when the network is
 * back.
 */
export class StepError extends Error {
  readonly retry: boolean;
  constructor(message: string, retry = false) {
    super(message);
    this.retry = retry;
  }
}

/** Failure of a step that is retried automatically once disk space or the site is available. */
export class WaitError extends StepError {
  readonly wait: JobWait;
  constructor(message: string, wait: JobWait) {
    super(message, true);
    this.wait = wait;
  }
}

/** @param bytes free disk space needed before the step is retried; 0 if unknown */
export const noRoom = (bytes = 0): WaitError =>
  new WaitError("There is no space left on the server's disk. Free some and retry.", { kind: "room", bytes });
