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
/** Closes the previous offer of Undo: only the last skip can be undone. */
let closeOffer: (() => void) | undefined;

const offerUndo = (title: string, undo: () => void) =>
  showToast(playlistStrings.now.skipped(title), { undo, shownMs: UNDO_MS });

/** Actions of a screen's buttons and keys on the current song. */
interface QueueControls {
  /** Whether a song plays or is paused. */
  readonly isOn: boolean;
  readonly isPaused: boolean;
  /** Whether a pause or resume is in progress. */
  readonly isToggling: boolean;
  readonly isSkipping: boolean;
  /** Pauses or resumes. */
  readonly togglePause: () => void;
  readonly next: () => void;
}

/** Returns the controls of the current song, and handles their shortcuts on every screen that shows it. */
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
      () => undefined, // The call has shown the reason.
    );
  };
  // The shortcuts stay active while nothing plays: otherwise Space would activate the button of the last mouse press.
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
