import { Link } from "@tanstack/react-router";
import { ArrowLeft, Maximize2, Pause, Play, Repeat, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from "react";
import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import { clockTime } from "../lib/formatting.ts";
import { useDocumentTitle } from "../ui/page.tsx";
import { CueTable } from "./cue-table.tsx";
import { resample } from "./curve-path.ts";
import { OverviewStrip } from "./overview-strip.tsx";
import { SidePanel } from "./side-panel.tsx";
import { SongPlayer, SPEEDS } from "./song-player.ts";
import { stageText, type StageState } from "./stage-link.ts";
import { StagePreview } from "./stage-preview.tsx";
import type { TimelineSong } from "./timeline-chunk.tsx";
import { neighbouringBeat, targetLabel, timelineLanes } from "./timeline-layout.ts";
import { Timeline, type TimelineHandle } from "./timeline.tsx";
import {
  DEMO_RIG,
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
  const planStatus = heading.data?.lightingStatus;
  const plan = useLightingPlan(songId, planStatus === "pending" || planStatus === "processing");
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

function Show({ songId, heading, analysis, plan, planProblem, onRetryPlan, rig }: ShowProps) {
  const root = useRef<HTMLElement>(null);
  const timeline = useRef<TimelineHandle>(null);
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
  useKeys(player, timeline, analysis.beats);

  return (
    <main className="visualizer" ref={root}>
      <PlayerHeader heading={heading} analysis={analysis} player={player} timeline={timeline} />
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
            <Timeline ref={timeline} song={song} player={player} />
          </div>
          {plan && <CueTable lanes={song.lanes} player={player} />}
        </div>
        <SidePanel analysis={analysis} plan={plan} lanes={song.lanes} player={player} />
      </div>
    </main>
  );
}

interface PlayerHeaderProps {
  readonly heading: SongHeading | undefined;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
  readonly timeline: RefObject<TimelineHandle | null>;
}

function PlayerHeader({ heading, analysis, player, timeline }: PlayerHeaderProps) {
  const { isPlaying, speed, stage, isSilent, loop } = useSyncExternalStore(player.onState, player.state);
  const nextSpeed = SPEEDS.find((s) => s !== speed) ?? 1;
  const toggleLoop = (): void => {
    const section = analysis.structure.sections.findLast((s) => s.start <= player.time());
    player.setLoop(
      loop || !section ? undefined : { from: section.start, to: Math.min(section.end, analysis.duration) },
    );
  };
  return (
    <header className="vz-header">
      <div className="vz-heading">
        <Link to="/music" className="vz-button vz-icon" aria-label="Back to Music">
          <ArrowLeft size={16} aria-hidden="true" />
        </Link>
        <div>
          <h1>{heading?.title || "Untitled song"}</h1>
          <p className="vz-muted">{heading?.artist}</p>
        </div>
      </div>
      <div className="vz-transport" role="group" aria-label="Playback">
        <ElapsedTime duration={analysis.duration} player={player} />
        <button
          type="button"
          className="vz-button vz-icon vz-primary"
          aria-label={isPlaying ? "Pause" : "Play"}
          aria-keyshortcuts="Space"
          onClick={() => player.toggle()}
        >
          {isPlaying ? (
            <Pause size={16} fill="currentColor" aria-hidden="true" />
          ) : (
            <Play size={16} fill="currentColor" aria-hidden="true" />
          )}
        </button>
        <button
          type="button"
          className="vz-button"
          aria-label="½× speed"
          aria-pressed={speed !== 1}
          onClick={() => player.setSpeed(nextSpeed)}
        >
          ½×
        </button>
        <button type="button" className="vz-button" aria-pressed={loop !== undefined} onClick={toggleLoop}>
          <Repeat size={14} aria-hidden="true" /> Loop<span className="vz-visually-hidden"> section</span>
        </button>
        <button type="button" className="vz-button" onClick={() => timeline.current?.fitSection()}>
          <Maximize2 size={14} aria-hidden="true" /> Fit<span className="vz-visually-hidden"> section</span>
        </button>
        <button
          type="button"
          className="vz-button vz-icon"
          aria-label="Zoom out"
          aria-keyshortcuts="-"
          onClick={() => timeline.current?.zoomBy(-1)}
        >
          <ZoomOut size={16} aria-hidden="true" />
        </button>
        <button
          type="button"
          className="vz-button vz-icon"
          aria-label="Zoom in"
          aria-keyshortcuts="+"
          onClick={() => timeline.current?.zoomBy(1)}
        >
          <ZoomIn size={16} aria-hidden="true" />
        </button>
      </div>
      <div className="vz-status">
        {isSilent && <span className="vz-warn">No sound: the audio could not be loaded</span>}
        <StageStatus stage={stage} isHeld={isPlaying && speed !== 1} onTakeOver={() => player.takeOver()} />
      </div>
    </header>
  );
}

function StageStatus({ stage, isHeld, onTakeOver }: { stage: StageState; isHeld: boolean; onTakeOver: () => void }) {
  const holds = isHeld && stage.kind === "following";
  return (
    <>
      <span className={`vz-stage-state vz-stage-${holds ? "ready" : stage.kind}`}>
        {holds ? "Stage holds at ½ speed" : stageText(stage)}
      </span>
      {stage.kind === "busy" && (
        <button type="button" className="vz-button" onClick={onTakeOver}>
          Take over
        </button>
      )}
    </>
  );
}

/** Written straight to the page: it changes while everything else stands still. */
function ElapsedTime({ duration, player }: { readonly duration: number; readonly player: SongPlayer }) {
  const elapsed = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let shown = "";
    return player.onFrame((time) => {
      const text = clockTime(time);
      if (text === shown || !elapsed.current) return;
      elapsed.current.textContent = shown = text;
    });
  }, [player]);
  return (
    <p className="vz-time">
      <span ref={elapsed}>00:00</span> <span className="vz-muted">/ {clockTime(duration)}</span>
    </p>
  );
}

function useKeys(player: SongPlayer, timeline: RefObject<TimelineHandle | null>, beats: readonly number[]): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const on = event.target instanceof Element ? event.target : undefined;
      if (on?.closest("input:not([type=range]), textarea, select, [contenteditable], dialog, [role=dialog]")) return;
      // Space presses a focused control; that is what it is focused for.
      if (event.key === " " && on?.closest("button, a, summary")) return;
      const act = actionOf(event.key, player, timeline, beats);
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
