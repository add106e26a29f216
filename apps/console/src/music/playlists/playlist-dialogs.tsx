import { useQuery } from "@connectrpc/connect-query";
import { MusicService, type Playlist, type Song } from "@followspot/contract/music";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { songDuration } from "../../lib/formatting.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Dialog, DialogBody } from "../../ui/dialog.tsx";
import { SearchField, TextField } from "../../ui/fields.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Status } from "../../ui/status.tsx";
import { EmptyState, ErrorState, Loading } from "../../ui/states.tsx";
import { BADGE_TONES, songBadge } from "../song-badge.ts";
import type { PlaylistCalls } from "./playlists.queries.ts";
import { playlistStrings as text } from "./playlists.strings.ts";

const FOUND_ROWS = 30;

interface DialogProps {
  readonly calls: PlaylistCalls;
  readonly onClose: () => void;
}

/** Dialog for the name of a new playlist, or to rename `playlist`. */
export function NameDialog({
  calls,
  playlist,
  onClose,
  onMade,
}: DialogProps & { readonly playlist?: Playlist; readonly onMade?: (playlist: Playlist) => void }) {
  const [name, setName] = useState(playlist?.name ?? "");
  const [problem, setProblem] = useState<string>();
  const { isPending, error } = playlist ? calls.rename : calls.create;
  const submit = () => {
    if (!name.trim()) return setProblem(text.nameRequired);
    if (playlist) return calls.rename.mutate({ playlistId: playlist.id, name }, { onSuccess: onClose });
    calls.create.mutate({ name }, { onSuccess: ({ playlist: made }) => (made && onMade ? onMade(made) : onClose()) });
  };
  return (
    <FormDialog
      title={playlist ? text.renameTitle : text.createTitle}
      submitLabel={playlist ? text.submitRename : text.submitCreate}
      pendingLabel={text.saving}
      pending={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={error} />
      <TextField
        label={`${text.name}*`}
        value={name}
        most={200}
        error={problem}
        onChange={({ target }) => {
          setName(target.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}

/** Dialog that searches songs, each with a button that adds it to the playlist. */
export function AddSongsDialog({ calls, playlist, onClose }: DialogProps & { readonly playlist: Playlist }) {
  const [query, setQuery] = useState("");
  const found = useQuery(
    MusicService.method.listSongs,
    { list: { query, pageSize: FOUND_ROWS } },
    { placeholderData: keepPreviousData },
  );
  const here = new Set(playlist.songs.map(({ song }) => song?.id));
  return (
    <Dialog title={text.addTitle(playlist.name)} open onClose={onClose} wide>
      <DialogBody>
        <SearchField label={text.search} hint={text.searchHint} value={query} onSearch={setQuery} />
        {found.isPending && <Loading rows={5} />}
        {found.isError && (
          <ErrorState prefix={text.searchError} error={found.error} onRetry={() => void found.refetch()} />
        )}
        {found.data?.songs.length === 0 && <EmptyState text={text.noneFound} />}
        <ul>
          {found.data?.songs.map((song) => (
            <FoundSong
              key={song.id}
              song={song}
              isHere={here.has(song.id)}
              onAdd={() => calls.add.mutate({ playlistId: playlist.id, songId: song.id })}
            />
          ))}
        </ul>
      </DialogBody>
    </Dialog>
  );
}

/** A song with its button. A failed song shows why and cannot be added, because it would not be played. */
function FoundSong({
  song,
  isHere,
  onAdd,
}: {
  readonly song: Song;
  readonly isHere: boolean;
  readonly onAdd: () => void;
}) {
  const badge = songBadge(song);
  const isFailed = badge === "Error";
  return (
    <li className="flex min-h-11 items-center gap-3 border-b py-1 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm">{song.title || text.untitled}</p>
        <p className={cx("text-xs", isFailed ? "wrap-anywhere text-danger" : "truncate text-muted")}>
          {isFailed ? song.errorMessage : song.artist}
        </p>
      </div>
      {badge !== "Ready" && <Status tone={BADGE_TONES[badge]}>{badge}</Status>}
      <span className="text-xs text-muted tabular-nums">{songDuration(song.duration)}</span>
      <Button
        aria-label={`${isHere ? text.added : text.add}: ${song.title || text.untitled}`}
        disabled={isHere || isFailed}
        onClick={onAdd}
      >
        {isHere ? text.added : text.add}
      </Button>
    </li>
  );
}
