import { Link, useBlocker } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { useDocumentTitle } from "../ui/page.tsx";
import { CorrectPanel } from "./corrections/correct-panel.tsx";
import { useRetryPlan } from "./corrections/corrections.queries.ts";
import { CueTable } from "./panels/cue-table.tsx";
import { resample } from "./timeline/curve-path.ts";
import { isElsewhere } from "./player/key-target.ts";
import { OverviewStrip } from "./timeline/overview-strip.tsx";
import { planText } from "./corrections/plan-text.ts";
import { PlayerHeader } from "./player/player-header.tsx";
import { SidePanel } from "./panels/side-panel.tsx";
import { SongPlayer } from "./player/song-player.ts";
import { StagePreview } from "./stage/stage-preview.tsx";
import type { TimelineSong } from "./timeline/timeline-chunk.tsx";
import { neighbouringBeat, targetLabel, timelineLanes } from "./timeline/timeline-layout.ts";
import { Timeline, type TimelineHandle } from "./timeline/timeline.tsx";
import { useClick } from "./player/use-click.ts";
import { useCorrections } from "./corrections/use-corrections.ts";
import {
  DEMO_RIG,
  isBeingPlanned,
  useFreshPlan,
  useLightingPlan,
  useRig,
  useSongAnalysis,
  useSongHeading,
  type PreviewRig,
  type SongHeading,
} from "./visualizer.queries.ts";
import "./visualizer.css";

/** About this many bars of vocal presence over a whole song. */
const VOCAL_BARS = 1000;
const ARROW_SECONDS = 5;

