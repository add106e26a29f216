// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Correction } from "@followspot/contract";
import type { SongPlayer } from "./song-player.ts";
import type { Corrections } from "./use-corrections.ts";
import { useTaps, type Taps } from "./use-taps.ts";

it("tells the tempo of taps until they are undone", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  let time = 0;
  let edits: Correction[] = [];
  let taps: Taps | undefined;
  const player = { soundTime: () => (time += 0.5) } as unknown as SongPlayer;
  // What taps use of them.
  const corrections = () =>
    ({
      history: { present: { edits } },
      edit: (edit: Correction) => (edits = [edit]),
    }) as unknown as Corrections;
  function Tapping() {
    taps = useTaps(player, corrections());
    return null;
  }
  const root = createRoot(document.createElement("div"));
  act(() => root.render(<Tapping />));

  for (let i = 0; i < 3; i++) act(() => taps!.tap());
  expect(taps!.text).toBe("3 of 4 taps");
  act(() => taps!.tap());
  expect(taps!.text).toBe("120.0 BPM from 4 taps");
  edits = [];
  act(() => root.render(<Tapping />));
  expect(taps!.text).toBe("");
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
