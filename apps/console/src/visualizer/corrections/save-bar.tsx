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
  /** What becomes of the show after a save. */
  readonly planText: string;
  readonly isPlanning: boolean;
  readonly onRetryPlan: (() => void) | undefined;
  /** Why planning again could not even be asked for. */
  readonly retryProblem: unknown;
}

interface SaveBarProps extends PlanProgress {
  readonly corrections: Corrections;
  /** Where the focus goes when the button that had it goes away. */
  readonly focusHeading: () => void;
}

/** Undo, redo, reset and save, and what became of the last save. */
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

/** Why the last save failed, as long as there is something left to save or to load. */
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
      // A choice in a list is undone like any other edit.
      if (!use || event.defaultPrevented || isTyping(event) || isInLayer(event)) return;
      event.preventDefault();
      latest.current(use);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
