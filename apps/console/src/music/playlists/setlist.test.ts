import { create } from "@bufbuild/protobuf";
import { PlaylistSchema } from "@followspot/contract/music";
import { expect, test } from "vitest";
import { setlistOf } from "./setlist.ts";

const of = (gapSeconds: number, ...durations: number[]) => {
  const songs = durations.map((duration) => ({ song: { duration } }));
  const { rows, total } = setlistOf(create(PlaylistSchema, { gapSeconds, songs }));
  return [...rows.map(({ from }) => from), total];
};

test("a song begins after the previous one and the gap; the last song has no gap after it", () => {
  expect(of(5, 100, 200, 60)).toEqual([0, 105, 310, 370]);
});

test("a cross-fade begins its song before the other one ends", () => {
  expect(of(-4, 100, 200)).toEqual([0, 96, 296]);
});

test("songs shorter than the cross-fade begin no earlier than the first note", () => {
  expect(of(-10, 4, 3)).toEqual([0, 0, 3]);
});

test("an empty playlist has no duration", () => {
  expect(of(5)).toEqual([0]);
});
