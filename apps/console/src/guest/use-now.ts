import { useEffect, useState } from "react";

const EVERY_MS = 20_000;

/** Returns the phone's time, ms since 1970, accurate enough to tell what has started. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
