import { describe, expect, it } from "vitest";
import { placeIn, sectionsOfOutline } from "./song-place.ts";

describe("the position in a song", () => {
  const sections = [{ label: "intro", start: 0 }, { label: "build", start: 30 }, { label: "drop", start: 45 }]; // prettier-ignore

  it("has a section and the time to the next drop", () => {
    expect(placeIn(sections, [45, 120], 32)).toEqual({ section: "build", toDrop: 13 });
    expect(placeIn(sections, [45], 45)).toEqual({ section: "drop", toDrop: undefined });
    expect(placeIn([], [], 3)).toEqual({ section: "", toDrop: undefined });
  });

  it("comes from the outline before the analysis is loaded", () => {
    const parts = [{ label: "intro", until: 0.25 }, { label: "drop", until: 1 }]; // prettier-ignore
    expect(sectionsOfOutline(parts, 200)).toEqual([
      { label: "intro", start: 0, end: 50 },
      { label: "drop", start: 50, end: 200 },
    ]);
  });
});
