import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ShowQueue } from "@followspot/contract/music";
import { useEffect, useState } from "react";

const TICK_MS = 250;

/**
 * Returns the song position on the server's clock, s; negative in the gap before it. @param readAt time of the read,
 * from `Date.now()`
 */
export function usePosition(queue: ShowQueue | undefined, readAt: number): number {
  const [now, setNow] = useState(Date.now);
  const isPlaying = queue?.mode === "playing";
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  if (queue?.pausedAt !== undefined) return queue.pausedAt;
  if (!queue?.startedAt || !queue.serverTime) return 0;
  const atRead = timestampMs(queue.serverTime) - timestampMs(queue.startedAt);
  return (atRead + Math.max(0, now - readAt)) / 1000;
}
