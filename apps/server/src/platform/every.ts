/**
 * Does something again and again: never twice at a time, and a failure is told and tried again at the next turn.
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
      .catch((error: Error) => warn(`${name} failed: ${error.message}`))
      .finally(() => (isAtWork = false));
  }, ms);
  return () => clearInterval(timer);
}
