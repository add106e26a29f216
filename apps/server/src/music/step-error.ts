/** A step that cannot be finished, for a reason a person should read. `retry`: it may go better later, for example when the network is back. */
export class StepError extends Error {
  readonly retry: boolean;
  constructor(message: string, retry = false) {
    super(message);
    this.retry = retry;
  }
}
