import { STREAMS } from "@followspot/contract";
import { MusicService, type Song } from "@followspot/contract/music";
import { Link, useSearch } from "@tanstack/react-router";
import { ListMusic, Plus } from "lucide-react";
import { useMemo } from "react";
import { HistoryDrawer } from "../audit/history-drawer.tsx";
import { useCan } from "../auth/can.ts";
import { useServerHealth } from "../lib/server-health.ts";
import { useStore } from "../lib/store.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { liveState } from "../realtime/live-state.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { PauseNotices } from "../ui/pause-notices.tsx";
import { bulkDelete, type BulkAction } from "../ui/selection-bar.tsx";
import { AddSongDialog } from "./add-song-dialog.tsx";
import { AddToPlaylist, useBulkToPlaylist } from "./choose-playlist.tsx";
import { ChooseFiles } from "./choose-files.tsx";
import { FileDrop } from "./file-drop.tsx";
import { LeftVideos } from "./left-videos.tsx";
import { ListeningBar } from "./listening-bar.tsx";
import type { MusicSearch } from "./music-search.ts";
import { SONGS, useAddDemoSongs, useSongCalls } from "./music.queries.ts";
import { musicStrings as text } from "./music.strings.ts";
import { PaletteDialog } from "./palette-dialog.tsx";
import { isOnItsWay, songFilter } from "./song-badge.ts";
import { SongActions } from "./song-actions.tsx";
import { songColumns, songCsv } from "./song-columns.tsx";
import { useShowQueue } from "./playlists/playlists.queries.ts";
import { failedStep } from "./song-steps.ts";
import { StepsDrawer } from "./steps-drawer.tsx";
import { UploadPanel } from "./upload-panel.tsx";
import { uploadSongs } from "./upload-songs.ts";

const rpc = MusicService.method;
/** Polling interval for songs in progress while the socket is disconnected, ms. */
const POLL_MS = 5000;

export function MusicPage() {
  const can = useCan();
  const live = useStore(liveState);
  const [search, change] = useUrlSearch();
  const { add }: MusicSearch = useSearch({ from: "/shell/music" });
  const list = useListScreen(SONGS, [search, change], {
    readAgainAfter: (songs) => (live !== "live" && songs.some(isOnItsWay) ? POLL_MS : false),
  });
  const calls = useSongCalls();
  const bulkRetry: BulkAction<Song> = {
    label: text.retryMenu,
    isFor: (song) => songFilter(song) === "error",
    act: (song) => calls.retry(song, failedStep(song)),
    done: text.bulkRetried,
  };
  const bulkToPlaylist = useBulkToPlaylist();
  const { dialog, open } = list;
  const heard = useShowQueue().data?.queue;
  const { id: heardId, key: heardKey } = (heard?.mode === "playing" ? heard.song : undefined) ?? {};
  const shown = dialog?.row;
  const columns = useMemo(
    () =>
      songColumns({
        actions: (song, isNarrow) => (
          <SongActions
            song={song}
            isNarrow={isNarrow}
            onColors={() => open("colors", song)}
            onPlaylist={() => open("playlist", song)}
            onSteps={() => open("steps", song)}
            onDelete={() => open("delete", song)}
            onHistory={() => open("history", song)}
          />
        ),
        onColors: (song) => open("colors", song),
        onSteps: (song) => open("steps", song),
        heard: heardId === undefined || heardKey === undefined ? undefined : { id: heardId, key: heardKey },
      }),
    [open, heardId, heardKey],
  );
  const close = () => change({ open: undefined, add: undefined } as MusicSearch);
  const mayAdd = can(rpc.addSongFromYoutube);
  const demo = useAddDemoSongs();
  const pauses = (useServerHealth().pauses ?? []).filter(({ queue }) => queue === STREAMS.songs.name);
  return (
    <ListPage
      list={list}
      text={text}
      filters={text.filters}
      columns={columns}
      csv={songCsv}
      rowHeight={52}
      whenEmpty={
        <span className="flex flex-wrap justify-center gap-2">
          {mayAdd && (
            <>
              <Button variant="primary" onClick={() => open("new")}>
                {text.addLink}
              </Button>
              <ChooseFiles label={text.addFiles} onFiles={uploadSongs} />
            </>
          )}
          {can(rpc.addDemoSong) && (
            <Button title={text.addDemoHint} pending={demo.isPending} onClick={() => demo.mutate()}>
              {text.addDemo}
            </Button>
          )}
        </span>
      }
      above={
        <>
          <PauseNotices pauses={pauses} mayResume={can("seeQueues")} />
          <LeftVideos />
          <UploadPanel />
        </>
      }
      bulk={[
        ...(can(rpc.addSongToPlaylist) ? [bulkToPlaylist] : []),
        ...(can(rpc.retrySong) ? [bulkRetry] : []),
        ...(can(rpc.deleteSong) ? [bulkDelete(text, calls)] : []),
      ]}
      tools={
        <>
          <Link to="/music/playlists" className={buttonClass()}>
            <ListMusic aria-hidden size={14} /> {text.playlists}
          </Link>
          {mayAdd && (
            <>
              <ChooseFiles label={text.upload} isOffered onFiles={uploadSongs} />
              <Button variant="primary" onClick={() => open("new")}>
                <Plus aria-hidden size={14} /> {text.addFromYoutube}
              </Button>
            </>
          )}
        </>
      }
    >
      <ListeningBar />
      {mayAdd && <FileDrop onFiles={uploadSongs} />}
      {mayAdd && (dialog?.what === "new" || add === true) && <AddSongDialog onClose={close} />}
      {dialog?.what === "playlist" && shown && <AddToPlaylist song={shown} onClose={close} />}
      {dialog?.what === "steps" && shown && <StepsDrawer song={shown} onClose={close} />}
      {dialog?.what === "colors" && shown && <PaletteDialog song={shown} onClose={close} />}
      {dialog?.what === "history" && shown && (
        <HistoryDrawer target={`song ${shown.id}`} name={shown.title || text.untitled} onClose={close} />
      )}
      {dialog?.what === "delete" && shown && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(shown.title || text.untitled)}
          done={text.deleted(shown.title || text.untitled)}
          remove={() => calls.remove(shown)}
          restore={() => calls.restore(shown)}
          onClose={close}
        />
      )}
    </ListPage>
  );
}
