import { SONG_STEPS } from "@followspot/contract";
import { AuditService } from "@followspot/contract/audit";
import { MusicService, type Song } from "@followspot/contract/music";
import { useMutation } from "@tanstack/react-query";
import { Palette } from "lucide-react";
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
import { useSongCalls } from "./music.queries.ts";
import { musicStrings as text } from "./music.strings.ts";
import { songFilter } from "./song-badge.ts";

const rpc = MusicService.method;

/** Stops, starts again, colours or deletes one song, as far as the role allows. */
export function SongActions({
  song,
  isNarrow,
  onColors,
  onDelete,
  onHistory,
}: {
  readonly song: Song;
  readonly isNarrow: boolean;
  readonly onColors: () => void;
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
  return (
    <span className="flex items-center justify-end gap-1.5">
      {can(rpc.cancelSong) && songFilter(song) === "processing" && (
        <Button aria-describedby={rowTitleId(song.id)} pending={cancel.isPending} onClick={() => cancel.mutate()}>
          {text.cancel}
        </Button>
      )}
      {can(rpc.getSongColorPalette) && (
        <Button aria-label={text.colors} title={text.colors} aria-describedby={rowTitleId(song.id)} onClick={onColors}>
          <Palette aria-hidden size={14} />
        </Button>
      )}
      {can(rpc.retrySong) && (
        <Menu
          text={text.retryMenu}
          describedBy={rowTitleId(song.id)}
          disabled={retry.isPending}
          actions={SONG_STEPS.map((step) => ({
            label: text.retry[step],
            onSelect: () => retry.mutate({ songId: song.id, step }, { onError: sayWhy }),
          }))}
        />
      )}
      <RowActions
        id={song.id}
        isNarrow={isNarrow}
        actions={[can(rpc.deleteSong) && { label: strings.delete, isDanger: true, act: onDelete }]}
        more={[can(AuditService.method.listAuditEntries) && { label: auditStrings.history, onSelect: onHistory }]}
      />
    </span>
  );
}
