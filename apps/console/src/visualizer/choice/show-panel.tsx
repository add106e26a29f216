import { Link } from "@tanstack/react-router";
import { Palette, Undo2 } from "lucide-react";
import { SHOW_MOODS, type LightingPlan, type ShowWishes } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { useCan } from "../../auth/can.ts";
import { errorSentence, isOvertaken } from "../../lib/errors.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, LINK, MUTED, SMALL_TITLE, TOOL_GROUP, TOOLS, WARN } from "../look.ts";
import type { SongPlayer } from "../player/song-player.ts";
import type { TimelineLane } from "../timeline/timeline-layout.ts";
import { NotYet, SideTool } from "../side-tool.tsx";
import { isBeingPlanned, type SongHeading } from "../visualizer.queries.ts";
import { withMood, withSeed, type ChosenCue } from "./change-wishes.ts";
import { choiceStrings as text } from "./choice.strings.ts";
import { useRestoreRevision, useRevisions } from "./choice.queries.ts";
import { CueEditor } from "./cue-editor.tsx";
import { FadeTools, type FadeDrawing } from "./fade-tools.tsx";
import { LookTools } from "./look-tools.tsx";
import { Remarks } from "./remarks.tsx";
import { RevisionList } from "./revision-list.tsx";
import { SectionRoll } from "./section-roll.tsx";
import type { Choice } from "./use-choice.ts";

const rpc = MusicService.method;

interface ShowPanelProps {
  readonly songId: string;
  readonly heading: SongHeading | undefined;
  readonly plan: LightingPlan | undefined;
  readonly choice: Choice | undefined;
  /** Error that prevented loading the show settings; undefined if there is none. */
  readonly problem: unknown;
  readonly onRetry: () => void;
  readonly onPlanAgain: () => void;
  readonly player: SongPlayer;
  readonly lanes: readonly TimelineLane[];
  readonly drawing: FadeDrawing;
  readonly chosen: ChosenCue | undefined;
  readonly onChoose: (cue: ChosenCue) => void;
  readonly onClose: () => void;
}

/** Panel with the rating of the show and all tools that replace or change the show. */
export function ShowPanel(props: ShowPanelProps) {
  const { heading, choice, problem, onRetry, onClose } = props;
  return (
    <SideTool title={text.title} closeLabel={text.close} onClose={onClose}>
      <PlanningLine heading={heading} onPlanAgain={props.onPlanAgain} />
      {choice ? (
        <Choosing {...props} choice={choice} />
      ) : (
        <NotYet problem={problem} notLoaded={text.notLoaded} onRetry={onRetry} />
      )}
    </SideTool>
  );
}

function PlanningLine({ heading, onPlanAgain }: Pick<ShowPanelProps, "heading" | "onPlanAgain">) {
  const can = useCan();
  const hasFailed = heading?.lightingStatus === "error";
  return (
    <>
      <p role="status" className="-my-1.5 text-xs empty:hidden">
        {isBeingPlanned(heading) && text.planning(heading?.step === "lighting" ? heading.percent : 0)}
      </p>
      {hasFailed && (
        <p role="alert" className={cx("text-xs", WARN)}>
          {text.failed(heading.errorMessage)}{" "}
          {can(rpc.retrySong) && (
            <button type="button" className={LINK} onClick={onPlanAgain}>
              {text.planAgain}
            </button>
          )}
        </p>
      )}
    </>
  );
}

