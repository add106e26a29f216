import { correctAnalysis, correctionsFit, isRelative } from "@followspot/analysis/correct-analysis";
import type { Correction, SongAnalysis } from "@followspot/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCorrectionsStart, useSaveCorrections, type CorrectionsStart } from "./corrections.queries.ts";
import {
  continuesEdge,
  editReducer,
  isUnsaved,
  openHistory,
  type EditAction,
  type EditHistory,
} from "./edit-history.ts";
import { useDraft } from "../use-draft.ts";
import { refreshShow } from "../visualizer.queries.ts";

/** Corrections of one song while a user edits them. */
export interface Corrections {
  readonly history: EditHistory;
  /** Analysis with the edits applied. */
  readonly preview: SongAnalysis;
  /** False if the song was analyzed again and edits of its grid refer to the previous beats. */
  readonly fits: boolean;
  readonly isUnsaved: boolean;
  readonly isSaving: boolean;
  readonly saveError: unknown;
  readonly edit: (edit: Correction, replaces?: boolean) => void;
  readonly moveEdge: (at: number, to: number) => void;
  readonly act: (action: "undo" | "redo" | "reset") => void;
  /** Resolves edits that no longer fit: applies them to the new beats, or removes them. */
  readonly settle: (choice: "use" | "remove") => void;
  readonly save: () => void;
  /**
   * Loads the stored corrections in place of these edits. The edits stay if loading fails or the user
   * continues editing until then.
   */
  readonly reload: () => void;
  readonly isLoading: boolean;
  readonly loadError: unknown;
}

interface Opened {
  readonly heard: SongAnalysis;
  readonly revision: number;
  readonly history: EditHistory;
}

/** Opens the corrections when first needed and keeps them open. `problem` is the error that prevented loading them. */
export function useCorrections(
  songId: string,
  isWanted: boolean,
): { corrections: Corrections | undefined; problem: unknown; retry: () => void } {
  const cache = useQueryClient();
  const draft = useDraft<CorrectionsStart, Opened>({
    useStored: (isAsked) => useCorrectionsStart(songId, isAsked),
    isWanted,
    open: openStored,
    // Opens again after the song was analyzed again.
    follow: (now, { heard, ...stored }) => {
      if (now.heard === heard) return now;
      return isUnsaved(now.history) ? { ...now, heard } : openStored({ heard, ...stored });
    },
  });
  const saving = useSaveCorrections(songId);
  const { state: opened, problem, retry } = draft;
  const preview = useMemo(() => opened && correctAnalysis(opened.heard, opened.history.present), [opened]);
  if (!opened || !preview) return { corrections: undefined, problem, retry };

  const { history, heard, revision } = opened;
  const dispatch = (action: EditAction): void =>
    draft.change((state) => ({ ...state, history: editReducer(state.history, action) }));
  const corrections: Corrections = {
    history,
    preview,
    fits: correctionsFit(heard, history.present),
    isUnsaved: isUnsaved(history),
    isSaving: saving.isPending,
    saveError: saving.error,
    edit: (edit, replaces = false) => dispatch({ kind: "edit", edit, replaces }),
    moveEdge: (at, to) => {
      const last = history.present.edits.at(-1);
      const goesOn = last?.kind === "edge" && continuesEdge(history, at);
      dispatch({ kind: "edit", edit: { kind: "edge", at: goesOn ? last.at : at, to }, replaces: goesOn });
    },
    act: (kind) => dispatch({ kind }),
    settle: (choice) => {
      const { edits } = history.present;
      dispatch({
        kind: "rebase",
        heard,
        edits: choice === "use" ? edits : edits.filter((edit) => !isRelative(edit)),
      });
    },
    save: () => {
      const corrected = history.present;
      saving.mutate(
        { corrections: corrected, revision },
        {
          onSuccess: (answer) =>
            draft.change((state) => ({
              ...state,
              revision: answer.revision,
              history: editReducer(state.history, { kind: "saved", corrections: corrected }),
            })),
        },
      );
    },
    reload: () =>
      draft.reload((stored) => {
        saving.reset();
        if (stored.revision !== revision) refreshShow(cache, songId, ["plan", "analysis"]);
      }),
    isLoading: draft.isLoading,
    loadError: problem,
  };
  return { corrections, problem: undefined, retry };
}

const openStored = ({ stored, heard, revision }: CorrectionsStart): Opened => ({
  heard,
  revision,
  history: openHistory(stored, heard),
});
