import type { Song } from "@followspot/contract/music";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { SearchField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { pageOf, Pager } from "../ui/pager.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, ErrorState, Loading, NoMatch } from "../ui/states.tsx";
import { HeadCell, Table, TableFrame } from "../ui/table.tsx";
import { showToast } from "../ui/toast.tsx";
import { AddSongDialog } from "./add-song-dialog.tsx";
import { FileDrop } from "./file-drop.tsx";
import { SONG_FILTERS, type MusicSearch, type SongFilter } from "./music-search.ts";
import { useDeleteSong, useSongs } from "./music.queries.ts";
import { musicStrings as text } from "./music.strings.ts";
import { songFilter } from "./song-badge.ts";
import { SongRow } from "./song-row.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import { uploadSongs } from "./upload-songs.ts";

const route = getRouteApi("/shell/music");

export function MusicPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const songs = useSongs();
  const [deleting, setDeleting] = useState<Song>();
  const chooser = useRef<HTMLInputElement>(null);
  const change = (next: MusicSearch, replace = true) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace });

  const all = songs.data?.songs ?? [];
  const counts = countByFilter(all);
  const matching = all.filter(
    (song) => (!search.status || songFilter(song) === search.status) && matches(song, search.q),
  );
  const { rows, page, pages } = pageOf(matching, search.page ?? 1);

  const segments = [
    { value: "all" as const, label: text.all, ...(songs.data && { count: all.length }) },
    ...SONG_FILTERS.map((filter) => ({
      value: filter,
      label: text.filters[filter],
      ...(songs.data && { count: counts[filter] }),
    })),
  ];

  return (
    <Page
      title={text.title}
      beside={
        <Segments
          label={strings.status}
          segments={segments}
          value={search.status ?? "all"}
          onChange={(value) => change({ status: value === "all" ? undefined : value })}
        />
      }
      tools={
        <>
          <SearchField
            label={text.search}
            hint={text.searchHint}
            value={search.q ?? ""}
            onSearch={(q) => change({ q: q || undefined })}
          />
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            accept="audio/*,video/*,.mp3,.ogg,.opus,.flac,.m4a,.wav,.aac"
            aria-label={text.upload}
            onChange={({ target }) => {
              uploadSongs(target.files ?? []);
              target.value = "";
            }}
          />
          <Button onClick={() => chooser.current?.click()}>
            <Upload aria-hidden size={14} /> {text.upload}
          </Button>
          <Button variant="primary" onClick={() => change({ add: true, page: search.page }, false)}>
            <Plus aria-hidden size={14} /> {text.addFromYoutube}
          </Button>
        </>
      }
    >
      <UploadPanel />
      {songs.isPending ? (
        <Loading />
      ) : songs.isError && !songs.data ? (
        <ErrorState prefix={text.loadError} error={songs.error} onRetry={() => void songs.refetch()} />
      ) : all.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : matching.length === 0 ? (
        <NoMatch onClear={() => change({ status: undefined, q: undefined })} />
      ) : (
        <>
          <TableFrame label={text.title} refreshing={songs.isFetching}>
            <Table>
              <thead>
                <tr>
                  <HeadCell>{text.columns.song}</HeadCell>
                  <HeadCell className="text-right">{text.columns.duration}</HeadCell>
                  <HeadCell className="text-right max-md:hidden">{text.columns.tempo}</HeadCell>
                  <HeadCell className="max-md:hidden">{text.columns.key}</HeadCell>
                  <HeadCell>{text.columns.status}</HeadCell>
                  <HeadCell className="text-right">{strings.actions}</HeadCell>
                </tr>
              </thead>
              <tbody>
                {rows.map((song) => (
                  <SongRow key={song.id} song={song} onDelete={setDeleting} />
                ))}
              </tbody>
            </Table>
          </TableFrame>
          <Pager page={page} pages={pages} onPage={(next) => change({ page: next })} />
        </>
      )}
      <FileDrop onFiles={uploadSongs} />
      <AddSongDialog open={search.add === true} onClose={() => change({ add: undefined, page: search.page })} />
      {deleting && <DeleteSongDialog song={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

function DeleteSongDialog({ song, onClose }: { readonly song: Song; readonly onClose: () => void }) {
  const remove = useDeleteSong();
  const title = song.title || text.untitled;
  return (
    <ConfirmDialog
      open
      title={text.deleteTitle}
      message={text.deleteQuestion(title)}
      confirmLabel={remove.isPending ? text.deleting : strings.delete}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { songId: song.id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.deleted(title));
            },
          },
        )
      }
    />
  );
}

function countByFilter(songs: readonly Song[]): Record<SongFilter, number> {
  const counts = { ready: 0, processing: 0, error: 0 };
  for (const song of songs) counts[songFilter(song)] += 1;
  return counts;
}

function matches({ title, artist, url, ytid }: Song, query: string | undefined): boolean {
  if (!query) return true;
  const wanted = query.trim().toLowerCase();
  return [title, artist, url, ytid].some((text) => text.toLowerCase().includes(wanted));
}
