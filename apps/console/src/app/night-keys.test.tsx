// @vitest-environment jsdom
import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { act, type ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { DeskPage } from "../desk/desk-page.tsx";
import { NowPlaying } from "../music/playlists/now-playing.tsx";
import { eventually, show } from "../testing/show.tsx";
import { TonightPage } from "../tonight/tonight-page.tsx";

beforeEach(() => {
  // The desk's connection stays closed, and there is no room for the stage.
  vi.stubGlobal(
    "WebSocket",
    class extends EventTarget {
      close() {}
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

const SCREENS: readonly (readonly [string, () => ReactNode])[] = [
  ["Tonight", () => <TonightPage />],
  ["Live desk", () => <DeskPage />],
  ["Playlists", () => <NowPlaying />],
];
const CASES = SCREENS.flatMap(([screen, page]) =>
  [
    ["Space", " ", "pause"],
    ["P", "p", "pause"],
    ["N", "n", "skip s1"],
  ].map(([shown, key, call]) => ({ screen, page, shown, key: key!, call })),
);

const type = (key: string) =>
  act(async () => void document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));

// kept: Console | Space skipped a song on one screen and did nothing on the next | failed on the old code
test.each(CASES)("$shown on $screen: $call", async ({ page, key, call }) => {
  const calls: string[] = [];
  const place = await show(page(), {
    address: "/",
    routes: (router) => {
      router.service(EventService, { listEvents: () => ({}) });
      router.service(MusicService, {
        getShowQueue: () => ({ queue: { mode: "playing", song: { id: "s1", title: "Salt", duration: 200 } } }),
        pauseMusic: () => (calls.push("pause"), {}),
        resumeMusic: () => (calls.push("resume"), {}),
        skipSong: ({ songId }) => (calls.push(`skip ${songId}`), {}),
      });
    },
  });
  await eventually(() => expect(place.textContent).toContain("Salt"));
  await type(key);
  await eventually(() => expect(calls).toEqual([call]));
});
