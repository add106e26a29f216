import { MusicService } from "@followspot/contract/music";
import { Pause, Play, SkipForward } from "lucide-react";
import { useCan } from "../auth/can.ts";
import { NowBlock } from "../music/playlists/now-block.tsx";
import { useShowQueue } from "../music/playlists/playlists.queries.ts";
import { QUEUE_KEYS } from "../music/playlists/queue.keys.ts";
import { usePosition } from "../music/playlists/use-position.ts";
import { useQueueControls } from "../music/playlists/use-queue-controls.ts";
import { cx } from "../ui/class-names.ts";
import { TOUCH } from "../ui/touch.ts";
import { deskStrings as text } from "./desk.strings.ts";

const rpc = MusicService.method;
const LOOK = cx(TOUCH, "border-border bg-raised");

/** The song that plays for everyone: title, remaining time, section and next drop, with the controls of the queue. */
export function ShowBlock() {
  const can = useCan();
  const { data, dataUpdatedAt } = useShowQueue();
  const queue = data?.queue;
  const { isPaused, isToggling, isSkipping, togglePause, next } = useQueueControls(queue);
  const position = usePosition(queue, dataUpdatedAt);
  if (!queue || queue.mode === "stopped") return null;
  return (
    <div className="flex flex-col gap-2">
      <NowBlock queue={queue} position={position} />
      <div className="grid grid-cols-2 gap-2">
        {can(rpc.pauseMusic) && (
          <button
            type="button"
            className={LOOK}
            aria-keyshortcuts={QUEUE_KEYS.pause.keys.join(" ")}
            disabled={isToggling}
            onClick={togglePause}
          >
            {isPaused ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
            {isPaused ? text.resume : text.pause}
          </button>
        )}
        {can(rpc.skipSong) && (
          <button
            type="button"
            className={LOOK}
            aria-keyshortcuts={QUEUE_KEYS.next.keys.join(" ")}
            disabled={isSkipping}
            onClick={next}
          >
            <SkipForward aria-hidden size={18} /> {text.skip}
          </button>
        )}
      </div>
    </div>
  );
}
