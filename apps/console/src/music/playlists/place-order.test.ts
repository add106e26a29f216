import { create } from "@bufbuild/protobuf";
import { PlaylistSongSchema } from "@followspot/contract/music";
import { expect, test } from "vitest";
import { withNext } from "./place-order.ts";

const place = (id: string, played = false) => create(PlaylistSongSchema, { song: { id }, played });

test("a song that is to be played next stands behind the one that plays, and nothing else changes its turn", () => {
  // The second song plays, though the first one was never heard.
  const places = [place("one"), place("two", true), place("over", true), place("three"), place("four")];
  expect(withNext(places, "two", "four")).toEqual(["over", "two", "four", "one", "three"]);
  expect(withNext(places, "two", "one")).toEqual(["over", "two", "one", "three", "four"]);
});
