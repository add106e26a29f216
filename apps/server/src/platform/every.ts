import { databaseFault } from "./database-fault.ts";

/**
 * Does something again and again: never twice at a time, and a failure is told and tried again at the next turn. That
 * the database is away or full is told by who watches it, and not at every turn of everything.
 * @returns ends it
 */
export function every(
  ms: number,
  name: string,
  work: () => Promise<unknown>,
  warn: (message: string) => void,
): () => void {
  let isAtWork = false;
  const timer = setInterval(() => {
    if (isAtWork) return; // what was slow must not be asked ever more
    isAtWork = true;
    void work()
      .catch((error: Error) => {
        if (!databaseFault(error)) warn(`${name} failed: ${error.message}`);
      })
      .finally(() => (isAtWork = false));
  }, ms);
  return () => clearInterval(timer);
}
