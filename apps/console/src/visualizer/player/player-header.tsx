import { Link } from "@tanstack/react-router";
import { ArrowLeft, Pencil } from "lucide-react";
import { useSyncExternalStore, type RefObject } from "react";
import type { SongAnalysis } from "@followspot/contract";
import type { TimelineHandle } from "../timeline/use-timeline-view.ts";
import type { SongHeading } from "../visualizer.queries.ts";
import { visualizerStrings as text } from "../visualizer.strings.ts";
import type { SongPlayer } from "./song-player.ts";
import { StageStatus } from "./stage-status.tsx";
import { Transport } from "./transport.tsx";
import type { ClickSettings } from "./use-click.ts";
import { ViewButtons } from "./view-buttons.tsx";

interface PlayerHeaderProps {
  readonly heading: SongHeading | undefined;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
  readonly timeline: RefObject<TimelineHandle | null>;
  /** Pixels per second of the timeline. */
  readonly zoom: number;
  readonly click: ClickSettings;
  readonly isCorrecting: boolean;
  readonly isUnsaved: boolean;
  readonly correctButton: RefObject<HTMLButtonElement | null>;
  readonly onCorrect: () => void;
}

/** Title, transport, and what the stage does. */
export function PlayerHeader({
  heading,
  analysis,
  player,
  timeline,
  zoom,
  click,
  isCorrecting,
  isUnsaved,
  correctButton,
  onCorrect,
}: PlayerHeaderProps) {
  const state = useSyncExternalStore(player.onState, player.state);
  return (
    <header className="vz-header">
      <div className="vz-heading">
        <Link to="/music" className="vz-button vz-icon" aria-label={text.backToMusic}>
          <ArrowLeft size={16} aria-hidden="true" />
        </Link>
        <div>
          <h1 title={heading?.title}>{heading?.title || text.untitled}</h1>
          <p className="vz-muted">{heading?.artist}</p>
        </div>
      </div>
      <div className="vz-transport" role="group" aria-label={text.transport.label}>
        <Transport state={state} analysis={analysis} player={player} click={click} />
        <ViewButtons timeline={timeline} zoom={zoom} player={player} analysis={analysis} />
      </div>
      <div className="vz-status">
        {state.isSilent && <span className="vz-warn">{text.stage.silent}</span>}
        <StageStatus
          stage={state.stage}
          isHeld={state.isPlaying && state.speed !== 1}
          onTakeOver={() => player.takeOver()}
        />
        <button
          ref={correctButton}
          type="button"
          className="vz-button"
          aria-expanded={isCorrecting}
          onClick={onCorrect}
        >
          <Pencil size={14} aria-hidden="true" /> {text.correct}
          {isUnsaved && <span className="vz-unsaved" title={text.unsavedChanges} />}
        </button>
      </div>
    </header>
  );
}
