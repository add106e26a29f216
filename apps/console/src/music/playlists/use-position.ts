import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ShowQueue } from "@followspot/contract/music";
import { useEffect, useState } from "react";

const TICK_MS = 250;

/** Song time in seconds by the server's clock, whatever this machine's says; below 0 in the gap. @param readAt by `Date.now()` */
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
