import { timestampMs } from "@bufbuild/protobuf/wkt";
import { MusicService, type ShowQueue } from "@followspot/contract/music";
import { Music, SkipForward, Square } from "lucide-react";
import { useEffect, useState } from "react";
import { useCan } from "../../auth/can.ts";
import { clockTime } from "../../lib/formatting.ts";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { playlistStrings } from "./playlists.strings.ts";
import { usePlaylistCalls, useShowQueue } from "./playlists.queries.ts";

const rpc = MusicService.method;
const text = playlistStrings.now;
const TICK_MS = 250;

/** What plays to everybody, where it is, and the two buttons that end it. */
export function NowPlaying() {
  const can = useCan();
  const queue = useShowQueue();
  const { skip, stop } = usePlaylistCalls();
  const now = queue.data?.queue;
  const seconds = usePosition(now, queue.dataUpdatedAt);
  if (!now) return null;
  const { song, mode, note } = now;
  if (mode !== "playing")
    return (
      <p className="shrink-0 rounded-lg border bg-surface px-4 py-3 text-sm text-muted">
        {note ? `${note}. ${text.nothing}` : text.nothing}
      </p>
    );
  const title = song?.title || playlistStrings.untitled;
  const titles = now.next.map((next) => next.title || playlistStrings.untitled);
  return (
    <section aria-label={text.label} className="flex shrink-0 flex-col gap-2 rounded-lg border bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Thumbnail src={song?.coverImage ?? ""} fallback={<Music size={16} />} />
        <div className="min-w-0 flex-1 basis-48">
          <p className="truncate font-medium">{title}</p>
          <p className="truncate text-xs text-muted">
            {now.playlistId ? text.from(now.playlistName, now.repeat) : song?.artist}
          </p>
        </div>
        <span className="text-sm tabular-nums" role="timer">
          {seconds < 0
            ? text.startsIn(Math.ceil(-seconds))
            : text.of(clockTime(Math.min(seconds, song?.duration ?? 0)), clockTime(song?.duration ?? 0))}
        </span>
        <div className="flex gap-2">
          {can(rpc.skipSong) && (
            <Button large pending={skip.isPending} onClick={() => skip.mutate({ songId: song?.id ?? "" })}>
              <SkipForward aria-hidden size={14} /> {text.skip}
            </Button>
          )}
          {can(rpc.stopMusic) && (
            <Button large variant="danger" pending={stop.isPending} onClick={() => stop.mutate({})}>
              <Square aria-hidden size={14} /> {text.stop}
            </Button>
          )}
        </div>
      </div>
      <Progress label={text.progress} value={song?.duration ? Math.max(0, seconds) / song.duration : 0} />
      {now.playlistId && (
        <p className="truncate text-xs text-muted">{titles.length > 0 ? text.next(titles) : text.last}</p>
      )}
    </section>
  );
}

/** Song time in seconds by the server's clock, whatever this machine's says; below 0 in the gap. */
function usePosition(queue: ShowQueue | undefined, readAt: number): number {
  const [now, setNow] = useState(Date.now);
  const isPlaying = queue?.mode === "playing";
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  if (!queue?.startedAt || !queue.serverTime) return 0;
  const atRead = timestampMs(queue.serverTime) - timestampMs(queue.startedAt);
  return (atRead + Math.max(0, now - readAt)) / 1000;
}
