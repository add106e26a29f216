import type { LightingPlan, ShowWishes } from "@followspot/contract";
import { useState } from "react";
import { beginSteps, redoStep, takeStep, undoStep, type Steps } from "../steps.ts";
import { fitWishes } from "./change-wishes.ts";
import { useStoredWishes, useUpdateWishes, type StoredWishes } from "./choice.queries.ts";

/** What is wished for a song's show, while somebody changes it. */
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
  const [opened, setOpened] = useState<Opened>();
  const stored = useStoredWishes(songId, isWanted || opened !== undefined);
  const saving = useUpdateWishes(songId);
  const { data } = stored;
  const isUnsaved = opened !== undefined && opened.steps.present !== opened.steps.saved;

  // While it renders: what is stored becomes what is changed, unless something here waits to be saved.
  if (data && data.wishes !== opened?.steps.saved && !isUnsaved && !saving.isPending) setOpened(open(data));

  const retry = (): void => void stored.refetch();
  if (!opened) return { choice: undefined, problem: stored.error, retry };
  const step = (next: (steps: Steps<ShowWishes>) => Steps<ShowWishes>): void =>
    setOpened((state) => state && { ...state, steps: next(state.steps) });
  const choice: Choice = {
    steps: opened.steps,
    isUnsaved,
    isSaving: saving.isPending,
    saveError: saving.error,
    change: (next) => step((steps) => takeStep(steps, next)),
    act: (action) => step(action === "undo" ? undoStep : redoStep),
    save: (next = opened.steps.present) => {
      const { revision } = opened;
      saving.mutate(
        { wishes: fitWishes(next, plan), revision },
        { onSuccess: (answer, sent) => setOpened(open({ wishes: sent.wishes, revision: answer.revision })) },
      );
    },
    reload: () =>
      void stored.refetch().then(({ data: now, isSuccess }) => {
        if (!isSuccess) return;
        saving.reset();
        setOpened(open(now));
      }),
  };
  return { choice, problem: undefined, retry };
}

const open = ({ wishes, revision }: StoredWishes): Opened => ({ steps: beginSteps(wishes), revision });
