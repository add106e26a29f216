import { MusicService, type Playlist, type PlaylistSong } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { Heart, ListStart, Play, Plus, Printer, Repeat, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useCan } from "../../auth/can.ts";
import { songDuration } from "../../lib/formatting.ts";
import { strings } from "../../lib/strings.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { DragHandle, DragOrder, SortableRow } from "../../ui/drag-order.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SongPicture } from "../song-picture.tsx";
import { useShowQueue, type PlaylistCalls } from "./playlists.queries.ts";
import { idOf, placedOf, withNext } from "./place-order.ts";
import { playlistStrings as text } from "./playlists.strings.ts";

const rpc = MusicService.method;
/** Modes for song requests of members. */
const REQUESTS = ["ask", "open", "closed"] as const;
type Requests = (typeof REQUESTS)[number];

interface CardProps {
  readonly playlist: Playlist;
  readonly calls: PlaylistCalls;
  /** Whether the address names this playlist, which scrolls it into view. */
  readonly isWanted: boolean;
  readonly onAdd: () => void;
  readonly onTransition: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

/** One playlist: its songs in playing order with their votes; dragging changes the order. */
export function PlaylistCard({ playlist, calls, isWanted, onAdd, onTransition, onRename, onDelete }: CardProps) {
  const can = useCan();
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    card.current?.scrollIntoView({ block: "nearest" });
    card.current?.focus({ preventScroll: true });
  }, [isWanted]);
  const { id, name, songs, requests, walkInDb } = playlist;
  const queue = useShowQueue().data?.queue;
  const { places, move } = useOrder(playlist, calls);
  const canMove = can(rpc.setPlaylistOrder);
  const playing = queue && queue.mode !== "stopped" && queue.playlistId === id ? queue.song?.id : undefined;
  const total = songs.reduce((sum, { song }) => sum + (song?.duration ?? 0), 0);
  const isPlayable = songs.length > 0 && !calls.play.isPending;
  const play = (songId = "", repeat = false) => calls.play.mutate({ playlistId: id, songId, repeat });
  return (
    <section
      ref={card}
      tabIndex={isWanted ? -1 : undefined}
      aria-labelledby={titleId}
      className="shrink-0 overflow-hidden rounded-lg border bg-surface"
    >
      <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2.5">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={titleId} className="truncate text-sm font-semibold">
            {name}
          </h2>
          <p className="text-xs text-muted">{text.songs(songs.length, total)}</p>
        </div>
        {can(rpc.playPlaylist) && (
          <>
            <Button variant="primary" aria-describedby={titleId} disabled={!isPlayable} onClick={() => play()}>
              <Play aria-hidden size={14} /> {text.play}
            </Button>
            <Button
              aria-describedby={titleId}
              aria-label={text.playAgain}
              title={text.playAgain}
              disabled={!isPlayable}
              onClick={() => play("", true)}
            >
              <Repeat aria-hidden size={14} />
            </Button>
          </>
        )}
        {can(rpc.addSongToPlaylist) && (
          <Button aria-describedby={titleId} onClick={onAdd}>
            <Plus aria-hidden size={14} /> {text.addSongs}
          </Button>
        )}
        {can(rpc.setPlaylistTransition) && (
          <Button aria-describedby={titleId} onClick={onTransition}>
            {text.transition.said(playlist.gapSeconds)}
          </Button>
        )}
        {canMove && (
          <Menu
            text={text.order.said(playlist.isByHand)}
            describedBy={titleId}
            disabled={songs.length === 0 || calls.setOrder.isPending}
            actions={[
              { label: text.order.byVotes, onSelect: () => move([]) },
              { label: text.order.byHand, onSelect: () => move(places.map(idOf)) },
            ]}
          />
        )}
        {can(rpc.setSongRequests) && (
          <Menu
            text={text.requests.said[requests as Requests]}
            describedBy={titleId}
            disabled={calls.setRequests.isPending}
            actions={REQUESTS.map((each) => ({
              label: text.requests.choices[each],
              onSelect: () => calls.setRequests.mutate({ playlistId: id, requests: each }),
            }))}
          />
        )}
        {can(rpc.setWalkIn) && (
          <Menu
            text={text.walkIn.said(walkInDb)}
            describedBy={titleId}
            disabled={calls.setWalkIn.isPending}
            actions={[
              ...text.walkIn.levels.map((levelDb) => ({
                label: text.walkIn.make(levelDb),
                onSelect: () => calls.setWalkIn.mutate({ playlistId: id, isWalkIn: true, levelDb }),
              })),
              { label: text.walkIn.end, onSelect: () => calls.setWalkIn.mutate({ playlistId: id, isWalkIn: false }) },
            ]}
          />
        )}
        {songs.length > 0 && (
          <Link
            to="/music/playlists/$playlistId/setlist"
            params={{ playlistId: id }}
            aria-describedby={titleId}
            className={buttonClass()}
          >
            <Printer aria-hidden size={14} /> {text.setlist.open}
          </Link>
        )}
        {can(rpc.renamePlaylist) && (
          <Button aria-describedby={titleId} onClick={onRename}>
            {text.rename}
          </Button>
        )}
        {can(rpc.deletePlaylist) && (
          <Button variant="danger" aria-describedby={titleId} onClick={onDelete}>
            {strings.delete}
          </Button>
        )}
      </div>
      {songs.length === 0 ? (
        <p className="px-4 py-6 text-center text-sm text-muted">{text.noSongs}</p>
      ) : (
        <DragOrder
          items={places.map((place) => ({ id: idOf(place), name: place.song?.title || text.untitled }))}
          canMove={canMove && !calls.setOrder.isPending}
          onOrder={move}
        >
          <ol>
            {places.map((place, index) => (
              <PlaceRow
                key={idOf(place) || index}
                place={place}
                isPlaying={place.song?.id !== undefined && place.song.id === playing}
                rank={index + 1}
                canMove={canMove}
                onVote={(up) => calls.vote.mutate({ playlistId: id, songId: place.song?.id ?? "", up })}
                onNext={
                  canMove && playing !== undefined && idOf(place) !== playing && !place.played
                    ? () => move(withNext(places, playing, idOf(place)))
                    : undefined
                }
                onPlay={can(rpc.playPlaylist) ? () => play(place.song?.id) : undefined}
                onTake={
                  can(rpc.removeSongFromPlaylist)
                    ? () => calls.take.mutate({ playlistId: id, songId: place.song?.id ?? "" })
                    : undefined
                }
              />
            ))}
          </ol>
        </DragOrder>
      )}
    </section>
  );
}

