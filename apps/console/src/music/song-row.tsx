import type { Song } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { Music } from "lucide-react";
import { plainErrorText } from "../lib/errors.ts";
import { songDuration } from "../lib/formatting.ts";
import { songWarning } from "../lib/song-warnings.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Status } from "../ui/status.tsx";
import { ActionsCell, Cell, Row } from "../ui/table.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { showToast } from "../ui/toast.tsx";
import { useCancelSong, useRetrySong, type SongStep } from "./music.queries.ts";
import { musicStrings as text } from "./music.strings.ts";
import { BADGE_TONES, songBadge, songFilter } from "./song-badge.ts";
import { SongStepper } from "./song-stepper.tsx";

const STEPS: readonly SongStep[] = ["download", "analysis", "lighting"];
const sayWhy = { onError: (error: unknown) => showToast(plainErrorText(error), { bad: true }) };

export function SongRow({ song, onDelete }: { readonly song: Song; readonly onDelete: (song: Song) => void }) {
  const retry = useRetrySong();
  const cancel = useCancelSong();
  const title = song.title || text.untitled;
  const titleId = `song-${song.id}`;
  const badge = songBadge(song);
  const working = songFilter(song) === "processing";
  return (
    <Row className="h-13">
      <Cell className="w-full min-w-44">
        <Link to="/music/$id/visualizer" params={{ id: song.id }} className="group flex min-w-0 items-center gap-3">
          <Thumbnail src={song.imageUrl} fallback={<Music size={16} />} />
          <span className="min-w-0">
            <span id={titleId} className="line-clamp-1 font-medium wrap-anywhere group-hover:underline">
              {title}
            </span>
            {song.artist && <span className="line-clamp-1 text-xs wrap-anywhere text-muted">{song.artist}</span>}
          </span>
        </Link>
        {badge === "Error" && song.errorMessage && (
          <p className="mt-0.5 text-xs wrap-anywhere text-danger sm:pl-12">{song.errorMessage}</p>
        )}
        {badge === "Ready" && song.warnings.length > 0 && (
          <p className="text-xs wrap-anywhere text-muted sm:pl-12">{song.warnings.map(songWarning).join(" ")}</p>
        )}
      </Cell>
      <Cell className="text-right">{songDuration(song.duration)}</Cell>
      <Cell className="text-right max-md:hidden">{song.tempo > 0 ? song.tempo.toFixed(1) : "—"}</Cell>
      <Cell className="whitespace-nowrap max-md:hidden">{song.key || "—"}</Cell>
      <Cell>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 lg:min-w-64 lg:flex-nowrap">
          <Status tone={BADGE_TONES[badge]}>{badge}</Status>
          {working && <SongStepper song={song} />}
        </div>
      </Cell>
      <ActionsCell>
        {working && (
          <Button
            aria-describedby={titleId}
            pending={cancel.isPending}
            onClick={() =>
              cancel.mutate({ songId: song.id }, { ...sayWhy, onSuccess: () => showToast(text.cancelled(title)) })
            }
          >
            {text.cancel}
          </Button>
        )}
        <Menu
          text={text.retryMenu}
          describedBy={titleId}
          disabled={retry.isPending}
          actions={STEPS.map((step) => ({
            label: text.retry[step],
            onSelect: () => retry.mutate({ songId: song.id, step }, sayWhy),
          }))}
        />
        <Button variant="danger" aria-describedby={titleId} onClick={() => onDelete(song)}>
          {strings.delete}
        </Button>
      </ActionsCell>
    </Row>
  );
}
