import { create } from "@bufbuild/protobuf";
import { PlaylistSongSchema } from "@followspot/contract/music";
import { expect, test } from "vitest";
import { withNext } from "./place-order.ts";

const place = (id: string, { played = false, isPlaced = true } = {}) =>
  create(PlaylistSongSchema, { song: { id }, played, isPlaced });

test("a song to be played next is placed after the current song, and no other turn changes", () => {
  // The second song plays, though the first one was never played.
  const [two, over] = [place("two", { played: true }), place("over", { played: true })];
  const places = [place("one"), two, over, place("three"), place("four")];
  expect(withNext(places, "two", "four")).toEqual(["over", "two", "four", "one", "three"]);
  expect(withNext(places, "two", "one")).toEqual(["over", "two", "one", "three", "four"]);
});

test("in vote order, the next song is placed and votes still move the others", () => {
  const voted = (id: string) => place(id, { isPlaced: false });
  expect(withNext([voted("one"), voted("two"), voted("three")], "one", "three")).toEqual(["one", "three"]);
});