function Choosing(props: ShowPanelProps & { readonly choice: Choice }) {
  const { songId, plan, choice, player, lanes, drawing, chosen, onChoose, onPlanAgain } = props;
  const can = useCan();
  const revisions = useRevisions(songId);
  const restore = useRestoreRevision(songId);
  const maySave = can(rpc.updateShowWishes);
  const wishes = choice.steps.present;
  const isBusy = choice.isSaving || restore.isPending;
  const wish = (next: ShowWishes): void => choice.save(next);
  const disabled = !maySave || isBusy;
  const list = revisions.data ?? [];
  return (
    <>
      {!maySave && <p className={cx("text-xs", MUTED)}>{text.adminsOnly}</p>}
      <Verdict plan={plan} wishes={wishes} onPlanAgain={maySave ? onPlanAgain : undefined} />
      <NotSaved choice={choice} restoreError={restore.error} />
      {plan?.choice && (
        <div role="group" aria-labelledby="vz-other-shows" className={TOOL_GROUP}>
          <h3 id="vz-other-shows" className={SMALL_TITLE}>
            {text.others}
          </h3>
          {plan.choice.runners_up.map(({ seed, differs }) => (
            <button
              key={seed}
              type="button"
              className={cx(
                buttonLook({ small: true }),
                "h-auto! min-h-7 justify-start py-1 text-left whitespace-normal!",
              )}
              disabled={disabled}
              onClick={() => wish(withSeed(wishes, seed))}
            >
              {text.tryIt(differs.join(" · "))}
            </button>
          ))}
          <div className={TOOLS}>
            <button
              type="button"
              className={buttonLook({ small: true })}
              disabled={disabled || wishes.seed === 0}
              onClick={() => wish(withSeed(wishes, 0))}
            >
              {text.backToBest}
            </button>
            <UndoButton revisions={list} disabled={disabled} onRestore={(number) => restore.mutate(number)} />
          </div>
        </div>
      )}
      <MoodPicker wishes={wishes} disabled={disabled} onWish={wish} />
      <Link to="/music" search={{ open: `colors.${songId}` }} className={cx(buttonLook({ small: true }), "self-start")}>
        <Palette size={13} aria-hidden="true" /> {text.colors}
      </Link>
      {plan?.sections && (
        <SectionRoll sections={plan.sections} wishes={wishes} player={player} disabled={disabled} onWish={wish} />
      )}
      {plan?.sections && (
        <LookTools choice={choice} plan={plan} sections={plan.sections} player={player} disabled={disabled} />
      )}
      {plan && <FadeTools drawing={drawing} plan={plan} lanes={lanes} player={player} disabled={disabled} />}
      {plan && <CueEditor choice={choice} plan={plan} chosen={chosen} onChoose={onChoose} maySave={maySave} />}
      <RevisionList
        revisions={list}
        problem={revisions.error}
        onRetry={() => void revisions.refetch()}
        disabled={disabled}
        onRestore={(number) => restore.mutate(number)}
      />
    </>
  );
}

interface VerdictProps {
  readonly plan: LightingPlan | undefined;
  readonly wishes: ShowWishes;
  readonly onPlanAgain: (() => void) | undefined;
}

function Verdict({ plan, wishes, onPlanAgain }: VerdictProps) {
  if (!plan) return <p className={cx("text-xs", MUTED)}>{text.noPlan}</p>;
  if (!plan.choice)
    return (
      <p className={cx("text-xs", MUTED)}>
        {text.oldPlan}{" "}
        {onPlanAgain && (
          <button type="button" className={LINK} onClick={onPlanAgain}>
            {text.planAgain}
          </button>
        )}
      </p>
    );
  const { tried, remarks } = plan.choice;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-xs">{wishes.seed === 0 ? text.best(tried) : text.chosen(tried)}</p>
      <Remarks remarks={remarks} />
    </div>
  );
}

function NotSaved({ choice, restoreError }: { readonly choice: Choice; readonly restoreError: unknown }) {
  const error = choice.saveError ?? restoreError;
  if (!error || choice.isSaving) return null;
  return (
    <p role="alert" className={cx("text-xs", WARN)}>
      {text.notSaved(errorSentence(error))}
      {isOvertaken(error) && (
        <button type="button" className={LINK} onClick={choice.reload}>
          {text.loadTheirs}
        </button>
      )}
    </p>
  );
}

interface UndoButtonProps {
  readonly revisions: readonly {
    readonly number: number;
    readonly isCurrent: boolean;
    readonly changed: readonly string[];
  }[];
  readonly disabled: boolean;
  readonly onRestore: (number: number) => void;
}

/** Restores the show before the current one. */
function UndoButton({ revisions, disabled, onRestore }: UndoButtonProps) {
  const current = revisions.findIndex(({ isCurrent }) => isCurrent);
  const before = current < 0 ? undefined : revisions[current + 1];
  return (
    <button
      type="button"
      className={cx(buttonLook({ small: true }), "h-auto! min-h-7 min-w-0 py-1 text-left whitespace-normal!")}
      disabled={disabled || !before}
      onClick={() => before && onRestore(before.number)}
    >
      <Undo2 size={13} aria-hidden="true" className="shrink-0" />
      {before ? text.undo(revisions[current]!.changed.join("; ")) : text.nothingToUndo}
    </button>
  );
}

interface MoodPickerProps {
  readonly wishes: ShowWishes;
  readonly disabled: boolean;
  readonly onWish: (wishes: ShowWishes) => void;
}

function MoodPicker({ wishes, disabled, onWish }: MoodPickerProps) {
  return (
    <div role="group" aria-labelledby="vz-mood" className={TOOL_GROUP}>
      <h3 id="vz-mood" className={SMALL_TITLE}>
        {text.mood}
      </h3>
      <div className={TOOLS}>
        {[null, ...SHOW_MOODS].map((mood) => (
          <button
            key={mood ?? ""}
            type="button"
            className={buttonLook({ small: true })}
            aria-pressed={wishes.mood === mood}
            disabled={disabled}
            onClick={() => wishes.mood !== mood && onWish(withMood(wishes, mood))}
          >
            {text.moods[mood ?? ""]}
          </button>
        ))}
      </div>
    </div>
  );
}
