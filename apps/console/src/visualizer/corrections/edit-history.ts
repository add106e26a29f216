import { heardGrid } from "@followspot/analysis/correct-analysis";
import {
  SONG_CORRECTIONS_VERSION,
  type Correction,
  type SongAnalysis,
  type SongCorrections,
} from "@followspot/contract";
import { redoStep, takeStep, undoStep, type Steps } from "../steps.ts";
import { correctionsStrings } from "./corrections.strings.ts";

const text = correctionsStrings.edits;

/** Undo history of the corrections. */
export type EditHistory = Steps<SongCorrections>;

export type EditAction =
  /** `replaces`: the edit replaces the last one, for example while tapping continues or an edge is dragged further. */
  | { readonly kind: "edit"; readonly edit: Correction; readonly replaces?: boolean }
  | { readonly kind: "undo" | "redo" | "reset" }
  /** Replaces all edits and rebases them onto the current analysis. */
  | { readonly kind: "rebase"; readonly heard: SongAnalysis; readonly edits: readonly Correction[] }
  | { readonly kind: "saved"; readonly corrections: SongCorrections };

/** Creates the history from the stored corrections. Each stored edit is an undo step, last one first. */
export function openHistory(stored: SongCorrections | undefined, heard: SongAnalysis): EditHistory {
  const present = stored ?? { version: SONG_CORRECTIONS_VERSION, heard: heardGrid(heard), edits: [] };
  const past = present.edits.map((_, i) => ({ ...present, edits: present.edits.slice(0, i) }));
  return { present, past, future: [], saved: present };
}

export function editReducer(history: EditHistory, action: EditAction): EditHistory {
  const { present } = history;
  switch (action.kind) {
    case "edit": {
      const kept = action.replaces ? present.edits.slice(0, -1) : present.edits;
      return takeStep(history, { ...present, edits: [...kept, action.edit] }, action.replaces);
    }
    case "undo":
      return undoStep(history);
    case "redo":
      return redoStep(history);
    case "reset":
      return present.edits.length === 0 ? history : takeStep(history, { ...present, edits: [] });
    case "rebase":
      return takeStep(history, { ...present, heard: heardGrid(action.heard), edits: [...action.edits] });
    case "saved":
      return { ...history, saved: action.corrections };
    default:
      return action satisfies never;
  }
}

export const isUnsaved = ({ present, saved }: EditHistory): boolean =>
  JSON.stringify(present.edits) !== JSON.stringify(saved.edits) ||
  (present.edits.length > 0 && JSON.stringify(present.heard) !== JSON.stringify(saved.heard));

/** Returns whether moving the edge at `at` continues the last edit. */
export function continuesEdge({ present, past }: EditHistory, at: number): boolean {
  const last = present.edits.at(-1);
  // A stored edit remains a separate undo step.
  return last?.kind === "edge" && last.to === at && past.length > 0;
}

/** Returns the name of an edit for the undo button; empty without an edit. */
export function editLabel(edit: Correction | undefined): string {
  switch (edit?.kind) {
    case "tempo":
      return text.tempo[edit.factor];
    case "downbeat":
      return edit.beats > 0 ? text.barLater : text.barEarlier;
    case "bar":
      return text.bars(edit.beats);
    case "tap":
      return text.tapped;
    case "edge":
      return text.edge;
    case "label":
      return text.renamed(edit.label);
    case "split":
      return text.split;
    case "merge":
      return text.joined;
    case undefined:
      return "";
    default:
      return edit satisfies never;
  }
}
