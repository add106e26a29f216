import { expect, test } from "vitest";
import { bestPeer, duel, judge, meanOf, verdict, wholeSongVocalAuc, type Row } from "./board.ts";
import type { Answer } from "./engines.ts";
import type { Song } from "./songs.ts";

const BEATS = Array.from({ length: 30 }, (_, i) => i);
const song = (id: string, more: Partial<Song> = {}): Song => ({
  id,
  genre: "test",
  path: "",
  duration: 30,
  tempo: 60,
  key: "C major",
  meter: "4/4",
  beats_per_bar: 4,
  beats: BEATS,
  downbeats: BEATS.filter((b) => b % 4 === 0),
  sections: [{ start: 0, end: 30, label: "verse" }],
  drops: [],
  vocals: [],
  ...more,
});
const answer = (more: Partial<Answer> = {}): Answer => ({ beats: BEATS, tempo: 60, seconds: 0.5, ...more });
const row = (engine: string, of: Song, more: Partial<Answer> = {}): Row =>
  judge("set", engine, of, answer(more), 30, false);

test("what an engine does not offer is left out of its mean", () => {
  const rows = [row("followspot", song("a"), { key: "G major" }), row("followspot", song("b"))];
  expect(meanOf(rows, "key")).toBe(0.5);
  expect(meanOf(rows, "downbeat F")).toBeUndefined();
  expect(meanOf(rows, "× real time")).toBe(60);
});

test("a song without drops counts only where one is claimed", () => {
  expect(row("followspot", song("a"), { drops: [] }).scores["drop F"]).toBeUndefined();
  expect(row("followspot", song("a"), { drops: [3] }).scores["drop F"]).toBe(0);
});

test("duels count wins, ties and losses on the same songs", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => song(id));
  const late = { beats: BEATS.map((t) => t + 0.3) };
  const rows = [
    ...[row("followspot", a!), row("followspot", b!), row("followspot", c!, late)],
    ...[row("peer", a!, late), row("peer", b!), row("peer", c!)],
  ];
  expect(duel(rows, "peer", "beat F")).toEqual({ wins: 1, ties: 1, losses: 1, chance: 0.75 });
  expect(duel(rows, "peer", "key")).toBeUndefined();
  expect(bestPeer(rows, "beat F")).toEqual({ engine: "peer", value: 2 / 3 });
});

test("songs with a voice are told from songs without by their mean presence", () => {
  const presence = (level: number) => ({ vocals: { rate: 10, presence: [level, level] } });
  const sung = song("s", { vocals: [[1, 2]] });
  expect(wholeSongVocalAuc([row("followspot", sung, presence(0.6)), row("followspot", song("i"), presence(0.4))])).toBe(
    1,
  );
});

test.each([
  [0.93, "goal"],
  [0.85, "pass"],
  [0.84, "miss"],
  [undefined, "–"],
])("%s is a %s", (value, result) => {
  expect(verdict(value, 0.85, 0.93)).toBe(result);
});
