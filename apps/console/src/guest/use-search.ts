import { useEffect, useState } from "react";

/** Pause in typing after which a search starts, ms. */
const PAUSE_MS = 300;
const LEAST_LETTERS = 2;

/**
 * Searches while the user types.
 * @param find may reject
 * @returns results; undefined until the server has responded, and for too few letters
 */
export function useSearch<Found>(
  words: string,
  find: (words: string) => Promise<readonly Found[]>,
): readonly Found[] | undefined {
  const [answer, setAnswer] = useState<{ readonly words: string; readonly found: readonly Found[] }>();
  useEffect(() => {
    if (words.length < LEAST_LETTERS) return undefined;
    const timer = setTimeout(() => {
      find(words).then(
        (found) => setAnswer({ words, found }),
        () => undefined, // the next letter retries
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, find]);
  // Results for other words are outdated.
  return answer?.words === words ? answer.found : undefined;
}
