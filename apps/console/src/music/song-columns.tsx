import type { Song } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { Music } from "lucide-react";
import type { ReactNode } from "react";
import { isoTime, songDuration } from "../lib/formatting.ts";
import { songWarning } from "../lib/song-warnings.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "../ui/class-names.ts";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { Status } from "../ui/status.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { musicStrings as text } from "./music.strings.ts";
import { BADGE_TONES, songBadge, songFilter } from "./song-badge.ts";
import { SongStepper } from "./song-stepper.tsx";

export const songColumns = (actions: (song: Song, isNarrow: boolean) => ReactNode): readonly TableColumn<Song>[] => [
  {
    id: "song",
    head: text.columns.song,
    width: { min: 200, share: 1 },
    narrow: "title",
    sort: "title",
    cell: (song) => <SongTitle song={song} />,
    csv: ({ title }) => title,
  },
  {
    id: "duration",
    head: text.columns.duration,
    width: 104,
    align: "end",
    sort: "duration",
    hideBelow: 720,
    cell: ({ duration }) => songDuration(duration),
    csv: ({ duration }) => duration,
  },
  {
    id: "tempo",
    head: text.columns.tempo,
    width: 90,
    align: "end",
    sort: "tempo",
    isOptional: true,
    hideBelow: 900,
    cell: ({ tempo }) => (tempo > 0 ? tempo.toFixed(1) : "—"),
    csv: ({ tempo }) => tempo,
  },
  {
    id: "key",
    head: text.columns.key,
    width: 100,
    sort: "key",
    isOptional: true,
    hideBelow: 1000,
    cell: ({ key }) => <span className="block truncate">{key || "—"}</span>,
    csv: ({ key }) => key,
  },
  {
    id: "status",
    head: text.columns.status,
    width: 300,
    narrow: "line",
    cell: (song, isNarrow) => <SongStatus song={song} isNarrow={isNarrow} />,
    csv: songBadge,
  },
  { id: "actions", head: strings.actions, width: 312, align: "end", narrow: "actions", cell: actions },
];

/** What a file says of a song beside the columns. */
export const songCsv = [
  { head: "ID", csv: ({ id }: Song) => id },
  ...songColumns(() => null).flatMap(({ head, csv }) => (csv ? [{ head, csv }] : [])),
  { head: text.columns.artist, csv: ({ artist }: Song) => artist },
  { head: text.columns.link, csv: ({ url }: Song) => url },
  { head: text.columns.reason, csv: ({ errorMessage }: Song) => errorMessage },
  { head: strings.created, csv: ({ createdAt }: Song) => isoTime(createdAt) },
];

function SongTitle({ song }: { readonly song: Song }) {
  const { id, title, artist, imageUrl } = song;
  const remark = remarkOf(song);
  return (
    <Link to="/music/$id/visualizer" params={{ id }} className="group flex min-w-0 items-center gap-3">
      <Thumbnail src={imageUrl} fallback={<Music size={16} />} />
      <span className="min-w-0">
        <span id={rowTitleId(id)} className="block truncate font-medium group-hover:underline">
          {title || text.untitled}
        </span>
        <span className="block truncate text-xs text-muted" title={remark?.text}>
          {artist}
          {remark && artist && " · "}
          {remark && <span className={cx(remark.isBad && "text-danger")}>{remark.text}</span>}
        </span>
      </span>
    </Link>
  );
}

function SongStatus({ song, isNarrow }: { readonly song: Song; readonly isNarrow: boolean }) {
  const badge = songBadge(song);
  return (
    <span
      className={cx(
        "grid items-center justify-start gap-x-2",
        isNarrow ? "grid-cols-[auto_auto]" : "grid-cols-[120px_auto]",
      )}
    >
      <Status tone={BADGE_TONES[badge]}>{badge}</Status>
      {songFilter(song) === "processing" && <SongStepper song={song} isNarrow={isNarrow} />}
    </span>
  );
}

/** Why a song is in error, what is done with one at work, or what analysis and judge say of a ready one. */
function remarkOf(song: Song): { readonly text: string; readonly isBad: boolean } | undefined {
  const badge = songBadge(song);
  if (badge === "Error" && song.errorMessage) return { text: song.errorMessage, isBad: true };
  if (songFilter(song) === "processing" && song.note)
    return { text: song.note.charAt(0).toUpperCase() + song.note.slice(1), isBad: false };
  if (badge === "Ready" && (song.warnings.length > 0 || song.showRemark))
    return { text: [...song.warnings.map(songWarning), song.showRemark].join(" ").trim(), isBad: false };
  return undefined;
}
