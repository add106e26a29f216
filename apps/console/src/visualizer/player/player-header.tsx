import { Link } from "@tanstack/react-router";
import { ArrowLeft, Clapperboard, Pencil, Wand } from "lucide-react";
import { useSyncExternalStore, type ReactNode, type RefObject } from "react";
import type { SongAnalysis } from "@followspot/contract";
import { LedBy } from "../leader/leader-bar.tsx";
import { filmStrings } from "../film/film.strings.ts";
import type { LeaderHandle } from "../leader/use-leader.ts";
import type { TimelineHandle } from "../timeline/use-timeline-view.ts";
import type { SongHeading } from "../visualizer.queries.ts";
import { visualizerStrings as text } from "../visualizer.strings.ts";
import { fitSection } from "./section-at.ts";
import type { SongPlayer } from "./song-player.ts";
import { HeadMenu, type HeadAction } from "./head-menu.tsx";
import { needsARow, StageRow, StageStatus } from "./stage-status.tsx";
import { Transport } from "./transport.tsx";
import type { ClickSettings } from "./use-click.ts";
import { ViewButtons } from "./view-buttons.tsx";
import { cx } from "../../ui/class-names.ts";
import { buttonLook } from "../look.ts";

interface PlayerHeaderProps {
  readonly heading: SongHeading | undefined;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
  readonly timeline: RefObject<TimelineHandle | null>;
  /** Zoom of the timeline, pixels per second. */
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
  readonly filmButton: RefObject<HTMLButtonElement | null>;
  /** Undefined for users without the permission. */
  readonly onFilm: (() => void) | undefined;
  /** Button that opens both panels on a phone. */
  readonly menuButton: RefObject<HTMLButtonElement | null>;
  readonly leader: LeaderHandle;
  readonly desk: ReactNode;
}

const ON_PHONE = "min-[641px]:hidden";
const NOT_ON_PHONE = "max-[640px]:hidden";

/**
 * Header with title, transport and stage status. On a phone the other buttons are in one menu, and the title is
 * shortened last.
 */
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
  filmButton,
  onFilm,
  menuButton,
  leader,
  desk,
}: PlayerHeaderProps) {
  const state = useSyncExternalStore(player.onState, player.state);
  const stage = { stage: state.stage, onTakeOver: () => player.takeOver() };
  const actions: readonly HeadAction[] = [
    { label: text.show, isOn: isChoosing, opens: true, onSelect: onChoose },
    { label: text.correct, isOn: isCorrecting, opens: true, onSelect: onCorrect },
    ...(onFilm ? [{ label: filmStrings.open, opens: true, onSelect: onFilm }] : []),
    { label: text.transport.click, isOn: click.isOn, onSelect: click.toggle },
    { label: text.view.fitSection, onSelect: () => fitSection(timeline.current, analysis, player.time()) },
    { label: text.view.fitSong, onSelect: () => timeline.current?.fitWhole() },
  ];
  return (
    <>
      <header className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto_minmax(min-content,1fr)] items-center gap-x-4 gap-y-2 border-b px-4 py-2 max-[1400px]:grid-cols-[minmax(0,1fr)_auto] max-[900px]:sticky max-[900px]:top-0 max-[900px]:z-3 max-[900px]:bg-bg max-[480px]:px-3">
        <div className="flex min-w-0 items-center gap-3.5 max-[480px]:gap-2.5">
          <Link to="/music" className={cx(buttonLook({ icon: true }), "shrink-0")} aria-label={text.backToMusic}>
            <ArrowLeft size={16} aria-hidden="true" />
          </Link>
          <div className="min-w-0">
            <h1 title={heading?.title} className="line-clamp-2 text-[14px]/[18px] font-[650] wrap-anywhere">
              {heading ? heading.title || text.untitled : text.song}
            </h1>
            <p className="truncate text-xs text-muted">{heading?.artist}</p>
          </div>
          <span className={cx("w-36 min-w-22 shrink-[100]", NOT_ON_PHONE)}>
            <LedBy leader={leader} />
          </span>
        </div>
        <div
          className="flex items-center gap-2 max-[1400px]:col-span-full max-[1400px]:row-start-2 max-[1400px]:justify-center max-[900px]:justify-between max-[900px]:gap-1.5"
          role="group"
          aria-label={text.transport.label}
        >
          <Transport state={state} analysis={analysis} player={player} click={click} />
          <ViewButtons timeline={timeline} zoom={zoom} player={player} analysis={analysis} />
        </div>
        <div className="flex min-w-0 items-center justify-end gap-3 text-[12px] max-[480px]:gap-1.5">
          {!needsARow(state.stage) && (
            <span className="whitespace-nowrap max-[640px]:sr-only">
              <StageStatus {...stage} />
            </span>
          )}
          {onFilm && (
            <button
              ref={filmButton}
              type="button"
              className={cx(buttonLook({ icon: true }), "shrink-0", NOT_ON_PHONE)}
              aria-label={filmStrings.open}
              title={filmStrings.open}
              onClick={onFilm}
            >
              <Clapperboard size={16} aria-hidden="true" />
            </button>
          )}
          <button
            ref={showButton}
            type="button"
            className={cx(buttonLook(), NOT_ON_PHONE)}
            aria-expanded={isChoosing}
            onClick={onChoose}
          >
            <Wand size={14} aria-hidden="true" /> {text.show}
            {isChoiceUnsaved && <Unsaved />}
          </button>
          <button
            ref={correctButton}
            type="button"
            className={cx(buttonLook(), NOT_ON_PHONE)}
            aria-expanded={isCorrecting}
            onClick={onCorrect}
          >
            <Pencil size={14} aria-hidden="true" /> {text.correct}
            {isUnsaved && <Unsaved />}
          </button>
          {desk}
          <HeadMenu
            triggerRef={menuButton}
            actions={actions}
            leader={leader.kind}
            onLead={leader.choose}
            className={ON_PHONE}
          />
        </div>
      </header>
      <StageRow {...stage} isSilent={state.isSilent} />
    </>
  );
}

const Unsaved = () => <span className="size-[7px] rounded-full bg-warn" title={text.unsavedChanges} />;
