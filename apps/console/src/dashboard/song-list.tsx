import type { Song } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { errorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Skeleton } from "../ui/states.tsx";
import { dashboardStrings as text } from "./dashboard.strings.ts";
import { CARD } from "./number-card.tsx";

const SHOWN = 6;

/** One song, or several of which the same is to be said; never empty. */
export type SongsOfRow = readonly [Song, ...Song[]];

/** A reading of songs, as far as a list of the dashboard cares. */
export interface SongReading {
  /** Songs that share a row; undefined while nothing is known. */
  readonly rows: readonly SongsOfRow[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** A few songs. It says that there are none only when that was answered. */
export function SongList({
  title,
  none,
  reading: { rows, error, retry },
  total = rows?.flat().length ?? 0,
  below,
  beside,
  picture,
  children,
}: {
  readonly title: string;
  /** Undefined where something else is listed. */
  readonly none: string | undefined;
  readonly reading: SongReading;
  /** All of them, when there are more than were read. */
  readonly total?: number;
  /** The quieter line under a song. */
  readonly below: (song: Song) => string;
  /** What belongs into the list beside songs. */
  readonly beside?: ReactNode;
  /** Stands before a row's name. */
  readonly picture?: (songs: SongsOfRow) => ReactNode;
  readonly children: (songs: SongsOfRow) => ReactNode;
}) {
  const shown = rows?.slice(0, SHOWN) ?? [];
  const left = total - shown.flat().length;
  return (
    <section aria-label={title} className={cx(CARD, "min-h-40")}>
      <div className="flex items-center justify-between gap-3 text-xs text-muted">
        <h2 className="font-medium">{title}</h2>
        {left > 0 && shown.length > 0 && <span>{text.more(left)}</span>}
      </div>
      {rows === undefined && error === null && <SongsLoading />}
      {rows === undefined && error !== null && (
        <div className="flex flex-col items-start gap-2 py-2">
          <p role="alert" className="wrap-anywhere text-danger">{`${text.loadErrors.songs}: ${errorText(error)}`}</p>
          <Button onClick={retry}>{strings.retry}</Button>
        </div>
      )}
      {rows?.length === 0 && none && <p className="py-2 text-muted">{none}</p>}
      <ul className="lg:max-h-52 lg:overflow-y-auto">
        {shown.map((songs) => (
          <li key={songs[0].id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-2 last:border-b-0">
            {picture?.(songs)}
            <span className="min-w-40 flex-1">
              <NameOfRow songs={songs} />
              <span className="block truncate text-xs text-muted" title={below(songs[0])}>
                {below(songs[0])}
              </span>
            </span>
            {children(songs)}
          </li>
        ))}
      </ul>
      {beside}
    </section>
  );
}

function NameOfRow({ songs }: { readonly songs: SongsOfRow }) {
  const look = "block truncate font-medium hover:underline";
  const [song, ...others] = songs;
  if (others.length > 0)
    return (
      <Link to="/music" search={{ show: "error" }} className={look} title={songs.map(nameOf).join("\n")}>
        {text.songsFailed(songs.length)}
      </Link>
    );
  return (
    <Link to="/music/$id/visualizer" params={{ id: song.id }} className={look}>
      {nameOf(song)}
    </Link>
  );
}

const nameOf = ({ title, url }: Song) => title || url;

function SongsLoading() {
  return (
    <div className="flex animate-appear flex-col gap-3 py-2">
      <p role="status" className="sr-only">
        {strings.loading}
      </p>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} className="h-8" />
      ))}
    </div>
  );
}
