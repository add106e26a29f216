import { useBlocker } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { useCan } from "../auth/can.ts";
import { useRetrySong } from "../lib/retry-song.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { previewPlan, type ChosenCue } from "./choice/change-wishes.ts";
import { ShowPanel } from "./choice/show-panel.tsx";
import { useChoice, type Choice } from "./choice/use-choice.ts";
import { useFadeDrawing } from "./choice/use-fade-drawing.ts";
import { CorrectPanel } from "./corrections/correct-panel.tsx";
import { planText } from "./corrections/plan-text.ts";
import { useCorrections } from "./corrections/use-corrections.ts";
import { FilmDialog } from "./film/film-dialog.tsx";
import { LeaderBar } from "./leader/leader-bar.tsx";
import { useLeader } from "./leader/use-leader.ts";
import { CueTable, type CueTableHandle } from "./panels/cue-table.tsx";
import { SidePanel } from "./panels/side-panel.tsx";
import { PlayerHeader } from "./player/player-header.tsx";
import { SongPlayer } from "./player/song-player.ts";
import { useClick } from "./player/use-click.ts";
import { useShowKeys } from "./show-keys.ts";
import { PlanNotice } from "./stage/plan-notice.tsx";
import { playedLanes } from "./stage/rig-notes.ts";
import { StagePreview } from "./stage/stage-preview.tsx";
import { resample } from "./timeline/curve-path.ts";
import { OverviewStrip } from "./timeline/overview-strip.tsx";
import type { TimelineSong } from "./timeline/timeline-chunk.tsx";
import { targetLabel, timelineLanes, ZOOM } from "./timeline/timeline-layout.ts";
import { Timeline } from "./timeline/timeline.tsx";
import type { TimelineHandle } from "./timeline/use-timeline-view.ts";
import { isBeingPlanned, type PreviewRig, type SongHeading } from "./visualizer.queries.ts";
import { visualizerStrings as text } from "./visualizer.strings.ts";
import { cx } from "../ui/class-names.ts";
import { VISUALIZER } from "./look.ts";

/** Number of values that the vocal presence of a whole song is resampled to. */
const VOCAL_BARS = 1000;

interface ShowProps {
  readonly songId: string;
  readonly heading: SongHeading | undefined;
  readonly analysis: SongAnalysis;
  readonly plan: LightingPlan | undefined;
  readonly planProblem: string | undefined;
  readonly onReadPlan: () => void;
  readonly rig: PreviewRig;
  readonly desk: ReactNode;
}

