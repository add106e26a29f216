import { describe, expect, it } from "vitest";
import { minutesBehind, runningOrder, type NightNow } from "./running-order.ts";

const at = (time: string) => Date.parse(`2026-06-21T${time}:00Z`);
const talk = (id: string, time?: string) => ({ id, title: id, speaker: "Ines", startsAt: time === undefined ? undefined : at(time) }); // prettier-ignore
const song = (id: string, seconds = 240) => ({ id, title: id, artist: "Mira", seconds, colors: ["#ff0080"] });
const night: NightNow = {
  nowMs: at("21:00"),
  talks: [talk("late", "22:00"), talk("early", "20:00"), talk("someday")],
  talkOnStage: undefined,
  songs: [song("one"), song("two"), song("three")],
  position: 60,
  gap: 2,
  isPlaying: true,
};

describe("the running order", () => {
  it("merges talks and songs, with song times expected from the position of the first song", () => {
    const lines = runningOrder(night);
    expect(lines.map(({ title, state }) => [title, state])).toEqual([
      ["early", "over"],
      ["one", "now"],
      ["two", "next"],
      ["three", "later"],
      ["late", "later"],
      ["someday", "later"],
    ]);
    expect(lines[1]!.at).toBe(at("20:59"));
    expect(lines[2]!.at).toBe(at("20:59") + 242_000);
    expect(lines[3]!.at).toBe(at("20:59") + 2 * 242_000);
  });

  it("marks the talk on stage as current, and earlier planned talks as over, regardless of delay", () => {
    const lines = runningOrder({
      ...night,
      nowMs: at("22:30"),
      songs: [],
      talkOnStage: { id: "late", since: undefined },
      isPlaying: false,
    });
    expect(lines.map(({ title, state }) => [title, state])).toEqual([
      ["early", "over"],
      ["late", "now"],
      ["someday", "next"],
    ]);
  });

  // kept: Console | A talk was "over" three minutes after its planned start while no talk was on stage | failed on the old code
  it.each([
    ["20:05", "due", "20:30"],
    ["20:19", "due", "20:30"],
    ["20:20", "over", "20:30"],
    ["20:12", "over", "20:10"],
  ])("at %s a talk planned for 20:00 is %s, with the next one at %s", (now, state, nextTime) => {
    const talks = [talk("first", "20:00"), talk("second", nextTime)];
    const [first] = runningOrder({ ...night, nowMs: at(now), talks, songs: [] });
    expect([first!.title, first!.state]).toEqual(["first", state]);
  });

  it("delays later talks by as much as the talk on stage began late", () => {
    const talks = [talk("early", "20:00"), talk("mid", "20:30"), talk("late", "22:00"), talk("someday")];
    const lines = runningOrder({ ...night, talks, songs: [], talkOnStage: { id: "mid", since: at("20:42") } });
    expect(lines.map(({ title, really }) => [title, really])).toEqual([
      ["early", undefined],
      ["mid", at("20:42")],
      ["late", at("22:12")],
      ["someday", undefined],
    ]);
    const inTime = runningOrder({
      ...night,
      talks,
      songs: [],
      talkOnStage: { id: "mid", since: at("20:30") + 20_000 },
    });
    expect(inTime.every(({ really }) => really === undefined)).toBe(true);
  });

  it("expects songs earlier if they crossfade", () => {
    const [, , two] = runningOrder({ ...night, talks: [], gap: -10, songs: [song("a"), song("b"), song("c")] });
    expect(two!.at).toBe(at("20:59") + 2 * 230_000);
  });

  it("includes the played share of the current song, and the colors of each song's show", () => {
    const [, now, next] = runningOrder(night);
    expect([now!.heard, next!.heard]).toEqual([0.25, undefined]);
    expect(next!.colors).toEqual(["#ff0080"]);
  });

  it("is behind by the delay of the talk on stage, from one minute on", () => {
    const behind = (since: string) =>
      minutesBehind({ talks: night.talks, talkOnStage: { id: "early", since: at(since) } });
    expect(["19:58", "20:00", "20:07"].map(behind)).toEqual([0, 0, 7]);
    expect(minutesBehind({ talks: night.talks, talkOnStage: undefined })).toBe(0);
  });

  it("is empty for a night without talks and songs", () => {
    expect(runningOrder({ ...night, talks: [], songs: [] })).toEqual([]);
  });
});
