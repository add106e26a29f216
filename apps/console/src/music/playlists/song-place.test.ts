import { describe, expect, it } from "vitest";
import { placeIn } from "./song-place.ts";

describe("the place in a song", () => {
  const sections = [{ label: "intro", start: 0 }, { label: "build", start: 30 }, { label: "drop", start: 45 }]; // prettier-ignore

  it("is its section, and how long it is to the next drop", () => {
    expect(placeIn(sections, [45, 120], 32)).toEqual({ section: "build", toDrop: 13 });
    expect(placeIn(sections, [45], 45)).toEqual({ section: "drop", toDrop: undefined });
    expect(placeIn([], [], 3)).toEqual({ section: "", toDrop: undefined });
  });
});
