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

/** A reading of songs, as far as a list of the dashboard cares. */
export interface SongReading {
  /** Undefined while nothing is known. */
  readonly songs: readonly Song[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** A few songs. It says that there are none only when that was answered. */
export function SongList({
  title,
  none,
  reading: { songs, error, retry },
  total = songs?.length ?? 0,
  below,
  beside,
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
  readonly children: (song: Song) => ReactNode;
}) {
  const shown = songs?.slice(0, SHOWN) ?? [];
  return (
    <section aria-label={title} className={cx(CARD, "min-h-56")}>
      <div className="flex justify-between text-xs text-muted">
        <h2 className="font-medium">{title}</h2>
        {total > shown.length && shown.length > 0 && <span>{text.more(total - shown.length)}</span>}
      </div>
      {songs === undefined && error === null && <SongsLoading />}
      {songs === undefined && error !== null && (
        <div className="flex flex-col items-start gap-2 py-2">
          <p role="alert" className="wrap-anywhere text-danger">{`${text.loadErrors.songs}: ${errorText(error)}`}</p>
          <Button onClick={retry}>{strings.retry}</Button>
        </div>
      )}
      {songs?.length === 0 && none && <p className="py-2 text-muted">{none}</p>}
      <ul>
        {shown.map((song) => (
          <li key={song.id} className="flex items-center justify-between gap-3 border-b py-2 last:border-b-0">
            <span className="min-w-0">
              <Link
                to="/music/$id/visualizer"
                params={{ id: song.id }}
                className="block truncate font-medium hover:underline"
              >
                {song.title || song.url}
              </Link>
              <span className="block truncate text-xs text-muted" title={below(song)}>
                {below(song)}
              </span>
            </span>
            {children(song)}
          </li>
        ))}
      </ul>
      {beside}
    </section>
  );
}

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
