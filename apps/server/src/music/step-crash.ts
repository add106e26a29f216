import { AsyncLocalStorage } from "node:async_hooks";

/** A step threw where no promise of its own could catch it, such as in the callback of a socket. */
export class StepCrash extends Error {}

const steps = new AsyncLocalStorage<(crash: StepCrash) => void>();

/** Runs a step. @throws StepCrash as soon as {@link failCrashedStep} attributes an exception to it */
export function runAttributed<T>(step: () => Promise<T>): Promise<T> {
  const crashed = Promise.withResolvers<never>();
  return Promise.race([steps.run(crashed.reject, step), crashed.promise]);
}

/** For the handler of uncaught exceptions. @returns whether the exception belongs to a step, which fails with it */
export function failCrashedStep(error: unknown): boolean {
  const fail = steps.getStore();
  fail?.(new StepCrash(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return fail !== undefined;
}

/**
 * Fails the step that throws an uncaught exception, instead of all steps of this process. The process restarts anyway,
 * because its state is unknown: `restart` gives back the other jobs with their attempts.
 */
export function attributeCrashes(restart: () => void): void {
  process.on("uncaughtException", (error) => {
    if (failCrashedStep(error)) return restart();
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  });
}
