import { MusicService } from "@followspot/contract/music";
import { Pause, Play, SkipForward } from "lucide-react";
import { useCan } from "../auth/can.ts";
import { NowBlock } from "../music/playlists/now-block.tsx";
import { usePlaylistCalls, useShowQueue } from "../music/playlists/playlists.queries.ts";
import { usePosition } from "../music/playlists/use-position.ts";
import { cx } from "../ui/class-names.ts";
import { TOUCH } from "../ui/touch.ts";
import { deskStrings as text } from "./desk.strings.ts";

const rpc = MusicService.method;
const LOOK = cx(TOUCH, "border-border bg-raised");

/** What plays to everybody: which song, how long it still is, its section and next drop, and the presses that move it. */
export function ShowBlock() {
  const can = useCan();
  const { data, dataUpdatedAt } = useShowQueue();
  const { skip, pause, resume } = usePlaylistCalls();
  const queue = data?.queue;
  const position = usePosition(queue, dataUpdatedAt);
  if (!queue || queue.mode === "stopped") return null;
  const isPaused = queue.mode === "paused";
  return (
    <div className="flex flex-col gap-2">
      <NowBlock queue={queue} position={position} />
      <div className="grid grid-cols-2 gap-2">
        {can(rpc.pauseMusic) && (
          <button
            type="button"
            className={LOOK}
            disabled={pause.isPending || resume.isPending}
            onClick={() => (isPaused ? resume.mutate({}) : pause.mutate({}))}
          >
            {isPaused ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
            {isPaused ? text.resume : text.pause}
          </button>
        )}
        {can(rpc.skipSong) && (
          <button
            type="button"
            className={LOOK}
            disabled={skip.isPending}
            onClick={() => skip.mutate({ songId: queue.song?.id ?? "" })}
          >
            <SkipForward aria-hidden size={18} /> {text.skip}
          </button>
        )}
      </div>
    </div>
  );
}
