import { describe, expect, it } from "vitest";
import type { Correction, SongAnalysis, SongCorrections } from "@followspot/contract";
import { continuesEdge, editLabel, editReducer, isUnsaved, openHistory, type EditHistory } from "./edit-history.ts";

// The subset that heardGrid reads.
const heard = { tempo: 70, downbeats: [0, 2], grid: { beats_per_bar: 4 } } as unknown as SongAnalysis;
const double: Correction = { kind: "tempo", factor: "2" };
const later: Correction = { kind: "downbeat", beats: 1 };
const edit = (history: EditHistory, ...edits: Correction[]) =>
  edits.reduce((state, each) => editReducer(state, { kind: "edit", edit: each }), history);
const edits = ({ present }: EditHistory) => present.edits;

describe("editReducer", () => {
  it("undoes and redoes edits", () => {
    const made = edit(openHistory(undefined, heard), double, later);
    const back = editReducer(made, { kind: "undo" });
    expect(edits(back)).toEqual([double]);
    expect(edits(editReducer(back, { kind: "redo" }))).toEqual([double, later]);
    expect(editReducer(edit(back, later), { kind: "redo" }).future).toEqual([]);
  });

  it("undoes edits that were saved before the page was opened", () => {
    const stored: SongCorrections = {
      version: 1,
      heard: { tempo: 70, beats_per_bar: 4, first_downbeat: 0, last_downbeat: 2 },
      edits: [double, later],
    };
    const opened = openHistory(stored, heard);
    expect(isUnsaved(opened)).toBe(false);
    const back = editReducer(opened, { kind: "undo" });
    expect(edits(back)).toEqual([double]);
    expect(isUnsaved(back)).toBe(true);
    expect(isUnsaved(editReducer(back, { kind: "redo" }))).toBe(false);
  });

  it("resets in one step that can be undone", () => {
    const made = edit(openHistory(undefined, heard), double, later);
    const reset = editReducer(made, { kind: "reset" });
    expect(edits(reset)).toEqual([]);
    expect(edits(editReducer(reset, { kind: "undo" }))).toEqual([double, later]);
    expect(isUnsaved(reset)).toBe(false);
  });

  it("continues the last edit", () => {
    const moved = edit(openHistory(undefined, heard), { kind: "edge", at: 4, to: 6 });
    expect(continuesEdge(moved, 6)).toBe(true);
    expect(continuesEdge(moved, 4)).toBe(false);
    const further = editReducer(moved, { kind: "edit", edit: { kind: "edge", at: 4, to: 8 }, replaces: true });
    expect(edits(further)).toEqual([{ kind: "edge", at: 4, to: 8 }]);
    expect(edits(editReducer(further, { kind: "undo" }))).toEqual([]);
  });

  it("names each edit", () => {
    expect(editLabel(double)).toBe("tempo ×2");
    expect(editLabel({ kind: "downbeat", beats: -1 })).toBe("bar earlier");
  });
});
