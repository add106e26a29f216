import type { ShowQueue } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { Music } from "lucide-react";
import { clockTime, timeOfDay, toDate } from "../../lib/formatting.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { usePlaylistCalls, useSongForm } from "./playlists.queries.ts";
import { playlistStrings } from "./playlists.strings.ts";
import { placeIn } from "./song-place.ts";

const text = playlistStrings.onNow;

/** The song that plays: how long it still is, what it is in, and when the next drop comes. */
export function NowBlock({
  queue,
  position,
}: {
  readonly queue: ShowQueue | undefined;
  /** Seconds of the song; below 0 before it begins. */
  readonly position: number;
}) {
  const song = queue?.mode === "stopped" ? undefined : queue?.song;
  const form = useSongForm(song?.id);
  if (!song)
    return (
      <section aria-label={text.now} className="flex flex-wrap items-center gap-3 rounded-lg border bg-surface p-4">
        <Music aria-hidden size={20} className="text-muted" />
        <p className="min-w-0 flex-1 basis-48">
          <span className="block font-semibold">{text.nothing}</span>
          <span className="text-xs text-muted">
            {queue?.note ? `${queue.note}. ${text.nothingHint}` : text.nothingHint}
          </span>
        </p>
        <Link to="/music/playlists" className={buttonClass({ variant: "primary", large: true })}>
          {text.playlists}
        </Link>
      </section>
    );
  const seconds = form?.duration ?? song.duration;
  const left = Math.max(0, seconds - Math.max(0, position));
  const place = form && placeIn(form.sections, form.drops, position);
  const outageSince = toDate(queue?.outageSince);
  return (
    <section aria-label={text.now} className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      {outageSince && <GoOn since={outageSince} />}
      <div className="flex items-start gap-3">
        <Thumbnail src={song.coverImage} fallback={<Music size={16} />} />
        <div className="min-w-0 flex-1">
          <p className="text-xs text-muted">
            {queue?.walkInDb === undefined ? text.now : playlistStrings.walkIn.plays(queue.walkInDb)}
            {queue?.mode === "paused" && <span className="ml-2 text-warn">{text.paused}</span>}
          </p>
          <p className="line-clamp-2 text-lg font-semibold wrap-anywhere sm:text-2xl">
            {song.title || playlistStrings.untitled}
          </p>
          <p className="truncate text-sm text-muted">{song.artist}</p>
        </div>
        <div className="text-right">
          <p className="text-2xl font-semibold tabular-nums sm:text-4xl" role="timer">
            {clockTime(left)}
          </p>
          <p className="text-xs text-muted">
            {position < 0
              ? text.startsIn(Math.ceil(-position))
              : place?.toDrop !== undefined
                ? `${text.drop} ${clockTime(place.toDrop)}`
                : text.left}
          </p>
        </div>
      </div>
      <Sections sections={form?.sections ?? []} seconds={seconds} position={position} />
      <p className="truncate text-xs text-muted">
        {queue?.next[0] ? text.next(queue.next[0].title || playlistStrings.untitled) : text.last}
      </p>
    </section>
  );
}

/** After an outage that was too long to go on by itself. */
function GoOn({ since }: { readonly since: Date }) {
  const { resume } = usePlaylistCalls();
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-md border border-warn/40 bg-warn/10 p-3">
      <p className="min-w-0 flex-1 basis-48 text-sm">{text.outage(timeOfDay(since))}</p>
      <Button variant="primary" large disabled={resume.isPending} onClick={() => resume.mutate({})}>
        {text.goOn}
      </Button>
    </div>
  );
}

/** The song from left to right, its sections named where there is room. */
function Sections({
  sections,
  seconds,
  position,
}: {
  readonly sections: readonly { readonly label: string; readonly start: number; readonly end: number }[];
  readonly seconds: number;
  readonly position: number;
}) {
  const share = (time: number) => `${(100 * Math.min(1, Math.max(0, time / seconds))).toFixed(2)}%`;
  return (
    <div aria-hidden className="relative h-7 overflow-hidden rounded-md bg-raised">
      {sections.map(({ label, start, end }) => (
        <span
          key={start}
          className={cx(
            "absolute inset-y-0 truncate border-r border-bg px-1.5 text-xs leading-7",
            LOUD.has(label) ? "bg-accent/30 text-fg" : "bg-accent/10 text-muted",
          )}
          style={{ left: share(start), width: share(end - start) }}
        >
          {text.section(label)}
        </span>
      ))}
      <span className="absolute inset-y-0 w-0.5 bg-fg" style={{ left: share(position) }} />
    </div>
  );
}

/** What people wait for. */
const LOUD: ReadonlySet<string> = new Set(["chorus", "drop"]);
