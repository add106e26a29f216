import { useEffect, useState } from "react";

/** A search begins when nothing was typed for so long, ms. */
const PAUSE_MS = 300;
const LEAST_LETTERS = 2;

/** What was found for words; undefined until the server has said so, and for too few letters. @param find may reject */
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
        () => undefined, // the next letter asks again
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, find]);
  // An answer to other words says nothing of these.
  return answer?.words === words ? answer.found : undefined;
}
