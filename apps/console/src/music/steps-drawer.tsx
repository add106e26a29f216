import { useQuery } from "@connectrpc/connect-query";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { SONG_STEPS } from "@followspot/contract";
import { MusicService, type Song, type SongStepRun } from "@followspot/contract/music";
import { useCan } from "../auth/can.ts";
import { useRetrySong } from "../lib/retry-song.ts";
import { countdownText } from "../lib/server-clock.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { Ago } from "../ui/row-parts.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { musicStrings } from "./music.strings.ts";
import { songBadge } from "./song-badge.ts";
import { failedStep } from "./song-steps.ts";

const rpc = MusicService.method;
const text = musicStrings.runs;

/** Drawer with the history of a song's steps, full error texts and retry buttons. */
export function StepsDrawer({ song, onClose }: { readonly song: Song; readonly onClose: () => void }) {
  const steps = useQuery(rpc.listSongSteps, { songId: song.id }, { staleTime: 0 });
  const isFailed = songBadge(song) === "Error";
  return (
    <Drawer title={text.title(song.title || musicStrings.untitled)} onClose={onClose}>
      {isFailed && <Failure song={song} />}
      {steps.isPending && <Loading rows={4} />}
      {steps.isError && <ErrorState prefix={text.loadError} error={steps.error} onRetry={() => void steps.refetch()} />}
      {steps.data?.steps.length === 0 && <EmptyState text={text.empty} />}
      {steps.data && (
        <ul aria-label={text.list} className="divide-y divide-border">
          {steps.data.steps.map((run, index) => (
            <li key={index} className="px-4 py-3">
              <StepRun run={run} isSaid={isFailed && run.reason === song.errorMessage} />
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  );
}

function Failure({ song }: { readonly song: Song }) {
  const can = useCan();
  const retry = useRetrySong();
  const failed = failedStep(song);
  return (
    <div className="flex flex-col gap-3 border-b px-4 py-3">
      {song.errorMessage && <p className="wrap-anywhere text-danger">{song.errorMessage}</p>}
      {can(rpc.retrySong) && (
        <div className="flex flex-wrap gap-2">
          {SONG_STEPS.map((step) => (
            <Button
              key={step}
              variant={step === failed ? "primary" : "secondary"}
              disabled={retry.isPending}
              onClick={() => retry.mutate({ songId: song.id, step }, { onError: sayWhy })}
            >
              {musicStrings.retry[step]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** @param isSaid whether its error is shown above already */
function StepRun({ run, isSaid }: { readonly run: SongStepRun; readonly isSaid: boolean }) {
  const { startedAt, endedAt } = run;
  const facts = [
    startedAt && endedAt && text.took(countdownText(timestampMs(endedAt) - timestampMs(startedAt))),
    run.attempts > 1 && text.attempts(run.attempts),
    run.askedBy && text.askedBy(run.askedBy),
  ].filter(Boolean);
  return (
    <>
      <div className="flex items-baseline gap-3">
        <p className="min-w-0 flex-1">
          <span className="mr-2 font-medium">{text.names[run.step] ?? run.step}</span>
          <Status tone={TONES[run.state] ?? "off"}>{text.states[run.state] ?? run.state}</Status>
        </p>
        <span className="shrink-0 text-xs">
          <Ago at={endedAt ?? startedAt ?? run.askedAt} />
        </span>
      </div>
      {facts.length > 0 && <p className="text-xs text-muted">{facts.join(" · ")}</p>}
      {run.note && <p className="text-xs wrap-anywhere text-muted">{run.note}</p>}
      {run.reason && !isSaid && <p className="mt-1 text-xs wrap-anywhere text-danger">{run.reason}</p>}
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  queued: "wait",
  running: "busy",
  done: "ok",
  failed: "bad",
  cancelled: "off",
};
