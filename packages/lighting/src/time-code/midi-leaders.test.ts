import { describe, expect, it } from "vitest";
import { clocks, fullMessage, quarterFrames } from "../testing/leaders.ts";
import { MidiClock } from "./midi-clock.ts";
import { MidiTimeCode, type LeaderMove } from "./midi-time-code.ts";
import { FRAME_RATES, timeCodeText, type FrameRate, type SettableRate } from "./time-code.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
/** The rate that has to be set for a leader; the others are in its messages. */
const setFor = (rate: FrameRate): SettableRate | undefined =>
  rate === "23.976" || rate === "29.97" ? rate : undefined;
const secondsOf = (move: LeaderMove | undefined) => (move && move.kind !== "stands" ? move.seconds : undefined);

describe("MIDI time code", () => {
  // The example of the standard: 01:37:52:16 at 30 frames per second.
  const EXAMPLE = [0x00, 0x11, 0x24, 0x33, 0x45, 0x52, 0x61, 0x76];

  it("decodes the example of the standard, whose last piece arrives 7/4 frames later", () => {
    const leader = new MidiTimeCode();
    const moves = EXAMPLE.map((data, i) => leader.hear(bytes(0xf1, data), i));
    expect(moves.slice(0, 7)).toEqual(Array(7).fill(undefined));
    const move = moves[7]!;
    expect(move).toMatchObject({ kind: "runs", atMs: 7 });
    expect(secondsOf(move)).toBeCloseTo(3600 + 37 * 60 + 52 + (16 + 7 / 4) / 30, 9);
    expect(timeCodeText((move as { code: Parameters<typeof timeCodeText>[0] }).code)).toBe("01:37:52:17");
  });

  it.each(FRAME_RATES)("gives the position at every piece from the second cycle on, at %s", (rate) => {
    for (const frame of [0, 1790, 90_000]) {
      const leader = new MidiTimeCode(setFor(rate));
      const said = quarterFrames({ rate, frame, seconds: 3 });
      const off = said.map((each) => (secondsOf(leader.hear(each.bytes, each.atMs)) ?? Number.NaN) - each.truth);
      expect(Math.max(...off.slice(7).map(Math.abs))).toBeLessThan(1e-6);
    }
  });

  it.each(FRAME_RATES)("is decoded in reverse, and through a change of direction, at %s", (rate) => {
    const leader = new MidiTimeCode(setFor(rate));
    const back = quarterFrames({ rate, frame: 5000, seconds: 2, speed: -1 });
    // The first piece in reverse belongs to frame 5000 itself, so a whole cycle ends with the 9th.
    const off = back.map((each) => (secondsOf(leader.hear(each.bytes, each.atMs)) ?? Number.NaN) - each.truth);
    expect(Math.max(...off.slice(9).map(Math.abs))).toBeLessThan(1e-6);
    const forth = back.toReversed().slice(1, 60);
    for (const each of forth) expect(secondsOf(leader.hear(each.bytes, each.atMs))).toBeCloseTo(each.truth, 6);
  });

  it("gives no position when joined within a cycle, or after a lost piece", () => {
    const said = quarterFrames({ rate: "25", frame: 100, seconds: 1 });
    const joined = new MidiTimeCode();
    expect(said.slice(3, 14).map((each) => joined.hear(each.bytes, 0))).toEqual(Array(11).fill(undefined));
    const lossy = new MidiTimeCode();
    const moves = said.filter((_, i) => i !== 20).map((each) => lossy.hear(each.bytes, each.atMs));
    expect(moves[19]).toBeDefined();
    // A complete cycle of eight pieces is needed again; the next one starts with the 24th.
    expect(moves.slice(20, 30)).toEqual(Array(10).fill(undefined));
    expect(secondsOf(moves[30])).toBeCloseTo(said[31]!.truth, 6);
  });

  it("jumps to the position of a full message at once", () => {
    const leader = new MidiTimeCode();
    const move = leader.hear(fullMessage(90_000 + 25 * 61 + 3, "25"), 5);
    expect(move).toMatchObject({ kind: "goes", atMs: 5 });
    expect(secondsOf(move)).toBeCloseTo(3661.12, 9);
    // By hand, as in the standard: 01:02:03:04 drop frame, rate bits 10.
    expect(leader.hear(bytes(0xf0, 0x7f, 0x7f, 1, 1, 0x41, 2, 3, 4, 0xf7), 6)).toMatchObject({
      code: { hours: 1, minutes: 2, seconds: 3, frames: 4, rate: "29.97df" },
    });
  });

  it("ignores a set rate that counts frames differently from the messages", () => {
    const cases = [
      ["25", "29.97", "25"],
      ["30", "29.97", "29.97"],
      ["29.97df", "29.97", "29.97df"],
      ["24", "23.976", "23.976"],
      ["24", "30", "24"],
    ] as const;
    for (const [sent, set, read] of cases)
      expect(new MidiTimeCode(set).hear(fullMessage(1000, sent), 0)).toMatchObject({ code: { rate: read } });
  });

  it("ignores other MIDI messages and invalid times", () => {
    const leader = new MidiTimeCode();
    const noise = [
      [],
      [0xf8],
      [0xf1],
      [0xf1, 0x80],
      [0xf1, 1, 2],
      [0x90, 36, 100],
      [0xf0, 0x7f, 0x7f, 1, 1, 0x21, 61, 0, 0, 0xf7],
      [0xf0, 0x7f, 0x7f, 1, 1, 0x38, 0, 0, 0, 0xf7],
      [0xf0, 0x7f, 0x7f, 6, 1, 0xf7],
      [0xf0, 0x7f, 0x7f, 1, 1, 0x21, 0, 0, 0, 0x80],
    ];
    for (const each of noise) expect(leader.hear(bytes(...each), 0)).toBeUndefined();
    // Minute 63: eight pieces, but no valid time.
    const wrong = [0x00, 0x10, 0x20, 0x30, 0x4f, 0x53, 0x60, 0x72];
    expect(wrong.map((data) => leader.hear(bytes(0xf1, data), 0))).toEqual(Array(8).fill(undefined));
  });
});