/** Visualizer of a song with an analysis: stage, timeline, panels, corrections and show settings. */
export function Show({
  songId,
  heading,
  analysis: stored,
  plan: storedPlan,
  planProblem,
  onReadPlan,
  rig,
  desk,
}: ShowProps) {
  const [isCorrecting, setCorrecting] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [isFilming, setFilming] = useState(false);
  const mayFilm = useCan()(MusicService.method.startFilm);
  const [chosen, setChosen] = useState<ChosenCue>();
  const [zoom, setZoom] = useState<number>(ZOOM.initial);
  const { corrections, problem, retry } = useCorrections(songId, isCorrecting);
  const { choice, problem: choiceProblem, retry: retryChoice } = useChoice(songId, isChoosing, storedPlan);
  const plan = usePreview(storedPlan, choice);
  const retrySong = useRetrySong();
  const planAgain = () => retrySong.mutate({ songId, step: "lighting" });
  const analysis = corrections?.preview ?? stored;
  const root = useRef<HTMLElement>(null);
  const timeline = useRef<TimelineHandle>(null);
  const cues = useRef<CueTableHandle>(null);
  const correctButton = useRef<HTMLButtonElement>(null);
  const showButton = useRef<HTMLButtonElement>(null);
  const filmButton = useRef<HTMLButtonElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const [player] = useState(() => new SongPlayer(songId));
  const song = useTimelineSong(analysis, plan, rig);
  const drawing = useFadeDrawing(choice, plan, setChosen);

  useEffect(() => {
    if (!root.current) return;
    player.setDuration(analysis.duration);
    player.attach(root.current);
    return () => player.detach();
  }, [player, analysis.duration]);
  const click = useClick(player, analysis);
  const leader = useLeader(songId, player, stored);
  useShowKeys(player, timeline, analysis, click.toggle, plan && (() => cues.current?.find()));
  const toggleCorrecting = (): void => {
    // Another user may have saved since; unsaved corrections stay.
    if (!isCorrecting && corrections && !corrections.isUnsaved) corrections.reload();
    setCorrecting(!isCorrecting);
  };

  return (
    <main className={cx(VISUALIZER, "max-[900px]:pb-11")} ref={root}>
      <PlayerHeader
        heading={heading}
        analysis={analysis}
        player={player}
        timeline={timeline}
        zoom={zoom}
        click={click}
        isCorrecting={isCorrecting}
        isUnsaved={corrections?.isUnsaved ?? false}
        correctButton={correctButton}
        onCorrect={toggleCorrecting}
        isChoosing={isChoosing}
        isChoiceUnsaved={choice?.isUnsaved ?? false}
        showButton={showButton}
        onChoose={() => setChoosing(!isChoosing)}
        filmButton={filmButton}
        onFilm={mayFilm && plan ? () => setFilming(true) : undefined}
        menuButton={menuButton}
        leader={leader}
        desk={desk}
      />
      <LeaderBar leader={leader} hasBeats={stored.beats.length > 1} />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_280px] max-[900px]:block">
        <div className="flex min-h-0 min-w-0 flex-col overflow-y-auto pb-11 [scrollbar-width:thin] max-[900px]:overflow-visible max-[900px]:pb-0">
          <StagePreview plan={plan} rig={rig} player={player} />
          <PlanNotice
            problem={planProblem}
            onReadPlan={onReadPlan}
            plan={plan}
            rig={rig}
            isPlanning={isBeingPlanned(heading)}
            onPlanAgain={planAgain}
            refusal={retrySong.error}
          />
          <OverviewStrip analysis={analysis} player={player} />
          <div className="shrink-0">
            <Timeline
              ref={timeline}
              song={song}
              player={player}
              onZoom={setZoom}
              onMoveEdge={isCorrecting ? corrections?.moveEdge : undefined}
              chosen={isChoosing ? chosen : undefined}
              onChoose={isChoosing ? setChosen : undefined}
              onDrawFade={isChoosing && drawing.isOn ? drawing.draw : undefined}
            />
          </div>
          {plan && (
            <CueTable ref={cues} lanes={song.lanes} player={player} onChoose={isChoosing ? setChosen : undefined} />
          )}
        </div>
        <SidePanel analysis={analysis} plan={plan} lanes={song.lanes} player={player} click={click}>
          {isChoosing && (
            <ShowPanel
              songId={songId}
              heading={heading}
              plan={plan}
              choice={choice}
              problem={choiceProblem}
              onRetry={retryChoice}
              onPlanAgain={planAgain}
              player={player}
              lanes={song.lanes}
              drawing={drawing}
              chosen={chosen}
              onChoose={setChosen}
              onClose={() => {
                setChoosing(false);
                focusShown(showButton, menuButton);
              }}
            />
          )}
          {isCorrecting && (
            <CorrectPanel
              corrections={corrections}
              problem={problem}
              onRetry={retry}
              player={player}
              planText={planText(heading, (corrections?.history.saved.edits.length ?? 0) > 0)}
              isPlanning={isBeingPlanned(heading)}
              onRetryPlan={heading?.lightingStatus === "error" ? planAgain : undefined}
              retryProblem={retrySong.error}
              onClose={() => {
                setCorrecting(false);
                focusShown(correctButton, menuButton);
              }}
            />
          )}
        </SidePanel>
      </div>
      {isFilming && (
        <FilmDialog
          songId={songId}
          analysis={analysis}
          player={player}
          onClose={() => {
            setFilming(false);
            // Waits until the dialog has closed: a dialog opened from a phone's menu cannot restore the focus itself.
            requestAnimationFrame(() => focusShown(filmButton, menuButton));
          }}
        />
      )}
      <LeaveUnsaved isUnsaved={(corrections?.isUnsaved ?? false) || (choice?.isUnsaved ?? false)} />
    </main>
  );
}

/** Focuses the button that is visible: on a phone that is the menu. */
function focusShown(...buttons: readonly RefObject<HTMLButtonElement | null>[]): void {
  buttons.find(({ current }) => current?.checkVisibility?.() ?? true)?.current?.focus();
}

/** Returns the plan with unsaved changes of cues. */
function usePreview(plan: LightingPlan | undefined, choice: Choice | undefined): LightingPlan | undefined {
  const { present, saved } = choice?.steps ?? {};
  return useMemo(() => (plan && present && saved ? previewPlan(plan, saved, present) : plan), [plan, present, saved]);
}

function useTimelineSong(analysis: SongAnalysis, plan: LightingPlan | undefined, { rig }: PreviewRig): TimelineSong {
  return useMemo(() => {
    const names = new Map(rig.groups.map((group) => [group.id, group.name]));
    const played = plan && playedLanes(Object.keys(plan.event_lanes), rig);
    return {
      analysis,
      lanes: plan
        ? timelineLanes(
            plan,
            (target) => targetLabel(target, names),
            (target) => played?.has(target) === true,
          )
        : [],
      vocals: resample(analysis.vocals.presence, VOCAL_BARS),
    };
  }, [analysis, plan, rig]);
}

/** Asks for confirmation before unsaved changes are lost. */
function LeaveUnsaved({ isUnsaved }: { readonly isUnsaved: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title={text.unsaved.title}
      message={text.unsaved.message}
      confirmLabel={text.unsaved.leave}
      open={leaving.status === "blocked"}
      onConfirm={() => leaving.proceed?.()}
      onClose={() => leaving.reset?.()}
    />
  );
}
