import type { JobWait } from "@followspot/contract";

/** A step that cannot be finished, for a reason a person should read. `retry`: it may go better later, for example when the network is back. */
export class StepError extends Error {
  readonly retry: boolean;
  constructor(message: string, retry = false) {
    super(message);
    this.retry = retry;
  }
}

/** A step that goes on by itself once what it waits for is there. */
export class WaitError extends StepError {
  readonly wait: JobWait;
  constructor(message: string, wait: JobWait) {
    super(message, true);
    this.wait = wait;
  }
}

/** @param bytes that have to be free before the step is tried again; 0 while that is not known */
export const noRoom = (bytes = 0): WaitError =>
  new WaitError("There is no space left on the server's disk. Free some and retry.", { kind: "room", bytes });
