import { Link } from "@tanstack/react-router";
import { ArrowLeft, Maximize2, Metronome, Pause, Pencil, Play, Repeat, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore, type RefObject } from "react";
import type { SongAnalysis } from "@followspot/contract";
import { clockTime } from "../../lib/formatting.ts";
import { SPEEDS, type SongPlayer } from "./song-player.ts";
import { stageText, type StageState } from "./stage-link.ts";
import type { TimelineHandle } from "../timeline/timeline.tsx";
import type { ClickSettings } from "./use-click.ts";
import type { SongHeading } from "../visualizer.queries.ts";

interface PlayerHeaderProps {
  readonly heading: SongHeading | undefined;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
  readonly timeline: RefObject<TimelineHandle | null>;
  readonly click: ClickSettings;
  readonly isCorrecting: boolean;
  readonly isUnsaved: boolean;
  readonly correctButton: RefObject<HTMLButtonElement | null>;
  readonly onCorrect: () => void;
}

/** Title, transport, and what the stage does. */
export function PlayerHeader(props: PlayerHeaderProps) {
  const { heading, analysis, player, timeline, click, isCorrecting, isUnsaved, correctButton, onCorrect } = props;
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
          <h1 title={heading?.title}>{heading?.title || "Untitled song"}</h1>
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
        <button
          type="button"
          className="vz-button vz-icon vz-wide-only"
          aria-label="Click on beats"
          title="Click on beats (C)"
          aria-keyshortcuts="C"
          aria-pressed={click.isOn}
          onClick={click.toggle}
        >
          <Metronome size={16} aria-hidden="true" />
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
        <button
          ref={correctButton}
          type="button"
          className="vz-button"
          aria-expanded={isCorrecting}
          onClick={onCorrect}
        >
          <Pencil size={14} aria-hidden="true" /> Correct
          {isUnsaved && <span className="vz-unsaved" title="Unsaved changes" />}
        </button>
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