describe("MIDI clock", () => {
  const GRID = Array.from({ length: 200 }, (_, i) => 0.4 + i * 0.5);
  const run = (leader: MidiClock, said: ReturnType<typeof clocks>) =>
    said.map((each) => leader.hear(each.bytes, each.atMs));

  it("starts on the first beat of the song, and follows the song's beats at any tempo", () => {
    for (const bpm of [60, 120, 174]) {
      const leader = new MidiClock(GRID);
      expect(secondsOf(leader.hear(bytes(0xfa), 0))).toBeCloseTo(0.4, 9);
      const moves = run(leader, clocks(bpm, 97));
      expect(secondsOf(moves[0])).toBeCloseTo(0.4, 9);
      expect(secondsOf(moves[24])).toBeCloseTo(0.9, 9);
      expect(secondsOf(moves[96])).toBeCloseTo(2.4, 9);
      expect(leader.tempo).toBeCloseTo(bpm, 6);
    }
  });

  it("gives its tempo while stopped, and no position before it is started", () => {
    const leader = new MidiClock(GRID);
    expect(run(leader, clocks(128, 60)).every((move) => move === undefined)).toBe(true);
    expect(leader.tempo).toBeCloseTo(128, 6);
  });

  it("continues where it stopped, or at its song position in sixteenth notes of six clocks", () => {
    const leader = new MidiClock(GRID);
    leader.hear(bytes(0xfa), 0);
    run(leader, clocks(120, 48));
    expect(leader.hear(bytes(0xfc), 990)).toEqual({ kind: "stands", atMs: 990 });
    expect(run(leader, clocks(120, 5, 1000)).every((move) => move === undefined)).toBe(true);
    leader.hear(bytes(0xfb), 2000);
    expect(secondsOf(leader.hear(bytes(0xf8), 2005))).toBeCloseTo(1.4, 9);
    leader.hear(bytes(0xfc), 2100);
    // 272 sixteenth notes: 68 beats.
    expect(secondsOf(leader.hear(bytes(0xf2, 0x10, 0x02), 2200))).toBeCloseTo(0.4 + 34, 9);
    leader.hear(bytes(0xfb), 2300);
    expect(secondsOf(leader.hear(bytes(0xf8), 2310))).toBeCloseTo(34.4, 9);
    expect(leader.hear(bytes(0xf2, 0x90, 0), 2400)).toBeUndefined();
  });

  it("discards the tempo after a gap", () => {
    const leader = new MidiClock(GRID);
    run(leader, clocks(100, 60));
    run(leader, clocks(140, 60, 60_000));
    expect(leader.tempo).toBeCloseTo(140, 6);
  });
});
