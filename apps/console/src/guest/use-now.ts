import { useEffect, useState } from "react";

const EVERY_MS = 20_000;

/** The phone's time, ms since the epoch, near enough for what has begun. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
