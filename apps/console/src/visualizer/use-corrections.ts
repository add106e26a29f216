import { correctAnalysis, correctionsFit, isRelative } from "@followspot/analysis/correct-analysis";
import type { Correction, SongAnalysis } from "@followspot/contract";
import { useMemo, useState } from "react";
import { useCorrectionsStart, useSaveCorrections, type CorrectionsStart } from "./corrections.queries.ts";
import {
  continuesEdge,
  editReducer,
  isUnsaved,
  openHistory,
  type EditAction,
  type EditHistory,
} from "./edit-history.ts";

/** Corrections of one song while somebody makes them. */
export interface Corrections {
  readonly history: EditHistory;
  /** The song as the edits make it. */
  readonly preview: SongAnalysis;
  /** False when the song was heard anew and edits of its grid belong to the old one. */
  readonly fits: boolean;
  readonly isUnsaved: boolean;
  readonly isSaving: boolean;
  readonly saveError: unknown;
  readonly edit: (edit: Correction, replaces?: boolean) => void;
  readonly moveEdge: (at: number, to: number) => void;
  readonly act: (action: "undo" | "redo" | "reset") => void;
  /** Edits that were set aside: on the new beats, or gone. */
  readonly settle: (choice: "use" | "remove") => void;
  readonly save: () => void;
  /** Throws unsaved edits away and reads what is stored. */
  readonly reload: () => void;
}

interface Opened extends CorrectionsStart {
  readonly history: EditHistory;
}

/** Opened once they are wanted, and kept open from then on. `problem` says why they are not here. */
export function useCorrections(
  songId: string,
  isWanted: boolean,
): { corrections: Corrections | undefined; problem: unknown; retry: () => void } {
  const [opened, setOpened] = useState<Opened>();
  const start = useCorrectionsStart(songId, isWanted && opened === undefined);
  const saving = useSaveCorrections(songId);
  const { data, isFetching } = start;

  // Once, while it renders: what is stored becomes what is edited.
  if (isWanted && data && !isFetching && !opened) setOpened({ ...data, history: openHistory(data.stored, data.heard) });

  const preview = useMemo(() => opened && correctAnalysis(opened.heard, opened.history.present), [opened]);
  if (!opened || !preview) return { corrections: undefined, problem: start.error, retry: () => void start.refetch() };

  const { history, heard } = opened;
  const dispatch = (action: EditAction): void =>
    setOpened((state) => state && { ...state, history: editReducer(state.history, action) });
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
        { corrections: corrected, revision: opened.revision },
        {
          onSuccess: (revision) =>
            setOpened(
              (state) =>
                state && {
                  ...state,
                  revision,
                  history: editReducer(state.history, { kind: "saved", corrections: corrected }),
                },
            ),
        },
      );
    },
    reload: () => {
      saving.reset();
      void start.refetch().then(() => setOpened(undefined));
    },
  };
  return { corrections, problem: undefined, retry: () => undefined };
}