/** Returns the songs in the displayed order, also before the server has responded; a move can be undone. */
function useOrder({ id, songs }: Playlist, { setOrder }: PlaylistCalls) {
  const [wanted, setWanted] = useState<readonly string[]>();
  const rank = new Map(wanted?.map((songId, i) => [songId, i]));
  const places = wanted
    ? songs.toSorted((a, b) => (rank.get(idOf(a)) ?? songs.length) - (rank.get(idOf(b)) ?? songs.length))
    : songs;
  const put = (songIds: readonly string[], done?: () => void) => {
    if (songIds.length > 0) setWanted(songIds);
    setOrder.mutate(
      { playlistId: id, songIds: [...songIds] },
      { onSuccess: done, onSettled: () => setWanted(undefined) },
    );
  };
  const before = placedOf(songs);
  const move = (songIds: readonly string[]) =>
    put(songIds, () => showToast(text.order.put, { undo: () => put(before) }));
  return { places, move };
}

interface PlaceProps {
  readonly place: PlaylistSong;
  readonly isPlaying: boolean;
  readonly rank: number;
  readonly canMove: boolean;
  readonly onVote: (up: boolean) => void;
  readonly onNext: (() => void) | undefined;
  readonly onPlay: (() => void) | undefined;
  readonly onTake: (() => void) | undefined;
}

function PlaceRow({ place, isPlaying, rank, canMove, onVote, onNext, onPlay, onTake }: PlaceProps) {
  const { song, votes, voted, played } = place;
  const title = song?.title || text.untitled;
  const isReady = song?.lightingStatus === "ready";
  // The queue counts a song as played from its first second.
  const state = isPlaying ? text.playing : played && text.played;
  return (
    <SortableRow
      as="li"
      id={idOf(place)}
      className="flex min-h-13 items-center gap-3 border-b bg-surface px-4 py-1.5 last:border-b-0 max-sm:gap-1.5 max-sm:px-2"
    >
      {canMove && <DragHandle name={title} />}
      <span className="w-5 shrink-0 text-right text-xs text-muted tabular-nums">{rank}</span>
      <span className="shrink-0 max-sm:hidden">{song && <SongPicture song={song} />}</span>
      <div className="min-w-0 flex-1">
        {onPlay && isReady ? (
          <button
            type="button"
            title={text.playFrom(title)}
            className="block max-w-full truncate rounded-sm text-sm hover:underline"
            onClick={onPlay}
          >
            {title}
          </button>
        ) : (
          <p className="truncate text-sm">{title}</p>
        )}
        <p className="truncate text-xs text-muted">
          {[song?.artist, !isReady && text.notReady, state].filter(Boolean).join(" · ")}
        </p>
      </div>
      <span className="shrink-0 text-xs text-muted tabular-nums max-sm:hidden">
        {songDuration(song?.duration ?? 0)}
      </span>
      {onNext && (
        <Button variant="ghost" aria-label={text.order.next(title)} title={text.order.next(title)} onClick={onNext}>
          <ListStart aria-hidden size={14} />
        </Button>
      )}
      <Button
        aria-label={text.vote(title, votes)}
        aria-pressed={voted}
        title={text.vote(title, votes)}
        onClick={() => onVote(!voted)}
      >
        <Heart aria-hidden size={14} className={cx(voted && "fill-accent text-accent")} />
        <span className="min-w-3 tabular-nums">{votes}</span>
      </Button>
      {onTake && (
        <Button variant="ghost" aria-label={text.remove(title)} title={text.remove(title)} onClick={onTake}>
          <X aria-hidden size={14} />
        </Button>
      )}
    </SortableRow>
  );
}
