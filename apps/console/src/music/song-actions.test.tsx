// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { MusicService, SongSchema, type Song } from "@followspot/contract/music";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually, show } from "../testing/show.tsx";
import { SongActions } from "./song-actions.tsx";

let cancelled: string[];
let retried: string[];
const onColors = vi.fn();

beforeEach(() => {
  cancelled = [];
  retried = [];
  onColors.mockReset();
});

const song = create(SongSchema, { id: "s1", title: "Salt", analysisStatus: "processing", lightingStatus: "pending" });

const open = (isNarrow: boolean, roles: readonly string[] = ["Admin"], shown: Song = song) =>
  show(
    <SongActions
      song={shown}
      isNarrow={isNarrow}
      onColors={onColors}
      onPlaylist={vi.fn()}
      onSteps={vi.fn()}
      onDelete={vi.fn()}
      onHistory={vi.fn()}
    />,
    {
      roles,
      routes: (router) =>
        router.service(MusicService, {
          cancelSong: ({ songId }) => {
            cancelled.push(songId);
            return {};
          },
          retrySong: ({ songId, step }) => {
            retried.push(`${songId} ${step}`);
            return {};
          },
        }),
    },
  );

const names = (place: HTMLElement) => [...place.querySelectorAll("button")].map((each) => each.textContent?.trim());
const items = () => [...document.querySelectorAll<HTMLElement>("[role=menuitem]")];
async function choose(place: HTMLElement, label: string) {
  await act(async () => place.querySelector("button")!.click());
  await eventually(() => expect(items().length).toBeGreaterThan(0));
  await act(async () =>
    items()
      .find(({ textContent }) => textContent === label)!
      .click(),
  );
}

// kept: Console | From Music a song could not be put onto a playlist | failed with the fault put back
test("a narrow row has one button, which contains all actions on a song", async () => {
  const place = await open(true);
  expect(names(place)).toEqual(["More"]);
  await act(async () => place.querySelector("button")!.click());
  await eventually(() =>
    expect(items().map(({ textContent }) => textContent)).toEqual([
      ...[
        "Cancel",
        "Retry Download",
        "Retry Analysis",
        "Retry Lighting",
        "Colors",
        "Add to playlist",
        "Steps",
        "History",
        "Delete",
      ],
    ]),
  );
});

test("actions in a narrow row do the same as the buttons in a wide one", async () => {
  const place = await open(true);
  await choose(place, "Cancel");
  await eventually(() => expect(cancelled).toEqual(["s1"]));
  await choose(place, "Retry Analysis");
  await eventually(() => expect(retried).toEqual(["s1 analysis"]));
  await choose(place, "Colors");
  expect(onColors).toHaveBeenCalledOnce();
});

test("keeps its buttons if they fit", async () => {
  expect(names(await open(false))).toEqual(["Cancel", "Retry", "Delete", "More"]);
});

test("a song whose audio is stored can be played here, also in a narrow row", async () => {
  for (const isNarrow of [true, false]) {
    const place = await open(isNarrow, ["Admin"], { ...song, audio: "/proxy/songs/s1/audio.mp3" });
    expect(place.querySelector("[aria-label=Listen]")).not.toBeNull();
    place.remove();
  }
});
