import { AsyncLocalStorage } from "node:async_hooks";

/** Exception of a step that no promise of the step could catch, for example in a socket callback. */
export class StepCrash extends Error {}

const steps = new AsyncLocalStorage<(crash: StepCrash) => void>();

/**
 * Runs a step.
 * @throws StepCrash as soon as {@link failCrashedStep} attributes an exception to it
 */
export function runAttributed<T>(step: () => Promise<T>): Promise<T> {
  const crashed = Promise.withResolvers<never>();
  return Promise.race([steps.run(crashed.reject, step), crashed.promise]);
}

/**
 * Fails the step that an uncaught exception belongs to.
 * @returns whether the exception belongs to a step
 */
export function failCrashedStep(error: unknown): boolean {
  const fail = steps.getStore();
  fail?.(new StepCrash(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return fail !== undefined;
}

/**
 * Fails only the step that throws an uncaught exception, instead of all steps of this process. The process restarts
 * anyway, because its state is unknown.
 * @param restart releases the other jobs without counting their attempts
 */
export function attributeCrashes(restart: () => void): void {
  process.on("uncaughtException", (error) => {
    if (failCrashedStep(error)) return restart();
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  });
}
