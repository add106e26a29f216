import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { RehearseNightResponseSchema, type RehearseNightResponse } from "@followspot/contract/night";
import { expect, test } from "vitest";
import { mapEvening, placeAt } from "./evening-map.ts";

const START = 1e12;
const atSecond = (second: number) => START + second * 1000;

/** Second, kind, title, length in seconds. */
type Told = readonly [second: number, kind: string, title?: string, seconds?: number];

function evening(...told: readonly Told[]): RehearseNightResponse {
  const moments = told.map(([second, kind, title = "", seconds = 0]) => ({
    at: timestampFromMs(atSecond(second)),
    kind,
    title,
    songId: kind === "song" ? title : "",
    seconds,
  }));
  return create(RehearseNightResponseSchema, {
    moments,
    startsAt: moments[0]!.at,
    endsAt: moments.at(-1)!.at,
  });
}

/** Songs A and B, of 100 and 60 s with 5 s between them, a talk from 40 to 160 s, and the end at 400 s. */
const EVENING = evening(
  [0, "start", "Launch"],
  [0, "song", "A", 100],
  [40, "pause"],
  [40, "talk", "On Light", 120],
  [160, "resume"],
  [225, "song", "B", 60],
  [285, "music_end"],
  [400, "end", "Launch"],
);

function seen(night: RehearseNightResponse, second: number) {
  const { song, position, talk, next } = placeAt(mapEvening(night), atSecond(second));
  return [song?.title, position, talk?.title, next?.kind];
}

test("a song stops for a talk and goes on after it where it was", () => {
  expect(seen(EVENING, 10)).toEqual(["A", 10, undefined, "pause"]);
  expect(seen(EVENING, 40)).toEqual([undefined, 0, "On Light", "resume"]);
  expect(seen(EVENING, 159.9)).toEqual([undefined, 0, "On Light", "resume"]);
  expect(seen(EVENING, 170)).toEqual(["A", 50, undefined, "song"]);
});

test("the gap after a song is its end, and nothing plays once the last one is over", () => {
  expect(seen(EVENING, 222)).toEqual(["A", 100, undefined, "song"]);
  expect(seen(EVENING, 225)).toEqual(["B", 0, undefined, "music_end"]);
  expect(seen(EVENING, 290)).toEqual([undefined, 0, undefined, "end"]);
});

test("of two songs in a cross-fade the one that comes in has the light", () => {
  const night = evening([0, "start"], [0, "song", "A", 100], [95, "song", "B", 60], [155, "music_end"], [200, "end"]);
  expect(seen(night, 94)).toEqual(["A", 94, undefined, "song"]);
  expect(seen(night, 96)).toEqual(["B", 1, undefined, "music_end"]);
});

test("music that is still playing when the event ends plays to its end", () => {
  const night = evening([0, "start"], [0, "song", "A", 100], [60, "end"]);
  expect(seen(night, 59)).toEqual(["A", 59, undefined, "end"]);
  expect(seen(night, 60)).toEqual([undefined, 0, undefined, undefined]);
});
