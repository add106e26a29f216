// @vitest-environment jsdom
import type { MyNightJson } from "@followspot/contract/guest";
import { expect, test } from "vitest";
import { show } from "../testing/show.tsx";
import type { Night } from "./night.ts";
import { placeOfRequest, SongRow } from "./songs-tab.tsx";

const NIGHT: MyNightJson = {
  playing: { id: "s0" },
  songs: [{ id: "s1" }, { id: "s2" }],
  playedSongIds: ["s9"],
};

test.each([
  ["s0", "playing now"],
  ["s2", "number 2 in the playlist"],
  ["s9", "played already"],
  ["s7", "in the playlist"],
  [undefined, "in the playlist"],
])("says where the song %s of a request is", (songId, said) => {
  expect(placeOfRequest({ ...(songId && { songId }) }, NIGHT)).toBe(said);
});

// kept: Songs and jobs | Guests voted for songs that votes do not move | failed on the old code
test.each([
  [true, 'Thank you for "Salt", 1 heart. It does not move the song.'],
  [false, 'Vote for "Salt", 1 vote'],
])("names the button of a song that is placed by hand (%s) by what it does", async (isFixed, name) => {
  const song = { id: "s1", title: "Salt", votes: 1, isFixed, isReady: true };
  const place = await show(<SongRow song={song} place={1} mine={NIGHT} night={{} as Night} />);
  expect(place.querySelector("button")?.getAttribute("aria-label")).toBe(name);
});