/** The song on its timeline, with the stage lit as the lamps will be. */
export function VisualizerPage({ songId }: { readonly songId: string }) {
  const heading = useSongHeading(songId);
  const analysis = useSongAnalysis(songId);
  const plan = useLightingPlan(songId, isBeingPlanned(heading.data));
  useFreshPlan(songId, heading.data);
  const rig = useRig();
  useDocumentTitle(heading.data?.title || "Visualizer");

  if (songId === "") return <Problem message="No song ID provided" />;
  if (analysis.isError) {
    return <Problem message={analysis.error.message} heading={heading.data} onRetry={() => void analysis.refetch()} />;
  }
  if (!analysis.data || plan.isPending) {
    return (
      <main className="visualizer vz-waiting">
        <p role="status">Loading visualizer data...</p>
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
      planProblem={plan.isError ? plan.error.message : undefined}
      onRetryPlan={() => void plan.refetch()}
      rig={rig.data ?? DEMO_RIG}
    />
  );
}

function Problem({
  message,
  heading,
  onRetry,
}: {
  message: string;
  heading?: SongHeading | undefined;
  onRetry?: () => void;
}) {
  return (
    <main className="visualizer vz-waiting">
      {heading && <h1>{heading.title}</h1>}
      <p role="alert">Error loading visualizer: {message}</p>
      <p className="vz-actions">
        {onRetry && (
          <button type="button" className="vz-button" onClick={onRetry}>
            Retry
          </button>
        )}
        <Link to="/music" className="vz-button">
          Back to Music
        </Link>
      </p>
    </main>
  );
}

interface ShowProps {
  readonly songId: string;
  readonly heading: SongHeading | undefined;
  readonly analysis: SongAnalysis;
  readonly plan: LightingPlan | undefined;
  readonly planProblem: string | undefined;
  readonly onRetryPlan: () => void;
  readonly rig: PreviewRig;
}

function Show({ songId, heading, analysis: stored, plan, planProblem, onRetryPlan, rig }: ShowProps) {
  const [isCorrecting, setCorrecting] = useState(false);
  const { corrections, problem, retry } = useCorrections(songId, isCorrecting);
  const replan = useRetryPlan(songId);
  const analysis = corrections?.preview ?? stored;
  const root = useRef<HTMLElement>(null);
  const timeline = useRef<TimelineHandle>(null);
  const correctButton = useRef<HTMLButtonElement>(null);
  const [player] = useState(() => new SongPlayer(songId));
  const song = useMemo((): TimelineSong => {
    const names = new Map(rig.rig.groups.map((group) => [group.id, group.name]));
    return {
      analysis,
      lanes: plan ? timelineLanes(plan, (target) => targetLabel(target, names)) : [],
      vocals: resample(analysis.vocals.presence, VOCAL_BARS),
    };
  }, [analysis, plan, rig]);

  useEffect(() => {
    if (!root.current) return;
    player.setDuration(analysis.duration);
    player.attach(root.current);
    return () => player.detach();
  }, [player, analysis.duration]);
  const click = useClick(player, analysis);
  useKeys(player, timeline, analysis.beats, click.toggle);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => (corrections?.isUnsaved ?? false) && current.pathname !== next.pathname,
    enableBeforeUnload: () => corrections?.isUnsaved ?? false,
    withResolver: true,
  });
  const toggleCorrecting = (): void => {
    // Somebody else may have saved since; what is unsaved stays.
    if (!isCorrecting && corrections && !corrections.isUnsaved) corrections.reload();
    setCorrecting(!isCorrecting);
  };

  return (
    <main className="visualizer" ref={root}>
      <PlayerHeader
        heading={heading}
        analysis={analysis}
        player={player}
        timeline={timeline}
        click={click}
        isCorrecting={isCorrecting}
        isUnsaved={corrections?.isUnsaved ?? false}
        correctButton={correctButton}
        onCorrect={toggleCorrecting}
      />
      <div className="vz-body">
        <div className="vz-show">
          <StagePreview plan={plan} rig={rig} player={player} />
          {planProblem && (
            <p role="alert" className="vz-banner">
              {planProblem}
              <button type="button" className="vz-button" onClick={onRetryPlan}>
                Retry
              </button>
            </p>
          )}
          <OverviewStrip analysis={analysis} player={player} />
          <div className="vz-timeline-frame">
            <Timeline
              ref={timeline}
              song={song}
              player={player}
              onMoveEdge={isCorrecting ? corrections?.moveEdge : undefined}
            />
          </div>
          {plan && <CueTable lanes={song.lanes} player={player} />}
        </div>
        <SidePanel analysis={analysis} plan={plan} lanes={song.lanes} player={player} click={click}>
          {isCorrecting && (
            <CorrectPanel
              corrections={corrections}
              problem={problem}
              onRetry={retry}
              player={player}
              planText={planText(heading, (corrections?.history.saved.edits.length ?? 0) > 0)}
              isPlanning={isBeingPlanned(heading)}
              onRetryPlan={heading?.lightingStatus === "error" ? () => replan.mutate() : undefined}
              retryProblem={replan.error}
              onClose={() => {
                setCorrecting(false);
                correctButton.current?.focus();
              }}
            />
          )}
        </SidePanel>
      </div>
      <ConfirmDialog
        title="Unsaved corrections"
        message="Your corrections of this song are not saved. Leave and lose them?"
        confirmLabel="Leave"
        open={leaving.status === "blocked"}
        onConfirm={() => leaving.proceed?.()}
        onClose={() => leaving.reset?.()}
      />
    </main>
  );
}

function useKeys(
  player: SongPlayer,
  timeline: RefObject<TimelineHandle | null>,
  beats: readonly number[],
  toggleClick: () => void,
): void {
  const click = useRef(toggleClick);
  useEffect(() => {
    click.current = toggleClick;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isElsewhere(event)) return;
      // Space presses a focused control; that is what it is focused for.
      if (event.key === " " && event.target instanceof Element && event.target.closest("button, a, summary")) return;
      const isClick = event.key.toLowerCase() === "c" && !event.repeat;
      const act = isClick ? click.current : actionOf(event.key, player, timeline, beats);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [player, timeline, beats]);
}

function actionOf(
  key: string,
  player: SongPlayer,
  timeline: RefObject<TimelineHandle | null>,
  beats: readonly number[],
): (() => void) | undefined {
  const toBeat = (direction: 1 | -1) => (): void => {
    const beat = neighbouringBeat(beats, player.time(), direction);
    if (beat !== undefined) player.seek(beat);
  };
  switch (key) {
    case " ":
      return () => player.toggle();
    case "ArrowLeft":
      return () => player.seek(player.time() - ARROW_SECONDS);
    case "ArrowRight":
      return () => player.seek(player.time() + ARROW_SECONDS);
    case ",":
      return toBeat(-1);
    case ".":
      return toBeat(1);
    case "+":
    case "=":
      return () => timeline.current?.zoomBy(1);
    case "-":
      return () => timeline.current?.zoomBy(-1);
    default:
      return undefined;
  }
}
