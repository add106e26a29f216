import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { clockTime, dateTime, songDuration } from "../../lib/formatting.ts";
import { buttonClass } from "../../ui/button.tsx";
import { PrintPage } from "../../ui/print-page.tsx";
import { EmptyState, ErrorState, Loading } from "../../ui/states.tsx";
import { usePlaylists } from "./playlists.queries.ts";
import { playlistStrings } from "./playlists.strings.ts";
import { setlistOf } from "./setlist.ts";
import "./setlist.css";

const text = playlistStrings.setlist;

/** Printable setlist of a playlist: order, start of each song, and space for notes. */
export function SetlistPage({ playlistId }: { readonly playlistId: string }) {
  const [now] = useState(() => new Date());
  const { data, isPending, error, refetch } = usePlaylists();
  const playlist = data?.playlists.find(({ id }) => id === playlistId);
  const { rows, total } = setlistOf(playlist ?? { songs: [], gapSeconds: 0 });
  return (
    <PrintPage
      title={playlist ? text.title(playlist.name) : text.open}
      back={
        <Link to="/music/playlists" className={buttonClass({ variant: "ghost" })}>
          <ArrowLeft aria-hidden size={14} /> {playlistStrings.title}
        </Link>
      }
      isReady={rows.length > 0}
    >
      {isPending && <Loading />}
      {!data && error && <ErrorState prefix={playlistStrings.loadError} error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <EmptyState text={playlist ? playlistStrings.noSongs : text.missing} />}
      {playlist && rows.length > 0 && (
        <div className="print-sheet setlist">
          <h2>{playlist.name}</h2>
          <p className="print-sheet-note">
            {playlistStrings.songs(rows.length, total)}. {text.made(dateTime(now))}.
          </p>
          <table>
            <thead>
              <tr>
                {(["place", "from", "song", "length", "tempo", "key", "notes"] as const).map((column) => (
                  <th key={column} scope="col">
                    {text.columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ place: { song }, from }, i) => (
                <tr key={song?.id ?? i}>
                  <td>{i + 1}</td>
                  <td data-head={text.columns.from}>{clockTime(from)}</td>
                  <th scope="row">
                    {song?.title || playlistStrings.untitled}
                    {song?.artist && <span>{song.artist}</span>}
                  </th>
                  <td data-head={text.columns.length}>{songDuration(song?.duration ?? 0)}</td>
                  <td data-head={text.columns.tempo}>{song?.tempo ? Math.round(song.tempo) : ""}</td>
                  <td data-head={text.columns.key}>{song?.key}</td>
                  <td />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </PrintPage>
  );
}
