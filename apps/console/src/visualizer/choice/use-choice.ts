import type { LightingPlan, ShowWishes } from "@followspot/contract";
import { beginSteps, redoStep, takeStep, undoStep, type Steps } from "../steps.ts";
import { useDraft } from "../use-draft.ts";
import { fitWishes } from "./change-wishes.ts";
import { useStoredWishes, useUpdateWishes, type StoredWishes } from "./choice.queries.ts";

/** The wishes for a song's show, while a person changes them. */
export interface Choice {
  /** With changes of cues that are not saved yet. */
  readonly steps: Steps<ShowWishes>;
  readonly isUnsaved: boolean;
  readonly isSaving: boolean;
  readonly saveError: unknown;
  /** A step that waits for {@link save}. */
  readonly change: (next: ShowWishes) => void;
  readonly act: (action: "undo" | "redo") => void;
  /** Stores what is shown, or this in its place; the show is planned anew. */
  readonly save: (next?: ShowWishes) => void;
  /** Takes what is stored in place of what is not saved. */
  readonly reload: () => void;
}

interface Opened {
  readonly steps: Steps<ShowWishes>;
  readonly revision: number;
}

/** `problem` says why the wishes are not here. */
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
