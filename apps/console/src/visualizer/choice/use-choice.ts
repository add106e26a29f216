import type { LightingPlan, ShowWishes } from "@followspot/contract";
import { beginSteps, redoStep, takeStep, undoStep, type Steps } from "../steps.ts";
import { useDraft } from "../use-draft.ts";
import { fitWishes } from "./change-wishes.ts";
import { useStoredWishes, useUpdateWishes, type StoredWishes } from "./choice.queries.ts";

/** Show settings of a song while a user edits them. */
export interface Choice {
  /** Undo history of the settings, including unsaved changes of cues. */
  readonly steps: Steps<ShowWishes>;
  readonly isUnsaved: boolean;
  readonly isSaving: boolean;
  readonly saveError: unknown;
  /** Adds an undo step that stays unsaved until {@link save}. */
  readonly change: (next: ShowWishes) => void;
  readonly act: (action: "undo" | "redo") => void;
  /** Saves the present settings, or `next` instead of them. The show is then planned again. */
  readonly save: (next?: ShowWishes) => void;
  /** Discards unsaved changes and loads the stored settings. */
  readonly reload: () => void;
}

interface Opened {
  readonly steps: Steps<ShowWishes>;
  readonly revision: number;
}

/** Opens the show settings of a song for editing. `problem` is the error that prevented loading them. */
export function useChoice(
  songId: string,
  isWanted: boolean,
  plan: LightingPlan | undefined,
): { choice: Choice | undefined; problem: unknown; retry: () => void } {
  const saving = useUpdateWishes(songId);
  const draft = useDraft<StoredWishes, Opened>({
    useStored: (isAsked) => useStoredWishes(songId, isAsked),
    isWanted,
    open,
    follow: (now, stored) =>
      stored.wishes === now.steps.saved || isChanged(now) || saving.isPending ? now : open(stored),
  });
  const { state: opened, problem, retry } = draft;
  if (!opened) return { choice: undefined, problem, retry };

  const { steps, revision } = opened;
  const step = (next: (steps: Steps<ShowWishes>) => Steps<ShowWishes>): void =>
    draft.change((state) => ({ ...state, steps: next(state.steps) }));
  const choice: Choice = {
    steps,
    isUnsaved: isChanged(opened),
    isSaving: saving.isPending,
    saveError: saving.error,
    change: (next) => step((now) => takeStep(now, next)),
    act: (action) => step(action === "undo" ? undoStep : redoStep),
    save: (next = steps.present) =>
      saving.mutate(
        { wishes: fitWishes(next, plan), revision },
        {
          onSuccess: (answer, sent) => draft.change(() => open({ wishes: sent.wishes, revision: answer.revision })),
        },
      ),
    reload: () => draft.reload(() => saving.reset()),
  };
  return { choice, problem: undefined, retry };
}

const isChanged = ({ steps }: Opened): boolean => steps.present !== steps.saved;
const open = ({ wishes, revision }: StoredWishes): Opened => ({ steps: beginSteps(wishes), revision });
