// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Correction } from "@followspot/contract";
import type { SongPlayer } from "../player/song-player.ts";
import type { Corrections } from "./use-corrections.ts";
import { useTaps } from "./use-taps.ts";

it("shows the tempo of the taps until they are undone", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  let time = 0;
  const player = { soundTime: () => (time += 0.5) } as unknown as SongPlayer;
  let edits: Correction[] = [];
  const edit = (made: Correction) => void (edits = [made]);
  function Tapping({ made }: { readonly made: readonly Correction[] }) {
    // The subset of the corrections that taps use.
    const corrections = { history: { present: { edits: made } }, edit } as unknown as Corrections;
    const { tap, text } = useTaps(player, corrections);
    return <button onClick={tap}>{text}</button>;
  }
  const place = document.createElement("div");
  const root = createRoot(place);
  const show = () => act(() => root.render(<Tapping made={edits} />));
  const tap = () => {
    act(() => place.querySelector("button")!.click());
    show();
  };
  document.body.append(place);
  show();

  for (let taps = 0; taps < 3; taps++) tap();
  expect(place.textContent).toBe("3 of 4 taps");
  tap();
  expect(place.textContent).toBe("120.0 BPM from 4 taps");
  edits = [];
  show();
  expect(place.textContent).toBe("");
  act(() => root.unmount());
  place.remove();
  vi.unstubAllGlobals();
});
