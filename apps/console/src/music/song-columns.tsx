import { MusicService, type Song } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { isoTime, songDuration } from "../lib/formatting.ts";
import { songWarning } from "../lib/song-warnings.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "../ui/class-names.ts";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { Status } from "../ui/status.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { keysFit } from "./keys-that-fit.ts";
import { musicStrings as text } from "./music.strings.ts";
import { BADGE_TONES, isOnItsWay, songBadge } from "./song-badge.ts";
import { paletteOf } from "./song-colors.ts";
import { SongOutline } from "./song-outline.tsx";
import { SongPicture } from "./song-picture.tsx";
import { SongStepper, StepNote } from "./song-stepper.tsx";

/** Handlers and buttons of a row. */
export interface SongCells {
  readonly actions: (song: Song, isNarrow: boolean) => ReactNode;
  readonly onColors: (song: Song) => void;
  readonly onSteps: (song: Song) => void;
  /** The current song; undefined if none plays. */
  readonly heard: { readonly id: string; readonly key: string } | undefined;
}

export const songColumns = ({ actions, onColors, onSteps, heard }: SongCells): readonly TableColumn<Song>[] => [
  {
    id: "song",
    head: text.columns.song,
    width: { min: 200, share: 4 },
    narrow: "title",
    sort: "title",
    cell: (song, isNarrow) => <SongTitle song={song} isNarrow={isNarrow} />,
    csv: ({ title }) => title,
  },
  {
    id: "outline",
    head: text.columns.outline,
    width: { min: 160, share: 3 },
    isOptional: true,
    hideBelow: 1000,
    cell: (song) =>
      songBadge(song) === "Error" ? (
        <Reason song={song} onSteps={onSteps} />
      ) : isOnItsWay(song) ? (
        <StepNote song={song} />
      ) : (
        <SongOutline song={song} />
      ),
  },
  {
    id: "duration",
    head: text.columns.duration,
    width: 92,
    align: "end",
    sort: "duration",
    hideBelow: 720,
    cell: ({ duration }) => songDuration(duration),
    csv: ({ duration }) => duration,
  },
  {
    id: "tempo",
    head: text.columns.tempo,
    width: 80,
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
    hideBelow: 1150,
    cell: ({ id, key }) => <Key name={key} heard={heard && heard.id !== id ? heard.key : ""} />,
    csv: ({ key }) => key,
  },
  {
    id: "palette",
    head: text.columns.palette,
    width: 96,
    isOptional: true,
    hideBelow: 1250,
    cell: (song) => <Palette song={song} onColors={onColors} />,
  },
  {
    id: "status",
    head: text.columns.status,
    width: 200,
    narrow: "line",
    cell: (song, isNarrow) => <SongStatus song={song} isNarrow={isNarrow} onSteps={onSteps} />,
    csv: songBadge,
  },
  { id: "actions", head: strings.actions, width: 312, align: "end", narrow: "actions", cell: actions },
];

/** Columns of the CSV file. */
export const songCsv = [
  { head: "ID", csv: ({ id }: Song) => id },
  ...songColumns({
    actions: () => null,
    onColors: () => undefined,
    onSteps: () => undefined,
    heard: undefined,
  }).flatMap(({ head, csv }) => (csv ? [{ head, csv }] : [])),
  { head: text.columns.artist, csv: ({ artist }: Song) => artist },
  { head: text.columns.link, csv: ({ url }: Song) => url },
  { head: text.columns.reason, csv: ({ errorMessage }: Song) => errorMessage },
  { head: strings.created, csv: ({ createdAt }: Song) => isoTime(createdAt) },
];

/** Key of a song, marked if it mixes with the current song without clashing. */
function Key({ name, heard }: { readonly name: string; readonly heard: string }) {
  if (!keysFit(name, heard)) return <span className="block truncate">{name || "—"}</span>;
  return (
    <span className="flex items-center gap-1.5 text-ok" title={text.keyFits(heard)}>
      <Check aria-hidden size={12} className="shrink-0" />
      <span className="truncate">{name}</span>
      <span className="sr-only">{text.keyFits(heard)}</span>
    </span>
  );
}

function SongTitle({ song, isNarrow }: { readonly song: Song; readonly isNarrow: boolean }) {
  const { id, title, artist } = song;
  const said = remarkOf(song);
  // A wide row shows the error elsewhere.
  const remark = isNarrow || !said?.isBad ? said : undefined;
  return (
    <Link to="/music/$id/visualizer" params={{ id }} className="group flex min-w-0 items-center gap-3">
      <SongPicture song={song} />
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

function SongStatus({
  song,
  isNarrow,
  onSteps,
}: {
  readonly song: Song;
  readonly isNarrow: boolean;
  readonly onSteps: (song: Song) => void;
}) {
  const badge = songBadge(song);
  return (
    <span className={cx("flex items-center gap-x-2", !isNarrow && "flex-wrap")}>
      <Status tone={BADGE_TONES[badge]}>{badge}</Status>
      {isOnItsWay(song) && <SongStepper song={song} says={isNarrow ? "least" : "percent"} />}
      {badge === "Error" && (
        <button
          type="button"
          aria-describedby={rowTitleId(song.id)}
          className="text-xs text-muted underline hover:text-fg"
          onClick={() => onSteps(song)}
        >
          {text.runs.why}
        </button>
      )}
    </span>
  );
}

/** Error of a song, cut to two lines; a press shows the full text. */
function Reason({ song, onSteps }: { readonly song: Song; readonly onSteps: (song: Song) => void }) {
  if (!song.errorMessage) return null;
  return (
    <button
      type="button"
      aria-label={text.runs.whyOf(song.errorMessage)}
      aria-describedby={rowTitleId(song.id)}
      title={song.errorMessage}
      className="line-clamp-2 w-full text-left text-xs wrap-anywhere whitespace-normal text-danger hover:underline"
      onClick={() => onSteps(song)}
    >
      {song.errorMessage}
    </button>
  );
}

const SWATCHES = 4;

/** Colors of a song's show; a press opens the palette dialog. */
function Palette({ song, onColors }: { readonly song: Song; readonly onColors: (song: Song) => void }) {
  const mayColor = useCan()(MusicService.method.getSongColorPalette);
  const colors = paletteOf(song);
  if (colors.length === 0) return "—";
  const swatches = (
    <span className="flex gap-1">
      {colors.slice(0, SWATCHES).map((color, index) => (
        <span
          key={index}
          aria-hidden
          className="size-3.5 rounded-sm border border-black/20"
          style={{ background: color }}
        />
      ))}
    </span>
  );
  if (!mayColor) return swatches;
  return (
    <button
      type="button"
      aria-label={text.colors}
      title={text.colors}
      aria-describedby={rowTitleId(song.id)}
      className="block rounded-md border border-transparent p-1 hover:border-muted"
      onClick={() => onColors(song)}
    >
      {swatches}
    </button>
  );
}

/** Returns the error of a failed song, or the remark of analysis and judge about a ready one. */
function remarkOf(song: Song): { readonly text: string; readonly isBad: boolean } | undefined {
  const badge = songBadge(song);
  if (badge === "Error" && song.errorMessage) return { text: song.errorMessage, isBad: true };
  if (badge === "Ready" && (song.warnings.length > 0 || song.showRemark))
    return { text: [...song.warnings.map(songWarning), song.showRemark].join(" ").trim(), isBad: false };
  return undefined;
}
