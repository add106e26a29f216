import { Link } from "@tanstack/react-router";
import { ArrowLeft, Pencil, Wand } from "lucide-react";
import { useSyncExternalStore, type ReactNode, type RefObject } from "react";
import type { SongAnalysis } from "@followspot/contract";
import { LedBy } from "../leader/leader-bar.tsx";
import type { LeaderHandle } from "../leader/use-leader.ts";
import type { TimelineHandle } from "../timeline/use-timeline-view.ts";
import type { SongHeading } from "../visualizer.queries.ts";
import { visualizerStrings as text } from "../visualizer.strings.ts";
import type { SongPlayer } from "./song-player.ts";
import { StageStatus } from "./stage-status.tsx";
import { Transport } from "./transport.tsx";
import type { ClickSettings } from "./use-click.ts";
import { ViewButtons } from "./view-buttons.tsx";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, WARN } from "../look.ts";

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
  readonly isChoosing: boolean;
  readonly isChoiceUnsaved: boolean;
  readonly showButton: RefObject<HTMLButtonElement | null>;
  readonly onChoose: () => void;
  readonly leader: LeaderHandle;
  readonly desk: ReactNode;
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
  isChoosing,
  isChoiceUnsaved,
  showButton,
  onChoose,
  leader,
  desk,
}: PlayerHeaderProps) {
  const state = useSyncExternalStore(player.onState, player.state);
  return (
    <header className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto_minmax(min-content,1fr)] items-center gap-x-4 gap-y-2 border-b px-4 py-2 max-[1340px]:grid-cols-[minmax(17rem,1fr)_minmax(0,auto)] max-[900px]:sticky max-[900px]:top-0 max-[900px]:z-3 max-[900px]:bg-bg max-[480px]:grid-cols-[minmax(0,1fr)_auto] max-[480px]:px-3">
      <div className="flex min-w-0 items-center gap-3.5 max-[480px]:flex-wrap max-[480px]:gap-2.5">
        <Link to="/music" className={cx(buttonLook({ icon: true }), "shrink-0")} aria-label={text.backToMusic}>
          <ArrowLeft size={16} aria-hidden="true" />
        </Link>
        <div className="min-w-0">
          <h1
            title={heading?.title}
            className="truncate text-[14px]/[18px] font-[650] max-[480px]:line-clamp-2 max-[480px]:wrap-anywhere max-[480px]:whitespace-normal"
          >
            {heading?.title || text.untitled}
          </h1>
          <p className="truncate text-xs text-muted">{heading?.artist}</p>
        </div>
        <LedBy leader={leader} />
      </div>
      <div
        className="flex items-center gap-2 max-[1340px]:col-span-full max-[1340px]:row-start-2 max-[1340px]:justify-center max-[900px]:justify-between max-[900px]:gap-1.5"
        role="group"
        aria-label={text.transport.label}
      >
        <Transport state={state} analysis={analysis} player={player} click={click} />
        <ViewButtons timeline={timeline} zoom={zoom} player={player} analysis={analysis} />
      </div>
      <div className="flex min-w-0 items-center justify-end gap-3 text-[12px] max-[900px]:flex-wrap max-[480px]:max-w-[190px] max-[480px]:gap-x-2 max-[480px]:gap-y-1 max-[480px]:text-right">
        {state.isSilent && <span className={WARN}>{text.stage.silent}</span>}
        <StageStatus
          stage={state.stage}
          isHeld={state.isPlaying && state.speed !== 1}
          onTakeOver={() => player.takeOver()}
        />
        <button ref={showButton} type="button" className={buttonLook()} aria-expanded={isChoosing} onClick={onChoose}>
          <Wand size={14} aria-hidden="true" /> {text.show}
          {isChoiceUnsaved && <span className="size-[7px] rounded-full bg-warn" title={text.unsavedChanges} />}
        </button>
        <button
          ref={correctButton}
          type="button"
          className={buttonLook()}
          aria-expanded={isCorrecting}
          onClick={onCorrect}
        >
          <Pencil size={14} aria-hidden="true" /> {text.correct}
          {isUnsaved && <span className="size-[7px] rounded-full bg-warn" title={text.unsavedChanges} />}
        </button>
        {desk}
      </div>
    </header>
  );
}
