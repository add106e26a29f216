import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SongStepper } from "../music/song-stepper.tsx";
import { useDocumentTitle } from "../ui/page.tsx";
import { Show } from "./show.tsx";
import { useLiveShow } from "./use-live-show.ts";
import {
  READING_RIG,
  useFreshPlan,
  useLightingPlan,
  useRig,
  useSongAnalysis,
  useSongHeading,
  type SongHeading,
} from "./visualizer.queries.ts";
import { visualizerStrings as text } from "./visualizer.strings.ts";
import "./visualizer.css";
import { cx } from "../ui/class-names.ts";
import { buttonLook, MUTED, VISUALIZER } from "./look.ts";

const WAITING = cx(VISUALIZER, "items-center justify-center gap-3 p-4 text-center");
const CORNER = "absolute top-2.5 right-3";

/** Page of one song: its timeline, with a preview of the stage. */
export function VisualizerPage({
  songId,
  desk,
}: {
  readonly songId: string;
  /** Control that the header of every page has: the blackout. */
  readonly desk?: ReactNode;
}) {
  const heading = useSongHeading(songId);
  const analysis = useSongAnalysis(songId);
  const plan = useLightingPlan(songId);
  const rig = useRig();
  useLiveShow(songId);
  useFreshPlan(songId, heading.data);
  useDocumentTitle(heading.data?.title || text.title);

  if (songId === "") return <Problem message={text.noSong} desk={desk} />;
  if (analysis.isError && !analysis.data) {
    const onRetry = () => void Promise.all([heading.refetch(), analysis.refetch(), plan.refetch()]);
    return <Problem message={analysis.error.message} heading={heading.data} desk={desk} onRetry={onRetry} />;
  }
  if (!analysis.data || plan.isPending) {
    return (
      <main className={WAITING}>
        <div className={CORNER}>{desk}</div>
        <p role="status">{text.loading}</p>
      </main>
    );
  }
  return (
    <Show
      key={songId}
      songId={songId}
      heading={heading.data}
      analysis={analysis.data}
      plan={plan.data}
      planProblem={plan.isError && !plan.data ? plan.error.message : undefined}
      onReadPlan={() => void plan.refetch()}
      rig={rig.data ?? READING_RIG}
      desk={desk}
    />
  );
}

interface ProblemProps {
  readonly message: string;
  readonly heading?: SongHeading | undefined;
  readonly onRetry?: () => void;
  readonly desk: ReactNode;
}

function Problem({ message, heading, onRetry, desk }: ProblemProps) {
  return (
    <main className={WAITING}>
      <div className={CORNER}>{desk}</div>
      {heading && <h1 className="text-[18px]">{heading.title}</h1>}
      <p role="alert">{text.failed(message)}</p>
      {heading && <WhyNone song={heading} />}
      <p className="flex gap-2">
        {onRetry && (
          <button type="button" className={buttonLook()} onClick={onRetry}>
            {text.retry}
          </button>
        )}
        <Link to="/music" className={buttonLook()}>
          {text.backToMusic}
        </Link>
      </p>
    </main>
  );
}

/** Shows why there is no analysis, as far as the song has the reason, or the progress while the song is processed. */
function WhyNone({ song }: { readonly song: SongHeading }) {
  const { analysisStatus, errorMessage } = song;
  if (analysisStatus === "ready") return null;
  if (analysisStatus === "error") return errorMessage && <p className={MUTED}>{text.songFailed(errorMessage)}</p>;
  return (
    <>
      <p className={MUTED}>{text.stillWorking}</p>
      <SongStepper song={song} says="step" />
    </>
  );
}
