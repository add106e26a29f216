import { MusicService, type ShowQueue } from "@followspot/contract/music";
import { useQueryClient } from "@tanstack/react-query";
import { useCan } from "../../auth/can.ts";
import { useKeys } from "../../lib/use-keys.ts";
import { showToast } from "../../ui/toast.tsx";
import { SKIP, usePlaylistCalls } from "./playlists.queries.ts";
import { playlistStrings } from "./playlists.strings.ts";
import { QUEUE_KEYS } from "./queue.keys.ts";

const rpc = MusicService.method;

const UNDO_MS = 5000;
/** Closes the offer to undo the skip before: only the last skip can be undone. */
let closeOffer: (() => void) | undefined;

const offerUndo = (title: string, undo: () => void) =>
  showToast(playlistStrings.now.skipped(title), { undo, shownMs: UNDO_MS });

/** What the buttons and keys of a screen do to the song that plays. */
interface QueueControls {
  /** Whether a song plays or is paused. */
  readonly isOn: boolean;
  readonly isPaused: boolean;
  /** Whether the server has yet to answer a pause or a resume. */
  readonly isToggling: boolean;
  readonly isSkipping: boolean;
  /** Pauses, or resumes what is paused. */
  readonly togglePause: () => void;
  readonly next: () => void;
}

/** Controls the song that plays, and acts on the keys of every screen that shows it. */
export function useQueueControls(queue: ShowQueue | undefined): QueueControls {
  const can = useCan();
  const cache = useQueryClient();
  const { skip, togglePause } = usePlaylistCalls();
  const isOn = queue !== undefined && queue.mode !== "stopped";
  const isPaused = queue?.mode === "paused";
  const pause = () => isOn && togglePause.mutate();
  const next = () => {
    if (!isOn || cache.isMutating({ mutationKey: SKIP }) > 0) return;
    const title = queue.song?.title || playlistStrings.untitled;
    skip.mutateAsync({ songId: queue.song?.id ?? "" }).then(
      ({ skip: undo }) => {
        closeOffer?.();
        closeOffer = undo && offerUndo(title, () => skip.mutate({ undo }));
      },
      () => undefined, // the call has shown why
    );
  };
  // Keys act while nothing plays, too: Space must not press the button of the last mouse press then.
  useKeys(QUEUE_KEYS, {
    pause: can(rpc.pauseMusic) ? pause : undefined,
    next: can(rpc.skipSong) ? next : undefined,
  });
  return {
    isOn,
    isPaused,
    isToggling: togglePause.isPending,
    isSkipping: skip.isPending,
    togglePause: pause,
    next,
  };
}
