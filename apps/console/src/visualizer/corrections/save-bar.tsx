import { RotateCcw } from "lucide-react";
import { useEffect, useRef } from "react";
import { MusicService } from "@followspot/contract/music";
import { useCan } from "../../auth/can.ts";
import { errorSentence, isOvertaken } from "../../lib/errors.ts";
import { useOfKey } from "../../lib/key-table.ts";
import { CORRECTION_STEPS } from "./corrections.keys.ts";
import { editLabel } from "./edit-history.ts";
import { isInLayer, isTyping } from "../../lib/key-target.ts";
import { strings } from "../../lib/strings.ts";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, HELP, LINK, MUTED, TOOLS, WARN } from "../look.ts";
import { UndoRedo } from "../side-tool.tsx";

const text = correctionsStrings.save;
const KEYS = { undo: "Control+Z", redo: "Control+Shift+Z" } as const;

export interface PlanProgress {
  /** Description of the planning state after a save. */
  readonly planText: string;
  readonly isPlanning: boolean;
  readonly onRetryPlan: (() => void) | undefined;
  /** Error of the request to plan again; undefined if there is none. */
  readonly retryProblem: unknown;
}

interface SaveBarProps extends PlanProgress {
  readonly corrections: Corrections;
  /** Moves the focus to the heading when the focused button disappears. */
  readonly focusHeading: () => void;
}

/** Undo, redo, reset and save buttons, and the state of the last save. */
export function SaveBar({ corrections, planText, isPlanning, onRetryPlan, retryProblem, focusHeading }: SaveBarProps) {
  const { history, fits, isUnsaved, isSaving, act, save } = corrections;
  const maySave = useCan()(MusicService.method.saveSongCorrections);
  useUndoKeys(act);
  const undone = history.past.length > 0 ? editLabel(history.present.edits.at(-1)) : "";
  return (
    <div className="sticky -top-4 z-2 -mx-4 -my-2 bg-bg px-4 py-2 max-[900px]:static">
      <div className={TOOLS}>
        <UndoRedo steps={history} labels={{ undo: text.undo(undone), redo: text.redo }} keys={KEYS} onAct={act} />
        <button
          type="button"
          className={buttonLook({ small: true })}
          title={text.resetHint}
          disabled={history.present.edits.length === 0}
          onClick={() => act("reset")}
        >
          <RotateCcw size={13} aria-hidden="true" /> {text.reset}
        </button>
        <button
          type="button"
          className={cx(buttonLook({ small: true, primary: true }), "ml-auto min-w-16")}
          disabled={!isUnsaved || isSaving || !maySave}
          onClick={save}
        >
          {isSaving ? text.saving : text.save}
        </button>
      </div>
      <NotSaved corrections={corrections} focusHeading={focusHeading} />
      <p role="status" className={HELP}>
        {isUnsaved ? (
          <span className={WARN}>{maySave ? text.unsaved : text.mayNotSave}</span>
        ) : (
          <span className={isPlanning ? undefined : MUTED}>{fits ? planText : text.notAllInUse}</span>
        )}
        {!isUnsaved && onRetryPlan && (
          <>
            {" "}
            <button type="button" className={LINK} onClick={onRetryPlan}>
              {text.planAgain}
            </button>
          </>
        )}
      </p>
      {onRetryPlan && Boolean(retryProblem) && (
        <p role="alert" className={cx(HELP, WARN)}>
          {text.notPlanned(errorSentence(retryProblem))}
        </p>
      )}
    </div>
  );
}

/** Reason why the last save failed, shown while there are unsaved edits or another user's version to load. */
function NotSaved({ corrections, focusHeading }: Pick<SaveBarProps, "corrections" | "focusHeading">) {
  const { isUnsaved, isSaving, saveError, reload, isLoading, loadError } = corrections;
  const isTheirs = isOvertaken(saveError);
  if (!saveError || isSaving || !(isUnsaved || isTheirs)) return null;
  return (
    <p role="alert" className={cx(HELP, WARN)}>
      {text.notSaved(errorSentence(saveError))}
      {isTheirs && (
        <button
          type="button"
          className={LINK}
          disabled={isLoading}
          onClick={() => {
            reload();
            focusHeading();
          }}
        >
          {isLoading ? strings.loading : text.loadTheirs}
        </button>
      )}
      {isTheirs && Boolean(loadError) && !isLoading && <span>{text.theirsNotLoaded(errorSentence(loadError))}</span>}
    </p>
  );
}

function useUndoKeys(act: (action: "undo" | "redo") => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const use = useOfKey(CORRECTION_STEPS, event);
      // The keys also work while a list has the focus: choosing an option is an edit like any other.
      if (!use || event.defaultPrevented || isTyping(event) || isInLayer(event)) return;
      event.preventDefault();
      latest.current(use);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
