import { expect, test } from "vitest";
import { causeOf } from "./failure-cause.ts";

const ONE_CAUSE: readonly (readonly [string, string, string])[] = [
  ["numbers", "Only 812 MB are free, 1,200 are needed", "Only 9 MB are free, 64 are needed"],
  ["numbers with a unit", "The site waited 30s", "The site waited 5s"],
  ["ids of songs", "Song 01JD3Q9ZK8V7M2N4P6R8T0W2Y4 is missing", "Song 01JD3Q9ZK8V7M2N4P6R8T0W2Z9 is missing"],
  ["UUIDs", "lease 3f1f2a86-8d51-4a55-9c42-0c2f8f0f5b11 ended", "lease 00000000-8d51-4a55-9c42-0c2f8f0f5b12 ended"],
  ["ids of videos", "[youtube] dQw4w9WgXcQ: Video unavailable", "[youtube] abcdefghijk: Video unavailable"],
  ["paths", "cannot open /srv/songs/01A/audio.mp3", "cannot open /data/audio.mp3"],
  ["paths of Windows", "cannot open C:\\songs\\a.mp3", "cannot open D:\\b.mp3"],
  ["links", "GET https://a.example/x?y=1 failed", "GET https://b.example/z failed"],
  ["moments", "no answer since 2026-11-25T17:30:00.123Z", "no answer since 2026-01-02T03:04:05+01:00"],
  ["times of day", "no answer since 17:30:05", "no answer since 9:02"],
  ["line breaks", "no answer\n  at all", "no answer at all"],
];

test.each(ONE_CAUSE)("%s do not distinguish causes", (_what, one, other) => {
  expect(causeOf(one)).toBe(causeOf(other));
});

test("other words are other causes", () => {
  const reasons = ["The file is too short", "The file is too long", "and/or", "", "Video unavailable", "Video private"];
  expect(new Set(reasons.map(causeOf)).size).toBe(reasons.length);
});

test("the normalized reason is still readable", () => {
  const reason = "ffmpeg ended with 187 after 12.5 s on /tmp/a/b.mp3 of song 01JD3Q9ZK8V7M2N4P6R8T0W2Y4";
  expect(causeOf(reason)).toBe("ffmpeg ended with ‹n› after ‹n› s on ‹path› of song ‹id›");
});

test("a long reason that triggers every rule takes less than 0.5 s", () => {
  const start = performance.now();
  for (const piece of ["a-", "/a", "1:", "\\", "[a", "0a"]) causeOf(piece.repeat(2000));
  expect(performance.now() - start).toBeLessThan(500);
});
