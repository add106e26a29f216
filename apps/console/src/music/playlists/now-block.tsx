import { MusicService, type ShowQueue, type Song } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { Music, Play } from "lucide-react";
import { useCan } from "../../auth/can.ts";
import { clockTime, songDuration, timeOfDay, toDate } from "../../lib/formatting.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { paletteOf } from "../song-colors.ts";
import { SongPicture } from "../song-picture.tsx";
import { usePlaylistCalls, usePlaylists, useSongForm } from "./playlists.queries.ts";
import { forTalkText, playlistStrings } from "./playlists.strings.ts";
import { placeIn, sectionsOfOutline } from "./song-place.ts";
import { SectionStrip, SongStrip } from "./song-strip.tsx";

const text = playlistStrings.onNow;
/** Maximum number of playlists offered while no song plays. */
const MOST_OFFERED = 3;

/** The current song: remaining time, section, next drop, and the song after it. */
export function NowBlock({
  queue,
  position,
  isWhole = false,
  zone,
}: {
  readonly queue: ShowQueue | undefined;
  /** Song position, s; negative before it begins. */
  readonly position: number;
  /**
   * Whether to show the waveform, the facts and the start of the next song; and, while no song plays, playlists to
   * start.
   */
  readonly isWhole?: boolean;
  /** Time zone of displayed times; undefined for the browser's. */
  readonly zone?: string | undefined;
}) {
  const song = queue?.mode === "stopped" ? undefined : queue?.song;
  const form = useSongForm(song);
  if (!song || !queue) return <NoSong note={queue?.note} offersPlaylists={isWhole} />;
  const seconds = form?.duration ?? song.duration;
  const left = Math.max(0, seconds - Math.max(0, position));
  const place = form && placeIn(form.sections, form.drops, position);
  const outageSince = toDate(queue.outageSince);
  const sections = form?.sections ?? sectionsOfOutline(song.outline?.parts ?? [], seconds);
  const strip = { sections, seconds, position };
  return (
    <section aria-label={text.now} className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4">
      {outageSince && <GoOn since={outageSince} zone={zone} />}
      <div className="flex items-start gap-3">
        <SongPicture song={song} size={isWhole ? "large" : "small"} />
        <div className="min-w-0 flex-1">
          <p className="text-xs text-muted">
            {queue.walkInDb === undefined ? text.now : playlistStrings.walkIn.plays(queue.walkInDb)}
            {queue.mode === "paused" && queue.forTalk !== "paused" && (
              <span className="ml-2 text-warn">{text.paused}</span>
            )}
            {queue.forTalk && <span className="ml-2 text-warn">{forTalkText(queue.forTalk)}</span>}
          </p>
          <p className="line-clamp-2 text-lg font-semibold wrap-anywhere sm:text-2xl">
            {song.title || playlistStrings.untitled}
          </p>
          {isWhole ? <Facts song={song} /> : <p className="truncate text-sm text-muted">{song.artist}</p>}
        </div>
        <div className="shrink-0 text-right">
          <p className="text-2xl font-semibold tabular-nums sm:text-4xl" role="timer">
            {clockTime(left)}
          </p>
          <p className="text-xs text-muted">
            {position < 0 ? (
              text.startsIn(Math.ceil(-position))
            ) : place?.toDrop === undefined ? (
              text.left
            ) : (
              <>
                {text.drop} <span className="font-semibold text-danger">{clockTime(place.toDrop)}</span>
              </>
            )}
          </p>
        </div>
      </div>
      {isWhole ? (
        <SongStrip outline={song.outline} drops={form?.drops ?? []} {...strip} />
      ) : (
        <SectionStrip {...strip} />
      )}
      {isWhole ? (
        <Coming queue={queue} seconds={seconds} position={position} zone={zone} />
      ) : (
        <p className="truncate text-xs text-muted">
          {queue.next[0] ? text.next(queue.next[0].title || playlistStrings.untitled) : text.last}
        </p>
      )}
    </section>
  );
}

