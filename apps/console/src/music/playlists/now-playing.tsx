import { MusicService } from "@followspot/contract/music";
import { Pause, Play, SkipForward, Square } from "lucide-react";
import { useState } from "react";
import { useCan } from "../../auth/can.ts";
import { clockTime } from "../../lib/formatting.ts";
import { Button } from "../../ui/button.tsx";
import { SongPicture } from "../song-picture.tsx";
import { forTalkText, playlistStrings } from "./playlists.strings.ts";
import { usePlaylistCalls, useShowQueue } from "./playlists.queries.ts";
import { QUEUE_KEYS } from "./queue.keys.ts";
import { usePosition } from "./use-position.ts";
import { useQueueControls } from "./use-queue-controls.ts";

const rpc = MusicService.method;
const text = playlistStrings.now;

/** The song that plays for everyone: its position, and controls to seek, pause or end it. */
export function NowPlaying() {
  const can = useCan();
  const queue = useShowQueue();
  const { stop } = usePlaylistCalls();
  const now = queue.data?.queue;
  const { isPaused, isToggling, isSkipping, togglePause, next } = useQueueControls(now);
  const seconds = usePosition(now, queue.dataUpdatedAt);
  if (!now) return null;
  const { song, mode, note } = now;
  if (mode === "stopped")
    return (
      <p className="shrink-0 rounded-lg border bg-surface px-4 py-3 text-sm text-muted">
        {note ? `${note}. ${text.nothing}` : text.nothing}
      </p>
    );
  const title = song?.title || playlistStrings.untitled;
  const titles = now.next.map((next) => next.title || playlistStrings.untitled);
  const duration = song?.duration ?? 0;
  return (
    <section aria-label={text.label} className="flex shrink-0 flex-col gap-2 rounded-lg border bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        {song && <SongPicture song={song} />}
        <div className="min-w-0 flex-1 basis-48">
          <p className="truncate font-medium">{title}</p>
          <p className="truncate text-xs text-muted">
            {now.walkInDb !== undefined && `${playlistStrings.walkIn.plays(now.walkInDb)} · `}
            {now.playlistId ? text.from(now.playlistName, now.repeat) : song?.artist}
          </p>
        </div>
        <span className="text-sm tabular-nums" role="timer">
          {isPaused && now.forTalk !== "paused" && <span className="mr-2 text-warn">{text.paused}</span>}
          {now.forTalk && <span className="mr-2 text-warn">{forTalkText(now.forTalk)}</span>}
          {seconds < 0
            ? text.startsIn(Math.ceil(-seconds))
            : text.of(clockTime(Math.min(seconds, duration)), clockTime(duration))}
        </span>
        <div className="flex flex-wrap gap-2">
          {can(rpc.pauseMusic) && (
            <Button
              large
              variant={isPaused ? "primary" : "secondary"}
              pending={isToggling}
              aria-keyshortcuts={QUEUE_KEYS.pause.keys.join(" ")}
              onClick={togglePause}
            >
              {isPaused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}
              {isPaused ? text.resume : text.pause}
            </Button>
          )}
          {can(rpc.skipSong) && (
            <Button large pending={isSkipping} aria-keyshortcuts={QUEUE_KEYS.next.keys.join(" ")} onClick={next}>
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
      <Position songId={song?.id ?? ""} seconds={seconds} duration={duration} isMovable={can(rpc.seekMusic)} />
      {now.playlistId && (
        <p className="truncate text-xs text-muted">{titles.length > 0 ? text.next(titles) : text.last}</p>
      )}
    </section>
  );
}

/** Position in the song. A Director can drag it; the seek happens on release. */
function Position({
  songId,
  seconds,
  duration,
  isMovable,
}: {
  readonly songId: string;
  readonly seconds: number;
  readonly duration: number;
  readonly isMovable: boolean;
}) {
  const { seek } = usePlaylistCalls();
  const [held, setHeld] = useState<number>();
  const at = held ?? Math.min(duration, Math.max(0, seconds));
  const letGo = () => {
    if (held === undefined) return;
    seek.mutate({ songId, position: held }, { onSettled: () => setHeld(undefined) });
  };
  return (
    <input
      type="range"
      aria-label={text.progress}
      aria-valuetext={text.at(clockTime(at), clockTime(duration))}
      min={0}
      max={Math.max(1, duration)}
      step={1}
      value={at}
      disabled={!isMovable}
      onChange={({ target }) => setHeld(Number(target.value))}
      onPointerUp={letGo}
      onKeyUp={letGo}
      onBlur={letGo}
      className="h-5 w-full accent-accent"
    />
  );
}
