import { correctAnalysis, correctionsFit, isRelative } from "@followspot/analysis/correct-analysis";
import type { Correction, SongAnalysis } from "@followspot/contract";
import { useQueryClient } from "@tanstack/react-query";
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
import { refreshShow } from "../visualizer.queries.ts";

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
  /** Reads what is stored in place of these edits; they stay when it cannot be read, or go on meanwhile. */
  readonly reload: () => void;
  readonly isLoading: boolean;
  readonly loadError: unknown;
}

interface Opened {
  readonly heard: SongAnalysis;
  readonly revision: number;
  readonly history: EditHistory;
}

/** Opened once they are wanted, and kept open from then on. `problem` says why they are not here. */
export function useCorrections(
  songId: string,
  isWanted: boolean,
): { corrections: Corrections | undefined; problem: unknown; retry: () => void } {
  const cache = useQueryClient();
  const [opened, setOpened] = useState<Opened>();
  const start = useCorrectionsStart(songId, isWanted || opened !== undefined);
  const saving = useSaveCorrections(songId);
  const { data, isFetching } = start;

  // While it renders: what is stored becomes what is edited, and again when the song was analysed anew.
  if (data && !isFetching && opened?.heard !== data.heard && (isWanted || opened))
    setOpened(opened && isUnsaved(opened.history) ? { ...opened, heard: data.heard } : openStored(data));

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
          onSuccess: ({ revision }) =>
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
      void start.refetch().then(({ isSuccess, data: stored }) => {
        if (!isSuccess) return;
        saving.reset();
        setOpened((state) => (state?.history === history ? openStored(stored) : state));
        if (stored.revision !== opened.revision) refreshShow(cache, songId, ["plan", "analysis"]);
      });
    },
    isLoading: isFetching,
    loadError: start.error,
  };
  return { corrections, problem: undefined, retry: () => undefined };
}

const openStored = ({ stored, heard, revision }: CorrectionsStart): Opened => ({
  heard,
  revision,
  history: openHistory(stored, heard),
});
