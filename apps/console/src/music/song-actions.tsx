import { SONG_STEPS } from "@followspot/contract";
import { AuditService } from "@followspot/contract/audit";
import { MusicService, type Song } from "@followspot/contract/music";
import { useMutation } from "@tanstack/react-query";
import { auditStrings } from "../audit/audit.strings.ts";
import { useCan } from "../auth/can.ts";
import { useRetrySong } from "../lib/retry-song.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { Menu } from "../ui/menu.tsx";
import { RowActions } from "../ui/row-parts.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { showToast } from "../ui/toast.tsx";
import { ListenButton } from "./listen-button.tsx";
import { useSongCalls } from "./music.queries.ts";
import { musicStrings as text } from "./music.strings.ts";
import { isOnItsWay } from "./song-badge.ts";

const rpc = MusicService.method;

/**
 * Actions on one song that the role allows: play, stop, restart, colors, delete. They are grouped in menus if space is
 * short.
 */
export function SongActions({
  song,
  isNarrow,
  onColors,
  onPlaylist,
  onSteps,
  onDelete,
  onHistory,
}: {
  readonly song: Song;
  readonly isNarrow: boolean;
  readonly onColors: () => void;
  readonly onPlaylist: () => void;
  readonly onSteps: () => void;
  readonly onDelete: () => void;
  readonly onHistory: () => void;
}) {
  const can = useCan();
  const calls = useSongCalls();
  const title = song.title || text.untitled;
  const cancel = useMutation({
    mutationFn: () => calls.cancel(song),
    onError: sayWhy,
    onSuccess: () => showToast(text.cancelled(title)),
  });
  const retry = useRetrySong();
  const mayCancel = can(rpc.cancelSong) && isOnItsWay(song);
  const mayColor = can(rpc.getSongColorPalette);
  const retries = can(rpc.retrySong)
    ? SONG_STEPS.map((step) => ({
        label: text.retry[step],
        disabled: retry.isPending,
        onSelect: () => retry.mutate({ songId: song.id, step }, { onError: sayWhy }),
      }))
    : [];
  const folded = isNarrow
    ? [mayCancel && { label: text.cancel, disabled: cancel.isPending, onSelect: () => cancel.mutate() }, ...retries]
    : [];
  return (
    <span className="flex items-center justify-end gap-1.5">
      {mayCancel && !isNarrow && (
        <Button aria-describedby={rowTitleId(song.id)} pending={cancel.isPending} onClick={() => cancel.mutate()}>
          {text.cancel}
        </Button>
      )}
      {song.audio !== "" && <ListenButton song={song} />}
      {retries.length > 0 && !isNarrow && (
        <Menu text={text.retryMenu} describedBy={rowTitleId(song.id)} disabled={retry.isPending} actions={retries} />
      )}
      <RowActions
        id={song.id}
        isNarrow={isNarrow}
        actions={[can(rpc.deleteSong) && { label: strings.delete, isDanger: true, act: onDelete }]}
        more={[
          ...folded,
          mayColor && { label: text.colors, onSelect: onColors },
          can(rpc.addSongToPlaylist) && { label: text.toPlaylist.label, onSelect: onPlaylist },
          can(rpc.listSongSteps) && { label: text.runs.menu, onSelect: onSteps },
          can(AuditService.method.listAuditEntries) && { label: auditStrings.history, onSelect: onHistory },
        ]}
      />
    </span>
  );
}
