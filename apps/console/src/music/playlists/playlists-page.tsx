import { MusicService, type Playlist } from "@followspot/contract/music";
import { Link, useSearch } from "@tanstack/react-router";
import { useChangeSearch } from "../../lib/change-search.ts";
import { ArrowLeft, Plus } from "lucide-react";
import { useState } from "react";
import { useCan } from "../../auth/can.ts";
import { LiveStage } from "../../lamps/live-stage.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState, ErrorState, Loading } from "../../ui/states.tsx";
import { NowPlaying } from "./now-playing.tsx";
import { PlayerBlock } from "./player-block.tsx";
import { TransitionDialog } from "./transition-dialog.tsx";
import { PlaylistCard } from "./playlist-card.tsx";
import { AddSongsDialog, NameDialog } from "./playlist-dialogs.tsx";
import { playlistSearch, type PlaylistSearch } from "./playlist-search.ts";
import { RequestsBlock } from "./requests-block.tsx";
import { usePlaylistCalls, usePlaylists } from "./playlists.queries.ts";
import { playlistStrings as text } from "./playlists.strings.ts";

type OfOne = "rename" | "add" | "delete" | "transition";
interface Shown {
  readonly what: OfOne;
  readonly id: string;
}

/** Screen with the playlists in vote order, and the song that plays for everyone. */
export function PlaylistsPage() {
  const can = useCan();
  const { data, isPending, isError, error, refetch } = usePlaylists();
  const calls = usePlaylistCalls();
  const [shown, setShown] = useState<Shown>();
  const playlists = data?.playlists ?? [];
  const isTakingRequests =
    can(MusicService.method.decideSongRequest) && playlists.some(({ requests }) => requests !== "closed");
  const search = playlistSearch(useSearch({ strict: false }));
  const change: (next: PlaylistSearch) => void = useChangeSearch();
  const chosen = shown ? playlists.find(({ id }) => id === shown.id) : undefined;
  const open = (what: OfOne, { id }: Playlist) => setShown({ what, id });
  const close = () => setShown(undefined);
  return (
    <Page
      title={text.title}
      tools={
        <>
          <Link to="/music" className={buttonClass()}>
            <ArrowLeft aria-hidden size={14} /> {text.back}
          </Link>
          {can(MusicService.method.createPlaylist) && (
            <Button variant="primary" onClick={() => change({ open: "new" })}>
              <Plus aria-hidden size={14} /> {text.create}
            </Button>
          )}
        </>
      }
    >
      <NowPlaying />
      <PlayerBlock
        isLinkShown={search.open === "player"}
        onLink={(isShown) => change({ open: isShown ? "player" : undefined })}
      />
      {isTakingRequests && (
        <section aria-label={text.requests.label} className="flex flex-col gap-1 rounded-lg border bg-surface p-4">
          <h2 className="text-xs font-medium text-muted">{text.requests.label}</h2>
          <RequestsBlock />
        </section>
      )}
      {can("seeLamps") && <LiveStage place="queue" />}
      {isPending && <Loading />}
      {isError && !data && <ErrorState prefix={text.loadError} error={error} onRetry={() => void refetch()} />}
      {data && playlists.length === 0 && (
        <EmptyState text={text.empty}>
          {can(MusicService.method.createPlaylist) && (
            <Button variant="primary" onClick={() => change({ open: "new" })}>
              {text.createFirst}
            </Button>
          )}
        </EmptyState>
      )}
      {playlists.map((playlist) => (
        <PlaylistCard
          key={playlist.id}
          playlist={playlist}
          calls={calls}
          isWanted={playlist.id === search.playlist}
          onAdd={() => open("add", playlist)}
          onTransition={() => open("transition", playlist)}
          onRename={() => open("rename", playlist)}
          onDelete={() => open("delete", playlist)}
        />
      ))}
      {search.open === "new" && can(MusicService.method.createPlaylist) && (
        <NameDialog
          calls={calls}
          onClose={() => change({ open: undefined })}
          onMade={(made) => {
            change({ open: undefined });
            open("add", made);
          }}
        />
      )}
      {shown?.what === "rename" && chosen && <NameDialog calls={calls} playlist={chosen} onClose={close} />}
      {shown?.what === "add" && chosen && <AddSongsDialog calls={calls} playlist={chosen} onClose={close} />}
      {shown?.what === "transition" && chosen && <TransitionDialog calls={calls} playlist={chosen} onClose={close} />}
      {shown?.what === "delete" && chosen && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(chosen.name)}
          done={text.deleted(chosen.name)}
          remove={() => calls.remove.mutateAsync({ playlistId: chosen.id })}
          onClose={close}
        />
      )}
    </Page>
  );
}
