import { create } from "@bufbuild/protobuf";
import { PlaylistSongSchema } from "@followspot/contract/music";
import { expect, test } from "vitest";
import { withNext } from "./place-order.ts";

const place = (id: string, { played = false, isPlaced = true } = {}) =>
  create(PlaylistSongSchema, { song: { id }, played, isPlaced });

test("a song that is to be played next stands behind the one that plays, and nothing else changes its turn", () => {
  // The second song plays, though the first one was never heard.
  const [two, over] = [place("two", { played: true }), place("over", { played: true })];
  const places = [place("one"), two, over, place("three"), place("four")];
  expect(withNext(places, "two", "four")).toEqual(["over", "two", "four", "one", "three"]);
  expect(withNext(places, "two", "one")).toEqual(["over", "two", "one", "three", "four"]);
});

test("where songs come by votes, the next one is placed and votes go on moving the others", () => {
  const voted = (id: string) => place(id, { isPlaced: false });
  expect(withNext([voted("one"), voted("two"), voted("three")], "one", "three")).toEqual(["one", "three"]);
});