/** Offers the first playlists with songs, each started by one press. Walk-in music has a separate button. */
function NoSong({ note, offersPlaylists }: { readonly note: string | undefined; readonly offersPlaylists: boolean }) {
  const isOffering = useCan()(MusicService.method.playPlaylist) && offersPlaylists;
  const playlists = usePlaylists(isOffering).data?.playlists ?? [];
  const { play } = usePlaylistCalls();
  const offered = playlists
    .filter(({ songs, walkInDb }) => isOffering && songs.length > 0 && walkInDb === undefined)
    .slice(0, MOST_OFFERED);
  return (
    <section aria-label={text.now} className="flex flex-wrap items-center gap-3 rounded-lg border bg-surface p-4">
      <Music aria-hidden size={20} className="text-muted" />
      <p className="min-w-0 flex-1 basis-48">
        <span className="block font-semibold">{text.nothing}</span>
        <span className="text-xs text-muted">{note ? `${note}. ${text.nothingHint}` : text.nothingHint}</span>
      </p>
      {offered.map(({ id, name }, i) => (
        <Button
          key={id}
          large
          variant={i === 0 ? "primary" : "secondary"}
          disabled={play.isPending}
          onClick={() => play.mutate({ playlistId: id })}
          aria-label={text.play(name)}
        >
          <Play aria-hidden size={14} /> <span className="max-w-48 truncate">{name}</span>
        </Button>
      ))}
      <Link
        to="/music/playlists"
        className={buttonClass({ variant: offered.length > 0 ? "secondary" : "primary", large: true })}
      >
        {text.playlists}
      </Link>
    </section>
  );
}

/** Artist, tempo and key of the song in one line. */
function Facts({ song }: { readonly song: Song }) {
  const { artist, tempo, key } = song;
  const facts = [artist, tempo > 0 && text.bpm(tempo), key].filter(Boolean).join(" · ");
  return (
    <p className="flex min-w-0 items-center gap-2 text-sm text-muted">
      <span className="truncate">{facts}</span>
      <span aria-hidden className="flex shrink-0 gap-1 max-sm:hidden">
        {paletteOf(song).map((color, index) => (
          <span key={index} className="size-3 rounded-sm border border-black/20" style={{ background: color }} />
        ))}
      </span>
    </p>
  );
}

/** Start time of the next song, with its picture and the transition to it. */
function Coming({
  queue,
  seconds,
  position,
  zone,
}: {
  readonly queue: ShowQueue;
  readonly seconds: number;
  readonly position: number;
  readonly zone: string | undefined;
}) {
  const [next] = queue.next;
  const startedAt = queue.mode === "playing" ? toDate(queue.startedAt) : undefined;
  const endsAt = startedAt && startedAt.getTime() + 1000 * seconds;
  const time = (atMs: number) => timeOfDay(new Date(atMs), zone);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t pt-3 text-xs text-muted tabular-nums">
      {next ? (
        <div className="flex min-w-0 flex-1 basis-56 items-center gap-3">
          <SongPicture song={next} />
          <p className="min-w-0">
            <span className="block truncate text-sm text-fg">
              <span className="text-muted">{text.nextUp}</span> {next.title || playlistStrings.untitled}
            </span>
            <span className="block truncate">
              {[
                endsAt !== undefined && text.at(time(endsAt + 1000 * queue.gapSeconds)),
                songDuration(next.duration),
                next.tempo > 0 && text.bpm(next.tempo),
                text.change(queue.gapSeconds),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </p>
        </div>
      ) : (
        <p className="min-w-0 flex-1">{text.last}</p>
      )}
      <p className="max-sm:hidden">
        {[text.of(clockTime(position), clockTime(seconds)), endsAt !== undefined && text.ends(time(endsAt))]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </div>
  );
}

/** Button to resume after an outage that was too long for automatic resumption. */
function GoOn({ since, zone }: { readonly since: Date; readonly zone: string | undefined }) {
  const { resume } = usePlaylistCalls();
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-md border border-warn/40 bg-warn/10 p-3">
      <p className="min-w-0 flex-1 basis-48 text-sm">{text.outage(timeOfDay(since, zone))}</p>
      <Button variant="primary" large disabled={resume.isPending} onClick={() => resume.mutate({})}>
        {text.goOn}
      </Button>
    </div>
  );
}
