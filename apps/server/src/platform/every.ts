import { databaseFault } from "./database/database-fault.ts";

/**
 * Repeats work at an interval, never concurrently. A failure is logged, and the next run tries again. An unavailable or
 * full database is not logged here, because the database monitor logs it once.
 * @returns function that stops the repetition
 */
export function every(
  ms: number,
  name: string,
  work: () => Promise<unknown>,
  warn: (message: string) => void,
): () => void {
  let isAtWork = false;
  const timer = setInterval(() => {
    if (isAtWork) return; // slow work must not pile up
    isAtWork = true;
    void work()
      .catch((error: Error) => {
        if (!databaseFault(error)) warn(`${name} failed: ${error.message}`);
      })
      .finally(() => (isAtWork = false));
  }, ms);
  return () => clearInterval(timer);
}
