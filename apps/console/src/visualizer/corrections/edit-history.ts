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

/** Corrections being made. */
export type EditHistory = Steps<SongCorrections>;

export type EditAction =
  /** `replaces`: the last edit goes on, as when taps go on or an edge is moved further. */
  | { readonly kind: "edit"; readonly edit: Correction; readonly replaces?: boolean }
  | { readonly kind: "undo" | "redo" | "reset" }
  /** These edits, on the beats that are heard now. */
  | { readonly kind: "rebase"; readonly heard: SongAnalysis; readonly edits: readonly Correction[] }
  | { readonly kind: "saved"; readonly corrections: SongCorrections };

/** Opens what is stored; each stored edit can be taken back, the last one first. */
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

/** Whether moving the edge at `at` goes on with the last edit. */
export function continuesEdge({ present, past }: EditHistory, at: number): boolean {
  const last = present.edits.at(-1);
  // What is saved stays a step of its own.
  return last?.kind === "edge" && last.to === at && past.length > 0;
}

/** An edit in the words of a person, for the undo button. */
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
